"""What in a text may be a secret: passwords that prose names, values of things called secrets, long random strings.

Rules of our own, for what people and agents write; those of vendors are Kingfisher's (`core/secrets.py`). Every
repetition in them is bounded, so that a long line takes as long as its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple


class Suspicion(NamedTuple):
    """A part of a text that may be a secret, from `start` up to but not including `end`, and what kind it would be."""

    kind: str
    start: int
    end: int


class _Weight(IntEnum):
    """How much a value looks like a secret: a word may be one where a password is named, what is random anywhere."""

    NOTHING = 0
    WORD = 1
    MIXED = 2
    RANDOM = 3


# What a secret is called, as a word or as a part of a name: PGPASSWORD, db.password, API_KEY, "the token".
_CUES = ("pass", "pw", "secret", "credential", "token", "key", "apikey", "authorization")
_NAME = re.compile(
    r"""(?x) (?P<password> passw(?:or[dt])?s? | passwd | pass-?(?:phrase|code)s? | (?<![a-z])pwd
        | (?<![a-z0-9])(?P<short>pass|pw)(?![a-z_]) )
      | (?P<secret> secrets? | credentials? )
      | (?P<token> (?<![a-z])tokens?(?![a-z]) | (?<![a-z])keys?(?![a-z]) | api-?keys? | authorization )"""
)
_NO_KEY = re.compile(
    r"""(?ix) \b (?: cache|primary|public|foreign|sort|partition|lookup|map|dict|object|row|composite|hash|unique|json
      |gpg\s\S{0,16}|pgp|rsa|idempotency|arrow|cancellation|page|next|design|stop|index|dedup|shortcut|registry|config
      ) [ _-]{0,2} $"""
)
"""What stands before a key or a token that is no secret."""
_ABOUT = re.compile(
    r"""(?ix) [_-]? (?: hash|hashed|digest|field|ids?|name|type|length|len|size|file|path|dir|url|uri|count|expir\w{0,8}
      |lifetime|ttl|policy|age|limit|budget|store|input|hint|prompt|env|var|header|usage|cost|rate|manager|fingerprint
      |regex|error )\b"""
)
"""What makes a name that of something about a secret."""
_NOUN = re.compile(r"""(?!(?<=\bPASS):)["'`\]]{0,2}\s{0,4}(?:=|:\s)|\s(?:is|for|of|on|value)\b""")
"""What stands behind `pass` where it is a password."""

# What stands between a name and its value: NAME=value, "name is value", "set NAME to value", "name value".
_ASSIGNED = re.compile(r"""[\w.-]{0,30}\\?["'`]?[\])]?[ \t]{0,8}(?:=>|\u2192|:=|={1,3}|:)[ \t]{0,8}""")
_SAID = re.compile(
    r"""(?ix) (?: (?<=[a-z0-9`'"),]) \s (?:is|are|was|be|been|becomes|remains|=) | : ) \s
      (?: (?:still|now|just|always|currently|set\sto|reset\sto|changed\sto) \s )?"""
)
_SET = re.compile(r"(?i)\b(?:set|change|changed|reset|rotated?|put)\s[^\n.]{0,20}$")
_TO = re.compile(r"[^\n;=]{0,60}?\sto\s")
_BESIDE = re.compile(r"""[\w-]{0,20}(?:["'`]?\]?[ \t]{1,4}|=)""")
_SENTENCE = 80
"""Characters between a name and its value."""
_OF_USER = re.compile(
    r"""(?ix) \b user(?:name)?[ :=]{1,3}["'`]?(?!(?:and|or|with)\s)\S{2,40}\s(?:(?:and|with)\s)?(?:(?:the|its)\s)?$
      | \s(?:takes|as)\s\S{2,40}\swith\sthe\s$ | \b(?:needs?|wants?|enter|type|try|use)\sthe\s$"""
)
"""What stands before "password swordfish": a user."""
_USED_AS = re.compile(
    r"""(?ix) (?: \b(?:use|type|enter|try|take|with)\s["'`]?([^\s"'`]{4,100})["'`]?\s(?:as|for)\s(?:(?:the|a|its)\s)?
      | (?<![^\s"'`(])([^\s"'`(]{4,100})["'`]?\s(?:is|was)\s(?:the|our|my|a|its)\s )
      (?:[\w']{1,20}\s)?(?:[\w']{1,20}\s)?(?:[\w']{1,20}\s)?$"""
)
_VALUE = re.compile(
    r"""(?x) \\?(?i:(?:bearer|basic|token|digest)\s)?
      (?: ["\u201c\u2018`'*]{1,3}([^"`'\u201c\u201d\u2018\u2019\n\\]{2,300})\\?["'`\u201d\u2019]
        | ([^\s"'`\u201c\u201d\u2018\u2019<>]{3,400}) )"""
)
_NEXT_PARAMETER = re.compile(r"&\w{1,40}=")
_TOKEN = re.compile(r"(?=[^0-9]{0,100}[0-9])[\w.+=~-]{8,100}[.,;]?")
_DIRECT = re.compile(r"(?i)passw\w{1,8} (?:is|was|was re\w{1,4} to)(?: now| still)? $")
_GOES_ON = re.compile(
    r"\s(?:on|in|for|and|before|to|when|from|at|then|if|until|is|goes|as|by|after|once|so|or|but)\b|\s{0,9}(?:$|\n)"
)
"""What follows a word that is a password, where the sentence does not end with it."""

