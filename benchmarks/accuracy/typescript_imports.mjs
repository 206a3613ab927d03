// Prints, per JavaScript, TypeScript or Vue file, what it imports by TypeScript's own parser and resolution:
//     node typescript_imports.mjs TOOLS ROOT < LIST
// one JSON line each: {source, config, broken, imports: [[module, file or null], …]}, files relative to ROOT.
// `config` is the tsconfig that holds for the file if it gives names to paths, else empty.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [tools, given] = process.argv.slice(2);
const require = createRequire(path.join(tools, "package.json"));
const ts = require("typescript");
const vue = optional("@vue/compiler-sfc");

const root = fs.realpathSync(given);
const files = Buffer.concat(await process.stdin.toArray()).toString("utf8").split("\n").filter(Boolean);
const known = new Set(files);
const projects = new Map();

function optional(name) {
  try {
    return require(name);
  } catch {
    return null;
  }
}

// --- which options hold for a file ---------------------------------------------------------------

function project(config) {
  if (!projects.has(config)) {
    const json = ts.readConfigFile(config, ts.sys.readFile).config ?? {};
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} };
    const parsed = ts.parseJsonConfigFileContent(json, host, path.dirname(config), {}, config);
    const names = new Set(parsed.fileNames);
    projects.set(config, { config, options: parsed.options, names, references: parsed.projectReferences ?? [] });
  }
  return projects.get(config);
}

function projectOf(file) {
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    const config = ["tsconfig.json", "jsconfig.json"].map((name) => path.join(directory, name)).find(fs.existsSync);
    if (config) return referenced(project(config), file);
    if (directory === root || directory === path.dirname(directory)) return { config: "", options: {} };
  }
}

// A file that its nearest config leaves to a project that this one references has the options of that project.
function referenced(own, file) {
  if (own.names.has(file)) return own;
  const beneath = own.references.map(ts.resolveProjectReferencePath).filter(fs.existsSync).map(project);
  const isVue = file.endsWith(".vue"); // TypeScript lists no .vue files
  return beneath.find((other) => other.names.has(file) || (isVue && other.options.paths)) ?? own;
}

// --- what a file says ----------------------------------------------------------------------------

function scriptsOf(name, text) {
  if (!name.endsWith(".vue")) return [[text, kindOf(name)]];
  const { script, scriptSetup } = vue.parse(text, { ignoreEmpty: true }).descriptor;
  return [script, scriptSetup].filter(Boolean).flatMap((block) => [
    [block.content, { ts: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX }[block.lang] ?? ts.ScriptKind.JSX],
    ...(block.src ? [[`import ${JSON.stringify(block.src)}`, ts.ScriptKind.JS]] : []),
  ]);
}

function kindOf(name) {
  const kinds = { ".ts": ts.ScriptKind.TS, ".mts": ts.ScriptKind.TS, ".cts": ts.ScriptKind.TS, ".tsx": ts.ScriptKind.TSX };
  return kinds[path.extname(name)] ?? ts.ScriptKind.JSX; // plain JavaScript may have JSX in it
}

function* literals(node) {
  const literal = literalOf(node);
  if (literal && ts.isStringLiteralLike(literal)) yield literal.text;
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* literals(child);
}

function literalOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) return node.moduleReference.expression;
  if (ts.isImportTypeNode(node)) return node.argument.literal;
  if (!ts.isCallExpression(node)) return null;
  const called = node.expression;
  const asks = called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === "require");
  return asks ? node.arguments[0] : null;
}

// --- where that leads ----------------------------------------------------------------------------

function targetOf(specifier, file, options) {
  const module = specifier.split("?")[0];
  const exact = module.startsWith(".") ? relative(path.resolve(path.dirname(file), module)) : aliased(module, options);
  if (known.has(exact)) return exact; // the file of that very name comes before `x.js.ts`, as bundlers and node have it
  const settings = {
    ...options,
    allowArbitraryExtensions: true,
    allowJs: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    resolveJsonModule: true,
  };
  const found = ts.resolveModuleName(module, file, settings, ts.sys).resolvedModule?.resolvedFileName;
  return found ? described(relative(fs.existsSync(found) ? fs.realpathSync(found) : found)) : null;
}

function relative(file) {
  return path.relative(root, file).split(path.sep).join("/");
}

function aliased(module, options) {
  for (const [pattern, targets] of Object.entries(options.paths ?? {})) {
    const [before, after] = pattern.split("*");
    if (after === undefined || !module.startsWith(before) || !module.endsWith(after)) continue;
    for (const target of targets) {
      const file = path.resolve(options.baseUrl ?? options.pathsBasePath, target.replace("*", module.slice(before.length)));
      if (known.has(relative(file))) return relative(file);
    }
  }
  return null;
}

// `x.d.ts` beside `x.js` describes it: who imports it means `x.js`.
function described(file) {
  const stem = file.replace(/\.d\.([cm]?)ts$/, "");
  if (stem === file) return file;
  return [".js", ".jsx", ".mjs", ".cjs", ".vue", ""].map((extension) => stem + extension).find((other) => known.has(other)) ?? file;
}

for (const source of files) {
  if (source.endsWith(".vue") && !vue) continue;
  const file = path.join(root, source);
  const { config, options } = projectOf(file);
  const trees = scriptsOf(source, fs.readFileSync(file, "utf8")).map(([text, kind]) =>
    ts.createSourceFile(source.endsWith(".vue") ? `${file}.ts` : file, text, ts.ScriptTarget.Latest, true, kind),
  );
  const modules = new Set(trees.flatMap((tree) => [...literals(tree)]));
  const imports = [...modules].map((module) => [module, targetOf(module, file, options)]);
  const broken = trees.some((tree) => tree.parseDiagnostics.length > 0);
  console.log(JSON.stringify({ source, config: options.paths || options.baseUrl ? config : "", broken, imports }));
}
