// The map: files and directories by size, coloured by what is known there and by what no longer holds.

import { baseOf, count, cut, directoryOf, h, isBelow, named, nearest, roving } from "./dom.js";
import { badge, isStale, signOf } from "./words.js";

// What a cell says, the strongest first: what no longer holds stands before what does.
const STATES = {
  gone: { sign: "✗", told: "something is gone" },
  drifted: { sign: "≈", told: "something has changed" },
  learning: { sign: "✓", told: "learnings that hold" },
  document: { sign: "§", told: "documents" },
  fact: { sign: "◆", told: "facts" },
  none: { sign: "", told: "nothing known" },
};
const RANK = Object.keys(STATES);
const LEAST_WIDTH = 64; // of a directory that shows what is in it
const LEAST_HEIGHT = 40;
const HEAD = 19; // height of a directory's name
const MOST_LISTED = 120;
const SIZE_OF_LOST = 1500; // bytes, as if it were there

export function drawMap({ page, address, snapshot, head, tools, picture, panel }) {
  const { known } = snapshot;
  // What is gone has a cell where it was, so that it is seen.
  const lost = [...new Set(known.flatMap((one) => one.lost ?? []))];
  const files = [...snapshot.files, ...lost.map((path) => [path, SIZE_OF_LOST, null])];
  const at = files.map(() => []);
  const lostAt = new Map(lost.map((path, place) => [path, snapshot.files.length + place]));
  for (const one of known) for (const place of placesOf(one)) at[place].push(one);
  const states = at.map(stateOf);

  const isFile = files.some(([path]) => path === address.of);
  const directory = isFile ? directoryOf(address.of) : address.of;
  const inside = files.map((file, place) => place).filter((place) => isBelow(files[place][0], directory));
  const numbers = Object.fromEntries(RANK.map((state) => [state, inside.filter((place) => states[place] === state).length]));

  head.append(crumbs(page, "map", address.of, { only: address.options.only, area: address.options.area }), h("p", { class: "lead" }, inside.length ? lead(inside.filter((place) => place < snapshot.files.length).length, numbers) : "No such directory is indexed."));

  const { only, area } = address.options;
  const options = { only, area };
  tools.append(h("label", { class: "field" }, "Area by ", h("select", { "data-key": "area", onchange: (event) => page.go("map", address.of, { only, area: event.target.value }) },
    h("option", { value: "" }, "size"), h("option", { value: "files", selected: area === "files" }, "number of files"))),
  h("div", { class: "legend", role: "group", "aria-label": "Show only" }, RANK.map((state) =>
    h("button", {
      type: "button",
      class: `key is-${state === "learning" ? "fresh" : state}`,
      "aria-pressed": String(only === state),
      "data-key": `only-${state}`,
      onclick: () => page.go("map", address.of, { area, only: only === state ? "" : state }),
    }, h("i", { class: "swatch", "aria-hidden": "true" }, STATES[state].sign), ` ${STATES[state].told} `, h("b", {}, numbers[state].toLocaleString("en"))))));

  drawCells();
  panel.append(...listed());

  function drawCells() {
    const { clientWidth: width, clientHeight: height } = picture;
    const root = d3.hierarchy(tree(files, inside, directory), (node) => node.children && [...node.children.values()]);
    // What is no source, as a film or a lock, counts no more than a source file does on average.
    const most = d3.mean(inside.filter((place) => files[place][2]), (place) => files[place][1]);
    const sizeOf = ([, size, language]) => Math.max(64, language ? size : Math.min(size, most ?? size));
    root.sum((node) => (node.place === undefined ? 0 : area === "files" ? 1 : sizeOf(files[node.place])));
    root.sort((a, b) => b.value - a.value || (a.data.path < b.data.path ? -1 : 1));
    d3.treemap().size([width, height]).round(true).paddingInner(2)
      .paddingTop((node) => (node.depth && isOpen(node) ? HEAD : 0))
      .paddingRight((node) => (node.depth && isOpen(node) ? 3 : 0))
      .paddingBottom((node) => (node.depth && isOpen(node) ? 3 : 0))
      .paddingLeft((node) => (node.depth && isOpen(node) ? 3 : 0))(root);
    const cells = [];
    const visit = (node) => {
      if (node.depth && node.x1 - node.x0 >= 2 && node.y1 - node.y0 >= 2) cells.push(cell(node));
      if (!node.depth || isOpen(node)) for (const child of node.children ?? []) visit(child);
    };
    visit(root);
    picture.classList.add("treemap");
    picture.replaceChildren(...cells);
    roving(picture, ".cell", nearest);
  }

  function isOpen(node) {
    return Boolean(node.children) && node.x1 - node.x0 >= LEAST_WIDTH && node.y1 - node.y0 >= LEAST_HEIGHT;
  }

  function cell(node) {
    const { path, place } = node.data;
    const places = node.leaves().map((leaf) => leaf.data.place).filter((one) => one !== undefined);
    const state = strongest(places.map((one) => states[one]));
    const width = node.x1 - node.x0;
    const height = node.y1 - node.y0;
    const open = isOpen(node);
    const known = new Set(places.flatMap((one) => at[one]));
    const things = known.size;
    const label = `${path}${place === undefined ? `/, ${count(places.length, "file")}` : ""}: ${things ? `${count(things, "thing")} known, ${STATES[state].told}` : STATES[state].told}`;
    const isDimmed = only && !places.some((one) => states[one] === only);
    const parts = [];
    if (height >= 15 && width >= 34) {
      parts.push(h("span", { class: "name" }, named(node.data.name ?? baseOf(path), 60)));
      const counted = RANK.map((one) => [one, [...known].filter((thing) => standingOf(thing) === one).length]).filter(([, number]) => number);
      const told = counted.slice(0, width < 44 ? 0 : open && width >= 150 ? 4 : 1).map(([one, number]) => `${STATES[one].sign}${number > 1 || open ? `\u2009${number}` : ""}`);
      parts.push(h("span", { class: "what", "aria-hidden": "true" }, told.join("\u2002")));
    } else if (state !== "none" && width >= 10 && height >= 15) {
      parts.push(h("span", { class: "what", "aria-hidden": "true" }, STATES[state].sign));
    }
    return h("button", {
      type: "button",
      class: `cell is-${state === "learning" ? "fresh" : state}${open ? " open" : ""}${place === undefined ? " directory" : ""}${isDimmed ? " dim" : ""}${path === address.of ? " chosen" : ""}`,
      style: { left: `${node.x0}px`, top: `${node.y0}px`, width: `${width}px`, height: `${open ? HEAD : height}px`, "--whole": `${height}px`, "--strength": places.filter((one) => states[one] !== "none").length / places.length },
      "aria-label": cut(label, 160),
      title: cut(label, 300),
      "data-key": path,
      onclick: () => page.go("map", path, options),
    }, parts);
  }

  function listed() {
    const chosen = isFile ? [files.findIndex(([path]) => path === address.of)] : inside;
    const things = [...new Set(chosen.flatMap((place) => at[place]))].filter((one) => !only || standingOf(one) === only);
    things.sort((a, b) => RANK.indexOf(standingOf(a)) - RANK.indexOf(standingOf(b)) || (a.title < b.title ? -1 : 1));
    const title = h("h2", {}, isFile ? named(baseOf(address.of), 60) : directory ? named(`${directory}/`, 60) : "The whole repository");
    const facts = isFile ? [h("p", { class: "muted" }, chosen[0] >= snapshot.files.length ? "It is gone." : `${files[chosen[0]][1].toLocaleString("en")} bytes${files[chosen[0]][2] ? `, ${files[chosen[0]][2]}` : ""}`),
      h("p", { class: "go" }, page.link("around", address.of, {}, "What lies around it"), page.link("together", directory, {}, "What changes with it"))] : [];
    if (!things.length) return [title, ...facts, h("p", {}, only ? "Nothing of that kind is here." : "Nothing is written down about this yet."),
      only ? null : h("p", { class: "muted" }, "To write something down: ", h("code", {}, `tx add "…" --anchor ${cut(address.of || "PATH", 60)}`))].filter(Boolean);
    const list = h("ul", { class: "things" }, things.slice(0, MOST_LISTED).map((one) => h("li", {},
      h("a", { href: page.link("around", nodeOf(one)).getAttribute("href"), "data-key": `thing-${one.ref}` },
        signOf(one.kind), h("span", { class: "hit" }, named(one.title, 150), h("small", {}, whereOf(one))), badge(one.verdict, one.drift)))));
    roving(list, "a");
    return [title, ...facts, h("p", { class: "muted" }, `${count(things.length, "thing")} known here${things.length > MOST_LISTED ? `, the first ${MOST_LISTED} shown` : ""}:`), list];
  }

  function placesOf(one) {
    return [...one.places, ...(one.lost ?? []).map((path) => lostAt.get(path))];
  }

  function whereOf(one) {
    const paths = placesOf(one).map((place) => files[place][0]);
    if (!paths.length) return one.kind;
    return [named(paths[0], 48), paths.length > 1 ? ` and ${paths.length - 1} more` : ""];
  }

  function nodeOf(one) {
    return one.subject ?? one.ref;
  }
}

