"""The page in a browser: each view as a person uses it, by mouse and by keys, with the numbers of the command line."""

from __future__ import annotations

import io
import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Locator, Page, sync_playwright

from tests.faces.cli.terminal import CommandLine
from tests.view.conftest import HOSTILE, LEARNINGS, ODD_FILE, Served

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="There is no Chromium on PATH: scripts/system-packages installs it."
)

VIEWS = ("map", "around", "together", "time", "structure")
PROFILES = ("decay", "hops", "spread")
FILE = (0x6F, 0x7F, 0x90)  # the colour of files on the canvas
LAPTOP, PHONE = (1366, 768), (390, 844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; it ends with this file, since its loop must not meet those of other tests."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


class Visit:
    """A person at the page. What the browser complains of, and what a planted script would do, is kept."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        context.set_default_timeout(8_000)
        self.page: Page = context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("dialog", self._ran)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def _ran(self, dialog: Dialog) -> None:
        self.wrong.append(f"ran: {dialog.message}")
        dialog.dismiss()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def open(self, address: str = "") -> None:
        """Go to an address of the page."""
        before = self.turn if self.page.url.startswith(self.url) else 0
        self.page.goto(self.url + address)
        self.drawn(before)

    @property
    def turn(self) -> int:
        return int(self.page.locator("#main").get_attribute("data-drawn") or 0)

    def drawn(self, after: int) -> None:
        """Wait until the page has drawn again."""
        drawn = "turn => Number(document.getElementById('main').dataset.drawn || 0) > turn"
        self.page.wait_for_function(drawn, arg=after)

    def does(self, act: Callable[[], object]) -> None:
        """Do something upon which the page draws again."""
        before = self.turn
        act()
        self.drawn(before)

    def click(self, selector: str, text: str | None = None) -> None:
        """Click the first of these that has the text, upon which the page draws again."""
        self.does(self.page.locator(selector, has_text=text).first.click)

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def follow(self, *keys: str) -> None:
        """Press keys, upon which the page draws again."""
        self.does(lambda: self.press(*keys))

    def back(self) -> None:
        """Go back in the history of the browser."""
        self.does(self.page.go_back)

    @property
    def address(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def at(self, selector: str, text: str | None = None) -> Locator:
        """Return the elements of a selector, or those of them that have the text."""
        return self.page.locator(selector, has_text=text)

    def text(self, selector: str) -> str:
        return self.at(selector).first.inner_text()

    def node(self) -> tuple[float, float]:
        """Move the mouse to a file on the canvas, the one farthest from the middle; return where it is."""
        box = self.at(".canvas").bounding_box()
        assert box
        shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        across = range(int(box["x"]) + 4, int(box["x"] + box["width"]) - 60)
        down = range(int(box["y"]) + 4, int(box["y"] + box["height"]) - 4, 2)
        inside = [
            (x, y)
            for y in down
            for x in across
            if shot.getpixel((x, y)) == FILE
            and all(shot.getpixel((x + s, y + t)) == FILE for s in (-3, 3) for t in (-3, 3))
        ]
        x, y = max(inside, key=lambda one: math.dist(one, middle))
        self.page.mouse.move(x, y)
        return x, y

    @property
    def scores(self) -> dict[str, float]:
        """The neighbours that are listed, best first, with their scores."""
        rows = "rows => rows.map(row => [row.dataset.key, Number(row.querySelector('.score').title)])"
        return dict(self.at(".row").evaluate_all(rows))


@pytest.fixture(scope="module")
def visit(browser: Browser, served: Served) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, reduced_motion="reduce")
    found = Visit(context, served.url)
    yield found
    assert not found.wrong
    assert all(one.startswith((served.url, "data:")) for one in found.asked)
    context.close()


@pytest.fixture(scope="module")
def single(browser: Browser, workspace: Path) -> Iterator[Visit]:
    """The page as one file, on a machine without a network."""
    file = workspace.parent / "page.html"
    CommandLine(workspace).ok("view", "--out", str(file))
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, reduced_motion="reduce")
    context.set_offline(True)
    found = Visit(context, file.as_uri())
    yield found
    assert not found.wrong
    assert {one.partition("#")[0] for one in found.asked if not one.startswith("data:")} == {found.url}
    context.close()


def test_the_map_says_where_something_is_known_and_what_no_longer_holds(visit: Visit, served: Served) -> None:
    visit.open("#/map/")
    status = served.tx.json("status")
    assert f"Of {status['files']} files" in visit.text(".lead")
    read = "rows => rows.map(row => [row.querySelector('a').dataset.key, row.querySelector('.badge')?.innerText])"
    badges = dict(visit.at(".things li").evaluate_all(read))
    verdicts = {key: badge.split()[1].rstrip(":") for key, badge in badges.items() if badge}
    for one in served.tx.json("learning:search", "code login store page logout", "--limit", "50")["results"]:
        assert verdicts[f"thing-learning:{one['id']}"] == one["verdict"]
    assert (badges["thing-learning:2"], badges["thing-learning:3"]) == ("≈ drifted: body", "✗ gone")

    visit.click('.cell[data-key="src"]')
    assert visit.address == "#/map/src"
    visit.click('.cell[data-key="src/auth.py"]')
    assert visit.address == "#/map/src/auth.py"
    assert "Login compares tokens" in visit.text(".panel")
    visit.click(".key", "something has changed")
    assert visit.address == "#/map/src/auth.py?only=drifted"
    assert "Login compares" not in visit.text(".panel")
    for before in ("#/map/src/auth.py", "#/map/src", "#/map/"):
        visit.back()
        assert visit.address == before
    assert visit.at('.cell[data-key="src/store/rows.py"].is-gone').count() == 1
    assert "Index of" in visit.text("footer")


def test_around_has_the_scores_of_the_command(visit: Visit, served: Served) -> None:
    for profile in PROFILES:
        for depth in (1, 2):
            visit.open(f"#/around/src/auth.py?profile={profile}&depth={depth}")
            said = served.tx.json(f"graph:neighbors src/auth.py --profile {profile} --depth {depth} --limit 100")
            assert visit.scores == pytest.approx({one["ref"]: one["score"] for one in said["neighbors"]})
            assert list(visit.scores) == [one["ref"] for one in said["neighbors"]]


def test_around_is_opened_filtered_and_led_along_a_path(visit: Visit, served: Served) -> None:
    visit.open("#/around/src/app.py")
    first = visit.scores
    visit.click('.row[data-key="src/auth.py"]')
    assert visit.scores.keys() > first.keys()
    assert "imports src/auth.py" in visit.text("li.chosen")
    visit.back()
    assert visit.scores == first

    visit.click(".key", "imports")
    said = served.tx.json("graph:neighbors src/app.py --depth 1 --exclude-edge-types IMPORTS --limit 100")
    assert list(visit.scores) == [one["ref"] for one in said["neighbors"]]
    visit.back()
    visit.does(lambda: visit.at('[data-key="direction"]').select_option("in"))
    said = served.tx.json("graph:neighbors src/app.py --depth 1 --direction in --limit 100")
    assert list(visit.scores) == [one["ref"] for one in said["neighbors"]]
    visit.back()
    visit.does(lambda: visit.at('[data-key="least"]').fill("0.6"))
    assert visit.scores
    assert all(score >= 0.6 for score in visit.scores.values())

    visit.open("#/around/src/app.py")
    visit.at('[data-key="to"]').fill("learning:2")
    visit.click(".panel form button")
    said = served.tx.json("graph:path src/app.py learning:2")
    assert said["sentence"] in visit.text(".path")
    assert f"Score {said['score']:.2f} in {said['hops']} steps" in visit.text(".path")


def test_the_canvas_can_be_clicked_and_dragged(visit: Visit) -> None:
    visit.open("#/around/")
    x, y = visit.node()
    visit.page.mouse.down()
    visit.page.mouse.move(x + 90, y + 40, steps=4)
    visit.page.mouse.up()
    visit.page.wait_for_timeout(300)  # a click would have led away by then
    assert visit.address == "#/around/"
    visit.node()
    visit.page.mouse.down()
    visit.does(visit.page.mouse.up)
    assert re.match("#/(around|map)/.+", visit.address)

    visit.open("#/around/src/auth.py")
    place = visit.node()
    visit.does(lambda: visit.page.mouse.click(*place))
    assert "sel=" in visit.address
    place = visit.node()
    visit.does(lambda: visit.page.mouse.dblclick(*place))
    assert re.match(r"#/around/(?!src/auth\.py\?)", visit.address)


def test_without_webgl_the_list_stands_beside_a_sentence(browser: Browser, served: Served) -> None:
    with closing(browser.new_context()) as context:
        context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        seen = Visit(context, served.url)
        seen.open("#/around/src/auth.py")
        assert "no WebGL" in seen.text(".canvas")
        assert seen.scores
        assert len(seen.wrong) == 1  # sigma's own, once, as it is loaded


def test_together_time_and_structure_have_the_numbers_of_their_commands(visit: Visit, served: Served) -> None:
    visit.open("#/together/src/auth.py")
    said = served.tx.json("graph:cochanges src/auth.py")["partners"]
    heading = visit.at("h2", "Changes with").locator("xpath=following-sibling::*[1]")
    assert heading.locator("li").count() == len(said)
    for row, one in zip(heading.locator("li").all(), said, strict=True):
        assert one["path"] in row.inner_text()
        assert f"{one['score']:.2f}" in row.inner_text()
    visit.open("#/together/")
    visit.click(".pair")
    assert "a=" in visit.address
    visit.back()

    visit.open("#/time/")
    assert "superseded" in (visit.at("svg.time").text_content() or "")
    rotten = visit.at("tbody tr", "security").inner_text().split()
    assert rotten[2:4] == ["4", "1"] or rotten[:1] == ["security"]
    visit.click(".dot")
    assert "at=" in visit.address
    visit.click(".key", "facts")
    assert "kind=fact" in visit.address

    visit.open("#/structure/")
    cycles = served.tx.json("graph:cycles")["cycles"]
    assert f"{len(cycles)} cycle" in visit.text(".lead")
    told = visit.text(".panel")
    for one in cycles:
        assert all(path in told for path in one["files"])
        assert re.search(
            rf"open it:\s*{re.escape(one['closed_by']['source'])} → {re.escape(one['closed_by']['target'])}", told
        )
    visit.click('.box[data-key="src/."], .box')
    assert "box=" in visit.address
    assert "Imports" in visit.text(".panel")


def test_search_is_that_of_tx_and_keys_do_for_all(visit: Visit, served: Served) -> None:
    visit.open("#/map/")
    visit.press("/")
    visit.page.keyboard.type("login tokens")
    visit.at("#hits a").first.wait_for()
    found = [
        quote(one["ref"], safe="/:") for one in served.tx.json("search", "login tokens", "--limit", "12")["hits"][:12]
    ]
    links = visit.at("#hits a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert len(links) == len(found)
    assert links[0] == f"#/around/{found[0]}"
    visit.follow("ArrowDown", "Enter")
    assert visit.address == links[0]

    visit.follow("1")
    visit.at(".cell").first.focus()
    start = visit.page.evaluate("document.activeElement.dataset.key")
    visit.press("ArrowRight", "ArrowDown")
    key = visit.page.evaluate("document.activeElement.dataset.key")
    assert key != start
    visit.follow("Enter")
    assert visit.address == f"#/map/{quote(key, safe='/')}"
    assert visit.page.evaluate("document.activeElement.dataset.key ?? document.activeElement.tagName") in (key, "H1")
    visit.follow("Backspace")
    for number, name in enumerate(VIEWS, 1):
        visit.follow(str(number))
        assert visit.address == f"#/{name}/"
    visit.follow("2")
    visit.at(".things").last.locator("a").first.focus()
    visit.follow("Enter")
    visit.at(".row").first.focus()
    visit.press("End", "Home")
    visit.follow("Enter")
    assert visit.at(".row[aria-expanded=true]").count() == 1
    visit.press("?")
    assert visit.at("#help").is_visible()
    visit.press("Escape")


@pytest.mark.parametrize("where", ["visit", "single"])
def test_hostile_names_stay_text_in_every_view(where: str, request: pytest.FixtureRequest) -> None:
    seen: Visit = request.getfixturevalue(where)
    scripts = None
    for address in (
        *(f"#/{view}/" for view in VIEWS),
        f"#/map/{quote(ODD_FILE)}",
        f"#/around/{quote(ODD_FILE)}",
        "#/around/learning:5",
        f"#/around/{quote('<img src=x onerror=alert(1)>')}",
        "#/map/%E0%A4%A?only=<script>",
        f"#/together/{'x' * 5000}",
        f"#/time/?what={quote(HOSTILE)}&at=1",
        "#/structure/?cycle=99&box=__proto__",
        "#/constructor/",
    ):
        seen.open(address)
        seen.wrong = [one for one in seen.wrong if "404" not in one]  # there is no such node, which a browser tells
        scripts = scripts or seen.at("script").count()
        assert seen.at("script").count() == scripts
        assert seen.at("img, iframe, [onerror], [onclick]").count() == 0
        width = seen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, address
    seen.open("#/around/learning:5")
    assert "alert(1)" in seen.text(".panel, .lead")


def test_one_file_without_a_network_walks_as_the_command_does(single: Visit, workspace: Path) -> None:
    tx = CommandLine(workspace)
    for ref in ("src/auth.py", "learning:1", "docs/guide.md"):
        for profile in PROFILES:
            single.open(f"#/around/{ref}?profile={profile}&depth=3")
            said = tx.json(f"graph:neighbors {ref} --profile {profile} --depth 3 --limit 100")["neighbors"]
            assert single.scores == pytest.approx({one["ref"]: one["score"] for one in said}, abs=1e-5)
            assert list(single.scores) == [one["ref"] for one in said]
    single.open("#/around/src/app.py?to=learning:2")
    said = tx.json("graph:path src/app.py learning:2")
    assert f"Score {said['score']:.2f} in {said['hops']} steps" in single.text(".path")
    single.at("#query").fill("constant time")
    single.at("#hits a").first.wait_for()
    single.follow("Enter")
    assert single.address == "#/around/learning:1"
    assert LEARNINGS[0][0] in single.text(".lead")
    assert "one file without a server" in single.text("footer")
    assert json.loads(single.at("#data-about").inner_text())["is_file"]