# admin / hunter2, admin:hunter2, and in a sentence "admin and hunter2"
_LOGIN_CUES = ("log", "sign", "cred", "account")
_LOGIN = re.compile(
    r"\b(?:log-?ins?|sign-?ins?|creds?|credentials?|(?:log(?:s|ged)?|sign(?:s|ed)?)\s(?:in|into|on)|accounts?)\b"
)
_PAIR = re.compile(
    r"""(?ix) (\b(?:is|are|was|as|with|by|using|user|account|creds|credentials|login)\s|[:=]) \s?[`"'(]{0,2}
      ([\w.@+-]{2,60})      (\s?/\s?|:|\s(?:and|with)\s|,\s) ["'`]?([^\s"'`]{4,200})"""
)
_USED_TO = re.compile(r"(?i)\b(?:use|with|as)\s[\w.@+-]{2,60}(?:\s?/\s?|:)(\S{4,100})\s(?:to|for)\s$")
_BEFORE = 160
"""Characters before a name or a random string that are looked at."""
_IN_URL = re.compile(r"://[^\s/?#\"'`<>@:]{0,200}:([^\s/\"'`<>@]{3,400})@[^\s@/]")
_AT_HOST = re.compile(r""":(?<=[\w.-][\w.-]:)([^\s:@/'"`]{4,100})@(?!sha)[\w-]{2,60}""")
_IN_CALL = re.compile(r"""(?:auth|login)\w{0,10}\s?=?\s?\(["'][^"'\n]{1,60}["'],\s?["']([^\s"']{4,100})["']""")
_OPTION = re.compile(
    r"""(?x) (?: \bsshpass\s-p\s? | \b(?:mysql\w{0,6}|mariadb)\b[^\n|;&]{0,80}?\s-p
      | \s(?:-u|--user)[\s=]['"]?[^\s:'"]{1,100}: ) ['"]?([^\s'"]{4,200})"""
)
_BEHIND_USERS = (
    (_IN_CALL, ("auth", "login")),
    (_OPTION, ("sshpass", "mysql", "mariadb", " -u", " --user")),
)
"""Patterns of passwords, and the words that they begin with."""

