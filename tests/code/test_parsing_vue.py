"""What Vue components import and declare."""

from __future__ import annotations

from tx_graph.code.parsing import read_source, read_symbols


def imports(source: str) -> list[tuple[str, int]]:
    return [(found.module, found.line) for found in read_source("C.vue", source.encode()).specifiers]


def names(source: str) -> list[tuple[str, int, int]]:
    return [(found.name, found.line_start, found.line_end) for found in read_symbols("C.vue", source.encode())]


BOTH = """<template>
  <p>import x from './not'</p>
</template>
<script lang="ts">
import a from './a'
export function f(): void {
}
</script>

<script setup lang="ts" generic="T extends Record<string, A>">
import b from './b'
const g = (x: T) => {
}
</script>
"""


def test_both_scripts_are_read_with_the_lines_of_the_component() -> None:
    assert imports(BOTH) == [("./a", 5), ("./b", 11)]
    assert names(BOTH) == [("f", 6, 7), ("g", 12, 13)]


def test_windows_line_ends_do_not_shift_lines() -> None:
    assert imports(BOTH.replace("\n", "\r\n")) == [("./a", 5), ("./b", 11)]


def test_a_script_may_lie_in_another_file() -> None:
    template = "<template><p/></template>\n"

    assert imports(f"{template}<script lang='ts' src='./logic.ts'></script>") == [("./logic.ts", 2)]
    assert imports(f"{template}<script src=./logic.js />") == [("./logic.js", 2)]


def test_templates_styles_and_comments_hold_no_imports() -> None:
    source = """<!-- <script>import a from './a'</script> -->
<template>
  <template v-if="a > b"><script>import b from './b'</script></template>
  <template #slot />
  <p>{{ import('./c') }}</p>
</template>
<style>@import './d.css';</style>
<docs><script>import e from './e'</script></docs>
<script>
import f from './f'
</script>
"""
    assert imports(source) == [("./f", 10)]


def test_a_template_in_another_language_does_not_nest() -> None:
    source = "<template lang='pug'>\n<template>\n</template>\n<script>\nimport a from './a'\n</script>"

    assert imports(source) == [("./a", 5)]


def test_scripts_on_one_line_stay_apart() -> None:
    source = "<script>import a from './a'</script><script setup>import b from './b'</script>"

    assert imports(source) == [("./a", 1), ("./b", 1)]


def test_markup_in_a_script_is_read_by_its_language() -> None:
    assert imports("<script lang='tsx'>\nimport a from './a'\nconst b = <p>import c from './c'</p>\n</script>") == [
        ("./a", 2)
    ]


def test_components_without_scripts_import_nothing() -> None:
    assert imports("<template><import/></template>") == []
    assert names("") == []


def test_a_script_that_is_never_closed_is_read_to_the_end() -> None:
    assert imports("<script>\nimport a from './a'\n") == [("./a", 2)]
