/** Renders push templates: handlebars with the documented helpers, written for JSON (specification/admin.md §6). */
import { parse } from "@handlebars/parser";
import { isObject, type Fields } from "../../validation/check.ts";

/** The parts of a parsed template; the parser's own types cannot be resolved by its package. */
interface Expression {
  type: string;
  value?: unknown;
}
interface Path extends Expression {
  original: string;
  parts: unknown[];
  /** How many blocks up: one per `../`. */
  depth: number;
  /** Whether it begins with `@`. */
  data: boolean;
}
interface Call extends Expression {
  path: Expression;
  params: Expression[];
  hash?: { pairs: { key: string; value: Expression }[] };
}
interface Program {
  body: Expression[];
  blockParams?: string[];
}
interface Block extends Call {
  program?: Program;
  inverse?: Program;
}

/** Statements run per template, and characters of its text: a loop in a loop over members must end. */
const MOST_STEPS = 10_000;
const MOST_TEXT = 64 * 1024;

const NO_PARTIALS = "partials and decorators are not supported";

/** What is wrong with a template, in words for its author. */
class TemplateMistake extends Error {}

/** What a value reads as in text; lists and objects are never written whole. Undefined if there is none. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" ? "{}" : String(value);
}

/** Rendered JSON: it knows whether the next character stands within a string, which decides how a value is written. */
class JsonText {
  text = "";
  #inString = false;
  #afterBackslash = false;

  /** Adds text of the template as it stands. */
  add(text: string): void {
    if (this.text.length + text.length > MOST_TEXT)
      throw new TemplateMistake(`renders more than ${MOST_TEXT} characters`);
    this.text += text;
    for (const char of text) {
      if (char === '"' && !this.#afterBackslash) this.#inString = !this.#inString;
      this.#afterBackslash = this.#inString && char === "\\" && !this.#afterBackslash;
    }
  }

  /** Adds a value: escaped within a string, as it is elsewhere, where a missing one is an empty string. */
  addValue(value: unknown): void {
    const text = textOf(value);
    if (this.#inString) this.add(JSON.stringify(text ?? "").slice(1, -1));
    else this.add(text ?? '""');
  }
}

/** What names mean at one place of a template. */
interface Scope {
  self: unknown;
  /** `@index`, `@key`, `@first`, `@last`, `@root`. */
  data: Fields;
  /** The names given by `as |item index|`. */
  named: Fields;
  outer: Scope | undefined;
}

const inner = (outer: Scope, self: unknown, data: Fields = {}, named: Fields = {}): Scope => ({
  self,
  data: { ...outer.data, ...data },
  named: { ...outer.named, ...named },
  outer,
});

/** Lists cannot be indexed. */
const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function numberOf(value: unknown, helper: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number))
    throw new TemplateMistake(`${helper} needs a number`);
  return number;
}

/** The first names of a list, and how many more there are. */
function implodeMembers([members]: unknown[], options: Fields): string {
  const all = Array.isArray(members) ? members : [];
  const limit = numberOf(options.limit ?? 3, "implodeMembers");
  const nameField = textOf(options.nameField) ?? "name";
  const names = all
    .slice(0, limit)
    .map((member) => textOf(fieldOf(member, nameField)) ?? textOf(fieldOf(member, "id")) ?? "");
  const shown = names.join(textOf(options.separator) ?? ", ");
  const left = all.length - names.length;
  const suffix = (textOf(options.suffixFmt) ?? "and %d other(s)").replaceAll("%d", String(left));
  return left > 0 ? `${shown} ${suffix}`.trim() : shown;
}

/** Helpers that give a value. */
const VALUES: Readonly<Record<string, (params: unknown[], options: Fields) => unknown>> = {
  implodeMembers,
  json: ([value]) => JSON.stringify(value ?? null),
  lookup: ([from, name]) => fieldOf(from, textOf(name) ?? ""),
  remainder: ([list, less]) => (Array.isArray(list) ? list.length : 0) - numberOf(less, "remainder"),
  truncate: ([value, length]) => [...(textOf(value) ?? "")].slice(0, numberOf(length, "truncate")).join(""),
};

const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value) || Number.isNaN(value);

const compares =
  (name: string, rule: (one: number, other: number) => boolean) =>
  ([one, other]: unknown[]): boolean =>
    one !== undefined && one !== null && rule(numberOf(one, name), numberOf(other, name));

