// Walks over the embedded graph, where no server answers: the profiles of tx_graph/graph/expand.py, edge for edge, with
// the same ties. A test holds both together.

const MAX_NODES = 100;
const DECAY = 0.7;
const HUB = 200; // a node with more edges of one kind, one way, gives the heaviest
const SYMMETRIC = new Set(["CO_CHANGES_WITH", "SIMILAR_TO"]);
const HOPS = { graph: 0.3, decay: [1, 0.7, 0.5] };
const SPREAD = { restart: 0.5, epsilon: 1e-4, damping: 0.5, rounds: 20, asked: 300 };
const ROOM_OF_A_DEGREE = 200;

// The snapshot `graph`, to be walked.
export class Walkable {
  constructor(snapshot) {
    const { nodes, edges, kinds } = snapshot;
    this.snapshot = snapshot;
    this.numbers = new Map(nodes.ref.map((ref, node) => [ref, node]));
    this.edgesOf = nodes.ref.map(() => []);
    this.degree = nodes.degree ?? new Array(nodes.ref.length).fill(0);
    const laneOf = (edge) => {
      const start = kinds[nodes.kind[edges.source[edge]]];
      const end = kinds[nodes.kind[edges.target[edge]]];
      switch (snapshot.types[edges.type[edge]]) {
        case "ANCHORED_TO":
          return snapshot.relations[edges.relation[edge]] === "glob" ? 8 : end === "file" ? 0 : 1;
        case "IMPORTS":
          return 2;
        case "CO_CHANGES_WITH":
          return 3;
        default:
          return end === "entity" ? (start === "entity" ? 6 : 7) : start === "section" ? 5 : 4;
      }
    };
    for (let edge = 0; edge < edges.source.length; edge++) {
      const lane = 2 * laneOf(edge);
      this.edgesOf[edges.source[edge]].push({ edge, lane, end: edges.target[edge], forward: true });
      this.edgesOf[edges.target[edge]].push({ edge, lane: lane + 1, end: edges.source[edge], forward: false });
      if (!nodes.degree && (lane === 4 || lane === 6)) {
        this.degree[edges.source[edge]]++;
        this.degree[edges.target[edge]]++;
      }
    }
  }

  // Every edge that leads away from the frontier, lane by lane: [source, target, weight, number, forward].
  leaving(frontier, { types, direction = "both", isCapped = true }) {
    const { edges, types: names } = this.snapshot;
    const rows = [];
    for (const source of frontier) {
      const lanes = new Map();
      for (const { edge, lane, end, forward } of this.edgesOf[source]) {
        const type = names[edges.type[edge]];
        const isAgainst = direction === (forward ? "in" : "out") && !SYMMETRIC.has(type);
        if (isAgainst || (types && !types.includes(type))) continue;
        if (!lanes.has(lane)) lanes.set(lane, []);
        lanes.get(lane).push([source, end, edges.weight[edge], edge, forward, lane, type]);
      }
      for (const [, lane] of lanes) {
        if (isCapped && lane.length > HUB) lane.sort((a, b) => b[2] - a[2] || b[1] - a[1]).length = HUB;
        rows.push(...lane);
      }
    }
    return rows.sort((a, b) => a[5] - b[5] || (a[6] < b[6] ? -1 : a[6] > b[6] ? 1 : 0));
  }

  step([source, target, weight, edge, forward]) {
    const { nodes, edges, types, relations } = this.snapshot;
    const relation = edges.relation[edge];
    return {
      source: nodes.ref[source],
      target: nodes.ref[target],
      type: types[edges.type[edge]],
      relation: relation < 0 ? null : relations[relation],
      weight,
      forward,
    };
  }

  // What lies around a node, in the shape of `tx graph:neighbors --json`.
  neighbors(ref, { depth = 2, profile = "decay", direction = "both", types = null, limit = MAX_NODES } = {}) {
    const { nodes, kinds } = this.snapshot;
    const start = this.numbers.get(ref);
    if (start === undefined) return { node: { ref }, neighbors: [], stats: { reached: 0, shown: 0 } };
    const asked = { types, direction };
    const walk = profile === "spread" ? push(this, start, depth, asked) : expand(this, start, depth, profile, asked);
    let found = best(walk, [start], MAX_NODES).map((node) => ({ node, score: walk.scores.get(node), path: walk.path(node) }));
    found = found.filter((one) => one.path.length);
    if (profile === "spread") {
      const most = Math.max(0, ...found.map((one) => one.score)) || 1;
      for (const one of found) one.score /= most;
    }
    const neighbors = found.slice(0, limit).map(({ node, score, path }) => ({
      ref: nodes.ref[node],
      kind: kinds[nodes.kind[node]],
      score,
      hops: path.length,
      path: [ref, ...path.map((row) => nodes.ref[row[1]])],
      edges: path.map((row) => this.step(row)),
      verdict: nodes.verdict[node] ?? undefined,
    }));
    return { node: { ref }, neighbors, stats: { reached: found.length, shown: neighbors.length } };
  }

