// Directories in layers by their imports: what stands higher imports what stands lower; what goes in circles is marked.

import { count, cut, directoryOf, ending, h, isBelow, named, nearest, roving, s } from "./dom.js";
import { grouped } from "./groups.js";
import { crumbs } from "./map.js";

const MOST_BOXES = 18;
const MOST_ON_A_PHONE = 12;
const MOST_LISTED = 60;
const LEAST_WIDTH = 100; // of a box, so that its name can be read

export function drawStructure({ page, address, snapshot, head, tools, picture, panel }) {
  const { directories, imports } = snapshot;
  const loops = snapshot.directory_cycles ?? [];
  const isFile = !directories.some((one) => isBelow(one.path, address.of)) && address.of.includes("/");
  const within = isFile ? directoryOf(address.of) : address.of;
  const chosenLoop = loops[Number(address.options.cycle)] ?? null;
  const leafOf = (place) => (directories[place].path ? `${directories[place].path}/.` : ".");
  const inside = directories.map((_, place) => place).filter((place) => isBelow(directories[place].path, within));
  const files = inside.reduce((sum, place) => sum + directories[place].files, 0);

  head.append(crumbs(page, "structure", address.of), h("p", { class: "lead" }, inside.length
    ? `${count(files, "source file")} in ${count(inside.length, "directory", "directories")}; ${loops.length ? `${count(loops.length, "cycle")} between directories, ${count(snapshot.cycles.length, "cycle")} between files.` : snapshot.cycles.length ? `no cycle between directories, ${count(snapshot.cycles.length, "cycle")} between files.` : "no import goes in a circle."}`
    : "No source file here imports anything."));
  tools.append(h("div", { class: "legend", "aria-label": "Lines" },
    h("span", { class: "key" }, h("i", { class: "stroke is-file", "aria-hidden": "true" }), " imports, downwards"),
    h("span", { class: "key" }, h("i", { class: "stroke dashed is-gone", "aria-hidden": "true" }), " ↻ closes a cycle: without it that is open"),
    h("span", { class: "key" }, h("i", { class: "stroke dashed is-pinned", "aria-hidden": "true" }), " upwards between groups only"),
    h("span", { class: "key muted" }, "Lines that others imply show when a box is chosen.")));

  const groups = grouped(inside.map(leafOf), within, picture.clientWidth < 560 ? MOST_ON_A_PHONE : MOST_BOXES);
  const groupOf = (place) => groups.of.get(leafOf(place));
  const lines = new Map();
  const between = (source, target) => {
    const [x, y] = [groupOf(source), groupOf(target)];
    if (x === undefined || y === undefined || x === y) return null;
    const key = `${x} ${y}`;
    if (!lines.has(key)) lines.set(key, { x, y, count: 0, closing: 0 });
    return lines.get(key);
  };
  for (const [source, target, number] of imports) {
    const line = between(source, target);
    if (line) line.count += number;
  }
  for (const { open_by: { source, target, count: number } } of loops) {
    const line = between(source, target);
    if (line) line.closing += number;
  }
  const layers = layersOf(groups.paths.length, [...lines.values()]);
  const sizes = groups.paths.map(() => 0);
  for (const place of inside) sizes[groupOf(place)] += directories[place].files;
  const chosen = address.options.box === undefined ? -1 : groups.paths.indexOf(address.options.box);

  if (groups.paths.length > 1) drawBoxes();
  else picture.append(h("p", { class: "empty" }, inside.length ? "It is one directory: below is what it imports, and what imports it." : "Nothing to draw here."));
  panel.append(...listed());

  function titleOf(group) {
    const path = groups.paths[group];
    if (path === ".") return "(top)";
    const name = path.slice(groups.shared.length);
    return name === "." ? "(itself)" : name.endsWith("/.") ? name.slice(0, -1) : `${name}/`;
  }

  function real(path) {
    return path === "." ? "" : path.replace(/\/\.$/, "");
  }

  function drawBoxes() {
    const width = Math.max(320, picture.clientWidth);
    const floors = [];
    layers.forEach((layer, group) => (floors[layer] ??= []).push(group));
    // A layer with many boxes takes several rows.
    const room = Math.max(1, Math.floor((width - 14) / (LEAST_WIDTH + 10)));
    const rows = floors.flatMap((all) => {
      const number = Math.ceil(all.length / room);
      const each = Math.ceil(all.length / number);
      return Array.from({ length: number }, (_, row) => all.slice(row * each, (row + 1) * each));
    });
    const most = rows.length;
    const step = Math.max(66, Math.min(150, (picture.clientHeight - 24) / most));
    const tall = 36;
    const at = new Map();
    const neighbours = (group) => [...lines.values()].filter((one) => one.x === group || one.y === group).map((one) => (one.x === group ? one.y : one.x));
    // From the bottom up, each box stands over the middle of those it imports.
    rows.forEach((row, floor) => {
      const wish = (group) => {
        const known = neighbours(group).filter((one) => at.has(one)).map((one) => at.get(one).x);
        return known.length ? known.reduce((a, b) => a + b) / known.length : width / 2;
      };
      row.sort((a, b) => wish(a) - wish(b) || (groups.paths[a] < groups.paths[b] ? -1 : 1));
      const gap = Math.max(10, Math.min(60, (width - 24 - 150 * row.length) / row.length));
      const wide = Math.min(180, (width - 24 - gap * (row.length - 1)) / row.length);
      const whole = wide * row.length + gap * (row.length - 1);
      const left = width - whole - 24;
      // Few boxes in a row stand aside in turns, so that lines to what is further down pass them by.
      const aside = row.length > 2 ? 0 : Math.min(left / 2, width * 0.16) * (floor % 2 ? 1 : -1);
      row.forEach((group, place) => at.set(group, { x: (width - whole) / 2 + aside + place * (wide + gap) + wide / 2, y: 14 + (most - 1 - floor) * step, wide }));
    });
    const svg = s("svg", { class: "layers", width, height: most * step + 10, role: "group", "aria-label": "Layers" });
    const marker = (name) => s("marker", { id: `arrow-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse", class: `is-${name}` }, s("path", { d: "M0,0L8,4L0,8Z" }));
    svg.append(s("defs", {}, ["file", "gone", "pinned"].map(marker)));
    const loop = chosenLoop && new Set(chosenLoop.directories.map(groupOf));
    const plain = new Set(withoutImplied(groups.paths.length, [...lines.values()].filter((one) => layers[one.x] > layers[one.y])));
    for (const line of [...lines.values()].sort((a, b) => a.closing - b.closing)) {
      const [from, to] = [at.get(line.x), at.get(line.y)];
      const isUp = to.y <= from.y;
      const tint = line.closing ? "gone" : isUp ? "pinned" : "file";
      const bold = chosen === line.x || chosen === line.y || (loop && loop.has(line.x) && loop.has(line.y));
      if (!isUp && !line.closing && !bold && !plain.has(line)) continue;
      const [y1, y2] = isUp ? [from.y, to.y + tall] : [from.y + tall, to.y];
      const bend = Math.max(24, Math.abs(y2 - y1) / 2) * (isUp ? -1 : 1);
      const side = to.y === from.y ? 0 : isUp ? 26 : 0;
      const d = to.y === from.y
        ? `M${from.x},${from.y}C${from.x},${from.y - 26} ${to.x},${to.y - 26} ${to.x},${to.y}`
        : `M${from.x + side},${y1}C${from.x + side},${y1 + bend} ${to.x + side},${y2 - bend} ${to.x + side},${y2}`;
      const text = `${titleOf(line.x)} imports ${titleOf(line.y)}: ${count(line.count, "import")}${line.closing ? `; ${line.closing} of them close a cycle` : ""}`;
      svg.append(s("path", {
        class: `line is-${tint}${line.closing || isUp ? " dashed" : ""}${bold ? " bold" : chosen >= 0 || loop ? " faint" : ""}`,
        d, "stroke-width": Math.min(6, 1 + Math.log2(line.count) / 2), "marker-end": `url(#arrow-${tint})`,
      }, s("title", {}, cut(text, 240))));
      // Seven tenths along the curve.
      if (line.closing) svg.append(s("text", { class: "mark is-gone", x: 0.216 * from.x + 0.784 * to.x + side, y: 0.216 * y1 + 0.784 * y2 - 0.252 * bend + 5, "text-anchor": "middle" }, "↻"));
    }
    groups.paths.forEach((path, group) => {
      const { x, y, wide } = at.get(group);
      const inLoop = [...lines.values()].some((one) => one.closing && (one.x === group || one.y === group));
      const own = [...lines.values()];
      const label = `${real(path) || "top"}: ${count(sizes[group], "file")}, layer ${layers[group]}, imports ${own.filter((one) => one.x === group).length}, imported by ${own.filter((one) => one.y === group).length}${inLoop ? ", in a cycle" : ""}`;
      svg.append(s("g", {
        class: `box${group === chosen ? " chosen" : ""}${inLoop ? " looped" : ""}${loop && !loop.has(group) ? " faint" : ""}`, role: "button", tabindex: "-1", "aria-label": cut(label, 200), "aria-pressed": String(group === chosen), "data-key": path,
        onclick: () => open(group),
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          open(group);
        },
      }, s("title", {}, cut(label, 300)), s("rect", { x: x - wide / 2, y, width: wide, height: tall, rx: 5 }),
      s("text", { x, y: y + 16, "text-anchor": "middle" }, `${inLoop ? "↻ " : ""}${ending(titleOf(group), Math.floor(wide / 7.4) - (inLoop ? 3 : 1))}`),
      s("text", { class: "small", x, y: y + 29, "text-anchor": "middle" }, wide > 60 ? count(sizes[group], "file") : String(sizes[group]))));
    });
    picture.append(h("div", { class: "scroll" }, svg));
    roving(svg, ".box", nearest);
  }

  // The first click chooses a box, the second goes into it.
  function open(group) {
    const path = groups.paths[group];
    if (group === chosen && !groups.isLeaf[group]) return page.go("structure", path);
    return page.go("structure", address.of, group === chosen ? {} : { box: path });
  }

  function listed() {
    const parts = [];
    const shown = chosen >= 0 ? real(groups.paths[chosen]) : within;
    const isOwn = chosen >= 0 && groups.isLeaf[chosen];
    const has = (place) => (isOwn ? directories[place].path === shown : isBelow(directories[place].path, shown));
    if (chosen >= 0 || within) {
      const out = summed((source, target) => (has(source) && !has(target) ? target : null));
      const into = summed((source, target) => (has(target) && !has(source) ? source : null));
      parts.push(h("h2", {}, named(shown ? `${shown}/` : "top", 60)), h("p", { class: "go" }, chosen >= 0 && !isOwn ? page.link("structure", shown, {}, "Open it") : null, page.link("map", shown, {}, "What is known there"), page.link("together", shown, {}, "What changes together")));
      parts.push(h("h3", {}, "Imports"), out.length ? rows(out) : h("p", {}, "Nothing outside of it."), h("h3", {}, "Is imported by"), into.length ? rows(into) : h("p", {}, "Nothing outside of it."));
    }
    const near = loops.map((one, number) => ({ ...one, number })).filter((one) => one.directories.some((place) => isBelow(directories[place].path, shown)));
    parts.push(h("h2", {}, "Cycles between directories"), near.length
      ? roving(h("ol", { class: "things cycles" }, near.slice(0, MOST_LISTED).map((one) => h("li", { class: one === chosenLoop || one.number === Number(address.options.cycle) ? "chosen" : null },
        h("a", { href: page.link("structure", address.of, { cycle: String(one.number) }).getAttribute("href"), "data-key": `cycle-${one.number}` },
          h("span", { class: "hit" }, h("span", {}, "↻ ", ...one.directories.flatMap((place, index) => [index ? " → " : null, named(directories[place].path || "(top)", 40)])),
            h("small", {}, "✂ open it: ", named(directories[one.open_by.source].path || "(top)", 40), " → ", named(directories[one.open_by.target].path || "(top)", 40), `, ${count(one.open_by.count, "import")}`)))))), "a")
      : h("p", {}, "None."));
    const own = snapshot.cycles.filter((one) => one.files.some((path) => isBelow(path, shown)));
    parts.push(h("h2", {}, "Cycles between files"), own.length
      ? h("ol", { class: "things cycles" }, own.slice(0, MOST_LISTED).map((one) => h("li", {}, h("a", { href: page.link("around", one.open_by.source, { to: one.open_by.target }).getAttribute("href") },
        h("span", { class: "hit" }, h("span", {}, "↻ ", ...one.files.flatMap((path, index) => [index ? " → " : null, named(path, 48)])),
          h("small", {}, "✂ open it: ", named(one.open_by.source, 48), " → ", named(one.open_by.target, 48)))))))
      : h("p", {}, "None."), h("p", { class: "muted" }, "As ", h("code", {}, "tx graph:cycles"), " says it."));
    return parts;
  }

  function summed(other) {
    const sums = new Map();
    for (const [source, target, number] of imports) {
      const place = other(source, target);
      if (place !== null) sums.set(place, (sums.get(place) ?? 0) + number);
    }
    return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  }

  function rows(list) {
    return roving(h("ul", { class: "things" }, list.slice(0, MOST_LISTED).map(([place, number]) => h("li", {},
      h("a", { href: page.link("structure", directories[place].path).getAttribute("href") }, h("span", { class: "hit" }, named(directories[place].path || "(top)", 60)), h("span", { class: "number" }, number.toLocaleString("en")))))), "a");
  }
}

