// The page: what stands around the five views, the search, the keys, and which view an address means.

import { addressOf, parsed } from "./address.js";
import { count, cut, h, named, roving } from "./dom.js";
import { badge, signOf } from "./words.js";
import { Source } from "./source.js";
import { drawMap } from "./map.js";
import { drawAround } from "./around.js";
import { drawTogether } from "./together.js";
import { drawTime } from "./time.js";
import { drawStructure } from "./structure.js";

const VIEWS = {
  map: { name: "Map", asks: "What is known where, and what no longer holds?", draw: drawMap, snapshot: "map" },
  around: { name: "Around", asks: "What hangs together with this?", draw: drawAround, snapshot: "graph" },
  together: { name: "Together", asks: "Who must change with whom?", draw: drawTogether, snapshot: "together" },
  time: { name: "Time", asks: "What was learned when, and what rots fastest?", draw: drawTime, snapshot: "time" },
  structure: { name: "Structure", asks: "Which directory builds on which, and where does that go in circles?", draw: drawStructure, snapshot: "structure" },
};
const KEYS = [
  ["/", "search"],
  ["1 … 5", "the views"],
  ["Tab, arrow keys", "move through a picture or a list"],
  ["Enter", "open what is chosen"],
  ["Backspace", "one directory up, or back"],
  ["?", "this list"],
];

class Page {
  constructor(source, about) {
    this.source = source;
    this.about = about;
    this.main = document.getElementById("main");
    this.turn = 0;
  }

  go(view, of, options) {
    location.hash = addressOf(view, of, options);
  }

  // Puts another address in the place of this one: what a slider passes by is not worth a step back.
  replace(view, of, options) {
    history.replaceState(null, "", addressOf(view, of, options));
    return this.draw();
  }

  link(view, of, options, ...children) {
    return h("a", { href: addressOf(view, of, options) }, ...children);
  }

  say(text) {
    document.getElementById("said").textContent = text;
  }

