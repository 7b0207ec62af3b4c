/** Simulated faults: the next matching requests are refused, delayed or cut off, to test a client. */
import { CODES, type CodeRow } from "../../wire/errors.ts";
import { ApiProblem } from "../base/handler.ts";
import { refuseProblems } from "../base/problems.ts";

interface Fault {
  id: string;
  /** A method or `*`, a space, and a path in which `*` matches anything. */
  match: string;
  status?: number;
  /** Error code of the wire. */
  code?: number;
  /** Milliseconds. */
  delay?: number;
  /** `request`: cut the connection before the call runs; `answer`: run the call, then cut without an answer. */
  drop?: "request" | "answer";
  /** How many more requests it applies to; absent = until it is cleared. */
  times?: number;
}

export type InjectedFault = Pick<Fault, "status" | "code" | "delay" | "drop">;

/** Milliseconds; clients time out before a longer wait. */
const MAX_DELAY = 600_000;
const MAX_FAULTS = 100;

/** HTTP status → the code of specification/errors.md §2 used when a fault names none. */
const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 4,
  401: 5,
  403: 17,
  404: 16,
  408: 23,
  413: 22,
  429: 9,
  431: 24,
};

export class Faults {
  readonly #list: (Fault & { pattern: (method: string, path: string) => boolean })[] = [];
  #lastId = 0;

  add(body: Record<string, unknown>): Fault {
    const { match, status, code, delay_ms: delay, drop, times } = body;
    const fields: Record<string, string> = {};
    if (typeof match !== "string" || !/^(\*|[A-Z]+) \S{1,300}$/.test(match))
      fields.match = "must be a method and a path, such as POST */message";
    if (status !== undefined && (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599))
      fields.status = "must be an HTTP status from 400 to 599";
    if (code !== undefined && !Object.hasOwn(CODES, String(code)))
      fields.code = "is not in the table of error codes";
    if (delay !== undefined && (!Number.isInteger(delay) || Number(delay) < 1 || Number(delay) > MAX_DELAY))
      fields.delay_ms = `must be 1 to ${MAX_DELAY} milliseconds`;
    if (drop !== undefined && drop !== "request" && drop !== "answer")
      fields.drop = "must be request or answer";
    if (times !== undefined && (!Number.isInteger(times) || Number(times) < 1))
      fields.times = "must be a whole number from 1";
    if ([status, code, delay, drop].every((what) => what === undefined))
      fields.status = "or code, delay_ms or drop is needed: what shall happen";
    if (this.#list.length >= MAX_FAULTS) fields.match = `is one too many: there are ${MAX_FAULTS} faults`;
    refuseProblems(fields);
    const fault: Fault = {
      id: String(++this.#lastId),
      match: match as string,
      ...(status === undefined ? {} : { status: Number(status) }),
      ...(code === undefined ? {} : { code: Number(code) }),
      ...(delay === undefined ? {} : { delay: Number(delay) }),
      ...(drop === undefined ? {} : { drop: drop as "request" | "answer" }),
      ...(times === undefined ? {} : { times: Number(times) }),
    };
    this.#list.push({ ...fault, pattern: compile(fault.match) });
    return fault;
  }

  /** Removes one fault, or all without an id; returns the number removed. */
  clear(id?: string): number {
    const before = this.#list.length;
    const remaining = id === undefined ? [] : this.#list.filter((fault) => fault.id !== id);
    this.#list.splice(0, before, ...remaining);
    return before - remaining.length;
  }

  all(): Fault[] {
    return this.#list.map(({ pattern: _pattern, ...fault }) => fault);
  }

  /** The first fault that matches; uses up one of its `times`. */
  take(method: string, path: string): InjectedFault | undefined {
    const fault = this.#list.find(({ pattern }) => pattern(method, path));
    if (!fault) return undefined;
    if (fault.times !== undefined && --fault.times === 0) this.#list.splice(this.#list.indexOf(fault), 1);
    return fault;
  }
}

/** The error of a fault; undefined when it only delays or drops. */
export function faultProblem({ status, code }: InjectedFault): ApiProblem | undefined {
  if (status === undefined && code === undefined) return undefined;
  const errorCode = code ?? CODE_OF_STATUS[status!] ?? (status! < 500 ? 4 : -1);
  return new ApiProblem(errorCode, "a fault was asked for here", {
    status: status ?? (CODES as Record<number, CodeRow>)[errorCode]!.status,
  });
}

/** Answers for `POST /_local/fault`: `{do: add|list|clear, …}`. */
export function faultVerb(faults: Faults, body: Record<string, unknown>): object {
  if (body.do === "add") return { fault: faults.add(body) };
  if (body.do === "clear")
    return { cleared: faults.clear(body.id === undefined ? undefined : String(body.id)) };
  return { faults: faults.all() };
}

/** Finds the parts between the stars one after another: a regular expression built from input could be slow. */
function compile(match: string): (method: string, path: string) => boolean {
  const space = match.indexOf(" ");
  const method = match.slice(0, space);
  const parts = match.slice(space + 1).split("*");
  return (requestMethod, path) => {
    if (method !== "*" && method !== requestMethod) return false;
    const first = parts[0]!;
    const last = parts.at(-1)!;
    if (parts.length === 1) return path === first;
    if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length)
      return false;
    let from = first.length;
    const end = path.length - last.length;
    for (const part of parts.slice(1, -1)) {
      const found = path.indexOf(part, from);
      if (found < 0 || found + part.length > end) return false;
      from = found + part.length;
    }
    return true;
  };
}
