/** Dry runs: asks the embedded provider what it would answer, after the calls that were tried before (specification/command-line.md §5). */
import { JSON_BODY_LIMIT } from "../../wire/constants.ts";
import {
  DRY_RUN_EXPECTED,
  DRY_RUN_HEADER,
  MAX_CALLS_BEFORE,
  type CallBefore,
  type DryRun,
} from "../../wire/dry-run.ts";
import { isFilledText, isObject } from "../../wire/json-object.ts";
import { isLoopback, LOCAL_KEY_PREFIX } from "../../model/loopback.ts";
import type { HttpRequest } from "../base/ports.ts";
import type { PendingCall } from "./request.ts";

/** Whether a dry run may be sent: any provider but an embedded one on this machine might do the write. */
export function answersDryRuns(baseUrl: string, apiKey: string): boolean {
  const url = URL.parse(baseUrl);
  return apiKey.startsWith(LOCAL_KEY_PREFIX) && url !== null && isLoopback(url.hostname);
}

/** Longer texts are no names. */
const NAME_LENGTH = 255;

/** Every name in a value: texts and keys. */
function* namesIn(value: unknown): Iterable<string> {
  if (isFilledText(value) && value.length <= NAME_LENGTH) yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* namesIn(one);
  }
}

/** What an answer names: the ids of its objects, such as the channel that a call would open. */
const answeredNames = (reply: object): string[] =>
  Object.values(reply)
    .filter(isObject)
    .flatMap(({ id, cid, name }) => [id, cid, name].filter((one) => typeof one === "string"));

interface TriedCall {
  call: CallBefore;
  names: readonly string[];
}

/** The calls tried so far, and which of them a further one depends on. */
export class DryRuns {
  readonly #tried: TriedCall[] = [];
  readonly #mentions = new Map<string, number[]>();

  /** The request that tries a call; the calls it depends on travel along. */
  asking(pending: PendingCall, request: HttpRequest): HttpRequest {
    const before = this.#needed(new Set(namesIn([pending.args.path, pending.args.query, pending.args.body])));
    const run: DryRun = { before, ...(typeof request.body === "string" && { body: request.body }) };
    return {
      ...request,
      headers: {
        ...request.headers,
        "content-type": "application/json",
        [DRY_RUN_HEADER]: "after",
        expect: DRY_RUN_EXPECTED,
      },
      body: JSON.stringify(run),
    };
  }

  /** Remembers a call that would succeed. */
  answered({ row, args }: PendingCall, { method, url, headers, body }: HttpRequest, reply: object): void {
    const names = [...new Set([...namesIn([args.path, args.query, args.body]), ...answeredNames(reply)])];
    // The bytes of a file are not there to be sent again.
    if (row.multipart) return;
    const { pathname, search } = new URL(url);
    const call = { method, url: `${pathname}${search}`, headers, ...(typeof body === "string" && { body }) };
    for (const name of names) {
      const mentions = this.#mentions.get(name) ?? [];
      this.#mentions.set(name, mentions);
      mentions.push(this.#tried.length);
    }
    this.#tried.push({ call, names });
  }

  /** The calls that name the same things, and those that these need, in their order. Of a name that many have, the first call made it. */
  #needed(names: Iterable<string>): CallBefore[] {
    const chosen = new Set<number>();
    let bytes = 0;
    const choose = (n: number): void => {
      const size = this.#tried[n]!.call.body?.length ?? 0;
      if (chosen.has(n) || chosen.size >= MAX_CALLS_BEFORE || bytes + size > JSON_BODY_LIMIT / 2) return;
      chosen.add(n);
      bytes += size;
    };
    const chooseFor = (some: Iterable<string>): void => {
      const found = [...some].map((name) => this.#mentions.get(name) ?? []);
      // The rarest names say best what a call is about.
      for (const mentions of found.toSorted((a, b) => a.length - b.length))
        (mentions.length > MAX_CALLS_BEFORE ? mentions.slice(0, 1) : mentions).forEach(choose);
    };
    chooseFor(names);
    for (const n of chosen) chooseFor(this.#tried[n]!.names);
    return [...chosen].toSorted((a, b) => a - b).map((n) => this.#tried[n]!.call);
  }
}