_RUN = re.compile(r"[A-Za-z0-9+/_-]{20,4000}={0,2}")
_LEAST, _LEAST_NAMED, _LEAST_HEX, _OF_GIT = 20, 16, 32, 40
"""Characters from which on a string is random, one where a secret is named, and one of hexadecimal digits but a hash of
git's."""
_FEW = 4
"""Letters below which a string is a number."""
_SLUG = 7
"""Characters between two separators below which a string is put together from words and numbers."""
_WORD = re.compile(r"[A-Za-z][a-z]{3,40}")
_PAIRS = frozenset(
    """ab ac ad ag ai al am an ap ar as at au ba be bl bo bu ca ce ch ci ck cl co cr ct cu da dd de di do ds du ea eb ec
    ed ee ef eg el em en ep er es et ev ex fa fe ff fi fo ge gi gr ha he hi ho ht ia ib ic id ie if ig il im in io ip
    ir is it iv iz ke la ld le li ll lo ls lt lu ly ma me mi mo mp na nc nd ne nf ng ni no ns nt oc od ol om on oo op
    or os ot ou ow pa pe pi pl po pp pr pt qu ra rc rd re ri rl rm ro rr rs rt ru ry sa sc se sh si so sp ss st su ta
    tc te th ti to tr ts tt tu ty ua ub ue ul um un up ur us ut va ve vi wa wi xt yp ze""".split()
)
"""The 180 pairs of letters that are most frequent in the words of commits, comments and documents: 85% of all pairs
there, and a quarter of those in random letters."""
_WORDS = (0.45, 0.55, 0.65)
"""The greatest share of such pairs that a random string has, by how many numbers stand in it."""
_NUMBER = re.compile(r"[0-9]{1,4000}")
_HEX = re.compile(r"(?i)[0-9a-f]{16,200}")
_AWS = re.compile(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}")
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?:-\d\d-\d\d-\d\d)?|20\d{12}-")
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ULID = re.compile(r"(?<![0-9A-Za-z])01(?:[0-9a-hjkmnp-tv-z]{24}|[0-9A-HJKMNP-TV-Z]{24})(?![0-9A-Za-z])")
"""An id that begins with the time it was made, up to the year 2039."""
_HASHED = re.compile(
    r"""(?ix)(?: \b(?:h1|integrity|checksums?|digests?|fingerprints?|hash(?:es|ed)?|etag|commits?|revisions?|rev|md5
        |blake\w?|sha-?\d{0,3}(?:sum)?|cksum|signature|nonce|salt|uu?ids?|guid|ids?|tree|blob|object|ssh-\w{2,12}
        |ecdsa-\S{2,20}|boundary|trace\w{0,6}|reverts?|merge|cid|(?:public|cache)[ _-]key)\b
      | \.\w{1,8}["'\]]{1,3}\s?[=:]\s?["']?$ | \bb2:$ | [@^] | (?:sha\d{1,3}|md5)[^\n]{0,36} )[^\n]{0,24}$"""
)
"""What stands before a random string that is no secret: it is a hash, or the name of something."""
_HASH = re.compile(r"(?i)(?:sha\d{1,3}|md5|h1)[-:/=]")
_FILE_ENDING = re.compile(r"\.[a-z]{1,5}\b")
_KNOWN = re.compile(
    r"""(?x) (?:toolu|call|msg|req|resp|run|item|chatcmpl|rs|fc|srvtoolu)_ | AAAA[BCE]3NzaC1
      | R0lGOD | iVBORw0KGgo | /9j/4AA | UklGR | JVBERi0 | UEsDB"""
)
"""How the names of calls and answers begin, public keys of ssh, and in Base64 GIF, PNG, JPEG, WebP, PDF and ZIP."""