/** Helpers that decide between a block and its `else`. */
const CONDITIONS: Readonly<Record<string, (params: unknown[]) => boolean>> = {
  if: ([value]) => isTrue(value),
  unless: ([value]) => !isTrue(value),
  equal: ([one, other]) => textOf(one) === textOf(other),
  unequal: ([one, other]) => textOf(one) !== textOf(other),
  ifLt: compares("ifLt", (one, other) => one < other),
  ifLte: compares("ifLte", (one, other) => one <= other),
  ifGt: compares("ifGt", (one, other) => one > other),
  ifGte: compares("ifGte", (one, other) => one >= other),
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const isPath = (node: Expression): node is Path => node.type === "PathExpression";

/** The name by which a call finds its helper: a single word. */
const helperName = ({ path }: Call): string | undefined =>
  isPath(path) && !path.data && path.depth === 0 && path.parts.length === 1 ? path.original : undefined;

/** Where a name that begins a path is looked up: in the block's own value, then in those around it. */
function ownerOf(name: string, scope: Scope): unknown {
  if (Object.hasOwn(scope.named, name)) return scope.named;
  let from: Scope | undefined = scope;
  while (from && fieldOf(from.self, name) === undefined) from = from.outer;
  return from?.self;
}

function readPath(path: Path, scope: Scope): unknown {
  let from: Scope | undefined = scope;
  for (let up = 0; up < path.depth; up++) from = from?.outer;
  if (!from) return undefined;
  const [head, ...tail] = path.parts.map(String);
  if (head === undefined) return from.self;
  const isFree = path.depth === 0 && !/^(?:this|\.)(?:[./]|$)/.test(path.original);
  const start = path.data ? from.data : isFree ? ownerOf(head, from) : from.self;
  return tail.reduce(fieldOf, fieldOf(start, head));
}

function readValue(node: Expression, scope: Scope): unknown {
  if (isPath(node)) return readPath(node, scope);
  if (node.type === "SubExpression") return callHelper(node as Call, scope);
  return node.value;
}

const paramsOf = ({ params }: Call, scope: Scope): unknown[] =>
  params.map((param) => readValue(param, scope));

function optionsOf({ hash }: Partial<Call>, scope: Scope): Fields {
  return Object.fromEntries((hash?.pairs ?? []).map(({ key, value }) => [key, readValue(value, scope)]));
}

/** The value of a helper, or of the path that stands in its place without arguments. */
function callHelper(call: Call, scope: Scope): unknown {
  const name = helperName(call);
  const helper = name === undefined ? undefined : (own(VALUES, name) ?? own(CONDITIONS, name));
  if (helper) return helper(paramsOf(call, scope), optionsOf(call, scope));
  if (call.params.length > 0 || call.hash) throw noHelper(call);
  return readValue(call.path, scope);
}

const noHelper = ({ path }: Call): TemplateMistake =>
  new TemplateMistake(`there is no helper ${isPath(path) ? path.original : "of that name"}`);

/** One rendering. */
class Rendering {
  readonly out = new JsonText();
  #steps = 0;

  run(program: Program | undefined, scope: Scope): void {
    for (const statement of program?.body ?? []) this.#statement(statement, scope);
  }

  #statement(statement: Expression, scope: Scope): void {
    if (++this.#steps > MOST_STEPS) throw new TemplateMistake(`takes more than ${MOST_STEPS} steps`);
    switch (statement.type) {
      case "ContentStatement":
        return this.out.add(String(statement.value));
      case "CommentStatement":
        return;
      case "MustacheStatement":
        return this.out.addValue(callHelper(statement as Call, scope));
      case "BlockStatement":
        return this.#block(statement as Block, scope);
      default:
        throw new TemplateMistake(NO_PARTIALS);
    }
  }

  #block(block: Block, scope: Scope): void {
    const name = helperName(block);
    const condition = name === undefined ? undefined : own(CONDITIONS, name);
    if (condition) return this.run(condition(paramsOf(block, scope)) ? block.program : block.inverse, scope);
    const [value] = paramsOf(block, scope);
    if (name === "each") return this.#each(block, value, scope);
    if (name === "with") return this.#with(block, value, scope);
    if (block.params.length > 0) throw noHelper(block);
    const found = readValue(block.path, scope);
    if (Array.isArray(found)) this.#each(block, found, scope);
    else this.#with(block, found, scope);
  }

  #with({ program, inverse }: Block, value: unknown, scope: Scope): void {
    if (!isTrue(value)) return this.run(inverse, scope);
    const [name] = program?.blockParams ?? [];
    // A flag names nothing that a block could be about.
    const self = value === true ? scope.self : value;
    this.run(program, inner(scope, self, {}, name === undefined ? {} : { [name]: value }));
  }

  #each({ program, inverse }: Block, value: unknown, scope: Scope): void {
    const rows = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
    if (rows.length === 0) return this.run(inverse, scope);
    const [itemName, keyName] = program?.blockParams ?? [];
    for (const [index, [key, item]] of rows.entries()) {
      const data = { index, key, first: index === 0, last: index === rows.length - 1 };
      const named = {
        ...(itemName === undefined ? {} : { [itemName]: item }),
        ...(keyName === undefined ? {} : { [keyName]: key }),
      };
      this.run(program, inner(scope, item, data, named));
    }
  }
}