// The layer of each group, 0 for what imports no other. What closes a cycle does not count; where groups, not
// directories, go in circles, the lightest line of each circle does not either.
function layersOf(size, lines) {
  let rest = lines.filter((one) => one.count > one.closing).map((one) => ({ ...one, count: one.count - one.closing }));
  for (;;) {
    const circle = circleIn(size, rest);
    if (!circle) break;
    const lightest = circle.reduce((a, b) => (b.count < a.count ? b : a));
    rest = rest.filter((one) => one !== lightest);
  }
  const layers = new Array(size).fill(-1);
  const layerOf = (group) => {
    if (layers[group] < 0) layers[group] = Math.max(-1, ...rest.filter((one) => one.x === group).map((one) => layerOf(one.y))) + 1;
    return layers[group];
  };
  for (let group = 0; group < size; group++) layerOf(group);
  return layers;
}

// The lines whose ends no longer way joins as well.
function withoutImplied(size, lines) {
  const targets = Array.from({ length: size }, (_, group) => lines.filter((one) => one.x === group).map((one) => one.y));
  const below = new Map();
  const reached = (group) => {
    if (!below.has(group)) below.set(group, new Set(targets[group].flatMap((one) => [one, ...reached(one)])));
    return below.get(group);
  };
  return lines.filter((line) => !targets[line.x].some((other) => other !== line.y && reached(other).has(line.y)));
}

// The lines of a shortest circle, or null.
function circleIn(size, lines) {
  let best = null;
  for (let start = 0; start < size; start++) {
    const came = new Map([[start, null]]);
    const queue = [start];
    for (const group of queue) {
      const closing = lines.find((one) => one.x === group && one.y === start);
      if (closing) {
        const circle = [closing];
        for (let here = group; came.get(here); here = came.get(here).x) circle.push(came.get(here));
        if (!best || circle.length < best.length) best = circle;
        break;
      }
      for (const one of lines) {
        if (one.x !== group || came.has(one.y)) continue;
        came.set(one.y, one);
        queue.push(one.y);
      }
    }
  }
  return best;
}
