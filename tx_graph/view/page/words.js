// Signs and words: a verdict is never told by colour alone.

import { h, named } from "./dom.js";

export const VERDICTS = {
  fresh: { sign: "✓", colour: "fresh", told: "holds" },
  relocated: { sign: "→", colour: "relocated", told: "holds, at another place" },
  pinned: { sign: "■", colour: "pinned", told: "pinned: nobody looks whether it holds" },
  reserve: { sign: "·", colour: "none", told: "held in reserve" },
  unanchored: { sign: "○", colour: "none", told: "tied to no code" },
  drifted: { sign: "≈", colour: "drifted", told: "its code has changed" },
  changed: { sign: "≈", colour: "drifted", told: "has changed since it was read" },
  unstated: { sign: "≈", colour: "drifted", told: "its source says so no more" },
  gone: { sign: "✗", colour: "gone", told: "its code is gone" },
};

export const KINDS = {
  learning: { sign: "✎", colour: "fresh", many: "learnings" },
  document: { sign: "§", colour: "document", many: "documents" },
  section: { sign: "§", colour: "document", many: "sections" },
  fact: { sign: "◆", colour: "fact", many: "facts" },
  entity: { sign: "◆", colour: "fact", many: "entities" },
  file: { sign: "▤", colour: "file", many: "files" },
  symbol: { sign: "ƒ", colour: "file", many: "symbols" },
  commit: { sign: "●", colour: "none", many: "commits" },
  task: { sign: "☐", colour: "none", many: "tasks" },
  run: { sign: "▷", colour: "none", many: "runs" },
};

const OTHER = { sign: "?", colour: "none", told: "" };

export const EDGES = {
  ANCHORED_TO: { colour: "fresh", along: "is anchored to", against: "is what is anchored there:" },
  DERIVED_FROM: { colour: "pinned", along: "is derived from", against: "is the origin of" },
  IMPORTS: { colour: "file", along: "imports", against: "is imported by" },
  CO_CHANGES_WITH: { colour: "drifted", along: "changes together with", against: "changes together with" },
  SIMILAR_TO: { colour: "relocated", along: "is similar to", against: "is similar to" },
  LINKS_TO: { colour: "fact", along: "links to", against: "is linked from" },
  USED_IN_RUN: { colour: "none", along: "was used in", against: "used" },
  INVALIDATED_BY: { colour: "gone", along: "is invalidated by", against: "invalidates" },
};

const TURNED = { references: "is referenced by", elaborates: "is elaborated by", depends_on: "is needed by", contradicts: "contradicts", part_of: "contains", similar_to: "is similar to", sequence: "follows", caused_by: "causes" };

export function isStale(verdict) {
  return ["drifted", "gone", "changed", "unstated"].includes(verdict);
}

export function verdictOf(word) {
  return VERDICTS[word] ?? OTHER;
}

export function kindOf(word) {
  return KINDS[word] ?? OTHER;
}

export function badge(word, drift = null) {
  if (!word) return null;
  const { sign, colour, told } = verdictOf(word);
  const text = drift ? `${word}: ${drift}` : word;
  return h("span", { class: `badge is-${colour}`, title: told }, h("b", { "aria-hidden": "true" }, sign), ` ${text}`);
}

export function signOf(kind) {
  const { sign, colour } = kindOf(kind);
  return h("span", { class: `sign is-${colour}`, "aria-hidden": "true" }, sign);
}

// One edge as a sentence's part: "imports B".
export function step(edge) {
  const words = EDGES[edge.type] ?? EDGES.LINKS_TO;
  const relation = edge.type === "LINKS_TO" && edge.relation;
  const verb = relation ? (edge.forward ? relation.replaceAll("_", " ") : TURNED[relation]) : edge.forward ? words.along : words.against;
  return h("span", { class: "step" }, `${verb} `, named(edge.target, 56), edge.weight < 1 ? h("small", {}, ` ${edge.weight.toFixed(2)}`) : null);
}
