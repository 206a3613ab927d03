"""Who uses which symbol in Java: packages, imports, members of the classes around and above, written types."""

from __future__ import annotations

from tests.code.test_uses import found, project  # noqa: F401 - a fixture
from tests.support import Project

MAIN = "src/main/java/shop"
JAVA = {
    f"{MAIN}/Base.java": (
        "package shop;\n"
        "public abstract class Base<T> implements Named {\n"
        "  protected int size;\n"
        "  protected Kit kit = new Kit();\n"
        "  public T close() { return null; }\n"
        "  public String size() { return null; }\n"
        "  public static class Entry { public void cut() {} }\n"
        "}\n"
    ),
    f"{MAIN}/Named.java": "package shop;\npublic interface Named { default String name() { return null; } }\n",
    f"{MAIN}/Kit.java": (
        "package shop;\nclass Kit { Kit cut(int depth) { return this; }\n  Kit cut() { return this; } }\n"
    ),
    f"{MAIN}/tools/Tools.java": (
        "package shop.tools;\n"
        "public final class Tools {\n"
        "  public static final int LIMIT = 3;\n"
        "  public static void sharpen() {}\n"
        "  public enum Mode { FAST, SLOW; void set() {} }\n"
        "}\n"
    ),
    f"{MAIN}/Store.java": (
        "package shop;\n"
        "import java.util.List;\n"
        "import shop.tools.*;\n"
        "import static shop.tools.Tools.LIMIT;\n"
        "import static shop.tools.Tools.*;\n"
        "class Store<K> extends Base<Kit> {\n"
        "  K kept;\n"
        "  void sell(Kit what, List<Entry> all) {\n"
        "    size = LIMIT;\n"
        "    sharpen();\n"
        "    what.cut(1).cut();\n"
        "    kit.cut();\n"
        "    for (Entry one : all) one.cut();\n"
        "    for (Named kit : all) { kit.name(); }\n"
        "    Runnable later = () -> this.close();\n"
        "    new Kit() { void more() { cut(); close(); } };\n"
        "    Mode mode = Mode.FAST;\n"
        "    switch (mode) { case SLOW: Tools.Mode.FAST.set(); }\n"
        "    kept.cut(); unknown.cut(); var other = new Store<Kit>(); other.size++;\n"
        "    super.name(); size();\n"
        "  }\n"
        "}\n"
    ),
}


def test_names_in_java_are_followed_through_packages_imports_and_types(project: Project) -> None:  # noqa: F811
    told = found(project, JAVA)
    base, kit, tools = f"{MAIN}/Base.java::Base", f"{MAIN}/Kit.java::Kit", f"{MAIN}/tools/Tools.java::Tools"
    named = f"{MAIN}/Named.java::Named"
    expected = {
        "Base.java:2": {f"implements {named}"},
        "Base.java:4": {f"type {kit}", f"calls {kit}"},
        "Kit.java:2": {f"type {kit}"},
        "Kit.java:3": {f"type {kit}"},
        "Store.java:6": {f"extends {base}", f"type {kit}"},
        "Store.java:8": {f"type {kit}", f"type {base}::Entry"},
        "Store.java:9": {f"reads {tools}::LIMIT"},
        "Store.java:10": {f"calls {tools}::sharpen"},
        "Store.java:11": {f"calls {kit}::cut", f"~calls {kit}::cut"},
        "Store.java:12": {f"reads {base}::kit", f"~calls {kit}::cut"},
        "Store.java:13": {f"type {base}::Entry", f"calls {base}::Entry::cut"},
        "Store.java:14": {f"type {named}", f"calls {named}::name"},
        "Store.java:15": {f"calls {base}::close"},
        "Store.java:16": {f"calls {kit}", f"calls {kit}::cut", f"calls {base}::close"},
        "Store.java:17": {f"type {tools}::Mode", f"reads {tools}::Mode", f"reads {tools}::Mode::FAST"},
        "Store.java:18": {
            f"reads {tools}",
            f"reads {tools}::Mode",
            f"reads {tools}::Mode::FAST",
            f"reads {tools}::Mode::SLOW",
            f"~calls {tools}::Mode::set",
        },
        "Store.java:19": {f"reads {MAIN}/Store.java::Store::kept", f"calls {MAIN}/Store.java::Store", f"type {kit}"},
        "Store.java:20": {f"calls {named}::name", f"calls {base}::size"},
    }
    assert told == {f"{MAIN}/{place}": uses for place, uses in expected.items()}
