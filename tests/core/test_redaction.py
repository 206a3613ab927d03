"""Secrets: none that is common survives, whole or in part, however it stands in a text; talk of secrets does."""

from __future__ import annotations

import base64
import json
import string
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.isolation import run_without
from tx_graph.core.secrets import private_keys, redacted

WORDLIKE = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(length: int, alphabet: str = WORDLIKE, seed: int = 7) -> str:
    random = Random(seed * length)
    return "".join(random.choice(alphabet) for _ in range(length))


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


BODY = [drawn(64, WORDLIKE + "+/", seed) for seed in range(1, 20)] + [drawn(24, seed=3) + "=="]
PEM = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"])
JWT = f"{encoded({'alg': 'HS256', 'typ': 'JWT'})}.{encoded({'sub': '1234567890', 'iat': 1516239022})}.{drawn(43)}"

SECRETS = {
    "AWS key id": ("AKIA{}", drawn(16, string.ascii_uppercase + "234567")),
    "AWS secret": ("aws_secret_access_key = {}", drawn(40, WORDLIKE + "+/")),
    "GitHub": ("{}", f"ghp_{drawn(36)}"),
    "GitHub, fine-grained": ("{}", f"github_pat_{drawn(22)}_{drawn(59)}"),
    "GitLab": ("{}", f"glpat-{drawn(20)}"),
    "Slack": ("{}", f"xoxb-{drawn(12, string.digits)}-{drawn(12, string.digits, 2)}-{drawn(24)}"),
    "OpenAI": ("{}", f"sk-proj-{drawn(74)}T3BlbkFJ{drawn(74, seed=2)}"),
    "OpenAI, early": ("{}", f"sk-{drawn(20)}T3BlbkFJ{drawn(20, seed=2)}"),
    "Anthropic": ("{}", f"sk-ant-api03-{drawn(93)}AA"),
    "JWT": ("{}", JWT),
    "bearer": ('curl -H "Authorization: Bearer {}" https://example.org', drawn(40)),
    "basic": ("Authorization: Basic {}", base64.b64encode(f"joe:{drawn(16)}".encode()).decode()),
    "URL": ("git clone https://deploy:{}@git.example.org/x.git", drawn(14)),
    "database": ("DATABASE_URL=postgres://app:{}@db.internal:5432/prod", drawn(16)),
    "curl -u": ("curl -u admin:{} https://example.org/", drawn(16)),
    "Stripe": ("{}", f"sk_live_{drawn(24)}"),
    "Google": ("{}", f"AIza{drawn(35)}"),
    "npm": ("{}", f"npm_{drawn(36)}"),
    "Telegram": ("123456789:{}", f"AA{drawn(33)}"),
    "assigned": ('API_SECRET = "{}"', drawn(40)),
    "exported": ("export SESSION_SECRET={}", drawn(48, HEX)),
    "YAML": ("api_key: {}", drawn(32)),
    "JSON": ('{{"client_secret": "{}"}}', drawn(36)),
    "JSON in JSON": ('{{\\"client_secret\\": \\"{}\\"}}', drawn(36)),
    "password": ('password = "{}"', "correct.horse.battery"),
    "option": ("mysql --password {} -h db", drawn(16)),
    "quoted option": ("deploy --api-key '{}'", drawn(24)),
    "user option": ("curl -u 'ada:{}' https://a.org", drawn(12)),
    "cookie": ("Cookie: theme=dark; session={}; lang=en", drawn(40)),
    "weak password": ("DB_PASSWORD={}", "letmein123"),
}
HARMLESS = [
    "commit 4ae94be0a1b2c3d4e5f60718293a4b5c6d7e8f90",
    "sha256: 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "password = os.environ['DB_PASSWORD']",
    "DB_PASSWORD=${DB_PASSWORD}", "api_key=<your-api-key>", "def get_password(self) -> str: return self.password",
    "the secret is that tokens are cheap", "toolu_01ABcdEFghIJklMNopQRstUV", "psql postgres://localhost:5432/db",
    'if "-----BEGIN RSA PRIVATE KEY-----" in text:\n    return True', "-----BEGIN CERTIFICATE-----",
    "mysql --password --host db1.example.org", "use --token TOKEN, or --password-file /run/secrets/db1",
    "docker run -u 1000:1000 image", "Cookie: theme=dark; lang=en",
]  # fmt: skip


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("around", ["{}", "I ran it:\n{}\nand it went well.", "é {} ü"])
def test_no_common_secret_survives(name: str, around: str) -> None:
    form, secret = SECRETS[name]
    clean = redacted(around.format(form.format(secret)))
    assert secret not in clean.text
    assert clean.secrets >= 1
    assert "[redacted: " in clean.text