_PLACEHOLDER = re.compile(
    r"""(?ix) [^a-z0-9]{0,4} (?: [*x.\u2022_#-]{3,80} | [a-z_-]{0,40}passw(?:or)?d[a-z_-]{0,40}
      | (?:user|pass|passwd|secret|token|key|username|name|login|email|null|nil|none|true|false|undefined|string|str
        |text|int|bool|bytes|foo|bar|baz|qux|foobar|value|val|todo|tbd|xyz|abc|abcd|input|env|self|option)s?\d?
    ) [^a-z0-9]{0,4}"""
)
_REFERENCE = re.compile(r"(?i)[^a-z0-9]{0,4}(?:[<$@{\[]|%[sd({]|your\b|(?:your|my)[_-])")
_MADE_UP = re.compile(
    r"(?i)change_?-?me|placeholder|redacted|dummy|example|sample|replace|goes_?-?here|fake|insert|[_-]here"
)
_CODE = re.compile(
    r"""(?x) --[a-z] | -[a-z]$ | [\w.+-]{1,80}@(?:v?\d|[\w-]{1,40}\.\w) | .{0,80}[{%]\s | [A-Z]\w{1,30}\.[A-Z]
      | [\w.:$]{1,80}[(\[{]
      | .{0,80}(?:::|->|=>|\)\.|\(\)) | [A-Za-z_]{1,80}\.[A-Za-z_.]{1,80}[;,)]{0,3}$ | [A-Z][A-Z_]{0,80}$ | https?:
      | [a-z]{1,40}_[a-z_]{1,80}$ | [a-z]{2,40}[A-Z][a-z]{2,40}(?:[A-Z][A-Za-z]{1,80})?$ | [A-Za-z]{1,80}<
      | [./~][\w./#-]{0,200}$"""
)
"""An expression, the name of something, a path: where a value comes from, and not what it is."""
_MEASURE = re.compile(r"\W?v?\d[\d.,:/x+-]{0,40}\W?[A-Za-z%]{0,7}\W?")
_ALGORITHM = re.compile(
    r"""(?ix) \W? (?: (?:hmac|pbkdf|argon|b?crypt|sha|hs|rs|es|ps|md|aes|rsa|ed|utf|base|o?auth|http|ipv|secp|pkcs|rfc
      |tls|ssl|iso|latin|cp|unicode|psr|step|part|level|python|java|node|php|line|jwt)[-_ ]?v?\d{1,5}[\w.-]{0,14}
      | [a-z]{1,2}\d{1,4}(?:\.\d{1,4})? ) \W?"""
)
_PLAIN = re.compile(r"[A-Za-z]{4,30}(?:-[A-Za-z]{2,30})?(?:-[A-Za-z]{2,30})?(?:-[A-Za-z]{2,30})?")
_MIXED = re.compile(r"[0-9!@#$%^&*?]")
_JUDGED = 100
"""Characters of a value that say what it is."""
_SHORTEST, _LEAST_DIGITS = 4, 6
"""Characters that a password has, and those of one that is a number."""
_ENDINGS = tuple(
    "ed ing able ible ly ous ive ory al ent ant less ful ic tion ment ary ess ware ized sent own found".split()
)
_TALK = frozenset(
    """about above absent after again also always another any anything argon argument available away back bad
    base64-encoded basic bcrypt bearer been before being below best better between blank both broken bytes case-
    sensitive chosen clear comes correct could current digest does done each either else empty enough equal ever every
    exactly external field file fine fixed flag forgotten fresh from full generally given gone good greater hard hash
    hashes have held hello here hidden host http https id ideally identical immutable in incorrect internal invalid it
    its just kept key known later left less like line local long longer longest lost made mandatory many maybe missing
    more most must name needs never new next no none not nothing now null number object obsolete off often okay old
    once one only opaque open option optional other out over parameter part passphrase password passwords plain
    plaintext please present put quite random read ready really required reset right safe same secret secrets seen
    sensitive separate service session set shared short shortest should simple simply single so some something soon
    stale static still stolen string strong such supposed taken test tested text than that the their them then there
    these they this those thus to token tokens too trivial true two type typed unchanged under unique unknown unsafe
    unset until up upper used user valid value very void weak well what when where whether which while whole whose why
    will with within without worth would write written wrong yes yet you your yours""".split()
)
"""Words that are said of a password more often than they are one; those with a hyphen by their first part."""


def spoken(text: str) -> list[Suspicion]:
    """Return what may be a secret in `text`, in order, without overlaps; nothing but the text is looked at."""
    low = text.lower()
    if len(low) != len(text):  # a few letters have longer ones in lower case: places would be off
        low = text
    return apart([*_named(text, low), *_logins(text, low), *_random(text)])


def apart(found: Iterable[Suspicion]) -> list[Suspicion]:
    """Return places that do not overlap, in order; of several rules the one that begins first names the place."""
    merged: list[Suspicion] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if merged and one.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(one.end, merged[-1].end))
        elif one.end > one.start:
            merged.append(one)
    return merged


def replaced(text: str, found: Iterable[Suspicion]) -> str:
    """Return `text` with `[redacted: kind]` in the places that were found."""
    parts, place = [], 0
    for kind, start, end in found:
        parts += [text[place:start], f"[redacted: {kind}]"]
        place = start + len(text[start:end].rstrip())
    return "".join([*parts, text[place:]])


