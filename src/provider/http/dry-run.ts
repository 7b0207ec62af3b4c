/** Dry runs: a write is answered and undone, after the calls that would have been made before it (specification/embedded-provider.md §6). */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { JSON_BODY_LIMIT } from "../../wire/constants.ts";
import { DRY_RUN_HEADER, MAX_CALLS_BEFORE, type CallBefore, type DryRun } from "../../wire/dry-run.ts";
import { isObject, type Fields } from "../../wire/json-object.ts";
import { ApiProblem } from "../base/handler.ts";
import type { Database } from "../base/database.ts";
import { parseJson } from "../base/json.ts";
import { bodyTooBig, readBodyText } from "./body.ts";

/** How much work the calls before a dry run may be, ms of CPU time: they block every other call, so the rest of them is left out. */
export const BEFORE_MS = 40;

type DryRunKind = "alone" | "after";

/** Whether the request is a dry run. Throws code 4 for another value of the header: the sender does not want a real write. */
export function dryRunOf({ [DRY_RUN_HEADER]: value }: IncomingHttpHeaders): DryRunKind | undefined {
  if (value === undefined) return undefined;
  if (value === "1") return "alone";
  if (value === "after") return "after";
  throw ApiProblem.input(`the header ${DRY_RUN_HEADER} must be 1 or after`);
}

const isText = (value: unknown): value is string => typeof value === "string";

function callBefore(value: unknown): CallBefore {
  const { method, url, headers, body } = isObject(value) ? value : {};
  if (!isText(method) || !isText(url) || !isObject(headers) || (body !== undefined && !isText(body)))
    throw ApiProblem.input("before must be a list of calls with method, url, headers and body");
  const lower = Object.entries(headers).map(([name, one]) => [name.toLowerCase(), String(one)] as const);
  return { method, url, headers: Object.fromEntries(lower), ...(body !== undefined && { body }) };
}

/** Reads what a dry run is made of; each body within it is a text with the limits of every body. */
export async function readDryRun(request: IncomingMessage): Promise<DryRun> {
  const { before = [], body = "" } = parseJson(await readBodyText(request, 3 * JSON_BODY_LIMIT));
  if (!Array.isArray(before) || before.length > MAX_CALLS_BEFORE)
    throw ApiProblem.input(`before must be a list of at most ${MAX_CALLS_BEFORE} calls`);
  if (!isText(body)) throw ApiProblem.input("body must be a text");
  return { before: before.map(callBefore), body };
}

/** Throws as for a body that was sent by itself. */
export function parseText(body: string | undefined = ""): Fields {
  if (Buffer.byteLength(body) > JSON_BODY_LIMIT) throw bodyTooBig(JSON_BODY_LIMIT);
  return parseJson(body);
}

/** Runs a call that would have been made before: a refusal undoes it alone, and the dry run goes on without it. */
export function runBefore(db: Database, run: () => void): void {
  db.prepare("SAVEPOINT before").run();
  try {
    run();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    db.prepare("ROLLBACK TO before").run();
  }
  db.prepare("RELEASE before").run();
}