  // The best path between two nodes, in the shape of `tx graph:path --json`.
  path(from, to, { types = null, maxHops = 6 } = {}) {
    const { nodes } = this.snapshot;
    const start = this.numbers.get(from);
    const end = this.numbers.get(to);
    const found = start === undefined || end === undefined ? null : connect(this, start, end, maxHops, { types });
    if (!found) return { source: { ref: from }, target: { ref: to }, score: 0, hops: 0, path: [], edges: [] };
    return {
      source: { ref: from },
      target: { ref: to },
      score: found.reduce((score, row) => score * (row[2] * DECAY), 1),
      hops: found.length,
      path: [from, ...found.map((row) => nodes.ref[row[1]])],
      edges: found.map((row) => this.step(row)),
    };
  }
}

// The seeds and the best of the others, best first; ties go to fewer hops, then the smaller node.
function best({ scores, hops }, seeds, most) {
  const order = (a, b) => scores.get(b) - scores.get(a) || hops.get(a) - hops.get(b) || a - b;
  const beyond = [...scores.keys()].filter((node) => !seeds.includes(node)).sort(order);
  return [...seeds, ...beyond.slice(0, most)].sort(order);
}

class Walk {
  constructor(seed, isByHop = false) {
    this.seed = seed;
    this.isByHop = isByHop;
    this.scores = new Map([[seed, 1]]);
    this.hops = new Map([[seed, 0]]);
    this.trail = [new Map()];
    this.best = [];
  }

  factor(hop) {
    return HOPS.graph * HOPS.decay[Math.min(hop, HOPS.decay.length - 1)];
  }

  mostFrom(node, hop) {
    return this.isByHop ? this.factor(hop) : this.scores.get(node) * DECAY;
  }

  bar() {
    return this.best.length === MAX_NODES ? this.scores.get(this.best[MAX_NODES - 1]) : 0;
  }

  step(hop, frontier, rows, bar = 0) {
    const { scores } = this;
    const marks = new Map();
    const carried = new Map([...frontier].map((node) => [node, this.mostFrom(node, hop)]));
    for (const row of rows) {
      const [source, target, weight] = row;
      const score = carried.get(source) * weight;
      const known = scores.get(target) ?? bar;
      if (score > known || (score === known && marks.has(target) && source < marks.get(target)[0])) {
        if (this.isByHop && target === this.seed) continue;
        scores.set(target, score);
        marks.set(target, row);
      }
    }
    for (const node of marks.keys()) this.hops.set(node, hop);
    this.trail.push(marks);
    return [...marks.keys()];
  }

  worthWalking(improved, hop) {
    this.best = best(this, [this.seed], MAX_NODES).filter((node) => node !== this.seed);
    const nodes = new Set([...this.best, this.seed]);
    const floor = this.isByHop ? this.bar() : Math.min(this.bar(), 1);
    return improved.filter((node) => nodes.has(node) && this.mostFrom(node, hop + 1) > floor);
  }

  path(node) {
    const rows = [];
    for (let hop = this.hops.get(node); hop > 0; hop--) {
      const row = this.trail[hop].get(node);
      rows.push(row);
      node = row[0];
    }
    return rows.reverse();
  }
}

function expand(graph, start, depth, profile, asked) {
  const walk = new Walk(start, profile === "hops");
  let frontier = [start];
  for (let hop = 1; hop <= depth && frontier.length; hop++) {
    const improved = walk.step(hop, frontier, graph.leaving(frontier, asked), walk.bar());
    frontier = hop < depth ? walk.worthWalking(improved, hop) : [];
  }
  return walk;
}

