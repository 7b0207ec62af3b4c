/** `parley api`: calls one operation of the provider's API by its path or name; a dry run shows it like any command. */
import { rowView, type ArgValues } from "../../../commands/base/define-command.ts";
import { readFileSync } from "node:fs";
import { endpoints, type EndpointName, type EndpointRow } from "../../../wire/endpoints/index.ts";
import { readPairs } from "../../../commands/base/custom-fields.ts";
import type { Core } from "../../../core/core.ts";
import { textOf } from "../../../commands/base/text.ts";
import { ExitError } from "../../base/exit.ts";
import { Plan } from "../../base/guard.ts";
import { jsonText } from "../../output/json.ts";
import { outputForm, openResults, showList } from "../../output/results.ts";
import { callDefaults, guardedCore, showPlan } from "../../run/run.ts";
import type { Shell } from "../../base/shell.ts";
import { readText, write } from "../../base/stdio.ts";
import type { API_ARGS } from "./args.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { parseObject, type Fields } from "../../../wire/json-object.ts";

const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];

/** `/messages/history` is no message with the id `history`: paths with fewer parameters are tried first. */
const parameters = ([, { path }]: (typeof rows)[number]): number => path.split("{").length;
const literalFirst = rows.toSorted((a, b) => parameters(a) - parameters(b));

/** The operation and the path parameters that its template takes out of the path. */
export function findOperation(
  words: readonly string[],
): { name: EndpointName; path: Record<string, string> } | undefined {
  if (words.length === 1) {
    const found = rows.find(([name]) => name.toLowerCase() === words[0]!.toLowerCase());
    return found && { name: found[0], path: {} };
  }
  const [method, target] = [
    words[0]!.toUpperCase(),
    `/${words[1]!.replace(/^\/+/, "").replace(/\?.*$/, "")}`,
  ];
  const parts = target.split("/");
  for (const [name, row] of literalFirst) {
    const wanted = row.path.split("/");
    if (row.method !== method || wanted.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const fits = wanted.every((part, i) => {
      if (!part.startsWith("{")) return part === parts[i];
      path[part.slice(1, -1)] = decodeURIComponent(parts[i]!);
      return parts[i] !== "";
    });
    if (fits) return { name, path };
  }
  return undefined;
}

async function readInput(shell: Shell, source: string): Promise<Record<string, unknown>> {
  const text =
    source === "-"
      ? await textOf({ input: () => readText(shell.in, shell.signal) }, "-")
      : readFileSync(source, "utf8");
  const value = parseObject(text);
  if (value) return value;
  throw new ExitError(7, "The body of --input is not a JSON object.");
}

async function print(shell: Shell, value: unknown): Promise<void> {
  if (shell.flags.jq !== undefined || shell.flags.template !== undefined || shell.flags.json) {
    const results = openResults(shell, false);
    await results.item(value, undefined);
    return results.end();
  }
  return write(shell.out, `${jsonText(value, shell.tty.out, shell.flags.raw)}\n`);
}

const api: ShellRun<typeof API_ARGS> = async (shell, args) => {
  if (args.list) return listOperations(shell);
  const asked = await readCall(shell, args);
  outputForm(shell);
  const opened = await shell.host.open({ forgetful: true, calls: callDefaults(shell) });
  try {
    const core = guardedCore(shell, opened, `${asked.row.method} ${asked.row.path}`);
    const once = askWith(core, asked);
    if (args.paginate) await printPages(shell, once, asked.given);
    else await print(shell, await once(asked.given));
  } catch (error) {
    if (!(error instanceof Plan)) throw error;
    await showPlan(shell, error.plan);
  } finally {
    await opened.close();
  }
  return 0;
};
export default api;

const listOperations = (shell: Shell): Promise<number> =>
  showList(
    shell,
    rows.map(([name, { op, method, path, safe }]) => ({ name, operation: op, method, path, safe })),
    ({ name, method, path, safe }) => rowView({ name, method, path, safe }),
  );

/** One call as it was written: its row, the parameters of its path, and what goes into its query or its body. */
interface Asked {
  name: EndpointName;
  row: EndpointRow;
  path: Record<string, string>;
  given: Fields;
}

/** Throws `ExitError` 2 for words that name no operation and for parts of its path that are missing. */
async function readCall(shell: Shell, args: ArgValues<typeof API_ARGS>): Promise<Asked> {
  const { words } = args;
  if (words.length === 0 || words.length > 2)
    throw new ExitError(2, "Give a METHOD and a path, or an operation's name.", "parley api --list");
  const found = findOperation(words);
  if (!found) throw new ExitError(2, `There is no operation ${words.join(" ")}.`, "parley api --list");
  const row = endpoints[found.name] as EndpointRow;
  if (row.multipart) throw new ExitError(2, "Use parley upload for files.");
  const fields = nested(readPairs(args.field, "--field"));
  fillFromFields(row, found.path, fields);
  const query = words[1]?.split("?")[1];
  const input = args.input === undefined ? {} : await readInput(shell, args.input);
  const given = { ...Object.fromEntries(new URLSearchParams(query)), ...input, ...fields };
  return { ...found, row, given };
}

/** `a.b` reaches into `a`. Throws `ExitError` 2 where a field is a value and has parts as well. */
function nested(pairs: Fields): Fields {
  const out: Fields = {};
  for (const [name, value] of Object.entries(pairs)) {
    const steps = name.split(".");
    const last = steps.pop()!;
    let at = out;
    for (const step of steps) {
      if (!Object.hasOwn(at, step)) at[step] = {};
      at = at[step] as Fields;
      if (typeof at !== "object" || at === null)
        throw new ExitError(2, `--field ${name}: '${step}' is a value and cannot have parts.`);
    }
    if (Object.hasOwn(at, last)) throw new ExitError(2, `--field ${name} is given twice, or has parts.`);
    at[last] = value;
  }
  return out;
}

/** Fields that the path names go there, and nowhere else. */
function fillFromFields(row: EndpointRow, path: Record<string, string>, fields: Fields): void {
  for (const [, part = ""] of row.path.matchAll(/\{(\w+)\}/g)) {
    if (fields[part] !== undefined && path[part] === undefined) {
      path[part] = String(fields[part]);
      delete fields[part];
    }
    if (!path[part]) throw new ExitError(2, `--field ${part}=… is missing.`);
  }
}

type Once = (given: Fields) => Promise<Fields>;

function askWith(core: Core, { name, row, path }: Asked): Once {
  const call = core.call as (name: string, args: object) => Promise<Fields>;
  const place = row.method === "GET" || row.method === "DELETE" ? "query" : "body";
  return (given) => call(name, { path, [place]: given });
}

/** Page after page, by the cursor of the answer or, where there is none, by offset. */
async function printPages(shell: Shell, once: Once, given: Fields): Promise<void> {
  const limit = typeof given.limit === "number" ? given.limit : 30;
  for (let part: Fields | undefined = { ...given, limit }; part;) {
    const reply = await once(part);
    await write(shell.out, `${jsonText(reply, false, shell.flags.raw)}\n`);
    part = nextPage(part, reply, limit);
  }
}

function nextPage(part: Fields, reply: Fields, limit: number): Fields | undefined {
  if (typeof reply.next === "string" && reply.next !== "") return { ...part, next: reply.next };
  const list = Object.values(reply).find(Array.isArray) as unknown[] | undefined;
  if (!list || list.length < limit || reply.next !== undefined) return undefined;
  return { ...part, offset: Number(part.offset ?? 0) + list.length };
}