  async draw() {
    const turn = ++this.turn;
    const address = parsed(location.hash);
    const name = Object.hasOwn(VIEWS, address.view) ? address.view : "map";
    const view = VIEWS[name];
    for (const tab of document.querySelectorAll("#views a")) {
      if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    document.title = cut(`${view.name}${address.of ? `: ${address.of}` : ""} · ${this.about.repository}`, 120);
    const frame = {
      head: h("div", { class: "head" }),
      tools: h("div", { class: "tools" }),
      picture: h("section", { class: "picture", "aria-label": view.name }),
      panel: h("aside", { class: "panel", "aria-label": "Details", tabindex: "0" }),
    };
    try {
      const snapshot = await this.source.snapshot(view.snapshot);
      if (turn !== this.turn) return;
      const kept = document.activeElement?.dataset?.key;
      const isWithin = this.main.contains(document.activeElement);
      const heading = h("h1", { tabindex: "-1" }, view.asks);
      this.main.replaceChildren(
        h("div", { class: "top" }, heading, frame.head, frame.tools),
        h("div", { class: "body", "data-view": name }, frame.picture, frame.panel),
      );
      await view.draw({ page: this, address: { ...address, view: name }, snapshot, isCurrent: () => turn === this.turn, ...frame });
      if (turn !== this.turn) return;
      const again = kept && [...this.main.querySelectorAll("[data-key]")].find((one) => one.dataset.key === kept);
      if (isWithin || kept) (again ?? heading).focus({ preventScroll: true });
    } catch (error) {
      if (turn !== this.turn) return;
      frame.panel.replaceChildren(h("p", { class: "failed", role: "alert" }, named(error.message, 300)));
      this.main.replaceChildren(h("div", { class: "top" }, h("h1", {}, view.asks)), h("div", { class: "body" }, frame.panel));
    }
    this.main.dataset.drawn = String(turn);
  }
}

function age(about) {
  if (!about.indexed_at) return "never";
  const minutes = Math.max(0, Math.round((Date.parse(about.now) - Date.parse(about.indexed_at)) / 60000));
  if (minutes < 2) return "just now";
  if (minutes < 120) return `${count(minutes, "minute")} before`;
  return minutes < 2880 ? `${count(Math.round(minutes / 60), "hour")} before` : `${count(Math.round(minutes / 1440), "day")} before`;
}

function footer(about, isFile) {
  const when = (time) => h("time", { datetime: time }, time.replace("T", " ").replace("Z", " UTC"));
  const left = about.left_out ?? [];
  return [
    h("p", {},
      about.indexed_at ? ["Index of ", when(about.indexed_at), isFile ? `, ${age(about)} this file was written` : ` (${age(about)} this page was opened)`] : "Never indexed",
      about.commit ? [", commit ", h("code", {}, about.commit.slice(0, 10)), about.commit_at ? [" of ", when(about.commit_at)] : null] : null,
      `. tx ${about.tx}.`),
    isFile ? h("p", {}, "This is one file without a server: search looks at names and titles only, and texts are cut to their titles.") : null,
    ...[...left, ...(about.notices ?? [])].map((text) => h("p", {}, named(text, 300))),
  ];
}

function searchBox(page) {
  const input = document.getElementById("query");
  const list = document.getElementById("hits");
  const status = document.getElementById("said");
  let asked = 0;
  let timer = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const open = (children) => {
    list.replaceChildren(...children);
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const look = async () => {
    const turn = ++asked;
    const query = input.value.trim();
    if (!query) return close();
    let hits;
    try {
      ({ hits } = await page.source.search(query, 12));
    } catch (error) {
      return turn === asked && open([h("li", { class: "failed" }, named(error.message, 200))]);
    }
    if (turn !== asked) return;
    status.textContent = count(hits.length, "result");
    if (!hits.length) return open([h("li", { class: "muted" }, "Nothing found.")]);
    open(hits.map((hit) => {
      const told = [signOf(hit.kind), h("span", { class: "hit" }, named(hit.text || hit.ref, 90), h("small", {}, named(hit.ref, 60))), badge(hit.verdict)];
      const place = ["fact", "commit"].includes(hit.kind) ? hit.path : hit.ref; // a walk starts from neither
      return h("li", {}, place ? h("a", { href: addressOf("around", place), onclick: close }, told) : h("p", {}, told));
    }));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, 150);
  });
  input.addEventListener("keydown", async (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter") {
      clearTimeout(timer);
      await look();
      list.querySelector("a")?.click();
    }
    if (event.key === "ArrowDown" && !list.hidden) {
      event.preventDefault();
      list.querySelector("a")?.focus();
    }
  });
  list.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    input.focus();
  });
  roving(list, "a");
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#search")) close();
  });
  document.getElementById("search").addEventListener("submit", (event) => event.preventDefault());
}

function keys(page) {
  const help = document.getElementById("help");
  help.replaceChildren(h("h2", {}, "Keys"), h("dl", {}, KEYS.flatMap(([key, told]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, told)])),
    h("form", { method: "dialog" }, h("button", {}, "Close")));
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || event.target.closest("input, select, textarea")) return;
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("query").focus();
    } else if (event.key === "?") {
      help.showModal();
    } else if (event.key === "Backspace") {
      event.preventDefault();
      const { view, of } = parsed(location.hash);
      if (["map", "together", "structure"].includes(view) && of) page.go(view, of.includes("/") ? of.slice(0, of.lastIndexOf("/")) : "");
      else history.back();
    } else if (/^[1-5]$/.test(event.key)) {
      page.go(Object.keys(VIEWS)[Number(event.key) - 1], "");
    }
  });
}

async function start() {
  const source = new Source();
  let about;
  try {
    about = await source.snapshot("about");
  } catch (error) {
    document.getElementById("main").replaceChildren(h("p", { class: "failed", role: "alert" }, named(error.message, 300)));
    return;
  }
  if (about.start && !location.hash) history.replaceState(null, "", about.start);
  const page = new Page(source, about);
  document.getElementById("repository").replaceChildren(named(about.repository, 40));
  document.getElementById("views").replaceChildren(...Object.entries(VIEWS).map(([name, { name: title, asks }]) =>
    h("a", { href: addressOf(name), "data-view": name, title: asks }, title)));
  document.getElementById("foot").replaceChildren(...footer(about, source.isFile).filter(Boolean));
  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    page.draw();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the fragment is an address
    page.main.focus();
  });
  searchBox(page);
  keys(page);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) page.draw();
    width = innerWidth;
  });
  addEventListener("hashchange", () => page.draw());
  await page.draw();
}

start();
