/** Stands between a command and core: dry runs, protected profiles, repeats of reads, time limits, and what -v says. */
import { endpoints, fillPath } from "../../wire/endpoints/index.ts";
import type { EndpointName, EndpointRow } from "../../wire/endpoints/index.ts";
import type { Core } from "../../core/core.ts";
import { pathOf } from "../../commands/base/place.ts";
import { makeCid } from "../../wire/ids.ts";
import { ExitError, exitOf } from "./exit.ts";
import type { ExitContext } from "./exit.ts";

/** The first unsafe call of a dry run: what would have been sent. */
export class Plan extends Error {
  readonly plan: { operation: string; method?: string; path?: string; body?: unknown };
  constructor(plan: Plan["plan"]) {
    super(`would send ${plan.operation}`);
    this.name = "Plan";
    this.plan = plan;
  }
}

export interface GuardOptions {
  dry: boolean;
  timeout: number;
  retries: number;
  signal: AbortSignal;
  /** Told of each call that changes something, before it is made. */
  writes?(): void;
  /** Asked once before the first unsafe call. */
  beforeWrite?(): Promise<void>;
  /** Told about each call when it has ended. */
  told?(op: string, outcome: string, ms: number): void;
  /** Given each answer. */
  seen?(reply: unknown): void;
  now(): number;
}

/** What core tells by itself, of what it was sent: nobody is asked about it, and nobody would understand the question. */
const RECEIPTS: ReadonlySet<EndpointName> = new Set(["markDelivered"]);

/** What commands ask of core beside `call`, with the operation it makes: who reads a failure wants to know. */
const MADE: Partial<Record<keyof Core, EndpointName>> = {
  act: "runMessageAction",
  upload: "uploadChannelFile",
  openDirect: "queryDistinctChannel",
};