/** The parser's sentence as one line: where the mistake is, without the list of its symbols. */
function parseMistake(message: string): string {
  const [where = "", near] = message.split("\n");
  return near === undefined ? message : `${where.replace(/:$/, "")}, near ${near.trim()}`;
}

/** A placeholder that a brace of the JSON follows. */
const BEFORE_BRACE =
  /(?<!\{)(?:\{\{(?!\{)(?:[^{}"']|"[^"]*"|'[^']*'){0,1000}\}\}|\{{3}(?!\{)(?:[^{}"']|"[^"]*"|'[^']*'){0,1000}\}{3})(?=\})/g;

/** The parser takes all closing braces for one token, which `{"badge":{{ unread_count }}}` does not mean. */
const parted = (template: string): string => template.replace(BEFORE_BRACE, "$&{{!}}");

/** The parts of a template, or why it cannot be read: a phrase that follows the template's name. */
function readTemplate(template: string): Program | string {
  try {
    return parse(parted(template));
  } catch (error) {
    return `cannot be read: ${parseMistake((error as Error).message)}`;
  }
}

/** Blocks that are about a value. */
const ABOUT_VALUES: ReadonlySet<string> = new Set(["if", "unless", "each", "with"]);

/** What is wrong with a call whatever its values are. */
function mistakeOfCall(call: Call, isBlock: boolean): string | undefined {
  const name = helperName(call) ?? "";
  const isHelper = isBlock
    ? ABOUT_VALUES.has(name) || own(CONDITIONS, name)
    : (own(VALUES, name) ?? own(CONDITIONS, name));
  if (!isHelper && (call.params.length > 0 || call.hash)) return noHelper(call).message;
  if (isBlock && ABOUT_VALUES.has(name) && call.params.length === 0) return `${name} needs a value`;
  const inner = call.params.filter(({ type }) => type === "SubExpression") as Call[];
  return firstOf(inner, (each) => mistakeOfCall(each, false));
}

function firstOf<T>(all: readonly T[], look: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const found = look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A mistake in any branch of a template. */
const mistakeIn = (program: Program | undefined): string | undefined =>
  firstOf(program?.body ?? [], (statement) => {
    const { type } = statement;
    if (type === "ContentStatement" || type === "CommentStatement") return undefined;
    if (type === "MustacheStatement") return mistakeOfCall(statement as Call, false);
    if (type !== "BlockStatement") return NO_PARTIALS;
    const block = statement as Block;
    return mistakeOfCall(block, true) ?? mistakeIn(block.program) ?? mistakeIn(block.inverse);
  });

/** Why a template can be rendered for no message; undefined if it can. */
export function unreadableTemplate(template: string): string | undefined {
  const read = readTemplate(template);
  return typeof read === "string" ? read : mistakeIn(read);
}

/** Renders a template; the mistake is a phrase that follows the template's name. */
export function renderTemplate(template: string, values: Fields): { text: string; mistake?: string } {
  const program = readTemplate(template);
  if (typeof program === "string") return { text: "", mistake: program };
  const mistake = mistakeIn(program);
  if (mistake !== undefined) return { text: "", mistake };
  const rendering = new Rendering();
  try {
    rendering.run(program, { self: values, data: { root: values }, named: {}, outer: undefined });
  } catch (error) {
    if (!(error instanceof TemplateMistake)) throw error;
    return { text: rendering.out.text, mistake: error.message };
  }
  const { text } = rendering.out;
  try {
    JSON.parse(text);
    return { text };
  } catch {
    return { text, mistake: "is not JSON once it is rendered" };
  }
}
