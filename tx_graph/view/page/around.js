// What lies around a node, opened step by step; the path between two nodes; and without a node the whole graph.

import { baseOf, colour, count, cut, directoryOf, h, named, roving } from "./dom.js";
import { EDGES, badge, isStale, kindOf, signOf, step, verdictOf } from "./words.js";
import { drawGraph, forgetGraph, labelOf, pointAt, thread, zoomBy } from "./canvas.js";

const PROFILES = {
  decay: "the best path counts: its weights, times 0.7 for each step",
  hops: "the last edge counts, and how many steps it took",
  spread: "many paths count together: how often a random walk comes by",
};
const DIRECTIONS = { both: "both ways", out: "out of it", in: "into it" };
const MOST = 100; // nodes of one answer
const MOST_OPENED = 24; // nodes that a click adds

export async function drawAround(view) {
  if (!view.address.of) return drawWhole(view);
  return drawNode(view);
}

async function drawNode({ page, address, snapshot, head, tools, picture, panel, isCurrent }) {
  const centre = address.of;
  const { profile = "decay", direction = "both", to = "", sel = "", least = "0" } = address.options;
  const depth = Math.min(4, Math.max(1, Number(address.options.depth) || 1));
  const opened = (address.options.open ?? "").split("\n").filter(Boolean);
  const present = snapshot.types.filter((type, place) => snapshot.edges.type.includes(place));
  const types = address.options.types === undefined ? null : address.options.types.split(",").filter(Boolean);
  const change = (options) => page.go("around", centre, { ...address.options, ...options });
  const { source } = page;

  head.append(h("p", { class: "lead" }, signOf(kindAt(snapshot, centre)), " ", named(titleAt(snapshot, centre), 100)));
  const asked = { profile, direction, types, limit: MOST };
  const near = await source.neighbors(centre, { ...asked, depth });
  const found = new Map(near.neighbors.map((one) => [one.ref, { ...one, parent: one.path.at(-2), edge: one.edges.at(-1) }]));
  for (const ref of opened) {
    if (!found.has(ref)) continue;
    const hops = found.get(ref).hops;
    const [far, next] = await Promise.all([
      source.neighbors(centre, { ...asked, depth: Math.min(10, hops + 1) }),
      source.neighbors(ref, { ...asked, depth: 1, limit: MOST_OPENED }),
    ]);
    const scored = new Map(far.neighbors.map((one) => [one.ref, one]));
    for (const one of next.neighbors) {
      if (found.has(one.ref) || one.ref === centre) continue;
      const known = scored.get(one.ref);
      found.set(one.ref, { ...one, score: known?.score ?? null, hops: hops + 1, parent: ref, edge: one.edges[0], edges: [...found.get(ref).edges, one.edges[0]], isOpened: true });
    }
  }
  const path = to ? await source.path(centre, to).catch((error) => ({ failed: error.message })) : null;
  for (const edge of path?.edges ?? []) {
    if (edge.target === centre || found.has(edge.target)) continue;
    const verdict = path.learnings?.find((one) => one.ref === edge.target)?.verdict;
    found.set(edge.target, { ref: edge.target, kind: kindAt(snapshot, edge.target), score: null, hops: 0, parent: edge.source, edge, edges: [edge], verdict, isOpened: true });
  }
  if (!isCurrent()) return;
  const floor = Number(least) || 0;
  const onPath = new Set(path?.path ?? []);
  const shown = [...found.values()].filter((one) => onPath.has(one.ref) || one.isOpened || (one.score ?? 0) >= floor);

  tools.append(
    select("Score by", "profile", PROFILES, profile, change, "decay"),
    select("Follow", "direction", DIRECTIONS, direction, change, "both"),
    select("Steps", "depth", { 1: "", 2: "", 3: "", 4: "" }, String(depth), change, "1"),
    h("label", { class: "field" }, "Score from ", h("input", {
      type: "range", min: "0", max: "1", step: "0.05", value: String(floor), "data-key": "least",
      oninput: (event) => (event.target.nextSibling.textContent = Number(event.target.value).toFixed(2)),
      onchange: (event) => page.replace("around", centre, { ...address.options, least: event.target.value === "0" ? "" : event.target.value }),
    }), h("output", {}, floor.toFixed(2))),
    h("div", { class: "legend", role: "group", "aria-label": "Kinds of ties" }, present.map((type) => {
      const isOn = !types || types.includes(type);
      const others = (types ?? present).filter((one) => one !== type);
      const next = isOn ? others : [...others, type];
      return h("button", {
        type: "button", class: `key is-${EDGES[type].colour}`, "aria-pressed": String(isOn), "data-key": `type-${type}`,
        onclick: () => change({ types: next.length === present.length ? "" : next.join(",") }),
      }, h("i", { class: "stroke", "aria-hidden": "true" }), ` ${type.toLowerCase().replaceAll("_", " ")}`);
    })),
  );
  tools.querySelector("select").title = PROFILES[profile];

  drawPicture();
  panel.append(...details());

  function drawPicture() {
    // Files that share a name bear their directory's too.
    const short = shown.map((one) => shortOf(snapshot, one.ref));
    const often = new Set(short.filter((name, place) => short.indexOf(name) !== place));
    const nameOf = (ref, name) => (often.has(name) && ref.endsWith(`/${name}`) ? ref.split("/").slice(-2).join("/") : name);
    const nodes = layout(centre, shown, Math.max(0.7, (0.75 * picture.clientWidth) / picture.clientHeight)).map((one) => {
      const { x, y, data: { ref, kind, score, verdict, parent } } = one;
      const tint = verdict ? verdictOf(verdict).colour : kindOf(kind ?? kindAt(snapshot, ref)).colour;
      const sign = verdict ? verdictOf(verdict).sign : kindOf(kind ?? kindAt(snapshot, ref)).sign;
      const isCentre = ref === centre;
      const isFaded = path && !onPath.has(ref);
      return {
        key: ref, x, y, from: parent, label: isFaded ? "" : labelOf(sign, nameOf(ref, shortOf(snapshot, ref))),
        side: x < -0.05 ? -1 : 1, size: isCentre ? 13 : 4 + 6 * (score ?? 0.1), colour: colour(isFaded ? "line" : tint), weight: isCentre || ref === sel || onPath.has(ref) ? 2 : 0,
      };
    });
    const refs = new Set(nodes.map((one) => one.key));
    const bones = new Set(shown.map((one) => `${one.parent}\n${one.ref}`));
    const edges = shown.filter((one) => refs.has(one.parent)).map(({ ref, parent, edge }) => {
      const isOnPath = onPath.has(ref) && onPath.has(parent);
      return {
        source: edge.forward ? parent : ref, target: edge.forward ? ref : parent, arrow: !["CO_CHANGES_WITH", "SIMILAR_TO"].includes(edge.type),
        size: isOnPath ? 4 : 0.6 + 1.2 * edge.weight, colour: colour(path && !isOnPath ? "line" : EDGES[edge.type].colour), weight: 1,
      };
    });
    const others = path ? [] : between(snapshot, refs, bones, types);
    edges.unshift(...others.map((one) => ({ ...one, size: 0.7, colour: thread(2 * others.length) })));
    picture.append(h("div", { class: "canvas", role: "img", "aria-label": `${count(nodes.length, "node")}; the list beside says the same` }), zoomers());
    drawGraph(picture.firstChild, { nodes, edges, onclick: toggle, ondouble: (ref) => page.go("around", ref, kept()) });
    if (sel) pointAt(sel);
  }

  function toggle(ref) {
    if (ref === centre) return change({ sel: "" });
    const isOpen = opened.includes(ref);
    const rest = opened.filter((one) => one !== ref);
    return change({ sel: ref, open: (isOpen && sel === ref ? rest : [...rest, ref]).join("\n") });
  }

  function kept() {
    return { profile: address.options.profile, direction: address.options.direction, types: address.options.types };
  }

  function details() {
    const listed = [...shown].sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || a.hops - b.hops);
    const list = h("ul", { class: "things near", "aria-label": "What lies around it, best first" }, listed.map((one) => {
      const isOpen = opened.includes(one.ref);
      const label = titleAt(snapshot, one.ref);
      return h("li", { class: one.ref === sel ? "chosen" : null },
        h("button", {
          type: "button", class: "row", "data-key": one.ref, "aria-expanded": String(isOpen), onclick: () => toggle(one.ref),
          onfocus: () => pointAt(one.ref), onmouseenter: () => pointAt(one.ref),
        },
        signOf(one.kind), h("span", { class: "hit" }, named(label, 110), h("small", {}, one.edge ? reason(one) : "")), badge(one.verdict),
        h("span", { class: "score", title: one.score, style: { "--share": one.score ?? 0 } }, one.score === null ? "–" : one.score.toFixed(2))),
        one.ref === sel ? h("p", { class: "act" }, ...one.edges.flatMap((edge, place) => [place ? ", which " : null, step(edge)]), ". ",
          page.link("around", one.ref, kept(), "Centre here"), " ", page.link("around", centre, { ...kept(), to: one.ref }, "Path to it")) : null);
    }));
    roving(list, ".row");
    return [
      ...pathTold(),
      h("h2", {}, near.stats.reached > shown.length ? `The best ${shown.length}` : count(shown.length, "neighbour")),
      h("p", { class: "muted" }, "As ", h("code", {}, cut(`tx graph:neighbors '${centre}' --depth ${depth}${profile === "decay" ? "" : ` --profile ${profile}`} --limit ${MOST}`, 160)), " says it."),
      source.isFile ? (snapshot.left_out ?? []).map((text) => h("p", { class: "muted" }, named(text, 200), " Scores may differ for that.")) : null,
      shown.length ? list : h("p", {}, "Nothing is tied to it", types || direction !== "both" || floor ? ", so narrowly asked." : "."),
      ...known(),
    ].flat().filter(Boolean);
  }

  function pathTold() {
    const form = h("form", { class: "field wide", onsubmit: (event) => {
      event.preventDefault();
      change({ to: event.target.elements.to.value.trim(), sel: "" });
    } }, h("label", {}, "Path to ", h("input", { name: "to", value: to, "data-key": "to", placeholder: "a file, learning:12, docs/a.md#part", autocomplete: "off", spellcheck: "false" })), h("button", {}, "Find"));
    if (!path) return [form];
    if (path.failed) return [form, h("p", { class: "failed", role: "alert" }, named(path.failed, 300))];
    if (!onPath.size) return [form, h("p", { class: "path" }, "Nothing connects them in six steps.")];
    return [form, h("p", { class: "path" }, path.sentence ? named(path.sentence, 900) : [named(titleAt(snapshot, centre), 72), " ", path.edges.map((edge, place) => [place ? ", which " : null, step(edge)]), "."], " ",
      h("b", {}, `Score ${path.score.toFixed(2)}`), ` in ${count(path.hops, "step")}. `, page.link("around", centre, kept(), "Leave the path"))];
  }

  // What is known of the centre itself.
  function known() {
    const box = h("div", {});
    source.text(centre).then((answer) => {
      if (!answer || !isCurrent()) return;
      const texts = (answer.learnings ?? []).filter((one) => one.text);
      if (texts.length) box.append(h("h2", {}, "What is known of it"), ...texts.map((one) => h("blockquote", { dir: "auto" }, badge(one.verdict, one.drift), " ", cut(one.text, 1200))));
    }).catch((error) => page.say(error.message));
    return [box];
  }

  function reason(one) {
    const words = EDGES[one.edge.type] ?? EDGES.LINKS_TO;
    const via = one.parent === centre ? "" : ` by way of ${baseOf(shortOf(snapshot, one.parent))}`;
    const name = one.edge.type === "LINKS_TO" && one.edge.relation ? one.edge.relation.replaceAll("_", " ") : one.edge.type.toLowerCase().replaceAll("_", " ");
    return cut(`${one.edge.forward ? "→" : "←"} ${words.colour === "none" ? one.edge.type.toLowerCase() : name}${via}`, 64);
  }
}

