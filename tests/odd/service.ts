/** A service that answers by rules drawn from a seed: late, twice, in another order, refused, cut, or written otherwise than documented. */
import {
  PortFailure,
  type HttpReply,
  type SocketHandlers,
  type SocketPort,
} from "../../src/core/base/ports.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { channel, msgs } from "../core/state/world.ts";
import { errorReply, jsonReply, type FakeAnswer, type FakeCall } from "../support/fake-ports.ts";
import { helloFrame } from "../support/fake-provider.ts";
import type { Dice } from "../support/seeded.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";
import { changeOne } from "./change.ts";
import { Stored, type Changed } from "./stored.ts";

export const NAMES = ["tea", "milk", "cake"] as const;
export const cidOf = (name: string): string => `messaging:${name}`;

type Json = Record<string, unknown>;
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Changes each value of a text, list or object in place. */
export function rewrite(value: unknown, of: (value: unknown, key: string) => unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const holder = value as Json;
    rewrite(holder[key], of);
    holder[key] = of(holder[key], key);
  }
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Lists that an answer may write as null, as some languages do with empty ones. */
const EMPTY_LISTS = new Set([
  "attachments",
  "mentioned_users",
  "own_reactions",
  "latest_reactions",
  "members",
  "read",
]);

/** Lists that a page of an answer is. */
const PAGES = new Set([
  "messages",
  "channels",
  "events",
  "members",
  "users",
  "reactions",
  "threads",
  "reminders",
  "polls",
  "results",
]);

/** Ways to write an answer or event that mean the same: nothing of it may be lost. */
export const FORMS: Readonly<Record<string, (value: unknown, key: string) => unknown>> = {
  "dates with an offset": (value) =>
    typeof value === "string" && DATE.test(value)
      ? new Date(Date.parse(value) + 7_200_000).toISOString().replace("Z", "+02:00")
      : value,
  "dates of nine digits": (value) =>
    typeof value === "string" && DATE.test(value)
      ? new Date(value).toISOString().replace("Z", "000000Z")
      : value,
  "numbers as text": (value) => (typeof value === "number" ? String(value) : value),
  "lists as null": (value, key) =>
    Array.isArray(value) && value.length === 0 && EMPTY_LISTS.has(key) ? null : value,
  "new fields": (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, quite_new: { of: ["it"] } }
      : value,
  "new choices": (value, key) => (key === "role" ? "quite_new" : value),
  "items twice": (value, key) =>
    Array.isArray(value) && PAGES.has(key) ? value.flatMap((one: unknown) => [one, copyOf(one)]) : value,
  "lists in another order": (value, key) =>
    Array.isArray(value) && PAGES.has(key) ? value.toReversed() : value,
  "names in capitals": (value, key) =>
    key === "name" && typeof value === "string" ? value.toUpperCase() : value,
};

const BARE = "an answer without its entity";
/** Of a read there is nothing then, so it is no success. */
const EMPTY_ANSWERS: ReadonlySet<string> = new Set([BARE, "success with other JSON"]);

/** What happens to a call before it is done (`undefined`: nothing), or to its answer. */
const FAULTS: Readonly<
  Record<string, (dice: Dice) => { before?: FakeAnswer; after?: (reply: HttpReply) => FakeAnswer }>
> = {
  "429 with a time": () => ({ before: limited({ "retry-after": "2" }) }),
  "429 without a time": () => ({ before: limited({}) }),
  "429 with calls left": () => ({
    before: limited({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "17",
      "x-ratelimit-reset": "1772600880",
    }),
  }),
  "500 before it is done": () => ({ before: errorReply(500, -1) }),
  "503 without JSON": () => ({ before: jsonReply("<h1>busy</h1>", 503) }),
  "500 when it is done": () => ({ after: () => errorReply(500, -1) }),
  "an answer that never comes": () => ({ after: () => "never" }),
  "a broken connection": () => ({ after: () => new PortFailure("network", "reset") }),
  "a cut answer": (dice) => ({
    after: (reply) => ({ ...reply, text: reply.text.slice(0, dice.below(reply.text.length)) }),
  }),
  [BARE]: () => ({ after: (reply) => ({ ...reply, text: "{}" }) }),
  "success without JSON": (dice) => ({
    after: (reply) => ({ ...reply, text: dice.pick(["OK", "", "<p>done</p>"]) }),
  }),
  "success with other JSON": (dice) => ({
    after: (reply) => ({ ...reply, text: dice.pick(["[]", "null", "true", '"OK"']) }),
  }),
};
const limited = (headers: Record<string, string>): HttpReply => {
  const reply = errorReply(429, 9);
  return { ...reply, headers: { ...reply.headers, ...headers } };
};
/** Calls whose answer is what they are for: without their entity they are no success. */
const READS = /^(?:GET |POST \/channels$|POST \/sync$)|\/query$/;