export function guardCore(core: Core, options: GuardOptions): Core {
  let asked: Promise<void> | undefined;
  const allow = (): Promise<void> => (asked ??= options.beforeWrite?.() ?? Promise.resolve());
  /** Channels that a GET has shown to be there: querying them creates nothing. */
  const there = new Set<string>();

  /** What a dry run would change is looked at first, where a GET shows it: what is not there ends as the real run would. */
  const look = async (template: string, path: Record<string, string>): Promise<void> => {
    const name = shownBy(template);
    if (name === undefined || (path.type && there.has(makeCid(path.type, path.id ?? "")))) return;
    try {
      await core.call(name, {
        signal: options.signal,
        timeout: options.timeout,
        path,
        query: {},
      } as never);
    } catch (error) {
      // Whether one may see it says nothing of whether one may change it.
      if (exitOf(error) === 3) throw error;
    }
  };

  /** A channel that is there is only looked at by the query that would make it. */
  const looksOnly = (name: EndpointName, args: Asked): boolean =>
    name === "queryChannel" && there.has(cidIn(args)) && args.body?.data === undefined;

  const planned = async (row: EndpointRow, path: Record<string, string>, body: unknown): Promise<never> => {
    // Querying a channel makes it where there is none.
    if (row !== endpoints.queryChannel && row !== endpoints.queryDistinctChannel) await look(row.path, path);
    throw new Plan({
      operation: row.op,
      method: row.method,
      path: fillPath(row.path, path),
      ...(body ? { body } : {}),
    });
  };

  core.beforeWrites(async (name, given) => {
    const args = given as Asked;
    if (looksOnly(name, args)) return;
    // Of a channel between people only the people matter: the rest asks for its first page.
    const body = name === "queryDistinctChannel" ? { data: args.body?.data } : args.body;
    if (options.dry) await planned(endpoints[name], args.path ?? {}, body);
    if (!RECEIPTS.has(name)) await allow();
    options.writes?.();
  });

  const call: Core["call"] = async (name, args = {}) => {
    const row = endpoints[name] as EndpointRow;
    const safe = row.safe || looksOnly(name, args as Asked);
    const began = options.now();
    try {
      const reply = await core.call(name, {
        signal: options.signal,
        timeout: options.timeout,
        ...(safe ? { retries: options.retries } : {}),
        ...args,
      });
      if (name === "getChannel") there.add(cidIn(args as Asked));
      options.seen?.(reply);
      options.told?.(row.op, "ok", options.now() - began);
      return reply;
    } catch (error) {
      // The plan of a dry run, or the answer of who was asked: nothing was sent.
      if (error instanceof Plan || error instanceof ExitError) throw error;
      note(error, row, safe);
      options.told?.(
        row.op,
        error instanceof Error ? `${error.name}, exit ${exitOf(error)}` : "failed",
        options.now() - began,
      );
      throw error;
    }
  };

  return new Proxy(core, {
    get(target, key) {
      if (key === "call") return call;
      if (key === "send")
        return (place: Parameters<Core["send"]>[0], composition: Parameters<Core["send"]>[1]) => {
          if (options.dry) {
            const [type = "", id = ""] = [
              place.cid.slice(0, place.cid.indexOf(":")),
              place.cid.slice(place.cid.indexOf(":") + 1),
            ];
            throw new Plan({
              operation: endpoints.sendMessage.op,
              method: "POST",
              path: fillPath(endpoints.sendMessage.path, { type, id }),
              body: { message: messageBody(place, composition), ...composition.options },
            });
          }
          if (!options.beforeWrite) return core.send(place, composition);
          // The question comes before the outbox holds anything.
          let id = composition.id ?? "";
          const outcome = allow().then(() => {
            const sent = core.send(place, composition);
            id = sent.id;
            return sent.outcome;
          });
          return {
            get id() {
              return id;
            },
            outcome,
          };
        };
      const value: unknown = Reflect.get(target, key, target);
      const made = MADE[key as keyof Core];
      if (made && typeof value === "function")
        return async (...given: unknown[]) => {
          // A failed upload is told in words about the file, so the plan and the question come before it.
          if (key === "upload" && options.dry)
            return planned(endpoints.uploadChannelFile, pathOf(String(given[0])), given[1]);
          if (key === "upload") await allow();
          try {
            return (await Reflect.apply(value, target, given)) as unknown;
          } catch (error) {
            if (!(error instanceof Plan || error instanceof ExitError)) note(error, endpoints[made], false);
            throw error;
          }
        };
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** What the faces read of a failed call beside the error's own facts. */
function note(error: unknown, row: EndpointRow, safe: boolean): void {
  if (!(error instanceof Error)) return;
  const facts = error as ExitContext;
  // A failed upload holds the call that failed.
  const { cause } = facts;
  for (const each of cause instanceof Error ? [facts, cause as ExitContext] : [facts]) {
    if (!safe && !row.idempotent) each.unsafe = true;
    // What is missing there is the channel, or the draft in it.
    if (/^\/channels\/\{type\}\/\{id\}(?!\/draft)[^{}]*$/.test(row.path)) each.about = "channel";
  }
}

/** The operation that shows what a path is about: the GET of its longest beginning that ends with a name. */
function shownBy(template: string): EndpointName | undefined {
  const parts = template.split("/");
  for (let end = parts.length; end > 1; end--) {
    if (!parts[end - 1]!.startsWith("{")) continue;
    const shown = parts.slice(0, end).join("/");
    const found = Object.entries(endpoints as Record<string, EndpointRow>).find(
      ([, row]) => row.method === "GET" && row.safe && row.path === shown,
    );
    if (found) return found[0] as EndpointName;
  }
  return undefined;
}

interface Asked {
  path?: Record<string, string>;
  body?: { data?: unknown };
}

const cidIn = ({ path = {} }: Asked): string => (path.type && path.id ? makeCid(path.type, path.id) : "");

function messageBody(
  place: Parameters<Core["send"]>[0],
  c: Parameters<Core["send"]>[1],
): Record<string, unknown> {
  return {
    ...(c.id === undefined ? {} : { id: c.id }),
    text: c.text,
    ...(c.attachments ? { attachments: c.attachments } : {}),
    ...(c.mentionedUsers ? { mentioned_users: c.mentionedUsers } : {}),
    ...(place.parentId === undefined ? {} : { parent_id: place.parentId }),
    ...(c.quotedMessageId === undefined ? {} : { quoted_message_id: c.quotedMessageId }),
    ...(c.showInChannel ? { show_in_channel: true } : {}),
    ...(c.silent ? { silent: true } : {}),
    ...c.custom,
  };
}
