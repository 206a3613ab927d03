// Graphs on a canvas, by sigma: the only module that knows it. A list beside says the same to those who cannot see it.

import { colour, cut, h } from "./dom.js";

const canDraw = ["webgl2", "webgl"].some((kind) => document.createElement("canvas").getContext(kind));
let shown = null;

function extent(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

// Draws nodes {key, x, y, size, colour, label, weight} and edges {source, target, size, colour, arrow}.
export function drawGraph(box, { nodes, edges, isWhole, onclick, ondouble }) {
  if (!canDraw) {
    box.replaceChildren(h("p", { class: "lead" }, "This browser has no WebGL, so there is no picture here. The list has all of it."));
    return;
  }
  const { ink, surface, line } = Object.fromEntries(["ink", "surface", "line"].map((name) => [name, colour(name)]));
  const graph = new graphology.MultiDirectedGraph();
  const before = shown && !isWhole ? shown.getGraph() : null;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || !before;
  const targets = {};
  for (const { key, x, y, from, colour: color, weight, ...rest } of nodes) {
    const start = [key, from].find((one) => one !== undefined && before?.hasNode(one));
    const { x: left, y: top } = still || start === undefined ? { x, y } : before.getNodeAttributes(start);
    graph.addNode(key, { ...rest, x: left, y: top, color, forceLabel: weight > 1, zIndex: weight ?? 0 });
    targets[key] = { x, y };
  }
  for (const { source, target, arrow, colour: color, size, weight } of edges) {
    graph.addEdge(source, target, { type: arrow ? "arrow" : isWhole ? "thin" : "line", color, size, zIndex: weight ?? 0 });
  }
  shown?.kill();
  const font = getComputedStyle(document.body).fontFamily;
  // Names that would lie over one already written, or leave the picture, are left out or cut.
  const written = [];
  const letters = (context, { x, y, size, label: whole, side = 1 }, isStrong) => {
    if (!whole) return;
    context.font = `${isStrong ? "600 " : ""}12px ${font}`;
    context.textAlign = side > 0 ? "left" : side < 0 ? "right" : "center";
    let label = whole;
    const room = side > 0 ? box.clientWidth - x - size - 8 : side < 0 ? x - size - 8 : Infinity;
    while (label.length > 3 && context.measureText(label).width > room) label = `${label.slice(0, -2)}…`;
    if (label.length <= 3 && whole.length > 3) return;
    const wide = context.measureText(label).width;
    const left = side > 0 ? x + size + 4 : side < 0 ? x - size - 4 - wide : x - wide / 2;
    if (!isStrong && written.some((one) => Math.abs(one.y - y) < 14 && left < one.right && left + wide > one.left)) return;
    written.push({ left, right: left + wide, y });
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = surface;
    context.strokeText(label, x + side * (size + 4), y + 4);
    context.fillStyle = ink;
    context.fillText(label, x + side * (size + 4), y + 4);
  };
  const ringed = (context, data) => {
    letters(context, data, true);
    context.lineWidth = 2;
    context.strokeStyle = ink;
    context.beginPath();
    context.arc(data.x, data.y, data.size + 2, 0, 2 * Math.PI);
    context.stroke();
  };
  shown = new Sigma(graph, box, {
    allowInvalidContainer: true,
    defaultEdgeColor: line,
    defaultDrawNodeHover: ringed,
    defaultDrawNodeLabel: (context, data) => letters(context, data, data.forceLabel),
    edgeProgramClasses: { arrow: Sigma.rendering.EdgeArrowProgram, line: Sigma.rendering.EdgeRectangleProgram, thin: Sigma.rendering.EdgeLineProgram },
    hideEdgesOnMove: edges.length > 5000,
    hideLabelsOnMove: isWhole,
    itemSizesReference: isWhole ? "positions" : "screen",
    labelDensity: isWhole ? 0.4 : 200,
    labelGridCellSize: 160,
    labelRenderedSizeThreshold: isWhole ? 7 : 0,
    maxCameraRatio: 3,
    minCameraRatio: 0.02,
    stagePadding: isWhole ? 12 : 36,
    zIndex: !isWhole,
    zoomToSizeRatioFunction: isWhole ? (ratio) => ratio : Math.sqrt,
  });
  shown.on("beforeRender", () => (written.length = 0));
  if (!isWhole) {
    const [left, right] = extent(nodes.map((one) => one.x));
    const [top, bottom] = extent(nodes.map((one) => one.y));
    const room = 0.16 * (right - left) || 1; // names stand beside the outermost nodes
    shown.setCustomBBox({ x: [left - room, right + room], y: [top, bottom] }).refresh();
  }
  let waiting = 0; // for a second click
  shown.on("clickNode", ({ node }) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => onclick(node), 220);
  });
  shown.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
    clearTimeout(waiting);
    preventSigmaDefault();
    ondouble(node);
  });
  for (const event of ["enterNode", "leaveNode"]) {
    shown.on(event, () => (box.style.cursor = event === "enterNode" ? "pointer" : "default"));
  }
  if (isWhole) slide(shown, box);
  if (!still) Sigma.utils.animateNodes(graph, targets, { duration: 250 });
}

// While a large graph is dragged its picture is moved, and drawn anew when it is let go: fifty thousand lines a frame are
// too many for a machine that draws without a graphics card.
function slide(renderer, box) {
  const captor = renderer.getMouseCaptor();
  let start = null;
  let [x, y] = [0, 0];
  captor.on("mousedown", (event) => (start = event));
  captor.on("mousemovebody", (event) => {
    if (!captor.isMouseDown || !start) return;
    event.preventSigmaDefault();
    captor.draggedEvents++; // so that letting go is no click
    [x, y] = [event.x - start.x, event.y - start.y];
    for (const canvas of box.querySelectorAll("canvas")) canvas.style.transform = `translate(${x}px, ${y}px)`;
  });
  captor.on("mouseup", () => {
    start = null;
    if (!x && !y) return;
    const [from, to] = [renderer.viewportToFramedGraph({ x: 0, y: 0 }), renderer.viewportToFramedGraph({ x, y })];
    const camera = renderer.getCamera();
    [x, y] = [0, 0];
    renderer.once("afterRender", () => {
      for (const canvas of box.querySelectorAll("canvas")) canvas.style.transform = "";
    });
    camera.setState({ x: camera.x + from.x - to.x, y: camera.y + from.y - to.y });
  });
}

// A colour for so many lines that none hides the others; sigma blends colours that their opacity is multiplied into.
export function thread(number) {
  const opacity = Math.min(0.3, Math.max(0.04, 700 / number));
  const [red, green, blue] = colour("file").match(/[\d.]+/g).map(Number);
  return `rgba(${[red, green, blue].map((one) => Math.round(one * opacity)).join(",")},${opacity})`;
}

export function labelOf(sign, text) {
  return `${sign} \u2068${cut(text, 44)}\u2069`;
}

// Brings a node to where it can be seen, and marks it.
export function pointAt(key) {
  if (!shown?.getGraph().hasNode(key)) return;
  for (const node of shown.getGraph().filterNodes((one, { highlighted }) => highlighted)) {
    shown.getGraph().setNodeAttribute(node, "highlighted", false);
  }
  shown.getGraph().setNodeAttribute(key, "highlighted", true);
}

export function zoomBy(factor) {
  const camera = shown?.getCamera();
  if (factor === null) camera?.animatedReset();
  else camera?.animate({ ratio: camera.ratio * factor }, { duration: 150 });
}

export function forgetGraph() {
  shown?.kill();
  shown = null;
}
