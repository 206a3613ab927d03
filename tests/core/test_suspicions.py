"""Suspicions: nearly no secret that people write down is missed, and nearly nothing else is taken for one."""

from __future__ import annotations

import pytest

from tests.core.made_secrets import innocent, made
from tests.isolation import run_without
from tx_graph.core.errors import UsageError
from tx_graph.core.guard import described, refuse, suspected, without_secrets
from tx_graph.core.secrets import suspicions

HELD_OUT, DEVELOPMENT = "held-out", "development"
KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8t" * 4
SAID = {
    "assigned": "always set PGPASSWORD=hunter2 before psql",
    "login": "the staging db login is app / Tr0ub4dor&3",
    "vendor": f"the assistant runs with {KEY}",
    "hex": "use 5f4dcc3b5aa765d61d8327deb882cf99 for the sandbox",
    "prose": "the password of the staging database is swordfish",
    "token": "the deploy token is 8fK2mQ9xZ4vB7nL1cR5tW3yD",
    "ulid": "the deploy token is 01jm8ec74taftdgj2t4zra9z0j",
    "nearly a ulid": "it runs with 01jm8ec74taftdgj2t4zra9z0jk",
    "bucket": "rclone wants b2 d6b0cd4e7a65ea90423c50fadb3f5704",
    "key": "key for the geocoder: 8fK2mQ9xZ4vB7nL1cR5tW3yD",
    "url": "the queue is amqp://worker:gr4nite@queue.example.org",
}
"""The kinds that were staged word for word before there was a guard."""
TALK = [
    "the password is hashed with bcrypt", "token is refreshed every hour", "set API_KEY in the environment",
    "TOKEN=${TOKEN}", 'password=os.environ["X"]', "api_key=<your-key>", "PASSWORD=changeme", "login is required",
    "Fixed since 4ae94be0a1b2c3d4e5f60718293a4b5c6d7e8f90", "run 123e4567-e89b-12d3-a456-426614174000 hangs",
    "sha256: 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "learning 7k2m9x4q1r8z says so",
    "the key fingerprint is SHA256:uNiVztksCsDhcc0u9e8BrrQXVUpKZIDTMczCvj3tD2s", 'The token type is "Bearer"',
    '"conversation_id": "01jm8ec74taftdgj2t4zra9z0j"', "run 01KF2RW8JHV1X9C2M4P6Q8S0TV hangs",
    "parent: b2:d6b0cd4e7a65ea90423c50fadb3f5704", "src=R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
    "credentials: none\n\ncall it with `-f github:acme/s3-credentials`",
    "the cache key is 5f4dcc3b5aa765d61d8327deb882cf99", "wasm32-unknown-unknown has no clock", "pass --token to it",
    '"integrity": "sha512-zGYcYfq/WmZ4V+kBIXQon9dSSc8ircGZqw9ZaNhhGj9nZkeBu1jHLBDQqYYi5WA9uawvA2sIMbry2nCFhf5Djg=="',
]  # fmt: skip


def test_of_sentences_that_no_rule_was_made_for_few_are_missed_and_few_are_false() -> None:
    secrets, others = list(made(HELD_OUT)), innocent(HELD_OUT)
    missed, false = [one for one in secrets if not suspected(one)], [one for one in others if suspected(one)]
    assert min(len(secrets), len(others)) >= 150
    assert len(missed) <= 0.01 * len(secrets), missed
    assert len(false) <= 0.02 * len(others), false


def test_the_sentences_that_rules_were_made_with_stay_told_apart() -> None:
    secrets, others = list(made(DEVELOPMENT)), innocent(DEVELOPMENT)
    assert sum(not suspected(one) for one in secrets) <= 0.015 * len(secrets)
    assert sum(bool(suspected(one)) for one in others) <= 0.005 * len(others)


@pytest.mark.parametrize("kind", SAID)
def test_what_was_once_staged_word_for_word_is_suspected(kind: str) -> None:
    assert suspected(SAID[kind])
    with pytest.raises(UsageError, match="may hold a"):
        refuse([SAID[kind]], what="It", force=False)
    refuse([SAID[kind]], what="It", force=True)


@pytest.mark.parametrize("text", TALK)
def test_talk_of_secrets_and_what_only_looks_like_one_is_let_through(text: str) -> None:
    assert (suspected(text), without_secrets(text)) == ((), text) or not suspicions(text)


def test_what_is_said_of_a_secret_never_holds_it() -> None:
    for text in made(DEVELOPMENT):
        if found := suspected(text):
            told = described(text, found)
            assert not [text[one.start : one.end] for one in found if text[one.start : one.end].strip("\"'`.") in told]


def test_the_guard_sees_what_the_rules_see() -> None:
    for text in [*made(DEVELOPMENT), *made(HELD_OUT)]:
        assert bool(suspected(text)) == bool(suspicions(text)), text


def test_a_text_that_holds_nothing_like_a_secret_loads_no_rules() -> None:
    told = run_without(
        [],
        "from tx_graph.core.guard import suspected\n"
        "found = suspected('Retries double in src/http.py::fetch, since the gateway drops bursts')\n"
        "print(json.dumps([len(found), 'tx_graph.core.suspicions' in sys.modules]))",
    )
    assert told == [0, False]


def test_kingfisher_is_opened_for_what_could_be_a_key_only() -> None:
    told = run_without(
        [],
        "from tx_graph.core.secrets import suspicions\n"
        "suspicions('The token of tests/core/test_links.py expires, see 4ae94be0a1b2c3d4e5f60718293a4b5c6d7e8f90')\n"
        "print(json.dumps('kingfisher_sdk' in sys.modules))",
    )
    assert told is False