/** What is done to events. */
const DELIVERIES = [
  "doubled events",
  "events in another order",
  "slow answers",
  "one changed value",
  "new events",
];
/** Routes that a provider may lack, by the rule that takes them away. */
const ABSENT: Readonly<Record<string, RegExp>> = {
  "no /sync": /^POST \/sync$/,
  "no read marks": /\/read$/,
  "no look at one message": /^GET \/messages\/[^/]+$/,
  "no list of reactions": /\/reactions$/,
  "no settings of the app": /^GET \/app$/,
};
const RULES = [...Object.keys(FORMS), ...Object.keys(FAULTS), ...DELIVERIES, ...Object.keys(ABSENT)];

export class OddService {
  readonly rules: ReadonlySet<string>;
  /** Channels of which something was made unreadable. */
  readonly touched = new Set<string>();
  readonly stored: Stored;
  /** Values that were written in a form which is to be counted. */
  counted = 0;
  /** From then on it answers as documented. */
  calm = false;
  readonly #clock: VirtualClock;
  readonly #dice: Dice;
  readonly #events: Json[] = [];
  #socket: SocketHandlers | undefined;
  #connections = 0;

  constructor(clock: VirtualClock, dice: Dice) {
    this.#clock = clock;
    this.#dice = dice;
    this.stored = new Stored(() => clock.now());
    const count = 1 + dice.below(4);
    this.rules = new Set(Array.from({ length: count }, () => dice.pick(RULES)));
    NAMES.forEach((name, n) => {
      for (const one of msgs(10 * n + 1, 10 * n + 4))
        this.stored.messages.set(one.id, { ...one, cid: cidOf(name) });
    });
  }

  readonly socketPort: SocketPort = (_url, handlers) => {
    const open = (): void => {
      this.#socket = handlers;
      handlers.message(JSON.stringify(helloFrame("mira", `c${++this.#connections}`)));
    };
    this.#clock.setTimeout(open, 20);
    const end = (): void => {
      if (this.#socket === handlers) this.#socket = undefined;
    };
    const send = (): void => {
      const created_at = new Date(this.#clock.now()).toISOString();
      const connection_id = `c${this.#connections}`;
      this.#clock.setTimeout(
        () => this.#socket?.message(JSON.stringify({ type: "health.check", connection_id, created_at })),
        10,
      );
    };
    return { send, close: end, terminate: end };
  };

  /** The texts of a channel, oldest first. */
  textsOf(name: string): string[] {
    return this.#messagesOf(name).map(({ text }) => text);
  }

  dropConnection(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1006, "");
  }

  /** Somebody else writes. */
  say(name: string): void {
    this.#tell(this.stored.said(cidOf(name)));
  }

