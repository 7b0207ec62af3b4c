/** Remembers names of channels, people and other things found in results, so that a shell can complete them without the network. */
import {
  MAX_NAMES_PER_KIND,
  NAME_KINDS,
  isTypeable,
  saveNames,
  type NameKind,
  type Names,
} from "../../config/names.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { Shell } from "./shell.ts";
import { isObject } from "../../wire/json-object.ts";

type Row = Record<string, unknown>;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? value : [value]).filter(isObject);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Lists of answers, and single things in them, whose items have an id: field → what they are. */
const LISTS: Readonly<Record<string, NameKind>> = {
  users: "user",
  campaigns: "campaign",
  campaign: "campaign",
  segments: "segment",
  segment: "segment",
  polls: "poll",
  poll: "poll",
};

/** Of the runs that have not ended: a reader that leaves, as `head` does, ends the process with them. */
const unfinished = new Set<Seen>();
const keepUnfinished = (): void => unfinished.forEach((seen) => seen.end());

export class Seen {
  readonly #env: Shell["env"];
  /** No more than are kept: an export sees the writers of a million messages. */
  readonly #names = new Map<NameKind, Map<string, string>>(NAME_KINDS.map((kind) => [kind, new Map()]));
  readonly #gone = new Set<string>();

  constructor(env: Shell["env"]) {
    this.#env = env;
    if (unfinished.size === 0) process.once("exit", keepUnfinished);
    unfinished.add(this);
  }

  #put(kind: NameKind, id: string, name: string): void {
    const known = this.#names.get(kind)!;
    if (known.has(id) || known.size < MAX_NAMES_PER_KIND) known.set(id, name);
  }

  #channel(row: Row): void {
    const cid = text(row.cid);
    if (cid === "" || !isTypeable(cid)) return;
    if (row.deleted_at) this.#gone.add(cid);
    else this.#put("channel", cid, text(row.name));
  }

  #note(kind: NameKind, row: Row): void {
    const id = text(row.id) || text(row.name);
    if (id) this.#put(kind, id, id === text(row.name) ? "" : text(row.name));
  }

  /** Looks where the protocol's answers have channels, members, users, the writers of messages, and what ops work with. */
  look(reply: unknown, asked?: EndpointName): void {
    for (const row of rows(reply)) {
      // A task that deletes channels names them by their cids.
      if (asked === "deleteChannels")
        Object.keys(rows(row.result)[0] ?? {}).forEach((cid) => this.#gone.add(cid));
      rows(row.channel).forEach((channel) => this.#channel(channel));
      rows(row.channels).forEach((state) => rows(state.channel ?? state).forEach((c) => this.#channel(c)));
      for (const [field, kind] of Object.entries(LISTS))
        rows(row[field]).forEach((one) => this.#note(kind, one));
      rows(row.roles).forEach((role) => this.#note("role", role));
      for (const name of Object.keys(rows(row.channel_types)[0] ?? {})) this.#note("type", { name });
      for (const key of ["members", "messages", "message"])
        rows(row[key]).forEach((one) => rows(one.user).forEach((user) => this.#note("user", user)));
    }
  }

  /** Keeps what was seen. */
  end(): void {
    unfinished.delete(this);
    if (unfinished.size === 0) process.off("exit", keepUnfinished);
    const names = Object.fromEntries([...this.#names].map(([kind, known]) => [kind, [...known]]));
    saveNames(this.#env, names as Names, this.#gone);
  }
}