function zoomers() {
  return h("div", { class: "zoom", role: "group", "aria-label": "Size" }, [["+", "Larger", 0.6], ["−", "Smaller", 1.6], ["⌂", "All of it", null]].map(([sign, label, factor]) =>
    h("button", { type: "button", class: "plain", "aria-label": label, title: label, onclick: () => zoomBy(factor) }, sign)));
}

function select(label, name, choices, value, change, standard) {
  return h("label", { class: "field" }, `${label} `, h("select", { "data-key": name, onchange: (event) => change({ [name]: event.target.value === standard ? "" : event.target.value }) },
    Object.entries(choices).map(([one, told]) => h("option", { value: one, selected: one === value, title: told }, name === "direction" ? told : one))));
}

// A tree around the centre: rings by steps, the better the nearer.
function layout(centre, shown, stretch) {
  const parents = new Map(shown.map((one) => [one.ref, one.parent]));
  const rows = [{ ref: centre, parent: "" }];
  for (const one of shown) {
    // Under `hops` a way may come by a node twice; a tree may not.
    const above = new Set();
    let here = one.ref;
    for (; parents.has(here) && !above.has(here); here = parents.get(here)) above.add(here);
    if (here !== centre) parents.set(one.ref, centre);
    rows.push({ ...one, parent: parents.get(one.ref) });
  }
  const root = d3.stratify().id((one) => one.ref).parentId((one) => one.parent)(rows);
  root.sort((a, b) => ((a.data.edge?.type ?? "") < (b.data.edge?.type ?? "") ? -1 : (a.data.edge?.type ?? "") > (b.data.edge?.type ?? "") ? 1 : (b.data.score ?? 0) - (a.data.score ?? 0)));
  d3.tree().size([2 * Math.PI, 1]).separation((a, b) => (a.parent === b.parent ? 1 : 2) / a.depth)(root);
  const most = Math.max(0.01, ...shown.map((one) => one.score ?? 0));
  return root.descendants().map((node) => {
    const radius = node.depth ? node.depth + 0.5 * (1 - (node.data.score ?? 0) / most) : 0;
    return { data: node.data, x: stretch * radius * Math.cos(node.x), y: radius * Math.sin(node.x) };
  });
}