function lead(all, numbers) {
  if (numbers.none === all) return `Of ${count(all, "file")}, none has anything known about it yet.`;
  const lost = numbers.gone + numbers.drifted;
  const told = `Of ${count(all, "file")}, ${numbers.none.toLocaleString("en")} have nothing known about them`;
  return lost ? `${told}; in ${lost.toLocaleString("en")} something no longer holds.` : `${told}; all that is known of the others holds.`;
}

function standingOf(one) {
  if (isStale(one.verdict)) return one.verdict === "gone" ? "gone" : "drifted";
  return one.kind;
}

function strongest(states) {
  return RANK.find((state) => states.includes(state)) ?? "none";
}

function stateOf(things) {
  return strongest(things.map(standingOf));
}

// Directories with but one directory in them are one cell.
function tree(files, inside, directory) {
  const root = { path: directory, children: new Map() };
  const skipped = directory ? directory.length + 1 : 0;
  for (const place of inside) {
    const parts = files[place][0].slice(skipped).split("/");
    let node = root;
    parts.forEach((part, depth) => {
      const isLeaf = depth === parts.length - 1;
      if (!node.children.has(part)) {
        const path = node.path ? `${node.path}/${part}` : part;
        node.children.set(part, isLeaf ? { path, place } : { path, children: new Map() });
      }
      node = node.children.get(part);
    });
  }
  const joined = (node) => {
    for (const [part, child] of node.children) {
      let inner = child;
      let name = part;
      while (inner.children?.size === 1 && [...inner.children.values()][0].children) {
        const [[next, only]] = inner.children;
        inner = only;
        name = `${name}/${next}`;
      }
      node.children.set(part, { ...inner, name: inner.children ? `${name}/` : name });
      if (inner.children) joined(inner);
    }
  };
  joined(root);
  return root;
}

export function crumbs(page, view, of, options = {}) {
  const parts = of ? of.split("/") : [];
  const links = [page.link(view, "", options, named(page.about.repository, 32))];
  parts.forEach((part, place) => {
    links.push(h("span", { "aria-hidden": "true" }, "/"));
    const path = parts.slice(0, place + 1).join("/");
    links.push(place === parts.length - 1 ? h("b", {}, named(part, 48)) : page.link(view, path, options, named(part, 32)));
  });
  return h("nav", { class: "crumbs", "aria-label": "Directories" }, links);
}