  readonly answer = async (call: FakeCall): Promise<FakeAnswer> => {
    const fault = this.#fault(call);
    if (fault.before !== undefined) return fault.before;
    if (this.#has("slow answers")) await this.#pause(500 + this.#dice.below(2000));
    const reply = this.#done(call);
    const after = fault.after && !(fault.isEmpty && READS.test(call.what)) ? fault.after(reply) : reply;
    return after;
  };

  #fault(call: FakeCall): ReturnType<(typeof FAULTS)[string]> & { isEmpty?: boolean } {
    const isAbsent = Object.entries(ABSENT).some(
      ([rule, what]) => this.rules.has(rule) && what.test(call.what),
    );
    if (isAbsent) return { before: jsonReply("404 page not found", this.#dice.pick([404, 405, 501])) };
    const faults = Object.keys(FAULTS).filter((name) => this.#has(name));
    if (faults.length === 0 || !this.#dice.chance(0.4)) return {};
    const name = this.#dice.pick(faults);
    return { ...FAULTS[name]!(this.#dice), isEmpty: EMPTY_ANSWERS.has(name) };
  }

  #has(rule: string): boolean {
    return !this.calm && this.rules.has(rule);
  }

  #done({ what, body, url }: FakeCall): HttpReply {
    const ids = url.searchParams.get("ids")?.split(",");
    if (ids) return this.#json({ messages: ids.flatMap((id) => this.stored.messages.get(id) ?? []) });
    if (what === "POST /channels") {
      const asked = (body.filter_conditions as { cid?: string | { $in?: string[] } } | undefined)?.cid;
      const cids = typeof asked === "string" ? [asked] : asked?.$in;
      const named = NAMES.filter((one) => !cids || cids.includes(cidOf(one)));
      return this.#json({ channels: named.map((one) => this.#channel(one)) });
    }
    if (what === "POST /sync") return this.#json({ events: this.#missed(body) });
    const query = /^POST \/channels\/messaging\/(\w+)\/query$/.exec(what)?.[1];
    if (query !== undefined) return this.#json(this.#channel(query));
    const [method, , first = "", ...rest] = what.split(/[ /]/).map(decodeURIComponent);
    const done = method === "GET" ? this.#look(first, rest) : this.#change(`${method} ${first}`, rest, body);
    if (done.code !== undefined) return errorReply(done.status ?? 400, done.code);
    this.#tell(done.events ?? []);
    return this.#json(done.answer, done.status);
  }

  #look(of: string, [id = "", part]: string[]): Changed {
    const message = this.stored.messages.get(id);
    const poll = this.stored.polls.get(id);
    if (of === "polls" && poll) return { answer: { poll } };
    if (of === "messages" && message)
      return { answer: part === "reactions" ? { reactions: message.latest_reactions } : { message } };
    return { status: 404, code: 16, answer: {} };
  }

  #change(what: string, path: string[], body: Json): Changed {
    const { stored } = this;
    const [id = "", part, type = ""] = path;
    const cid = `${id}:${part}`;
    if (what === "POST channels" && type === "message") return stored.send(cid, body.message as Json);
    if (what === "POST channels" && type === "read") return stored.markRead(cid);
    if (what === "POST channels" && /^(?:file|image)$/.test(type)) return stored.upload();
    if (what === "POST polls") return stored.makePoll(body);
    if (what === "PUT messages") return stored.edit(id, body);
    if (what === "POST messages" && part === "reaction")
      return stored.react(id, String((body.reaction as Json).type));
    if (what === "DELETE messages") return part === "reaction" ? stored.unreact(id, type) : stored.remove(id);
    return { status: 404, code: 16, answer: {} };
  }

  #missed({ last_sync_at: since, channel_cids: cids = [] }: Json): Json[] {
    return this.#events.filter(
      ({ cid, created_at: at }) => (cids as string[]).includes(String(cid)) && String(at) > String(since),
    );
  }

  #tell(events: readonly Json[]): void {
    this.#events.push(...events);
    for (const event of events) this.#emit(event);
    if (events.length > 0 && this.#has("new events"))
      this.#emit({
        type: "message.quite_new",
        cid: events[0]!.cid,
        created_at: events[0]!.created_at,
        of: ["it"],
      });
  }

  #emit(event: Json): void {
    const isShuffled = this.#has("events in another order");
    const times = this.#has("doubled events") ? 2 : 1;
    for (let n = 0; n < times; n++) {
      const sent = this.#written(event);
      this.#clock.setTimeout(
        () => this.#socket?.message(JSON.stringify(sent)),
        isShuffled ? this.#dice.below(1500) : 10,
      );
    }
  }

  #messagesOf(name: string): Message[] {
    return [...this.stored.messages.values()]
      .filter(({ cid, parent_id }) => cid === cidOf(name) && parent_id === undefined)
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  }

  #channel(name: string): Json {
    return channel(this.#messagesOf(name), { id: name, cid: cidOf(name) } as never) as never;
  }

  #json(body: Json, status = 200): HttpReply {
    return jsonReply(this.#written({ ...body, duration: "1ms" }), status);
  }

  /** As the rules write it. */
  #written(value: Json): Json {
    const written = copyOf(value);
    for (const [name, form] of Object.entries(FORMS))
      if (this.#has(name)) {
        rewrite(written, form);
        if (name === "numbers as text") this.counted += 1;
      }
    if (this.#has("one changed value") && this.#dice.chance(0.5)) {
      changeOne(written, this.#dice);
      // Which entity that costs is judged elsewhere: here it must not cost any of another channel.
      for (const cid of JSON.stringify(value).match(/messaging:\w+/g) ?? []) this.touched.add(cid);
    }
    return written;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => void this.#clock.setTimeout(done, ms));
  }
}
