// What changes together: a matrix ordered so that blocks show, and what crosses directories although nothing imports it.

import { baseOf, count, cut, directoryOf, ending, h, isBelow, named, roving, s } from "./dom.js";
import { blockOrder, grouped } from "./groups.js";
import { crumbs } from "./map.js";

const LEAST_SIZE = 13; // of a cell, so that names do not lie over each other
const MOST_LISTED = 60;

export function drawTogether({ page, address, snapshot, head, tools, picture, panel }) {
  const { files } = snapshot;
  const directory = files.includes(address.of) ? directoryOf(address.of) : address.of;
  const { a, b, only } = address.options;
  const pairs = snapshot.pairs.map(([i, j, score, commits, imports]) => ({ a: files[i], b: files[j], score, commits, imports }));
  const touching = pairs.filter((one) => isBelow(one.a, directory) || isBelow(one.b, directory));
  const inside = touching.filter((one) => isBelow(one.a, directory) && isBelow(one.b, directory));
  const surprising = touching.filter((one) => !one.imports && directoryOf(one.a) !== directoryOf(one.b));

  head.append(crumbs(page, "together", address.of), h("p", { class: "lead" }, touching.length
    ? `${count(touching.length, "pair")} of files ${touching.length === 1 ? "changes" : "change"} in the same commits; ${surprising.length.toLocaleString("en")} of them cross directories although neither file imports the other.`
    : pairs.length ? "Nothing here usually changes with anything else." : "No co-changes are known. 'tx sync' reads them from the history."),
    ...(snapshot.left_out ?? []).map((text) => h("p", { class: "muted" }, named(text, 200))));

  const leaves = [...new Set(inside.flatMap((one) => [one.a, one.b]))].sort();
  const groups = grouped(leaves, directory, Math.floor((Math.min(picture.clientWidth * 0.8, picture.clientHeight) - 150) / LEAST_SIZE));
  const cells = new Map();
  for (const one of inside) {
    const [x, y] = [groups.of.get(one.a), groups.of.get(one.b)].sort((p, q) => p - q);
    const key = `${x} ${y}`;
    if (!cells.has(key)) cells.set(key, { x, y, score: 0, pairs: [] });
    const cell = cells.get(key);
    cell.pairs.push(one);
    cell.score = Math.max(cell.score, one.score);
  }
  const at = (x, y) => cells.get(`${Math.min(x, y)} ${Math.max(x, y)}`);
  const order = blockOrder(groups.paths.length, (x, y) => at(x, y)?.score ?? 0);

  tools.append(h("div", { class: "legend", "aria-label": "Colours" },
    h("span", { class: "key" }, "in the same commits: seldom ", h("i", { class: "ramp", "aria-hidden": "true" }), " always"),
    h("span", { class: "key" }, h("i", { class: "swatch mark", "aria-hidden": "true" }), " across directories, without an import"),
    groups.shared ? h("span", { class: "key muted" }, "all below ", named(groups.shared, 60)) : null));

  const chosen = a !== undefined && b !== undefined ? [groups.paths.indexOf(a), groups.paths.indexOf(b)] : null;
  if (order.length > 1) drawMatrix();
  else picture.append(h("p", { class: "empty" }, order.length ? "All of it is one group." : "Nothing to draw here."));
  panel.append(...listed());

  function drawMatrix() {
    const { clientWidth: width, clientHeight: height } = picture;
    const margin = Math.min(210, Math.max(96, width * 0.28));
    const top = 122;
    const size = Math.min(34, Math.max(LEAST_SIZE, (height - top - 8) / order.length));
    const wide = Math.min(2 * size, Math.max(LEAST_SIZE, (width - margin - 70) / order.length));
    const whole = size * order.length;
    const letters = Math.floor(margin / 6.9);
    const place = (path) => `${path.slice(groups.shared.length)}${groups.isLeaf[groups.paths.indexOf(path)] ? "" : "/"}`;
    const grid = s("svg", { class: "matrix", width: margin + wide * order.length + 70, height: top + whole + 8, role: "grid", "aria-label": "Which changes with which", tabindex: "-1" });
    const names = s("g", { class: "names" });
    order.forEach((group, row) => {
      const path = groups.paths[group];
      const text = s("text", { x: margin - 6, y: top + row * size + size / 2, "text-anchor": "end" }, ending(place(path), letters));
      names.append(s("a", { href: page.link("together", path).getAttribute("href"), tabindex: "-1" }, s("title", {}, cut(path, 200)), text));
      const turned = s("text", { transform: `translate(${margin + row * wide + wide / 2 + 3} ${top - 5}) rotate(-58)` }, ending(place(path), 20));
      names.append(turned);
    });
    grid.append(names, s("rect", { class: "ground", x: margin, y: top, width: wide * order.length, height: whole }));
    order.forEach((y, row) => {
      const line = s("g", { role: "row" });
      order.forEach((x, column) => {
        const cell = at(x, y);
        if (!cell) return;
        const strongest = cell.pairs.reduce((p, q) => (q.score > p.score ? q : p));
        const isOdd = !strongest.imports && directoryOf(strongest.a) !== directoryOf(strongest.b);
        const isChosen = chosen && ((chosen[0] === x && chosen[1] === y) || (chosen[0] === y && chosen[1] === x));
        const [left, right] = [groups.paths[y], groups.paths[x]];
        const label = `${left} with ${right}: ${told(cell)}`;
        const one = s("rect", {
          class: `pair${isChosen ? " chosen" : ""}`, x: margin + column * wide + 0.5, y: top + row * size + 0.5, width: wide - 1, height: size - 1,
          role: "gridcell", tabindex: "-1", "aria-label": cut(label, 240), "data-key": `${left}\n${right}`, "data-row": row, "data-column": column,
          style: { "--share": cell.score },
          onclick: () => page.go("together", address.of, { a: left, b: right, only }),
          onkeydown: (event) => event.key === "Enter" && page.go("together", address.of, { a: left, b: right, only }),
          onfocus: () => page.say(label),
        }, s("title", {}, cut(label, 300)));
        line.append(one);
        if (isOdd) line.append(s("circle", { class: "odd", cx: margin + column * wide + wide / 2, cy: top + row * size + size / 2, r: Math.min(3.2, size / 4) }));
      });
      grid.append(line);
    });
    picture.append(h("div", { class: "scroll" }, grid));
    // Arrows go to the next pair of the row or column.
    roving(grid, ".pair", (key, here, all) => {
      const [row, column] = [Number(all[here].dataset.row), Number(all[here].dataset.column)];
      const ahead = (one) => ({ ArrowRight: one.row === row && one.column > column, ArrowLeft: one.row === row && one.column < column, ArrowDown: one.column === column && one.row > row, ArrowUp: one.column === column && one.row < row })[key];
      const near = all.map((one, number) => ({ number, row: Number(one.dataset.row), column: Number(one.dataset.column) })).filter(ahead)
        .sort((p, q) => Math.abs(p.row - row) + Math.abs(p.column - column) - Math.abs(q.row - row) - Math.abs(q.column - column));
      return near.length ? near[0].number : null;
    });
  }

  function told(cell) {
    const [first] = cell.pairs;
    if (cell.pairs.length > 1) return `${count(cell.pairs.length, "pair")}, the strongest ${cell.score.toFixed(2)}`;
    return `${first.score.toFixed(2)}, ${count(first.commits, "commit")}, ${first.imports ? "one imports the other" : "neither imports the other"}`;
  }

  function listed() {
    const cell = chosen && chosen.every((one) => one >= 0) ? at(...chosen) : null;
    const parts = [];
    if (cell) parts.push(h("h2", {}, named(a, 40), " with ", named(b, 40)), rows(cell.pairs), h("p", {}, page.link("together", address.of, { only }, "Back to all")));
    const files = touching.filter((one) => one.a === address.of || one.b === address.of);
    if (files.length) parts.push(h("h2", {}, "Changes with ", named(baseOf(address.of), 40)), rows(files));
    parts.push(h("h2", {}, "Across directories, though nothing imports it"),
      h("p", { class: "muted" }, "A tie that only the history knows: is something hidden, copied, or missing between them?"),
      surprising.length ? rows(surprising) : h("p", {}, "None: what changes together here is close together, or imported."));
    parts.push(h("h2", {}, "Strongest of all"), touching.length ? rows(touching) : h("p", {}, "None."));
    parts.push(h("p", { class: "muted" }, "As ", h("code", {}, cut(`tx graph:cochanges ${address.of || "FILE"}`, 90)), " says it."));
    return parts;
  }

  function rows(list) {
    const best = [...list].sort((p, q) => q.score - p.score || q.commits - p.commits || (p.a < q.a ? -1 : 1));
    const items = best.slice(0, MOST_LISTED).map((one) => h("li", {},
      h("a", { href: page.link("around", one.a, { to: one.b }).getAttribute("href"), "aria-label": cut(`${one.a} with ${one.b}: ${one.score.toFixed(2)}, ${count(one.commits, "commit")}. What connects them?`, 240) },
        h("span", { class: "hit" }, named(one.a, 58), named(one.b, 58), h("small", {}, `${count(one.commits, "commit")}${one.imports ? " · imported" : ""}`)),
        h("span", { class: "score", style: { "--share": one.score } }, one.score.toFixed(2)))));
    const list_ = roving(h("ul", { class: "things pairs" }, items), "a");
    return best.length > MOST_LISTED ? h("div", {}, list_, h("p", { class: "muted" }, `and ${(best.length - MOST_LISTED).toLocaleString("en")} more`)) : list_;
  }
}
