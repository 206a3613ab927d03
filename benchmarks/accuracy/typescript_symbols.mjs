// Prints, per JavaScript or TypeScript file, what it declares by TypeScript's own parser:
//     node typescript_symbols.mjs TOOLS ROOT < LIST
// one JSON line each: [file, [[name, first line at the earliest, at the latest, last line, must be found], …], broken].
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [tools, root] = process.argv.slice(2);
const ts = createRequire(path.join(tools, "package.json"))("typescript");
const Kind = ts.SyntaxKind;

const named = (name) => (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text : null);
const has = (node, kind) => (node.modifiers ?? []).some((modifier) => modifier.kind === kind);
const isFunction = (value) => value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));

function unwrapped(value) {
  const wraps = (node) => ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return value && wraps(value) ? unwrapped(value.expression) : value;
}

class File {
  constructor(name) {
    const kinds = { ".ts": ts.ScriptKind.TS, ".mts": ts.ScriptKind.TS, ".cts": ts.ScriptKind.TS, ".tsx": ts.ScriptKind.TSX };
    const kind = kinds[path.extname(name)] ?? ts.ScriptKind.JSX; // plain JavaScript may have JSX in it
    const text = fs.readFileSync(path.join(root, name), "utf8");
    this.tree = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
  }

  symbols() {
    return [...this.declared(this.tree.statements, [], false)];
  }

  row(name, scope, node, must, at = node.name ?? node) {
    const line = (position) => this.tree.getLineAndCharacterOfPosition(position).line + 1;
    return [[...scope, name].join("::"), line(node.getStart(this.tree)), line(at.getStart(this.tree)), line(node.end), must];
  }

  *declared(nodes, scope, ambient) {
    for (const node of nodes) if (node) yield* this.declaration(node, scope, ambient || has(node, Kind.DeclareKeyword));
  }

  *declaration(node, scope, ambient) {
    if (ts.isFunctionDeclaration(node)) yield this.row(named(node.name) ?? "default", scope, node, Boolean(node.body && node.name));
    else if (ts.isClassDeclaration(node)) yield* this.classOf(node, scope);
    else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) yield this.row(named(node.name), scope, node, true);
    else if (ts.isModuleDeclaration(node)) yield* this.namespace(node, scope, ambient);
    else if (ts.isVariableStatement(node)) yield* this.variables(node, scope, ambient);
    else if (ts.isExportAssignment(node)) yield* this.defaultOf(node, scope);
    else if (ts.isIfStatement(node)) yield* this.declared([node.thenStatement, node.elseStatement], scope, ambient);
    else if (ts.isTryStatement(node)) yield* this.declared([node.tryBlock, node.catchClause?.block, node.finallyBlock], scope, ambient);
    else if (ts.isBlock(node)) yield* this.declared(node.statements, scope, ambient);
  }

  *classOf(node, scope) {
    const name = named(node.name) ?? "default";
    yield this.row(name, scope, node, Boolean(node.name));
    yield* this.members(node, [...scope, name]);
  }

  *namespace(node, scope, ambient) {
    let name = node.name.text;
    let inner = node;
    if (!ts.isStringLiteral(node.name) && !(node.flags & ts.NodeFlags.GlobalAugmentation)) {
      while (inner.body && ts.isModuleDeclaration(inner.body)) {
        inner = inner.body;
        name += `::${inner.name.text}`;
      }
      yield this.row(name, scope, node, false);
    }
    if (inner.body?.statements) yield* this.declared(inner.body.statements, [...scope, name], ambient);
  }

  *variables(node, scope, ambient) {
    const { declarations, flags } = node.declarationList;
    const exported = has(node, Kind.ExportKeyword);
    for (const variable of declarations) {
      const name = named(variable.name);
      if (!name) continue;
      const value = unwrapped(variable.initializer);
      const constant = Boolean(flags & ts.NodeFlags.Const) && !ambient;
      const must = isFunction(value) ? exported || (scope.length === 0 && node.parent === this.tree) : exported && constant;
      yield this.row(name, scope, declarations.length === 1 ? node : variable, must, variable.name);
      if (value && ts.isClassExpression(value)) yield* this.members(value, [...scope, name]);
    }
  }

  *defaultOf(node, scope) {
    yield this.row("default", scope, node, false);
    const value = unwrapped(node.expression);
    if (value && ts.isClassExpression(value)) yield* this.members(value, [...scope, "default"]);
  }

  *members(node, scope) {
    for (const member of node.members) {
      const name = ts.isConstructorDeclaration(member) ? "constructor" : named(member.name);
      if (!name) continue;
      const isMethod = ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) || ts.isAccessor(member);
      if (isMethod) yield this.row(name, scope, member, Boolean(member.body));
      else if (ts.isPropertyDeclaration(member) && isFunction(unwrapped(member.initializer))) yield this.row(name, scope, member, false);
    }
  }
}

for (const name of Buffer.concat(await process.stdin.toArray()).toString("utf8").split("\n").filter(Boolean)) {
  const file = new File(name);
  console.log(JSON.stringify([name, file.symbols(), file.tree.parseDiagnostics.length > 0]));
}
