// What is too much for one picture is drawn as groups: directories, opened from the fullest on while there is room.

// Returns the paths of the groups below a directory and the group of each leaf. A leaf "a/." is what lies in "a" itself.
export function grouped(leaves, directory, most) {
  const root = { path: directory, leaves: [], children: new Map() };
  for (const leaf of leaves) {
    let node = root;
    node.leaves.push(leaf);
    for (const part of (directory ? leaf.slice(directory.length + 1) : leaf).split("/")) {
      if (!node.children.has(part)) {
        node.children.set(part, { path: node.path ? `${node.path}/${part}` : part, leaves: [], children: new Map() });
      }
      node = node.children.get(part);
      node.leaves.push(leaf);
    }
  }
  let groups = [...root.children.values()];
  for (;;) {
    const room = groups.length < most / 2 ? 1.6 * most : most; // a few groups say too little
    const open = groups.filter((one) => one.children.size && (one.children.size === 1 || groups.length + one.children.size - 1 <= room));
    if (!open.length) break;
    const fullest = open.reduce((a, b) => (b.leaves.length > a.leaves.length ? b : a));
    groups = groups.flatMap((one) => (one === fullest ? [...one.children.values()] : [one]));
  }
  const of = new Map(groups.flatMap((one, place) => one.leaves.map((leaf) => [leaf, place])));
  const paths = groups.map((one) => one.path);
  return { paths, shared: sharedBy(paths), isLeaf: groups.map((one) => !one.children.size), of };
}

// The directory that all of them are below, with its slash.
function sharedBy(paths) {
  let shared = paths[0] ?? "";
  for (const path of paths) while (!path.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.slice(0, shared.lastIndexOf("/") + 1);
}

// An order in which what is alike stands together: the two groups that are most alike are joined, again and again
// (average linkage), each turned so that its nearer end meets the other.
export function blockOrder(size, likeness) {
  const turned = (places) => [...places].reverse();
  let clusters = Array.from({ length: size }, (_, place) => [place]);
  const between = (a, b) => {
    let sum = 0;
    for (const one of a) for (const other of b) sum += likeness(one, other);
    return sum / (a.length * b.length);
  };
  let table = clusters.map((a) => clusters.map((b) => (a === b ? -1 : between(a, b))));
  while (clusters.length > 1) {
    let best = [0, 1];
    for (let a = 0; a < clusters.length; a++) for (let b = a + 1; b < clusters.length; b++) if (table[a][b] > table[best[0]][best[1]]) best = [a, b];
    const [a, b] = best;
    if (table[a][b] <= 0) break;
    const [left, right] = [clusters[a], clusters[b]];
    const ways = [[left, right], [left, turned(right)], [turned(left), right], [turned(left), turned(right)]];
    const joined = ways.reduce((one, other) => (likeness(other[0].at(-1), other[1][0]) > likeness(one[0].at(-1), one[1][0]) ? other : one)).flat();
    const weigh = (one) => (table[a][one] * left.length + table[b][one] * right.length) / (left.length + right.length);
    const row = clusters.map((_, one) => (one === a || one === b ? -1 : weigh(one)));
    const kept = clusters.map((_, one) => one).filter((one) => one !== a && one !== b);
    table = [...kept.map((one) => [...kept.map((other) => table[one][other]), row[one]]), [...kept.map((one) => row[one]), -1]];
    clusters = [...kept.map((one) => clusters[one]), joined];
  }
  return clusters.sort((a, b) => b.length - a.length).flat();
}
