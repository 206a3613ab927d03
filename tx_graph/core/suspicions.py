"""What in a text may be a secret: passwords that prose names, values of things called secrets, long random strings.

Rules of our own, for what people and agents write; those of vendors are Kingfisher's (`core/secrets.py`). Every
repetition in them is bounded, so that a long line takes as long as its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple


class Suspicion(NamedTuple):
    """A part of a text that may be a secret, from `start` up to but not including `end`, and what kind it would be."""

    kind: str
    start: int
    end: int


# A name is a word of prose or a part of an identifier: PGPASSWORD, db.password, API_KEY, "the token".
_NAME = re.compile(
    r"""(?x) (?P<password> passw(?:or)?ds? | pass-?(?:phrase|code)s? | (?<![a-z])pwd | (?<![a-z0-9])(?P<short>pass|pw)(?![a-z_]))
      | (?P<secret> secrets? | credentials? )
      | (?P<token> (?<![a-z])tokens?(?![a-z]) | (?<![a-z])keys?(?![a-z]) | api-?keys? | authorization )"""
)
_KINDS = ("password", "secret", "token")
_NO_SECRET = re.compile(
    r"""(?ix) \b (?: cache|primary|public|foreign|sort|partition|lookup|map|dict|object|row|composite|hash|unique|json
      |idempotency|arrow|cancellation|page|next|design|stop|index|dedup|shortcut|registry|config ) [ _-]{0,2} $"""
)
"""What stands before a key or a token that is none."""
_ABOUT = re.compile(
    r"""(?ix) [_-]? (?: hash|hashed|digest|field|id|ids|name|type|length|len|size|file|path|dir|url|uri|count|expir\w{0,8}
      |lifetime|ttl|policy|age|limit|budget|store|input|hint|prompt|env|var|header|usage|cost|rate|manager|fingerprint|regex|error )\b"""
)
"""What makes a name that of something about a secret."""
_NOUN = re.compile(r"""["'`\]]{0,2}\s{0,4}(?:=|:\s)|\s(?:is|for|of|on)\s""")
"""What stands behind `pass` where it is a password."""
_ASSIGNED = re.compile(r"""[\w.-]{0,30}\\?["'`]?[\])]?[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8}""")
_SAID = re.compile(
    r"(?i)(?:(?<=[a-z0-9`'\")])\s(?:is|are|was|be|remains)|:)\s(?:(?:still|now|just|always|currently|set to)\s)?"
)
_SET = re.compile(r"(?i)\b(?:set|change|changed|reset|rotated?|put)\s[^\n.]{0,20}$")
_BESIDE = re.compile(r"""[\w-]{0,20}(?:["'`]?\]?[ \t]{1,4}|=)""")
_TO = re.compile(r"""[\w.-]{0,30}["'`]?(?:\s\w{1,20}){0,4}?\sto\s""")
_VALUE = re.compile(r"""\\?(?:["“‘`'*]{1,3}([^"`'“”‘’\n\\]{2,300})\\?["'`”’]|([^\s"'`“”‘’<>]{3,400}))""")
_TOKEN = re.compile(r"(?=[^0-9]{0,100}[0-9])[\w.+=~-]{8,100}[.,;]?")
_GAP = 80
"""Characters between what is named and its value in a sentence."""
_USED_AS = re.compile(
    r"""(?i)\b(?:use|type|enter|try|take|with)\s["'`]?([^\s"'`]{4,100})["'`]?\s(?:as|for)\s(?:(?:the|a|its)\s)?(?:\w{1,20}\s)?$"""
)
# admin / hunter2, admin:hunter2, and in a sentence "admin and hunter2"
_LOGIN = re.compile(
    r"\b(?:log-?in|sign-?in|creds?|credentials?|log(?:s|ged)?\s(?:in|into|on)|sign(?:s|ed)?\s(?:in|into)|account)\b"
)
_PAIR = re.compile(
    r"""(?i)(?:\b(?:is|are|was|as|with|by|using|user)|[:=])\s{0,2}[`"'(]{0,2}([\w.@+-]{2,60})(\s?/\s?|:|\s(?:and|with)\s|,\s)["'`]?([^\s"'`]{4,200})"""
)
_USER = re.compile(r"""(?i)\buser(?:name)?[ :=]{1,3}["'`]?(?!(?:and|or|with)\s)\S{2,40}[,;]?\s(?:(?:and|with)\s)?(?:(?:the|its)\s)?$|\stakes\s\S{2,40}\swith\sthe\s$""")
_IN_URL = re.compile(r"://([^\s/?#\"'`<>@:]{0,200}):([^\s/?#\"'`<>@]{3,400})@[^\s@/]")
_OPTION = re.compile(r"(?:\b(?:sshpass|mysql\w{0,6}|mariadb)\b[^\n|;&]{0,80}?\s-p\s?|\s(?:-u|--user)[\s=]['\"]?[^\s:'\"]{1,100}:)([^\s'\"]{4,200})")
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{20,4000}")
_HEX = re.compile(r"(?i)[0-9a-f]{16,200}")
_AWS = re.compile(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}")
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:-\d\d-\d\d-\d\d)?|20\d{12}-")
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HASHED = re.compile(
    r"""(?ix)(?:\b(?:h1|integrity|checksums?|digests?|fingerprints?|hash(?:es|ed)?|etag|commits?|revisions?|rev|md5|blake\w?
      |sha-?\d{0,3}(?:sum)?|cksum|signature|nonce|salt|uu?ids?|guid|ids?|tree|blob|object|ssh-\w{2,12}|ecdsa-\S{2,20}|boundary
      |trace\w{0,6}|reverts?|merge|cid|key\sid)\b|\.\w{1,8}["'\]]{1,3}\s?[=:]\s?["']?$|[@^]|(?:sha\d{1,3}|md5)[^\n]{0,36})[^\n]{0,24}$"""
)
"""What stands before a random string that is no secret: it is a hash, or the name of something."""
_HASH = re.compile(r"(?i)(?:sha\d{1,3}|md5|h1)[-:/=]")
_OF_CALL = re.compile(r"(?:toolu|call|msg|req|resp|run|item|chatcmpl|rs|fc|srvtoolu|cs_test|AAAA[BCE]3NzaC1)(?=_|\w)")
_PLACEHOLDER = re.compile(
    r"""(?ix) [^a-z0-9]* (?: <.* | \$.* | \{.* | \[.* | %[sd({].* | @.* | [*x.•_#-]{3,} | your\b.* | your[_-].* | my[_-]\w*
      | .*(?:change_?-?me|placeholder|redacted|dummy|example|sample|replace|goes_?-?here|fake|insert|_here|-here).*
      | (?:user|pass|passw(?:or)?d|passwd|secret|token|key|username|name|login|email|null|nil|none|true|false|undefined|string
        |str|text|int|bool|bytes|foo|bar|baz|qux|foobar|value|val|todo|tbd|xyz|abc|abcd|input|env|self|this|option)s?\d?
    ) [^a-z0-9]* """
)
_CODE = re.compile(r"""-|[\w.+-]+@(?:v?\d|[\w-]+\.\w)|.{0,80}[{%]\s|[A-Z]\w{1,30}\.[A-Z]|[\w.:$]{1,80}[(\[{]|.{0,80}(?:::|->|=>|\)\.|\(\))|[A-Za-z_]+\.[A-Za-z_.]+[;,)]{0,3}$|[A-Z][A-Z_]*$|[a-z]+_[a-z_]+$|[a-z]+[A-Z][A-Za-z]*$|[A-Za-z]+<|[./~][\w./-]*$|https?:""")
"""An expression, the name of something, a path: where a value comes from, and not what it is."""
_MEASURE = re.compile(r"\W?v?\d[\d.,:/x+-]*\W?[A-Za-z%]{0,7}\W?")
_ALGORITHM = re.compile(
    r"(?i)\W?(?:(?:hmac|pbkdf|argon|b?crypt|sha|hs|rs|es|ps|md|aes|rsa|ed|utf|base|o?auth|http|ipv|secp|pkcs|rfc|tls|ssl|iso"
    r"|latin|cp|unicode|psr|step|part|level|python|java|node|php|line|jwt)[-_ ]?v?\d{1,5}[\w.-]{0,14}|[a-z]{1,2}\d{1,4}(?:\.\d{1,4}){0,3})\W?"
)
_PLAIN = re.compile(r"[A-Za-z]{4,30}(?:-[A-Za-z]{2,30}){0,3}")
_PARTICIPLE = re.compile(r"(?i)\w+(?:ed|ing|able|ible|ly|ous|ive|ory|al|ent|ant|less|ful|ic|tion|ment|ary|ess|ware|ized|sent|own)")
_STOP = frozenset(
    """about above absent after again also always another any argument available away back bad been before being below best
    better between blank both broken bytes case-sensitive chosen clear comes correct could current does done each either
    else empty enough ever every exactly external field file fine fixed fresh from full generally given gone good hard hash
    hashes have hello here hidden host http https id ideally immutable in incorrect internal invalid it its just kept key known later
    left less like line local long longer lost made mandatory many maybe missing more most must name needs never new next no
    none not nothing now null number obsolete off often okay old once one only opaque open optional other out over own
    parameter passed per plain plaintext please present put quite random read ready really reset required right root safe
    same seen sensitive sent separate service session set shared short should shown simple simply single so some something
    soon stale static still string strong such taken tested text than that the their them then there these they this those thus
    to too trivial true two type typed type-safe unchanged under unique unknown unset unsafe until up upper used user valid
    value very void weak well what when where whether which while whole whose why will with within without worth would write-only
    wrong yes yet you your yours read-only base64-encoded url-safe one-time per-user short-lived long-lived user-defined
    admin anything basic bearer bcrypt argon digest forgotten held stolen token tokens secret secrets password passwords derived
    written longest shortest identical equal greater printed object part supposed about""".split()
)
"""Words that are said of a password more often than they are one."""