@pytest.mark.parametrize("text", HARMLESS)
def test_talk_of_secrets_stays_as_it_is(text: str) -> None:
    assert redacted(text) == (text, 0)


def lines_left(text: str) -> list[str]:
    return [line for line in BODY[:-1] if line in text]


@pytest.mark.parametrize("text", [
    PEM, f"cat id_rsa\n{PEM}\n$", PEM.replace("RSA ", ""), PEM.replace("RSA ", "OPENSSH "),
    "\n".join(f"{number:6}\t{line}" for number, line in enumerate(PEM.split("\n"), start=1)),
    "\n".join(f"{number:6}→{line}" for number, line in enumerate(PEM.split("\n"), start=1)),
    json.dumps({"private_key": PEM}), "\n".join(PEM.split("\n")[:9]), "\n".join(PEM.split("\n")[9:]),
    "\n".join(PEM.split("\n")[5:9]), f"key: |\n{PEM}".replace("\n", "\n    "), PEM.replace("\n", "\r\n"),
], ids=range(12))  # fmt: skip
def test_no_line_of_a_private_key_survives(text: str) -> None:
    clean = redacted(f"before\n{text}\nafter")
    assert not lines_left(clean.text)
    assert clean.text.startswith("before\n")
    assert clean.text.endswith("after")


@pytest.mark.parametrize(("text", "expected"), [
    (f"é: ghp_{drawn(36)} – ü", "é: [redacted: github-pat] – ü"),
    (f"redis://:pass{drawn(3)}@a.org/b", "redis://:[redacted: generic-credential-uri]@a.org/b"),
    (f"\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K{drawn(36)}", "[redacted: github-pat]"),
    ("a\0b\ud800c\r\nd and more", "ab�c\nd and more"),
    (f"data:image/png;base64,{drawn(5000)}==", "data:image/png;base64,[redacted: base64-blob]"),
], ids=["its surroundings stay", "in a URL", "colours hide no key", "no NUL and only Unicode", "images"])  # fmt: skip
def test_what_is_told_of_a_secret_and_of_what_stands_around_it(text: str, expected: str) -> None:
    assert redacted(text).text == expected


def test_every_secret_counts_once() -> None:
    assert redacted(f"GITHUB_TOKEN=ghp_{drawn(36)}\nghp_{drawn(36, seed=2)}").secrets == 2


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(sorted(SECRETS)))
@settings(max_examples=200, deadline=None)
def test_no_surroundings_bring_a_vendors_key_back(before: str, after: str, name: str) -> None:
    form, secret = SECRETS[name]
    if form == "{}":
        text = f"{before} {secret} {after}"
        assert secret not in redacted(text).text


@given(st.text(alphabet="-BEGIN END PRIVATE KEY-----\nabcXYZ0123456789+/= ", max_size=400))
def test_parts_of_keys_lie_in_the_text_and_end_after_they_begin(text: str) -> None:
    for _, start, end in private_keys(text):
        assert 0 <= start < end <= len(text)


def test_without_the_detector_our_own_rules_go_on_alone() -> None:
    told = run_without(
        ["kingfisher_sdk"],
        "from tx_graph.core.secrets import redacted\nprint(json.dumps(redacted('the password is hunter2').text))",
    )
    assert told == "the password is [redacted: password]"
