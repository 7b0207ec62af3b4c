/** Stands between a command and core: dry runs, protected profiles, repeats of reads, time limits, and what -v says. */
import { endpoints, fillPath } from "../wire/endpoints.ts";
import type { EndpointName, EndpointRow } from "../wire/endpoints.ts";
import type { Core } from "../core/core.ts";
import { makeCid } from "../wire/ids.ts";
import { exitOf } from "./exit.ts";
import type { Facts } from "./exit.ts";

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

/** Writes of core beside `call`, with the operation each stands for. */
const WRITES: Partial<Record<keyof Core, EndpointName>> = {
  edit: "updateMessagePartial",
  remove: "deleteMessage",
  react: "sendReaction",
  unreact: "deleteReaction",
  pin: "updateMessagePartial",
  markRead: "markRead",
  markUnread: "markUnread",
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

  const call: Core["call"] = async (name, args = {}) => {
    const row = endpoints[name] as EndpointRow;
    const path = (args.path ?? {}) as Record<string, string>;
    const body = (args as { body?: Record<string, unknown> }).body;
    const cid = path.type && path.id ? makeCid(path.type, path.id) : "";
    const safe = row.safe || (name === "queryChannel" && there.has(cid) && body?.data === undefined);
    if (!safe) {
      if (options.dry) {
        // Querying a channel makes it where there is none.
        if (name !== "queryChannel") await look(row.path, path);
        throw new Plan({
          operation: row.op,
          method: row.method,
          path: fillPath(row.path, path),
          ...(body ? { body } : {}),
        });
      }
      await allow();
      options.writes?.();
    }
    const began = options.now();
    try {
      const reply = await core.call(name, {
        signal: options.signal,
        timeout: options.timeout,
        ...(safe ? { retries: options.retries } : {}),
        ...args,
      });
      if (name === "getChannel") there.add(cid);
      options.seen?.(reply);
      options.told?.(row.op, "ok", options.now() - began);
      return reply;
    } catch (error) {
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
      const operation = WRITES[key as keyof Core];
      const value: unknown = Reflect.get(target, key, target);
      if (operation && typeof value === "function")
        return async (...given: unknown[]) => {
          const row = endpoints[operation];
          if (options.dry) {
            const [first, second] = given;
            // openDirect: people and a type, from which the provider makes the id.
            if (Array.isArray(first))
              throw new Plan({
                operation: row.op,
                method: row.method,
                path: fillPath(row.path, { type: String(second ?? "messaging") }),
                body: { data: { members: first as unknown[] } },
              });
            await look(row.path, placeOf(row.path, first));
            throw new Plan({
              operation: row.op,
              method: row.method,
              path: fillPath(row.path, placeOf(row.path, first)),
              ...(second === undefined ? {} : { body: second }),
            });
          }
          await allow();
          try {
            return (await Reflect.apply(value, target, given)) as unknown;
          } catch (error) {
            note(error, row, row.safe === true);
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
  const facts = error as Facts;
  // A failed upload holds the call that failed.
  const { cause } = facts;
  for (const each of cause instanceof Error ? [facts, cause as Facts] : [facts]) {
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

/** The first argument of core's writes is a channel or a message: what the path asks for. */
function placeOf(path: string, first: unknown): Record<string, string> {
  const text = String(first);
  if (!path.includes("{type}")) return { id: text, type: text };
  return { type: text.slice(0, text.indexOf(":")), id: text.slice(text.indexOf(":") + 1) };
}

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