class _Weight(IntEnum):
    """How much a value looks like a secret."""

    NOTHING = 0
    WORD = 1
    MIXED = 2
    RANDOM = 3


def spoken(text: str) -> list[Suspicion]:
    """Return what may be a secret in `text`, in order, without overlaps; nothing but the text is looked at."""
    low = text.lower()
    if len(low) != len(text):  # a few letters have longer ones in lower case: places would be off
        low = text
    found = sorted([*_named(text, low), *_pairs(text, low), *_random(text)], key=lambda one: (one.start, -one.end))
    kept: list[Suspicion] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=one.end)
    return kept


def _named(text: str, low: str) -> Iterator[Suspicion]:
    """Yield the values of what is called a password, a secret, a token or a key."""
    for name in _at(_NAME, low, ("pass", "pw", "secret", "credential", "token", "key", "apikey", "authorization")):
        kind, (start, end) = next(one for one in _KINDS if name[one]), name.span()
        if _ABOUT.match(text, end) or (kind == "token" and _NO_SECRET.search(text, max(0, start - 24), start)):
            continue
        if name["short"] and not _NOUN.match(text, end):
            continue
        stop = text.find("\n", end)
        stop = min(len(text) if stop < 0 else stop, end + _GAP)
        least = _Weight.WORD if kind == "password" else _Weight.MIXED
        places: list[tuple[int, _Weight]] = []
        if assigned := _ASSIGNED.match(text, end):
            places.append((assigned.end(), least))
        elif beside := _BESIDE.match(text, end):
            is_users = kind == "password" and (text[:start].endswith("--") or _USER.search(text, max(0, start - 80), start))
            places.append((beside.end(), _Weight.WORD if is_users else _Weight.MIXED if kind == "password" else _Weight.RANDOM))
        places += [(one.end(), max(least, _Weight.MIXED) if kind == "token" else least) for one in _SAID.finditer(text, end, stop)]
        if _SET.search(text, max(0, start - 40), start) and (to := _TO.match(text, end)):
            places.append((to.end(), least))
        if used := _USED_AS.search(text, max(0, start - 160), start):
            if _mixed(used[1]) >= _Weight.MIXED:
                yield Suspicion(kind, *used.span(1))
                continue
        for place, needed in places:
            value = _VALUE.match(text, place)
            weight = _weight(value, text, is_password=kind == "password") if value else _Weight.NOTHING
            if value and weight >= needed and (kind != "token" or weight > _Weight.MIXED or _TOKEN.fullmatch(value[1] or value[2])):
                yield Suspicion(kind, value.start(), value.end())
                break


