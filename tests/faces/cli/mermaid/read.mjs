// Has Mermaid, installed in the directory that is named, read each text of the JSON list on stdin; prints what it found.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const packages = pathToFileURL(`${process.argv[2]}/node_modules/`);
const { default: purify } = await import(new URL("dompurify/dist/purify.es.mjs", packages));
const { default: mermaid } = await import(new URL("mermaid/dist/mermaid.core.mjs", packages));
// There is no page here whose HTML could be purified.
purify.addHook = () => {};
purify.sanitize = (text) => text;

// Mermaid keeps numbered characters in marks of its own until it draws.
const plain = (text) => (text ?? "").replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)));
const found = [];
for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  await mermaid.parse(text);
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  found.push({
    nodes: Object.fromEntries([...db.getVertices()].map(([id, one]) => [id, plain(one.text)])),
    edges: db.getEdges().map((one) => [one.start, one.end, plain(one.text), one.type]),
    groups: db.getSubGraphs().map((one) => [plain(one.title), one.nodes.sort()]),
  });
}
process.stdout.write(JSON.stringify(found));