def _at(pattern: re.Pattern[str], text: str, low: str, cues: Sequence[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begin with one of these words, which are found a hundred times faster."""
    starts = set()
    for cue in cues:
        place = low.find(cue)
        while place >= 0:
            starts.add(place)
            place = low.find(cue, place + 1)
    yield from (found for place in sorted(starts) if (found := pattern.match(text, place)))


def _named(text: str, low: str) -> Iterator[Suspicion]:
    """Yield the values of what is called a password, a secret, a token or a key."""
    for name in _at(_NAME, low, low, _CUES):
        kind, (start, end) = name.lastgroup or "", name.span()
        is_about = _ABOUT.match(text, end) or (name["short"] and not _NOUN.match(text, end))
        if is_about or (kind == "token" and _NO_KEY.search(text, max(0, start - 24), start)):
            continue
        used = _USED_AS.search(text, max(0, start - _BEFORE), start)
        group = used.lastindex or 0 if used else 0
        if used and _weight(used[group]) >= (_Weight.MIXED if kind == "password" else _Weight.RANDOM):
            yield Suspicion(kind, *used.span(group))
            continue
        for place, least in _places(text, start, end, is_password=kind == "password"):
            value = _VALUE.match(text, place)
            weight = _weight_of(value, text, is_password=kind == "password") if value else _Weight.NOTHING
            is_token = kind != "token" or weight is _Weight.RANDOM or (value and _TOKEN.fullmatch(value[1] or value[2]))
            if value and weight >= least and is_token:
                start, end = value.span(value.lastindex or 0)
                yield Suspicion(kind, start, end - (text[end - 1] in ".,;:)"))
                break


def _places(text: str, start: int, end: int, *, is_password: bool) -> Iterator[tuple[int, _Weight]]:
    """Yield where the value of a name may begin, and what it must weigh there."""
    least = _Weight.WORD if is_password else _Weight.MIXED
    if assigned := _ASSIGNED.match(text, end):
        yield assigned.end(), least
    elif beside := _BESIDE.match(text, end):
        is_given = text.startswith("--", max(0, start - 2)) or _OF_USER.search(text, max(0, start - _SENTENCE), start)
        yield beside.end(), (_Weight.WORD if is_given else _Weight.MIXED) if is_password else _Weight.RANDOM
    stop = text.find("\n", end, end + _SENTENCE)
    for said in _SAID.finditer(text, end, stop if stop >= 0 else end + _SENTENCE):
        yield said.end(), least
    if _SET.search(text, max(0, start - _SENTENCE // 2), start) and (to := _TO.match(text, end)):
        yield to.end(), least if text[start:end].isupper() else _Weight.MIXED


def _logins(text: str, low: str) -> Iterator[Suspicion]:
    """Yield the passwords that follow a user's name: in a login, a URL, an option."""
    for login in _at(_LOGIN, low, low, _LOGIN_CUES):
        for pair in _PAIR.finditer(text, login.start(), login.end() + _BEFORE):
            link, user, between, value = pair[1], pair[2], pair[3].strip(), pair[4]
            is_said = (link.lower() == "as " and between == "with") or (link in (":", "="), between) in (
                (True, "/"),
                (False, "/"),
                (False, ":"),
            )
            weight = _Weight.NOTHING if _LOGIN.search(value) else _weight(value)  # `-f github:acme/s3-credentials`
            is_named = is_said and not _PLACEHOLDER.fullmatch(user)
            is_word = weight and _PLAIN.fullmatch(value.rstrip(".,;:!?)")) and not (_is_talk(value) or _is_talk(user))
            if weight >= _Weight.MIXED or (is_word and is_named):
                yield Suspicion("login", *pair.span(4))
                break
        used = _USED_TO.search(text, max(0, login.start() - _BEFORE), login.start())
        if used and _weight(used[1]) >= _Weight.MIXED:
            yield Suspicion("login", *used.span(1))
    rules = [(_IN_URL.finditer(text), _Weight.WORD), (_AT_HOST.finditer(text), _Weight.MIXED)]
    rules += [(_at(pattern, text, low, cues), _Weight.WORD) for pattern, cues in _BEHIND_USERS]
    for found, least in rules:
        for one in found:
            if _weight(one[1]) >= least:
                yield Suspicion("password", *one.span(1))


def _random(text: str) -> Iterator[Suspicion]:
    """Yield the long random strings that are no hashes and no names."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        if not looks_random(run[0]) or _HASH.match(run[0]) or _KNOWN.match(run[0]):
            continue
        before = text[max(0, start - _BEFORE) : start]
        is_in_url = "://" in before and "://" in before.rsplit(None, 1)[-1] and not before[-1].isspace()
        is_in_name = _HEX.search(run[0]) and _FILE_ENDING.match(text, end)
        if not (is_in_url or is_in_name or _HASHED.search(before[-60:])):
            yield Suspicion("random string", start, end)


def looks_random(run: str) -> bool:
    """Whether a string of letters, digits and what Base64 has is random, and no git hash, id, slug or identifier."""
    if len(run) < _LEAST or _AWS.fullmatch(run):
        return len(run) >= _LEAST
    if run.startswith("/") and run.count("/") > len("/T/"):  # a path, as of a temporary file
        return False
    if len(set(run)) == len(run) and ("01234" in run or "abcde" in run.lower()):  # an alphabet
        return False
    first, *others = run.split("/")
    if others and _WORD.fullmatch(first):
        return any(map(looks_random, others))
    run = _DATE.sub("", _ULID.sub("", _UUID.sub("", run))).strip("=-_/+")
    parts = re.split(r"[_/=-]", run)
    if hexes := [part for part in parts if _HEX.fullmatch(part) and _letters(part) >= _FEW]:
        return any(len(part) >= _LEAST_HEX and len(part) != _OF_GIT for part in hexes)
    if len(parts) > 1 + len(run) / _SLUG or max(map(len, run.split("/"))) < _LEAST_NAMED:
        return len(parts) > 1 and any(map(looks_random, parts))
    # One number, as in `wasm32-unknown-unknown`, says something of the part only that it stands in.
    if len(parts) == 1 or len(_NUMBER.findall(run)) > 1:
        return len(run) >= _LEAST and is_wordless(run)
    return any(len(part) >= _LEAST_NAMED and _NUMBER.search(part) and is_wordless(part) for part in parts)


def _letters(run: str) -> int:
    return sum(map(str.isalpha, run))


def is_wordless(run: str) -> bool:
    """Whether the letters of a string follow each other as in no words, the more so the fewer numbers it has."""
    low, numbers = run.lower(), len(_NUMBER.findall(run))
    if _letters(run) < _FEW or (not numbers and run in (low, run.upper())):
        return False
    pairs = [low[place : place + 2] for place in range(len(low) - 1) if low[place : place + 2].isalpha()]
    return sum(pair in _PAIRS for pair in pairs) <= _WORDS[min(numbers, 2)] * len(pairs)


def _weight(value: str) -> _Weight:
    """Return how much a value looks like a secret, wherever it stands."""
    value = value[:_JUDGED]
    bare = value.rstrip(".,;:)]}*").lstrip("*")
    if bare.rstrip("!?").isalpha() and _is_talk(bare):
        return _Weight.NOTHING
    is_other = any(one.fullmatch(bare) for one in (_PLACEHOLDER, _MEASURE, _ALGORITHM)) or _REFERENCE.match(bare)
    if len(bare) < _SHORTEST or is_other or _MADE_UP.search(bare) or _CODE.match(value) or _HASH.match(bare):
        return _Weight.NOTHING
    is_random = _HEX.fullmatch(bare) or looks_random(bare) or (bare.isalnum() and is_wordless(bare))
    if _UUID.fullmatch(bare) or _ULID.fullmatch(bare) or (len(bare) >= _LEAST_NAMED and is_random):
        return _Weight.RANDOM
    is_mixed = (_MIXED.search(bare, 1) or bare[:1].isdigit()) and any(map(str.isalpha, bare))
    is_phrase = bare.count("-") > 1 and _PLAIN.fullmatch(bare)
    return _Weight.MIXED if is_mixed or is_phrase else _Weight.WORD


def _is_talk(word: str) -> bool:
    """Whether a word says something of a password, rather than being one."""
    bare = word.strip(".,;:!?)]}").lower()
    return bare in _TALK or bare.partition("-")[0] in _TALK or bare.endswith(_ENDINGS)


def _weight_of(value: re.Match[str], text: str, *, is_password: bool) -> _Weight:
    """Return how much the value of something named looks like a secret, by what stands around it."""
    quoted, bare = value[1], value[2]
    if quoted is not None:
        words, weight = quoted.split(), _weight(quoted)
        if len(words) > 1:
            is_phrase = len(words) > 2 and all(one.isalpha() and not _is_talk(one) for one in words)  # noqa: PLR2004
            return _Weight.WORD if is_phrase and is_password else _Weight.NOTHING
        return _Weight.NOTHING if weight is _Weight.WORD and _is_talk(quoted) else weight
    bare = _NEXT_PARAMETER.split(bare, maxsplit=1)[0]
    weight, word = _weight(bare), bare.rstrip(".,;!")
    ends = bare[-1] in ".,;!" or _GOES_ON.match(text, value.end())
    if is_password and word.isdigit() and len(word) >= _LEAST_DIGITS:
        return _Weight.MIXED if ends else _Weight.NOTHING
    if weight is not _Weight.WORD:
        return weight
    before = text[max(0, value.start() - _SENTENCE) : value.start()]
    if bare[-1] in ",)" and before.endswith("="):  # the argument of a call
        return _Weight.NOTHING
    is_free = ends or _DIRECT.search(before) or "phrase" in before or re.search(r"[A-Z]=$", before[-2:])
    return _Weight.WORD if is_free and _PLAIN.fullmatch(word) and not _is_talk(bare) else _Weight.NOTHING