def _at(pattern: re.Pattern[str], low: str, cues: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin with one of these words: looking for words is a hundred times faster."""
    starts = set()
    for cue in cues:
        place = low.find(cue)
        while place >= 0:
            starts.add(place)
            place = low.find(cue, place + 1)
    yield from (found for place in sorted(starts) if (found := pattern.match(low, place)))


def _pairs(text: str, low: str) -> Iterator[Suspicion]:
    """Yield the passwords that follow a user's name: in a login, a URL, an option."""
    for login in _at(_LOGIN, low, ("log", "sign", "cred", "account")):
        for pair in _PAIR.finditer(text, login.end(), login.end() + 2 * _GAP):
            user, between, value = pair[1], pair[2].strip(), pair[3]
            is_plain = _PLAIN.fullmatch(value.rstrip(".,;:!?)")) and not _is_talk(value) and user.lower() not in _STOP
            weight = _mixed(value)
            if weight >= _Weight.MIXED or (is_plain and weight and between in ("/", ":") and not _PLACEHOLDER.fullmatch(user)):
                yield Suspicion("login", pair.start(3), pair.end(3))
                break
    has_option = any(one in low for one in ("sshpass", "mysql", "mariadb", " -u", "--user"))
    for pattern, group in ((_IN_URL, 2), (_OPTION, 1)):
        for one in pattern.finditer(text) if pattern is _IN_URL or has_option else ():
            if not _PLACEHOLDER.fullmatch(one[group]) and not _CODE.match(one[group]):
                yield Suspicion("password", *one.span(group))


def _random(text: str) -> Iterator[Suspicion]:
    """Yield the long random strings that are no hashes and no names."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        before = text[max(0, start - 160) : start]
        is_in_name = _HEX.search(run[0]) and re.match(r"\.[a-z]{1,5}\b", text[end : end + 8])
        if looks_random(run[0]) and not is_in_name and not (_HASHED.search(before[-60:]) or _HASH.match(run[0]) or _is_in_path(before) or _OF_CALL.match(run[0])):
            yield Suspicion("random string", start, end)


def _is_in_path(before: str) -> bool:
    """Whether a text ends within a URL, where an id is no secret unless it is called one."""
    word = before.rsplit(None, 1)[-1] if before and not before[-1].isspace() else ""
    return "://" in word


def looks_random(run: str) -> bool:
    """Whether a string of letters, digits and what Base64 has is random, and no git hash, uuid, slug or identifier."""
    if _AWS.fullmatch(run):
        return True
    run = _DATE.sub("", _UUID.sub("", run)).strip("=-_/+")
    parts = re.split(r"[_/=+-]", run)
    if hexes := [part for part in parts if _HEX.fullmatch(part) and not part.isdigit()]:
        return any(len(part) >= 32 and len(part) != 40 for part in hexes)
    if len(parts) > 1 + len(run) / 7 or max(map(len, run.split("/"))) < 16:
        return any(map(looks_random, parts)) if len(parts) > 1 else False
    digits = len(re.findall(r"[0-9]+", run))
    worded = sum(map(len, re.findall(r"[A-Za-z][a-z]{3,40}|[A-Z]{5,40}|[0-9]{5,40}", run)))
    is_mixed = run != run.lower() and run != run.upper()
    return len(run) >= 20 and digits >= (2 if is_mixed else 4) and worded < len(run) * (0.45 if is_mixed else 0.6)


def _mixed(value: str) -> _Weight:
    """Return how much a value looks like a secret, wherever it stands."""
    bare = value.rstrip(".,;:)]}*").lstrip("*")
    if bare.rstrip("!?").isalpha() and _is_talk(bare):
        return _Weight.NOTHING
    if len(bare) < 4 or _PLACEHOLDER.fullmatch(bare) or _MEASURE.fullmatch(bare) or _ALGORITHM.fullmatch(bare) or _CODE.match(value):
        return _Weight.NOTHING
    if _UUID.fullmatch(bare) or (len(bare) >= 16 and (_HEX.fullmatch(bare) or looks_random(bare))):
        return _Weight.RANDOM
    has_letter, has_digit = any(map(str.isalpha, bare)), any(map(str.isdigit, bare))
    if has_letter and (has_digit or any(one in "!@#$%^&*?+~" for one in bare[1:])):
        return _Weight.MIXED
    return _Weight.MIXED if bare.count("-") >= 2 else _Weight.WORD


_GOES_ON = re.compile(r"\s(?:on|in|for|and|before|to|when|from|at|then|if|until|is|goes|as|by)\b|\s*$|\s*\n")
"""What follows a word that is a password, where the sentence does not end with it."""


def _is_talk(word: str) -> bool:
    """Whether a word says something of a password, rather than being one."""
    bare = word.strip(".,;:!?)]}").lower()
    return bare in _STOP or bare.partition("-")[0] in _STOP or _PARTICIPLE.fullmatch(bare) is not None


def _weight(value: re.Match[str], text: str, *, is_password: bool) -> _Weight:
    """Return how much the value of something named looks like a secret."""
    quoted, bare = value[1], value[2]
    if quoted is not None:
        if " " in quoted:
            words = quoted.split()
            is_phrase = is_password and len(words) > 2 and all(one.isalpha() and not _is_talk(one) for one in words)
            return _Weight.WORD if is_phrase else _Weight.NOTHING
        return _Weight.NOTHING if _mixed(quoted) is _Weight.WORD and _is_talk(quoted) else _mixed(quoted)
    weight = _mixed(bare)
    if weight is not _Weight.WORD:
        return weight
    is_one = _PLAIN.fullmatch(bare.rstrip(".,;!")) and not _is_talk(bare)
    ends = bare[-1] in ".,;!" or _GOES_ON.match(text, value.end()) or "phrase" in text[max(0, value.start() - 80) : value.start()]
    return _Weight.WORD if is_one and ends else _Weight.NOTHING
