/** `parley api`: calls one operation of the provider's API by its path or name. */
import { rowView, type ArgValues, command, type Args } from "../../commands/base/define-command.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import { readPairs } from "../../commands/base/custom-fields.ts";
import { repeatedPage } from "../../commands/base/lists/cursor.ts";
import type { Core } from "../../core/core.ts";
import { isFullPage, PageWalk, placesTaken } from "../../model/page-walk.ts";
import { parsed, readTextFile } from "../../commands/base/json.ts";
import { ExitError } from "../base/exit.ts";
import { Plan } from "../base/plan.ts";
import { jsonText } from "../output/json.ts";
import { outputForm, openResults, showList } from "../output/results.ts";
import { PlannedRun } from "../run/planned-run.ts";
import { callDefaults, guardedCore, isProtected } from "../run/run.ts";
import type { Shell } from "../base/shell.ts";
import { readText, write } from "../base/stdio.ts";
import { isObject, type Fields } from "../../wire/json-object.ts";

const rows = Object.entries(endpoints) as [EndpointName, EndpointRow][];

/** Paths with fewer parameters are tried first, so that `/messages/history` is not read as a message id. */
const parameters = ([, { path }]: (typeof rows)[number]): number => path.split("{").length;
const literalFirst = rows.toSorted((a, b) => parameters(a) - parameters(b));

/** The operation with this name, or with this method and path, and its path parameters. */
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
    const template = row.path.split("/");
    if (row.method !== method || template.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const matches = template.every((part, i) => {
      if (!part.startsWith("{")) return part === parts[i];
      path[part.slice(1, -1)] = decodeURIComponent(parts[i]!);
      return parts[i] !== "";
    });
    if (matches) return { name, path };
  }
  return undefined;
}

async function readInput(shell: Shell, source: string): Promise<Record<string, unknown>> {
  const text = await readTextFile({ input: () => readText(shell.in, shell.signal) }, source);
  const value = parsed(text, (why) => new ExitError(7, `The body of --input ${why}.`));
  if (isObject(value)) return value;
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

const API_ARGS = {
  words: {
    kind: "list",
    positional: true,
    optional: true,
    help: "METHOD and path, or the name of an operation",
  },
  field: {
    kind: "list",
    value: "name=value",
    help: "name=value for path, query or body; a.b sets b inside a (repeatable)",
  },
  input: { kind: "text", value: "file", help: "File with the body as JSON; - reads standard input" },
  paginate: {
    kind: "flag",
    help: "Fetch all pages, one JSON document per line; with --slurp all of them in one array",
  },
  list: { kind: "flag", help: "List the operations" },
} as const satisfies Args;

export default command({
  shell: true,
  group: "Scripts",
  summary: "Call an operation of the provider's API",
  examples: [
    "api GET /channels/messaging/ops",
    "api getMessage --field id=ana-7f3c",
    "api queryChannels --input - < query.json",
    "api queryChannels --paginate --slurp --jq 'map(.channels | length) | add'",
    "api --list",
  ],
  allowsDryRun: true,
  args: API_ARGS,
  async run(shell: Shell, args) {
    if (args.list) return listOperations(shell);
    if (shell.flags.slurp && !args.paginate) throw new ExitError(2, "--slurp joins the pages of --paginate.");
    const call = await readCall(shell, args);
    outputForm(shell);
    const opened = await shell.host.open({ inMemory: true, calls: callDefaults(shell) });
    try {
      const core = guardedCore(shell, opened, `${call.row.method} ${call.row.path}`);
      const send = callSender(core, call);
      if (args.paginate) await printPages(shell, send, call.fields);
      else await print(shell, await send(call.fields));
    } catch (error) {
      if (!(error instanceof Plan)) throw error;
      const plan = new PlannedRun(shell, { isProtected: isProtected(shell, opened), needsSecret: false });
      plan.add(error.plan);
      await plan.show();
    } finally {
      await opened.close();
    }
    return 0;
  },
});

const listOperations = (shell: Shell): Promise<number> =>
  showList(
    shell,
    rows.map(([name, { op, method, path, safe }]) => ({ name, operation: op, method, path, safe })),
    ({ name, method, path, safe }) => rowView({ name, method, path, safe }),
  );

/** A parsed call; `fields` are sent as query or body. */
interface ApiCall {
  name: EndpointName;
  row: EndpointRow;
  path: Record<string, string>;
  fields: Fields;
}

/** Throws `ExitError` 2 for an unknown operation or missing path parameters. */
async function readCall(shell: Shell, args: ArgValues<typeof API_ARGS>): Promise<ApiCall> {
  const { words } = args;
  if (words.length === 0 || words.length > 2)
    throw new ExitError(2, "Give a METHOD and a path, or an operation's name.", "parley api --list");
  const found = findOperation(words);
  if (!found) throw new ExitError(2, `There is no operation ${words.join(" ")}.`, "parley api --list");
  const row = endpoints[found.name] as EndpointRow;
  if (row.multipart) throw new ExitError(2, "Use parley upload for files.");
  const fields = nestFields(readPairs(args.field, "--field"));
  fillFromFields(row, found.path, fields);
  const query = words[1]?.split("?")[1];
  const input = args.input === undefined ? {} : await readInput(shell, args.input);
  return {
    ...found,
    row,
    fields: { ...Object.fromEntries(new URLSearchParams(query)), ...input, ...fields },
  };
}

/** Turns `a.b` into an object within `a`. Throws `ExitError` 2 if a field has both a value and parts. */
function nestFields(pairs: Fields): Fields {
  const nested: Fields = {};
  for (const [name, value] of Object.entries(pairs)) {
    const steps = name.split(".");
    const last = steps.pop()!;
    let target = nested;
    for (const step of steps) {
      if (!Object.hasOwn(target, step)) target[step] = {};
      target = target[step] as Fields;
      if (typeof target !== "object" || target === null)
        throw new ExitError(2, `--field ${name}: '${step}' is a value and cannot have parts.`);
    }
    if (Object.hasOwn(target, last)) throw new ExitError(2, `--field ${name} is given twice, or has parts.`);
    target[last] = value;
  }
  return nested;
}

/** Moves fields that are parameters of the path into `path`. */
function fillFromFields(row: EndpointRow, path: Record<string, string>, fields: Fields): void {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) {
    if (fields[parameter] !== undefined && path[parameter] === undefined) {
      path[parameter] = String(fields[parameter]);
      delete fields[parameter];
    }
    if (!path[parameter]) throw new ExitError(2, `--field ${parameter}=… is missing.`);
  }
}