// The other ties between those that are shown.
function between({ nodes, edges, types: names }, refs, bones, types) {
  const found = [];
  for (let edge = 0; edge < edges.source.length; edge++) {
    const source = nodes.ref[edges.source[edge]];
    const target = nodes.ref[edges.target[edge]];
    if (!refs.has(source) || !refs.has(target) || bones.has(`${source}\n${target}`) || bones.has(`${target}\n${source}`)) continue;
    if (!types || types.includes(names[edges.type[edge]])) found.push({ source, target });
  }
  return found;
}

function numberOf(snapshot, ref) {
  snapshot.numbers ??= new Map(snapshot.nodes.ref.map((one, node) => [one, node]));
  return snapshot.numbers.get(ref);
}

function kindAt(snapshot, ref) {
  const node = numberOf(snapshot, ref);
  return node === undefined ? "file" : snapshot.kinds[snapshot.nodes.kind[node]];
}

function titleAt(snapshot, ref) {
  const node = numberOf(snapshot, ref);
  return (node !== undefined && snapshot.nodes.label[node]) || ref;
}

function shortOf(snapshot, ref) {
  const title = titleAt(snapshot, ref);
  return title === ref && !ref.startsWith("learning:") ? baseOf(ref) : title;
}

// The whole graph, packed by directories.
function drawWhole({ page, snapshot, head, tools, picture, panel }) {
  const { nodes, edges, kinds } = snapshot;
  const degree = new Array(nodes.ref.length).fill(0);
  const first = new Array(nodes.ref.length).fill(null);
  for (let edge = 0; edge < edges.source.length; edge++) {
    const [start, end] = [edges.source[edge], edges.target[edge]];
    degree[start]++;
    degree[end]++;
    if (kinds[nodes.kind[end]] === "file" || kinds[nodes.kind[end]] === "symbol") first[start] ??= end;
  }
  const group = (node) => {
    const ref = nodes.ref[node];
    const kind = kinds[nodes.kind[node]];
    if (kind === "file") return directoryOf(ref);
    if (kind === "section" || kind === "symbol") return directoryOf(ref.split(kind === "section" ? "#" : "::")[0]);
    return first[node] === null ? "" : group(first[node]);
  };
  head.append(h("p", { class: "lead" }, `${count(nodes.ref.length, "node")} and ${count(edges.source.length, "tie")}, each file beside those of its directory. Search for something, or click it, to see what lies around it.`),
    ...(snapshot.left_out ?? []).map((text) => h("p", { class: "muted" }, named(text, 200))));
  tools.append(h("div", { class: "legend" }, ["file", "symbol", "section", "learning", "entity"].filter((kind) => nodes.kind.includes(kinds.indexOf(kind))).map((kind) => h("span", { class: "key" }, signOf(kind), ` ${kindOf(kind).many}`))));

  const root = { name: "", children: new Map() };
  nodes.ref.forEach((ref, node) => {
    let here = root;
    for (const part of group(node).split("/").filter(Boolean)) {
      if (!here.children.has(part)) here.children.set(part, { name: part, path: here.path ? `${here.path}/${part}` : part, children: new Map() });
      here = here.children.get(part);
    }
    here.children.set(`\n${node}`, { node });
  });
  const packed = d3.pack().size([1000, 1000]).padding((one) => (one.height > 1 ? 3 : 0.6))(
    d3.hierarchy(root, (one) => one.children && [...one.children.values()]).sum((one) => (one.node === undefined ? 0 : (kinds[nodes.kind[one.node]] === "learning" ? 3 : 1) * (degree[one.node] ? 2 + Math.sqrt(degree[one.node]) : 0.7))).sort((a, b) => b.value - a.value));
  const tints = Object.fromEntries(["fresh", "relocated", "drifted", "gone", "none", "pinned", "file", "document", "fact"].map((name) => [name, colour(name)]));
  const placed = packed.leaves().filter((leaf) => leaf.data.node !== undefined).map(({ x, y, r, data: { node } }) => {
    const verdict = nodes.verdict[node];
    const kind = kindOf(kinds[nodes.kind[node]]);
    return { key: nodes.ref[node], x, y: -y, size: r, colour: tints[verdict ? verdictOf(verdict).colour : kind.colour], label: labelOf(verdict ? verdictOf(verdict).sign : kind.sign, shortOf(snapshot, nodes.ref[node])), weight: isStale(verdict) ? 2 : 0 };
  });
  // A directory that has room for its name bears it on its upper rim.
  for (const { x, y, r, data, depth, parent } of packed.descendants()) {
    if (!data.children || !depth || r < 55 || parent.children.length === 1) continue;
    placed.push({ key: `\n${data.path}`, x, y: r * 0.96 - y, size: 0.01, side: 0, colour: "rgba(0, 0, 0, 0)", label: cut(`${data.name}/`, 30), weight: 2 });
  }
  const line = thread(edges.source.length);
  const lines = edges.source.map((start, edge) => ({ source: nodes.ref[start], target: nodes.ref[edges.target[edge]], size: 1, colour: line }));
  picture.append(h("div", { class: "canvas", role: "img", "aria-label": "The whole graph; the list beside leads to its parts" }), zoomers());
  const open = (key) => (key.startsWith("\n") ? page.go("map", key.slice(1)) : page.go("around", key));
  forgetGraph();
  drawGraph(picture.firstChild, { nodes: placed, edges: lines, isWhole: true, onclick: open, ondouble: open });

  const order = nodes.ref.map((ref, node) => node).sort((a, b) => degree[b] - degree[a] || a - b);
  const groups = [
    ["No longer holds", order.filter((node) => isStale(nodes.verdict[node]))],
    ["Learnings with most ties", order.filter((node) => kinds[nodes.kind[node]] === "learning" && !isStale(nodes.verdict[node])).slice(0, 12)],
    ["Files with most ties", order.filter((node) => kinds[nodes.kind[node]] === "file").slice(0, 20)],
  ];
  panel.append(...groups.filter(([, list]) => list.length).flatMap(([title, list]) => [h("h2", {}, title), roving(h("ul", { class: "things" }, list.map((node) => h("li", {},
    h("a", { href: page.link("around", nodes.ref[node]).getAttribute("href") }, signOf(kinds[nodes.kind[node]]), h("span", { class: "hit" }, named(titleAt(snapshot, nodes.ref[node]), 110), h("small", {}, count(degree[node], "tie"))), badge(nodes.verdict[node]))))), "a")]));
}
