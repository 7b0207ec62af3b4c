/** Derives an assistant's tools from the command table: names, JSON schemas, and conversion of arguments. */
import { flagName, isRequired } from "../../../commands/base/args.ts";
import type { ArgRow, Args, RawArgs } from "../../../commands/base/define-command.ts";
import { knownFields } from "../../output/fields.ts";
import { commands } from "../../../commands/table.gen.ts";
import { ExitError } from "../../base/exit.ts";

interface Offer {
  write: boolean;
  ops: boolean;
  /** Lists of commands or patterns such as `channel *`; a command must match every list. */
  allowed: readonly (readonly string[] | undefined)[];
}

interface Property {
  type: "string" | "number" | "integer" | "boolean" | "array";
  description: string;
  items?: { type: "string" };
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: string | number | boolean;
}

interface Tool {
  name: string;
  description: string;
  inputSchema: {
    type: "object";
    properties: Record<string, Property>;
    required: string[];
    additionalProperties: false;
  };
  outputSchema: {
    type: "object";
    properties: { result: object; next: Property };
    required: string[];
  };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
}

export const isReadOnly = (path: string): boolean => commands.row(path).changes === "nothing";

const matchesAny = (path: string, list: readonly string[]): boolean =>
  list.some((one) => (one.endsWith(" *") ? path.startsWith(one.slice(0, -1)) : path === one));

/** Throws `ExitError` 2 for a command, or a noun with a star, that there is not. */
export function requireTools(list: readonly string[]): void {
  const unknown = list.find((one) => !commands.paths.some((path) => matchesAny(path, [one])));
  if (unknown !== undefined)
    throw new ExitError(2, `There is no command '${unknown}' to offer.`, "parley mcp --list");
}

export function offered({ write, ops, allowed }: Offer): string[] {
  return commands.paths.filter(
    (path) =>
      (write || isReadOnly(path)) &&
      (ops || commands.row(path).needs !== "secret") &&
      allowed.every((list) => list === undefined || matchesAny(path, list)),
  );
}

export const toolName = (path: string): string => path.replace(/[ -]/g, "_");

/** `alsoInChannel` → `also_in_channel`. */
const keyOf = (name: string): string => flagName(name).replaceAll("-", "_");

function property(row: ArgRow): Property {
  const description = row.help;
  if (row.kind === "list") return { type: "array", items: { type: "string" }, description };
  const number = row.from === undefined ? "number" : "integer";
  const type = row.kind === "number" ? number : row.kind === "flag" ? "boolean" : "string";
  return {
    type,
    description,
    ...(row.from !== undefined && { minimum: row.from }),
    ...(row.to !== undefined && { maximum: row.to }),
    ...(row.choices && { enum: row.choices }),
    ...(row.default !== undefined && { default: row.default }),
  };
}

/** Global flags that every tool accepts. */
const COMMON = {
  limit: { kind: "number", from: 1, help: "Maximum number of items of a list (30)" },
  next: { kind: "text", help: "Continue where an earlier call stopped" },
} as const satisfies Args;
const DRY_RUN = {
  dryRun: { kind: "flag", help: "Check everything and show what would be sent, but store nothing" },
} as const;

const commonOf = (path: string): Args => {
  const commandArgs = commands.row(path).args;
  const all: Args = isReadOnly(path) ? COMMON : { ...COMMON, ...DRY_RUN };
  return Object.fromEntries(Object.entries(all).filter(([name]) => commandArgs[name] === undefined));
};

/** The fields of an item, where they are known; which of them one has depends on what it is. */
function resultSchema(path: string): object {
  const fields = knownFields(path === "send" ? "message send" : path);
  if (fields.length === 0) return { description: "What the command prints as JSON" };
  const item = { type: "object", properties: Object.fromEntries(fields.map((field) => [field, {}])) };
  return { anyOf: [{ type: "array", items: item }, item, { type: ["null", "string"] }] };
}

export function toolOf(path: string): Tool {
  const { args, summary, asks } = commands.row(path);
  const rows = Object.entries({ ...args, ...commonOf(path) });
  const readOnly = isReadOnly(path);
  return {
    name: toolName(path),
    description: `${summary}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(rows.map(([name, row]) => [keyOf(name), property(row)])),
      required: rows.filter(([, row]) => isRequired(row) && row.kind !== "flag").map(([name]) => keyOf(name)),
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        result: resultSchema(path),
        next: { type: "string", description: "A list has more: give it as next to go on" },
      },
      required: ["result"],
    },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && asks === true,
      idempotentHint: readOnly,
    },
  };
}

/** Converts a tool's arguments to raw command arguments. Throws an `Error` for an unknown one or a wrong type. */
export function readToolArgs(
  path: string,
  args: Readonly<Record<string, unknown>>,
): { raw: RawArgs; common: { limit?: string; next?: string; dryRun?: boolean } } {
  const commandArgs = commands.row(path).args;
  const rows = { ...commandArgs, ...commonOf(path) };
  const names = new Map(Object.keys(rows).map((name) => [keyOf(name), name]));
  const raw: RawArgs = {};
  const common: RawArgs = {};
  for (const [key, value] of Object.entries(args)) {
    const name = names.get(key);
    if (name === undefined)
      throw new Error(`Unknown argument '${key}'. Available: ${[...names.keys()].join(", ")}.`);
    (commandArgs[name] === undefined ? common : raw)[name] = rawValue(key, rows[name]!, value);
  }
  return { raw, common: common as { limit?: string; next?: string; dryRun?: boolean } };
}

function rawValue(key: string, { kind }: ArgRow, value: unknown): RawArgs[string] {
  if (kind === "flag" && typeof value === "boolean") return value || undefined;
  if (kind === "list" && Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  if (kind === "number" && typeof value === "number") return String(value);
  if (kind !== "flag" && kind !== "list" && typeof value === "string") return value;
  const expected = { flag: "true or false", list: "a list of texts", number: "a number" }[kind as string];
  throw new Error(`${key} must be ${expected ?? "a text"}.`);
}