type SendCall = (fields: Fields) => Promise<Fields>;

function callSender(core: Core, { name, row, path }: ApiCall): SendCall {
  const call = core.call as (name: string, args: object) => Promise<Fields>;
  const target = row.method === "GET" || row.method === "DELETE" ? "query" : "body";
  return (fields) => call(name, { path, [target]: fields });
}

/** Prints all pages: each as a document of its own, through `--jq` or `--template`, or all of them as one array. */
async function printPages(shell: Shell, send: SendCall, fields: Fields): Promise<void> {
  const { slurp, jq, template, raw } = shell.flags;
  const isFormatted = slurp === true || jq !== undefined || template !== undefined;
  const results = isFormatted ? openResults(shell, true) : undefined;
  for await (const page of pagesOf(send, fields))
    if (results) await results.item(page, undefined);
    else await write(shell.out, `${jsonText(page, false, raw)}\n`);
  await results?.end();
}

/** All pages, by the cursor of the answer or, if it has none, by offset. */
async function* pagesOf(send: SendCall, fields: Fields): AsyncIterable<Fields> {
  const limit = typeof fields.limit === "number" ? fields.limit : 30;
  const walk = new PageWalk<unknown>(JSON.stringify);
  for (let page: Fields | undefined = { ...fields, limit }; page;) {
    const reply = await send(page);
    yield reply;
    page = nextPage(page, reply, limit);
    const { next, isStuck } = walk.take(listIn(reply), page && JSON.stringify(page));
    if (isStuck) throw repeatedPage();
    if (next === undefined) return;
  }
}

const listIn = (reply: Fields): unknown[] => Object.values(reply).find(Array.isArray) ?? [];

function nextPage(page: Fields, reply: Fields, limit: number): Fields | undefined {
  if (typeof reply.next === "string" && reply.next !== "") return { ...page, next: reply.next };
  const list = listIn(reply);
  if (!isFullPage(list, limit) || reply.next !== undefined) return undefined;
  return { ...page, offset: Number(page.offset ?? 0) + placesTaken(list, limit) };
}
