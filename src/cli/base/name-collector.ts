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

type CallArgs = { path?: Row; query?: Row; body?: Row };

/** Calls that delete something with a name: its kind, and the ids. */
const DELETIONS: Partial<
  Record<EndpointName, readonly [kind: NameKind, ids: (call: CallArgs) => unknown[]]>
> = {
  deletePoll: ["poll", ({ path }) => [path?.poll_id]],
  deleteCampaign: ["campaign", ({ path }) => [path?.id]],
  deleteSegment: ["segment", ({ path }) => [path?.id]],
  deleteRole: ["role", ({ path }) => [path?.name]],
  deleteChannelType: ["type", ({ path }) => [path?.name]],
  deleteUser: ["user", ({ path }) => [path?.id]],
  deleteUsers: ["user", ({ body }) => (Array.isArray(body?.user_ids) ? body.user_ids : [])],
};

/** Calls that take polls along, without naming them in the answer. */
const POLLS_GO_WITH: ReadonlySet<EndpointName | undefined> = new Set([
  "deleteMessage",
  "truncateChannel",
  "deleteChannel",
  "deleteChannels",
  "deleteUser",
  "deleteUsers",
] as const);

/** Collectors of running commands, saved on exit: a closed pipe, as by `head`, ends the process early. */
const unfinished = new Set<NameCollector>();
const saveUnfinished = (): void => unfinished.forEach((collector) => collector.save());

export class NameCollector {
  /** The cache folder of the app. */
  readonly #folder: string;
  /** Bounded by `MAX_NAMES_PER_KIND`: an export meets the authors of a million messages. */
  readonly #names = new Map<NameKind, Map<string, string>>(NAME_KINDS.map((kind) => [kind, new Map()]));
  /** Keys `kind id` of what was deleted. */
  readonly #deleted = new Set<string>();
  #mayHaveLostPolls = false;

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
    if (row.deleted_at) this.#forget("channel", cid);
    else this.#add("channel", cid, text(row.name));
  }

  #addNamed(kind: NameKind, row: Row): void {
    const id = text(row.id) || text(row.name);
    if (id) this.#add(kind, id, id === text(row.name) ? "" : text(row.name));
  }

  #forget(kind: NameKind, id: unknown): void {
    this.#deleted.add(`${kind} ${text(id)}`);
  }

  /** Reads the names of channels, members, users, message authors and admin objects in an answer; those of what the call deleted are forgotten. */
  collect(reply: unknown, endpoint?: EndpointName, call: CallArgs = {}): void {
    const [kind, idsOf] = (endpoint && DELETIONS[endpoint]) ?? [];
    for (const id of idsOf?.(call) ?? []) this.#forget(kind!, id);
    if (POLLS_GO_WITH.has(endpoint)) this.#mayHaveLostPolls = true;
    for (const row of rows(reply)) {
      // The result of a task that deletes channels is an object by cid.
      if (endpoint === "deleteChannels")
        Object.keys(rows(row.result)[0] ?? {}).forEach((cid) => this.#forget("channel", cid));
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
    this.#forget("user", user);
  }

  save(): void {
    unfinished.delete(this);
    if (unfinished.size === 0) process.off("exit", saveUnfinished);
    const names = Object.fromEntries([...this.#names].map(([kind, known]) => [kind, [...known]]));
    const isDeleted = (kind: NameKind, id: string): boolean =>
      (kind === "poll" && this.#mayHaveLostPolls) || this.#deleted.has(`${kind} ${id}`);
    const hasDeleted = this.#mayHaveLostPolls || this.#deleted.size > 0;
    saveNames(this.#folder, names as Names, hasDeleted ? isDeleted : undefined);
  }
}
