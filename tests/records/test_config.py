"""Settings: read with care, and written so that what people wrote stays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.core.settings import SETTINGS, Config


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def written(path: Path, text: str) -> Config:
    path.write_text(text, encoding="utf-8")
    return Config(path)


def test_without_a_file_every_setting_has_its_default(path: Path) -> None:
    config = Config(path)
    assert {key: config.value(key) for key in SETTINGS} == {key: one.default for key, one in SETTINGS.items()}
    assert all(config.is_default(key) for key in SETTINGS)


@pytest.mark.parametrize(
    "text",
    ["search.min_similarity = 0.5", "[search]\nmin_similarity = 0.5 # half", "search = { min_similarity = 0.5 }"],
)
def test_a_key_may_be_written_in_every_way_that_toml_has(path: Path, text: str) -> None:
    config = written(path, text)
    assert config.get("search.min_similarity") == 0.5
    assert not config.is_default("search.min_similarity")


def test_a_text_with_quotes_is_replaced_whole(path: Path) -> None:
    config = Config(path)
    for name in ('fastembed:it\'s "one" # no comment', "fastembed:\\", "none"):
        assert config.set("embedder", name) == Config(path).get("embedder") == name
    assert path.read_text(encoding="utf-8") == 'embedder = "none"\n'


def test_a_setting_that_is_written_is_read_back(path: Path) -> None:
    config = Config(path)
    assert config.set("embedder", 'fastembed:modèle 😀 "quoted" \\ # no comment') == Config(path).get("embedder")
    assert config.set("cochanges.max_files", "12") == Config(path).get("cochanges.max_files") == 12
    assert config.set("search.min_similarity", "-0.5") == Config(path).get("search.min_similarity") == -0.5
    assert config.set("cochanges.half_life_days", "1e-7") == Config(path).get("cochanges.half_life_days") == 1e-7
    assert config.get("cochanges.max_files") == 12
    huge = int("9" * 400)
    assert config.set("index.max_file_size", str(huge)) == Config(path).get("index.max_file_size") == huge
    for name in ("all-MiniLM-L6-v2", "fastembed:BAAI/bge-small-en-v1.5", "none"):
        assert Config(path.with_name("other.toml")).set("embedder", name) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*.lock", ("*.lock",)),
        (" *.lock , docs/** ", ("*.lock", "docs/**")),
        ('["a,b", "c\\"d", \'e\']', ("a,b", 'c"d', "e")),
        ("[Cc]hanges", None),
        ('["[Cc]hanges"]', ("[Cc]hanges",)),
        ("[]", ()),
    ],
)
def test_a_list_is_written_with_commas_or_as_toml(path: Path, text: str, expected: tuple[str, ...] | None) -> None:
    config = Config(path)
    if expected is None:
        with pytest.raises(UsageError, match="is not a list"):
            config.set("cochanges.exclude", text)
        return
    assert config.set("cochanges.exclude", text) == expected
    assert Config(path).texts("cochanges.exclude") == config.texts("cochanges.exclude") == expected


@pytest.mark.parametrize(
    "lines",
    ['exclude = ["*.lock", "a]b#c"]  # why [1]', 'exclude = [\n    "*.lock",\n    "x",\n]  # why', "exclude=[]"],
)
def test_a_list_is_replaced_where_it_stands(path: Path, lines: str) -> None:
    config = written(path, f"# Ours.\n[cochanges]\n{lines}\nmin_support = 4 # few\n")
    config.set("cochanges.exclude", "y")
    comment = f"  {lines[lines.rindex('#') :]}" if "# why" in lines else ""
    before = lines[: lines.index("[")]
    assert path.read_text(encoding="utf-8") == (
        f'# Ours.\n[cochanges]\n{before}["y"]{comment}\nmin_support = 4 # few\n'
    )
    assert Config(path).texts("cochanges.exclude") == ("y",)


def test_a_list_with_a_comment_in_it_is_left_alone(path: Path) -> None:
    text = '[cochanges]\nexclude = [\n    "*.lock", # as ever\n]\n'
    config = written(path, text)
    with pytest.raises(UsageError, match="cannot be set in") as caught:
        config.set("cochanges.exclude", "y")
    assert caught.value.hint.endswith('cochanges.exclude = ["y"]')
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ["cochanges = { max_files = 9 }\n", "[cochanges]\nmax_files = 9\n'min_support' = 3\n"])
def test_a_value_is_set_however_toml_writes_its_key(path: Path, text: str) -> None:
    config = written(path, text)
    config.set("cochanges.min_support", "5")
    assert (Config(path).get("cochanges.min_support"), Config(path).get("cochanges.max_files")) == (5, 9)


def test_setting_a_value_keeps_comments_order_and_other_lines(path: Path) -> None:
    text = (
        "# Ours.\n"
        'embedder = "none"   # off: the build machines have no model\n'
        "\n"
        "[cochanges]  # from the wiki\n"
        "    max_files = 30 # few\n"
        "# min_support = 9\n"
        "min_support=2"
    )
    config = written(path, text)
    config.set("embedder", "all-MiniLM-L6-v2")
    config.set("cochanges.max_files", "31")
    config.set("cochanges.min_support", "4")
    assert path.read_text(encoding="utf-8") == (
        text.replace('"none"', '"all-MiniLM-L6-v2"').replace("30", "31").replace("min_support=2", "min_support=4")
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# A comment",
        "[cochanges]",
        "[cochanges]\nmax_files = 30",
        "[search]\nmin_similarity = 0.1\n[cochanges] # ours\n",
        'embedder = "none"\n\n[search]\n',
        '"cochanges".max_files = 9',
    ],
)
def test_a_new_setting_goes_where_toml_allows_it(path: Path, text: str) -> None:
    config = written(path, text)
    config.set("cochanges.min_support", "5")
    assert Config(path).get("cochanges.min_support") == 5
    assert Config(path).get("cochanges.max_files") == config.get("cochanges.max_files")
    assert [line for line in text.splitlines() if line not in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("search.min_similarity", "nan"),
        ("search.min_similarity", "inf"),
        ("search.min_similarity", "1.1"),
        ("search.min_similarity", "half"),
        ("cochanges.max_files", "3.7"),
        ("cochanges.max_files", "1"),
        ("cochanges.max_files", "-1"),
        ("cochanges.max_files", ""),
        ("cochanges.half_life_days", "-0.1"),
        ("cochanges.half_life_days", "1e999"),
        ("index.max_file_size", "9" * 5_000),
        ("cochanges.exclude", ""),
        ("cochanges.exclude", "*.lock,,*.md"),
        ("cochanges.exclude", "two\nlines"),
        ("cochanges.exclude", "[1]"),
        ("cochanges.exclude", '["a"'),
        ("cochanges.exclude", '[["a"]]'),
        ("embedder", " "),
        ("embedder", "two\nlines"),
        ("embedder", "foo"),
        ("embedder", "None"),
        ("embedder", "fastembed:"),
        ("embedder", "all-MiniLM-L6-v2x"),
        ("telemetry.keep", "nonsense"),
        ("telemetry.keep", "30"),
        ("facts.single_valued", "status,--"),
    ],
)
def test_a_bad_value_is_refused_and_nothing_is_written(path: Path, key: str, text: str) -> None:
    config = Config(path)
    with pytest.raises(UsageError) as caught:
        config.set(key, text)
    if text == "foo":
        assert "must be all-MiniLM-L6-v2, fastembed:<name> or none, not 'foo'" in caught.value.message
    assert config.is_default(key)
    assert not path.exists()


@pytest.mark.parametrize(
    "line",
    [
        "cochanges.max_files = 3.7",
        'cochanges.max_files = "30"',
        "cochanges.max_files = true",
        "search.min_similarity = nan",
        "search.min_similarity = [0.5]",
        "search.min_similarity = 2026-01-01",
        'cochanges.exclude = "*.lock"',
        "cochanges.exclude = [1]",
        'cochanges.exclude = [""]',
        "embedder = 5",
        "embedder = true",
        'embedder = "foo"',
        "serach.min_similarity = 0.5",
        "search = 1",
        "= 1",
        "a = ",
        '[search\nmin = "',
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(path: Path, line: str) -> None:
    with pytest.raises(UsageError) as caught:
        written(path, line)
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_what_cannot_be_read_written_or_found_is_refused_in_words(path: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        Config(path).set("cochange.max_files", "5")
    assert "cochanges.max_files" in caught.value.candidates
    config = Config(tmp_path / "none" / "config.toml")
    with pytest.raises(StorageError, match="cannot be written"):
        config.set("embedder", "none")
    assert config.is_default("embedder")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not valid TOML"):
        Config(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StorageError, match="cannot be read"):
        Config(path)


def test_the_file_is_valid_toml_after_every_change(path: Path) -> None:
    config = written(path, "# Settings\n")
    for key, setting in SETTINGS.items():
        default = setting.default
        config.set(key, (",".join(default) or "[]") if isinstance(default, tuple) else str(default))
        tomllib.loads(path.read_text(encoding="utf-8"))
    assert not any(Config(path).is_default(key) for key in SETTINGS)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a." * 3_000 + "a = 1", "a = " + "9" * 5_000])
def test_what_is_too_deep_or_too_long_is_refused_in_words(path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="not valid TOML"):
        written(path, text)


def test_a_link_that_lies_where_settings_are_prepared_is_not_written_through(path: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    (tmp_path / ".config.toml.tmp").symlink_to("other")
    Config(path).set("embedder", "none")
    assert (tmp_path / "other").read_text() == "mine"
    assert path.read_text() == 'embedder = "none"\n'
