/** Collects names of channels, users and other objects from answers, so that shell completion needs no network. */
import {
  MAX_NAMES_PER_KIND,
  NAME_KINDS,
  isTypeable,
  saveNames,
  type NameKind,
  type Names,
} from "../../config/names.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { isObject } from "../../wire/json-object.ts";

type Row = Record<string, unknown>;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? value : [value]).filter(isObject);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Fields of answers that hold objects with an id: field → kind of name. */
const KIND_BY_FIELD: Readonly<Record<string, NameKind>> = {
  users: "user",
  campaigns: "campaign",
  campaign: "campaign",
  segments: "segment",
  segment: "segment",
  polls: "poll",
  poll: "poll",
};

/** Collectors of running commands, saved on exit: a closed pipe, as by `head`, ends the process early. */
const unfinished = new Set<NameCollector>();
const saveUnfinished = (): void => unfinished.forEach((collector) => collector.save());

export class NameCollector {
  /** The cache folder of the app. */
  readonly #folder: string;
  /** Bounded by `MAX_NAMES_PER_KIND`: an export meets the authors of a million messages. */
  readonly #names = new Map<NameKind, Map<string, string>>(NAME_KINDS.map((kind) => [kind, new Map()]));
  readonly #deleted = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    if (unfinished.size === 0) process.once("exit", saveUnfinished);
    unfinished.add(this);
  }

  #add(kind: NameKind, id: string, name: string): void {
    const known = this.#names.get(kind)!;
    if (known.has(id) || known.size < MAX_NAMES_PER_KIND) known.set(id, name);
  }

  #addChannel(row: Row): void {
    const cid = text(row.cid);
    if (cid === "" || !isTypeable(cid)) return;
    if (row.deleted_at) this.#deleted.add(cid);
    else this.#add("channel", cid, text(row.name));
  }

  #addNamed(kind: NameKind, row: Row): void {
    const id = text(row.id) || text(row.name);
    if (id) this.#add(kind, id, id === text(row.name) ? "" : text(row.name));
  }

  /** Reads the names of channels, members, users, message authors and admin objects in an answer. */
  collect(reply: unknown, endpoint?: EndpointName): void {
    for (const row of rows(reply)) {
      // The result of a task that deletes channels is an object by cid.
      if (endpoint === "deleteChannels")
        Object.keys(rows(row.result)[0] ?? {}).forEach((cid) => this.#deleted.add(cid));
      rows(row.channel).forEach((channel) => this.#addChannel(channel));
      rows(row.channels).forEach((state) => rows(state.channel ?? state).forEach((c) => this.#addChannel(c)));
      for (const [field, kind] of Object.entries(KIND_BY_FIELD))
        rows(row[field]).forEach((one) => this.#addNamed(kind, one));
      rows(row.roles).forEach((role) => this.#addNamed("role", role));
      for (const name of Object.keys(rows(row.channel_types)[0] ?? {})) this.#addNamed("type", { name });
      for (const key of ["members", "messages", "message"])
        rows(row[key]).forEach((one) => rows(one.user).forEach((user) => this.#addNamed("user", user)));
    }
  }

  /** Leaves a deleted user out, whatever an earlier answer said. */
  forget(user: string): void {
    this.#deleted.add(user);
  }

  save(): void {
    unfinished.delete(this);
    if (unfinished.size === 0) process.off("exit", saveUnfinished);
    const names = Object.fromEntries([...this.#names].map(([kind, known]) => [kind, [...known]]));
    saveNames(this.#folder, names as Names, this.#deleted);
  }
}
