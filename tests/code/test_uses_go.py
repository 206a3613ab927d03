"""Who uses which symbol in Go: packages, imports, embedding, several results, what is in slices, channels and maps."""

from __future__ import annotations

from tests.code.test_uses import found, project  # noqa: F401 - a fixture
from tests.support import Project
from tx_graph.code.references import SymbolUses

GO = {
    "go.mod": "module example.com/shop\n",
    "kit/saw.go": (
        "package tools\n"
        "type Cutter interface { Cut(depth int) (Saw, error) }\n"
        "type Base[T any] struct { Name string; made T }\n"
        "func (b *Base[T]) Rename(name string) { b.Name = name }\n"
        "type Saw struct {\n"
        "\t*Base[int]\n"
        "\tTeeth []Tooth\n"
        "\tnext  *Saw\n"
        "\tlater func() *Saw\n"
        "}\n"
        "type Tooth struct{ Sharp bool }\n"
        "type Mode int\n"
        "const (\n"
        "\tFast Mode = iota\n"
        "\tSlow\n"
        ")\n"
        "func (m Mode) String() string { return names[m].text }\n"
        'var names = map[Mode]struct{ text string }{Fast: {text: "fast"}}\n'
        "var _ Cutter = (*Saw)(nil)\n"
    ),
    "kit/make.go": (
        "package tools\n"
        "func New(teeth int) (*Saw, error) { return &Saw{next: nil}, open() }\n"
        "func (s *Saw) Cut(depth int) (Saw, error) { return *s.next, nil }\n"
        "func All[C Cutter](each ...C) chan C { each[0].Cut(1); return nil }\n"
    ),
    "kit/open_linux.go": "package tools\nfunc open() error { return nil }\n",
    "kit/open_windows.go": "package tools\nfunc open() error { return nil }\n",
    "kit/saw_test.go": (
        'package tools_test\nimport . "example.com/shop/kit"\nfunc TestCut() {\n\tvar saw Saw\n\tsaw.Cut(1)\n}\n'
    ),
    "internal/store/store.go": (
        "package store\n"
        'import "example.com/shop/kit"\n'
        "type Shelf = map[string]*tools.Saw\n"
        "type Store struct { tools.Cutter; all Shelf }\n"
        "func (s *Store) Cut() {}\n"
        "func (s *Store) hidden() {}\n"
        "func Forgotten() {}\n"
    ),
    "main.go": (
        "package main\n"
        "import (\n"
        '\t"fmt"\n'
        '\tkit "example.com/shop/kit"\n'
        '\t"example.com/shop/internal/store"\n'
        ")\n"
        "var limit = 3\n"
        "func main() {\n"
        "\tsaw, err := kit.New(limit)\n"
        "\tfmt.Println(saw.Name, err.Error())\n"
        '\tsaw.Rename("a")\n'
        "\tsaw.Teeth[0].Sharp = true\n"
        "\tfor _, tooth := range saw.Teeth { _ = tooth.Sharp }\n"
        "\tif cutter, ok := any(saw).(kit.Cutter); ok { cutter.Cut(2) }\n"
        "\tkit.Slow.String()\n"
        "\tswitch one := any(saw).(type) {\n"
        "\tcase kit.Mode: one.String()\n"
        "\tcase kit.Cutter, error: one.Error()\n"
        "\t}\n"
        "\tcut := (*kit.Saw).Cut\n"
        "\tone, _ := cut(saw, 1)\n"
        '\tone.Rename("b")\n'
        "\tvar shelf store.Shelf\n"
        '\tshelf["x"].Cut(limit)\n'
        "\thelp := func(limit int) *kit.Tooth { return &kit.Tooth{limit == 1} }\n"
        "\thelp(1).Sharp = false\n"
        "\tkit.Mode(2).String()\n"
        "\tfor saws := make(chan []kit.Saw); ; { (<-saws)[0].Cut(1) }\n"
        "}\n"
        "func unused(kit int) int { return kit.New }\n"
    ),
}