// A random walk with restart, as mass that is pushed on (Andersen, Chung and Lang 2006).
function push(graph, start, depth, asked) {
  const threshold = new Map();
  const appeal = new Map();
  const ways = new Map();
  const pushed = new Map();
  const settled = new Map();
  const moving = new Map([[start, 1]]);
  const hops = new Map([[start, 0]]);
  const add = (map, node, mass) => map.set(node, (map.get(node) ?? 0) + mass);

  const learn = (nodes) => {
    for (const node of nodes) {
      if (threshold.has(node)) continue;
      const degree = graph.degree[node] || 1;
      threshold.set(node, SPREAD.epsilon * Math.min(degree, ROOM_OF_A_DEGREE));
      appeal.set(node, degree ** -SPREAD.damping);
    }
  };
  const ask = (nodes) => {
    const fresh = nodes.filter((node) => !ways.has(node)).sort((a, b) => hops.get(a) - hops.get(b) || a - b);
    while (fresh.length) {
      const hop = hops.get(fresh[0]);
      const frontier = [];
      while (fresh.length && hops.get(fresh[0]) === hop) frontier.push(fresh.shift());
      for (const node of frontier) ways.set(node, []);
      const rows = graph.leaving(frontier, asked);
      learn(rows.map((row) => row[1]));
      for (const row of rows) {
        const [source, target, weight] = row;
        const pull = weight * appeal.get(target);
        if (!(pull > 0)) continue;
        ways.get(source).push({ target, share: pull, row });
        if (!hops.has(target)) hops.set(target, hops.get(source) + 1);
      }
      for (const node of frontier) {
        const total = ways.get(node).reduce((sum, way) => sum + way.share, 0);
        for (const way of ways.get(node)) way.share /= total;
      }
    }
  };
  const pushAll = (ready) => {
    const gained = new Map();
    for (const node of ready) {
      const mass = moving.get(node);
      moving.delete(node);
      add(pushed, node, mass);
      add(settled, node, ways.get(node).length ? mass * SPREAD.restart : mass);
      for (const { target, share } of ways.get(node)) add(gained, target, mass * (1 - SPREAD.restart) * share);
    }
    for (const [node, mass] of gained) add(moving, node, mass);
    return [...gained.keys()];
  };

  learn([start]);
  for (let round = 0; round < SPREAD.rounds; round++) {
    const appetite = (node) => moving.get(node) / threshold.get(node);
    let ready = [...moving.keys()].filter(
      (node) => moving.get(node) >= threshold.get(node) && !ways.has(node) && hops.get(node) < depth,
    );
    const room = SPREAD.asked - ways.size;
    if (ready.length > room) ready = ready.sort((a, b) => appetite(b) - appetite(a) || a - b).slice(0, room);
    if (!ready.length) break;
    ask(ready);
    while (ready.length) {
      ready = pushAll(ready).filter((node) => ways.has(node) && moving.get(node) >= threshold.get(node));
    }
  }

  const masses = new Map(settled);
  for (const [node, mass] of moving) masses.set(node, (settled.get(node) ?? 0) + mass * SPREAD.restart);
  const most = masses.size ? Math.max(...masses.values()) : 1;
  const scores = new Map([[start, 0]]);
  for (const [node, mass] of masses) scores.set(node, mass / most);
  const bearers = new Map();
  const brought = new Map();
  for (const [source, mass] of [...pushed].sort((a, b) => a[0] - b[0])) {
    for (const { target, share, row } of ways.get(source)) {
      if (hops.get(target) > hops.get(source) && mass * share > (brought.get(target) ?? 0)) {
        brought.set(target, mass * share);
        bearers.set(target, row);
      }
    }
  }
  const path = (node) => {
    const rows = [];
    for (; bearers.has(node); node = bearers.get(node)[0]) rows.push(bearers.get(node));
    return rows.reverse();
  };
  return { scores, hops, path };
}

// The rows of the best path of at most so many hops, or null: two walks meet (tx_graph/graph/connection.py).
function connect(graph, start, end, maxHops, asked) {
  if (start === end) return [];
  const walks = [new Walk(start), new Walk(end)];
  const frontiers = [[start], [end]];
  const hops = [0, 0];
  let met = null;
  const isBetter = (a, b) => !b || a.score > b.score || (a.score === b.score && (a.hops < b.hops || (a.hops === b.hops && a.node < b.node)));
  for (let hop = 1; hop <= maxHops; hop++) {
    if (!frontiers[0].length || !frontiers[1].length || (met && met.score >= DECAY ** hop)) break;
    const near = frontiers[0].length <= frontiers[1].length ? 0 : 1;
    const [own, other] = [walks[near], walks[1 - near]];
    hops[near]++;
    frontiers[near] = own.step(hops[near], frontiers[near], graph.leaving(frontiers[near], { ...asked, isCapped: false }));
    for (const node of frontiers[near]) {
      if (!other.scores.has(node)) continue;
      const one = { score: own.scores.get(node) * other.scores.get(node), hops: own.hops.get(node) + other.hops.get(node), node };
      if (isBetter(one, met)) met = one;
    }
    walks.forEach((walk, side) => {
      const factor = DECAY ** (hops[1 - side] + 1);
      frontiers[side] = frontiers[side].filter((node) => walk.scores.get(node) * factor > (met?.score ?? 0));
    });
  }
  if (!met) return null;
  const [ahead, behind] = walks.map((walk) => walk.path(met.node));
  return [...ahead, ...behind.reverse().map(([source, target, weight, edge, forward]) => [target, source, weight, edge, !forward])];
}

// The nodes whose names hold most of the words, in the shape of `tx search --json`: simpler than tx's own search.
export function searchLabels({ nodes, kinds }, query, limit) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return { hits: [] };
  const hits = [];
  nodes.ref.forEach((ref, node) => {
    const text = `${nodes.label[node]} ${ref}`.toLowerCase();
    const found = words.filter((word) => text.includes(word)).length;
    if (found) hits.push({ ref, kind: kinds[nodes.kind[node]], text: nodes.label[node], verdict: nodes.verdict[node], score: found / words.length });
  });
  return { hits: hits.sort((a, b) => b.score - a.score || a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1)).slice(0, limit) };
}
