"""Sentences with made secrets in them: templates of `fixtures/secrets`, filled from a stated seed.

Nothing that looks like a key stands in the repository, so that no scanner of a hosting service is set off by it.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

FIXTURES = Path(__file__).parents[2] / "fixtures" / "secrets"
HEX = "0123456789abcdef"
BASE62 = string.ascii_letters + string.digits
TIMES = 5  # sentences of each template
WORDS = {
    "development": "falcon copper willow harbor pepper thunder maple orbit velvet cactus ginger summit".split(),
    "held-out": "badger lantern meadow quartz saffron tundra walnut zephyr pickle cobalt juniper marble".split(),
}
USERS = {
    "development": "admin root app tester deploy_bot jane".split(),
    "held-out": "administrator svc-report demo reader ci joe.miller".split(),
}
HOSTS = {
    "development": "db1.example.org 10.0.0.12 queue cache.internal".split(),
    "held-out": "pg-replica.corp.example 192.168.4.7 bastion metrics.example.net".split(),
}
VENDORS = {
    "development": ["sk-proj-*74T3BlbkFJ*74", "ghp_*36", "xoxb-#12-#12-*24", "AKIA^16", "npm_*36"],
    "held-out": "sk-ant-api03-*93AA github_pat_*22_*59 glpat-*20 AIza*35 sk_live_*24 SG.*22.*43 dop_v1_%64".split(),
}
"""Forms of vendors' keys: a mark for an alphabet and how many letters of it."""
_ALPHABETS = {"*": BASE62, "#": string.digits, "^": string.ascii_uppercase + "234567", "%": HEX}


def drawn(random: Random, length: int, alphabet: str = BASE62) -> str:
    return "".join(random.choice(alphabet) for _ in range(length))


def vendors_key(random: Random, form: str) -> str:
    made, rest = "", form
    while rest:
        mark, rest = rest[0], rest[1:]
        if mark in _ALPHABETS:
            digits = "".join(one for one in rest[:2] if one.isdigit())
            made, rest = made + drawn(random, int(digits), _ALPHABETS[mark]), rest[len(digits) :]
        else:
            made += mark
    return made


def password(random: Random, words: list[str]) -> str:
    word, other, third = random.sample(words, 3)
    ways: list[Callable[[], str]] = [
        lambda: f"{word}{random.randint(1, 999)}",
        lambda: f"{word.title()}{random.randint(10, 99)}{random.choice('!?$&')}",
        lambda: f"{word}-{other}-{third}",
        lambda: f"{word.title()}{other.title()}{random.randint(1, 9)}",
        lambda: word.replace("a", "4").replace("e", "3").replace("o", "0").replace("u", "&") + "7!",
        lambda: drawn(random, 12, BASE62 + "!?%&*+-") + str(random.randint(0, 9)),
        lambda: drawn(random, 16),
        lambda: f"{word}_{random.randint(2000, 2026)}",
        lambda: word,
    ]
    return random.choice(ways)()


def made(half: str) -> Iterator[str]:
    """Yield the sentences of the `development` or the `held-out` half, the same ones each time."""
    words = WORDS[half]
    for number, template in enumerate((FIXTURES / f"{half}-templates.txt").read_text("utf-8").splitlines()):
        for time in range(TIMES):
            random = Random(f"{half} {number} {time}")
            yield template.format(
                password=password(random, words),
                phrase=" ".join(random.sample(words, 4)),
                token=drawn(random, random.choice((24, 32, 40)), random.choice((BASE62, BASE62 + "-_"))),
                hex=drawn(random, 32, HEX),
                hex64=drawn(random, 64, HEX),
                base64=base64.b64encode(random.randbytes(30)).decode(),
                uuid="-".join(drawn(random, length, HEX) for length in (8, 4, 4, 4, 12)),
                vendor=vendors_key(random, random.choice(VENDORS[half])),
                user=random.choice(USERS[half]),
                host=random.choice(HOSTS[half]),
            )


def innocent(half: str) -> list[str]:
    """Return what public histories say of passwords, keys and hashes, and what looks like them."""
    lines = (FIXTURES / f"{half}-innocent.tsv").read_text("utf-8").splitlines()
    return [line.partition("\t")[2] for line in lines]