def test_names_in_go_are_followed_through_packages_embedding_and_types(project: Project) -> None:  # noqa: F811
    told = found(project, GO)
    saw, make, store, main = "kit/saw.go", "kit/make.go", "internal/store/store.go", "main.go"
    opened = "kit/open_linux.go::open"
    assert told == {
        f"{saw}:2": {f"type {saw}::Saw"},
        f"{saw}:4": {f"type {saw}::Base", f"writes {saw}::Base::Name"},
        f"{saw}:6": {f"extends {saw}::Base"},
        f"{saw}:7": {f"type {saw}::Tooth"},
        f"{saw}:8": {f"type {saw}::Saw"},
        f"{saw}:9": {f"type {saw}::Saw"},
        f"{saw}:14": {f"type {saw}::Mode"},
        f"{saw}:17": {f"type {saw}::Mode", f"reads {saw}::names", f"~reads {saw}::names::text"},
        f"{saw}:18": {f"type {saw}::Mode", f"reads {saw}::Fast", f"writes {saw}::names::text"},
        f"{saw}:19": {f"implements {saw}::Cutter", f"reads {saw}::Saw"},
        f"{make}:2": {f"type {saw}::Saw", f"calls {saw}::Saw", f"writes {saw}::Saw::next", f"~calls {opened}"},
        f"{make}:3": {f"type {saw}::Saw", f"reads {saw}::Saw::next"},
        f"{make}:4": {f"type {saw}::Cutter", f"calls {saw}::Cutter::Cut"},
        "kit/saw_test.go:4": {f"type {saw}::Saw"},
        "kit/saw_test.go:5": {f"calls {make}::Saw::Cut"},
        f"{store}:3": {f"type {saw}::Saw"},
        f"{store}:4": {f"extends {saw}::Cutter", f"type {store}::Shelf"},
        f"{store}:5": {f"type {store}::Store"},
        f"{store}:6": {f"type {store}::Store"},
        f"{main}:9": {f"calls {make}::New", f"reads {main}::limit"},
        f"{main}:10": {f"~reads {saw}::Base::Name"},
        f"{main}:11": {f"~calls {saw}::Base::Rename"},
        f"{main}:12": {f"~reads {saw}::Saw::Teeth", f"~writes {saw}::Tooth::Sharp"},
        f"{main}:13": {f"~reads {saw}::Saw::Teeth", f"~reads {saw}::Tooth::Sharp"},
        f"{main}:14": {f"type {saw}::Cutter", f"calls {saw}::Cutter::Cut"},
        f"{main}:15": {f"reads {saw}::Slow", f"~calls {saw}::Mode::String"},
        f"{main}:17": {f"type {saw}::Mode", f"calls {saw}::Mode::String"},
        f"{main}:18": {f"type {saw}::Cutter"},
        f"{main}:20": {f"reads {saw}::Saw", f"reads {make}::Saw::Cut"},
        f"{main}:22": {f"~calls {saw}::Base::Rename"},
        f"{main}:23": {f"type {store}::Shelf"},
        f"{main}:24": {f"calls {make}::Saw::Cut", f"reads {main}::limit"},
        f"{main}:25": {f"type {saw}::Tooth", f"calls {saw}::Tooth"},
        f"{main}:26": {f"calls {main}::main::help", f"~writes {saw}::Tooth::Sharp"},
        f"{main}:27": {f"calls {saw}::Mode", f"calls {saw}::Mode::String"},
        f"{main}:28": {f"type {saw}::Saw", f"calls {make}::Saw::Cut"},
    }


def test_what_other_modules_or_an_interface_may_want_in_go_is_not_unused(project: Project) -> None:  # noqa: F811
    found(project, GO)
    with project.open() as workspace:
        uses = workspace.kernel.one(SymbolUses)
        assert [one.symbol for one in uses.callers("kit/make.go::New")] == ["main.go::main"]
        unused = [one.symbol.fqname for one in uses.unused(mentioned=True)]
    assert unused == [
        "internal/store/store.go::Store::hidden",
        "internal/store/store.go::Forgotten",
        "main.go::unused",
    ]
