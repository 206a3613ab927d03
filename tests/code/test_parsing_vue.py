"""What Vue components import and declare."""

from __future__ import annotations

from tests.corpora import reads

imports = reads("module_lines", "C.vue")


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


def test_windows_line_ends_do_not_shift_lines() -> None:
    assert imports(BOTH.replace("\n", "\r\n")) == [("./a", 5), ("./b", 11)]
