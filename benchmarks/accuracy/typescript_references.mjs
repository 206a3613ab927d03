// Prints where TypeScript's language service sees declarations used, import and export statements left out:
//     node typescript_references.mjs TOOLS ROOT < QUESTIONS
// A question is the JSON line [path, line, column] of a name, lines from 1, columns from 0; before them stands one line
// with the list of all files. One JSON line each: [[path, line, column], …], of what the declaration is itself, and of
// what others hand on of it; what another file has in its place is another declaration.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [tools, given] = process.argv.slice(2);
const ts = createRequire(path.join(tools, "package.json"))("typescript");
const root = fs.realpathSync(given);
const [files, ...questions] = Buffer.concat(await process.stdin.toArray()).toString("utf8").split("\n").filter(Boolean).map(JSON.parse);

function options() {
  const config = path.join(root, "tsconfig.json");
  const json = (fs.existsSync(config) && ts.readConfigFile(config, ts.sys.readFile).config) || {};
  const found = ts.parseJsonConfigFileContent({ ...json, files: [], include: [] }, ts.sys, root, {}, config).options;
  const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  return { ...found, ...bundler, allowJs: true, noEmit: true, composite: false, allowImportingTsExtensions: true };
}

const compilerOptions = options();
const service = ts.createLanguageService({
  getCompilationSettings: () => compilerOptions,
  getScriptFileNames: () => files.map((file) => path.join(root, file)),
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => (fs.existsSync(file) ? ts.ScriptSnapshot.fromString(fs.readFileSync(file, "utf8")) : undefined),
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
});
const program = service.getProgram();

function handsOn(source, position) {
  let node = source;
  for (let inner = node; inner; inner = ts.forEachChild(node, (child) => (child.pos <= position && position < child.end ? child : undefined))) {
    if (ts.isImportDeclaration(inner) || ts.isExportDeclaration(inner) || ts.isExportAssignment(inner)) return true;
    node = inner;
  }
  return false;
}

for (const [file, line, column] of questions) {
  const name = path.join(root, file);
  const source = program.getSourceFile(name);
  const asked = source && ts.getPositionOfLineAndCharacter(source, line - 1, column);
  const found = (source && service.findReferences(name, asked)) ?? [];
  const own = found.filter(({ definition }) => definition.kind === "alias" || definition.fileName === name);
  const uses = (own.length ? own : found).flatMap((one) => one.references).filter((one) => !one.isDefinition);
  const rows = uses.flatMap((one) => {
    const other = program.getSourceFile(one.fileName);
    if (!other || handsOn(other, one.textSpan.start)) return [];
    const at = other.getLineAndCharacterOfPosition(one.textSpan.start);
    return [[path.relative(root, one.fileName).split(path.sep).join("/"), at.line + 1, at.character]];
  });
  console.log(JSON.stringify(rows));
}
