// Where the page gets its data: from the server, or from the file that it is itself.

import { Walkable, searchLabels } from "./walk.js";

export class Source {
  constructor() {
    this.isFile = document.getElementById("data-about") !== null;
    this.kept = new Map();
  }

  // A snapshot: about, map, graph, together, time, structure.
  snapshot(name) {
    if (!this.kept.has(name)) {
      this.kept.set(name, this.isFile ? embedded(name) : fetched(`data/${name}.json`, {}));
    }
    return this.kept.get(name);
  }

  async walkable() {
    this.walks ??= new Walkable(await this.snapshot("graph"));
    return this.walks;
  }

  known(walkable, ref) {
    if (!walkable.numbers.has(ref)) throw new Error(`There is nothing named '${ref}' in this file.`);
    return walkable;
  }

  async search(query, limit) {
    if (this.isFile) return searchLabels(await this.snapshot("graph"), query, limit);
    return fetched("data/search.json", { q: query, limit });
  }

  async neighbors(node, { depth, profile, direction, types, limit }) {
    if (this.isFile) return this.known(await this.walkable(), node).neighbors(node, { depth, profile, direction, types, limit });
    return fetched("data/neighbors.json", { node, depth, profile, direction, limit, types: types?.join(",") });
  }

  async path(from, to) {
    if (this.isFile) return this.known(await this.walkable(), to).path(from, to);
    return fetched("data/path.json", { from, to });
  }

  // What is written about a node beyond its title; nothing in a file, which has titles alone.
  async text(ref) {
    if (this.isFile) return null;
    return fetched("data/node.json", { ref });
  }
}

async function embedded(name) {
  return JSON.parse(document.getElementById(`data-${name}`).textContent);
}

async function fetched(path, asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given).toString();
  let reply;
  try {
    reply = await fetch(query ? `${path}?${query}` : path);
  } catch {
    throw new Error("tx no longer answers. Start 'tx view' again and open the address that it prints.");
  }
  const answer = await reply.json().catch(() => ({ error: { message: `The server answered with ${reply.status}.` } }));
  if (answer.error) throw new Error([answer.error.message, answer.error.hint].filter(Boolean).join(" "));
  return answer;
}
