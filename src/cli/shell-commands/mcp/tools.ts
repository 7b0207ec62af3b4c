/** Makes an assistant's tools from the command table: names, JSON schemas, and command lines from what was given. */
import { flagName, isRequired, type RawArgs } from "../../../commands/base/args.ts";
import type { ArgRow, Args } from "../../../commands/base/define-command.ts";
import { commands } from "../../../commands/index.ts";

interface Offer {
  write: boolean;
  ops: boolean;
  /** Commands, or `channel *`; each list narrows what the others leave. */
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
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
}

export const isReadOnly = (path: string): boolean => commands[path]!.changes === "nothing";

const fits = (path: string, list: readonly string[]): boolean =>
  list.some((one) => (one.endsWith(" *") ? path.startsWith(one.slice(0, -1)) : path === one));

/** The paths of the commands that are offered. */
export function offered({ write, ops, allowed }: Offer): string[] {
  return Object.keys(commands).filter(
    (path) =>
      (write || isReadOnly(path)) &&
      (ops || commands[path]!.needs !== "secret") &&
      allowed.every((list) => list === undefined || fits(path, list)),
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

/** What every command takes beside its own arguments, by the name of the flag. */
const COMMON = {
  limit: { kind: "number", from: 1, help: "Items of a list at most (30)" },
  next: { kind: "text", help: "Go on where an earlier call stopped" },
} as const satisfies Args;
const DRY = {
  dryRun: { kind: "flag", help: "Check everything and show what would be sent, but send nothing" },
} as const;

/** The flags of every command that this one takes. */
const commonOf = (path: string): Args => {
  const own = commands[path]!.args;
  const all: Args = isReadOnly(path) ? COMMON : { ...COMMON, ...DRY };
  return Object.fromEntries(Object.entries(all).filter(([name]) => own[name] === undefined));
};

export function toolOf(path: string): Tool {
  const { args, summary, confirm, asksWhileRunning } = commands[path]!;
  const rows = Object.entries({ ...args, ...commonOf(path) });
  const read = isReadOnly(path);
  return {
    name: toolName(path),
    description: `${summary}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(rows.map(([name, row]) => [keyOf(name), property(row)])),
      required: rows.filter(([, row]) => isRequired(row) && row.kind !== "flag").map(([name]) => keyOf(name)),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: read,
      destructiveHint: !read && (confirm !== undefined || asksWhileRunning === true),
      idempotentHint: read,
    },
  };
}

/** What was given, as it would be typed. Throws an error in words for what is no argument of the command. */
export function readGiven(
  path: string,
  given: Readonly<Record<string, unknown>>,
): { raw: RawArgs; common: { limit?: string; next?: string; dryRun?: boolean } } {
  const own = commands[path]!.args;
  const rows = { ...own, ...commonOf(path) };
  const names = new Map(Object.keys(rows).map((name) => [keyOf(name), name]));
  const raw: RawArgs = {};
  const common: RawArgs = {};
  for (const [key, value] of Object.entries(given)) {
    const name = names.get(key);
    if (name === undefined)
      throw new Error(`There is no argument '${key}'. There are: ${[...names.keys()].join(", ")}.`);
    (own[name] === undefined ? common : raw)[name] = typed(key, rows[name]!, value);
  }
  return { raw, common: common as { limit?: string; next?: string; dryRun?: boolean } };
}

function typed(key: string, { kind }: ArgRow, value: unknown): RawArgs[string] {
  if (kind === "flag" && typeof value === "boolean") return value || undefined;
  if (kind === "list" && Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  if (kind === "number" && typeof value === "number") return String(value);
  if (kind !== "flag" && kind !== "list" && typeof value === "string") return value;
  const wanted = { flag: "true or false", list: "a list of texts", number: "a number" }[kind as string];
  throw new Error(`${key} must be ${wanted ?? "a text"}.`);
}
