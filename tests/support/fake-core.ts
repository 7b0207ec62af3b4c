/** A core without a network for tests of the screen: a plain State that the test changes, and a record of all calls. */
import type { Core, OutgoingMessage, ThreadRef, SendOutcome } from "../../src/core/core.ts";
import type {
  ChannelEntry,
  ClientMessage,
  MessageSet,
  State,
  ThreadEntry,
  Timeline,
} from "../../src/model/state.ts";
import type { AttachmentsDeps } from "../../src/core/composer/attachments.ts";
import { Audiences } from "../../src/core/composer/audiences.ts";
import type { Composer } from "../../src/core/composer/composer.ts";
import { ComposerRegistry, type ComposerOptions } from "../../src/core/composer/composer-registry.ts";
import { LocationManager } from "../../src/core/locations/manager.ts";
import { withNotice } from "../../src/core/state/apply.ts";
import { createProviderDrafts, type ProviderDrafts } from "../../src/core/lists/provider-drafts.ts";
import { createReminders, type ReminderList, type RemindersDeps } from "../../src/core/lists/reminders.ts";
import { NO_THREADS } from "../../src/core/lists/threads-state.ts";
import type { UserListStates } from "../../src/tui/screen/store.ts";
import { ThreadList, type ThreadsDeps } from "../../src/core/lists/threads.ts";
import { createMembers, type MembersQuery } from "../../src/core/lists/members.ts";
import { SearchSource, type SearchScope } from "../../src/core/lists/search.ts";
import type { LocalSearch } from "../../src/model/search-query.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import type { MessageInput } from "../../src/wire/bodies/messages.ts";
import type { PagedList } from "../../src/core/lists/paged-list.ts";
import type { Member } from "../../src/wire/entities/channel.ts";
import type { UploadSource } from "../../src/core/base/ports.ts";
import type { LocalDraft } from "../../src/core/store/store.ts";
import type { Uploads } from "../../src/core/uploads/uploads.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import type { OwnUser, User } from "../../src/wire/entities/user.ts";
import { fakeLog } from "./fake-ports.ts";
import { ownUser } from "./own-user.ts";
import { VirtualClock, fixedRandom } from "./virtual-clock.ts";

/** A timeline over an array, for fixtures. */
export class ListTimeline implements Timeline {
  readonly list: readonly ClientMessage[];
  constructor(list: readonly ClientMessage[]) {
    this.list = list;
  }
  get length(): number {
    return this.list.length;
  }
  at(index: number): ClientMessage | undefined {
    return this.list[index];
  }
  indexOf(id: string): number {
    return this.list.findIndex((m) => m.id === id);
  }
  slice(start: number, end: number): ClientMessage[] {
    return this.list.slice(start, end);
  }
  [Symbol.iterator](): Iterator<ClientMessage> {
    return this.list[Symbol.iterator]();
  }
}

export const EPOCH = Date.parse("2026-11-17T09:00:00Z");
const at = (minutes: number): string => new Date(EPOCH + minutes * 60_000).toISOString();

export function user(id: string, more: Partial<User> = {}): User {
  return { id, name: id, online: true, ...more };
}

export function message(
  id: string,
  from: string,
  text: string,
  more: Partial<ClientMessage> & { minute?: number } = {},
): ClientMessage {
  const { minute = 0, ...rest } = more;
  return {
    id,
    cid: "messaging:general",
    type: "regular",
    text,
    user: user(from),
    attachments: [],
    mentioned_users: [],
    reply_count: 0,
    reaction_groups: {},
    latest_reactions: [],
    own_reactions: [],
    created_at: at(minute),
    updated_at: at(minute),
    ...rest,
  };
}

export function messageSet(messages: readonly ClientMessage[], more: Partial<MessageSet> = {}): MessageSet {
  return {
    messages: new ListTimeline(messages),
    hasPrev: false,
    hasNext: false,
    isLatest: true,
    isCurrent: true,
    ...more,
  };
}

export const CAPABLE = [
  "send-message",
  "send-reply",
  "send-reaction",
  "quote-message",
  "pin-message",
  "update-own-message",
  "delete-own-message",
  "typing-events",
  "upload-file",
  "read-events",
];

export function channel(
  id: string,
  more: Partial<ChannelEntry> & { name?: string; messages?: ClientMessage[] } = {},
): ChannelEntry {
  const { name = id, messages = [], ...rest } = more;
  const cid = `messaging:${id}`;
  return {
    cid,
    channel: {
      id,
      type: "messaging",
      cid,
      created_at: at(-100),
      updated_at: at(-100),
      ...(messages.length ? { last_message_at: messages.at(-1)!.created_at } : {}),
      frozen: false,
      disabled: false,
      own_capabilities: CAPABLE,
      ...(name ? { name } : {}),
    },
    members: new Map(),
    memberCount: 3,
    watchers: new Map(),
    watcherCount: 2,
    watched: true,
    read: new Map(),
    unread: 0,
    mentions: 0,
    keepsUnread: false,
    sets: [messageSet(messages.map((m) => ({ ...m, cid })))],
    pinned: [],
    threads: new Map(),
    typing: [],
    liveLocations: [],
    hidden: false,
    unavailable: false,
    stale: false,
    ...rest,
  };
}

export function thread(parentId: string, replies: readonly ClientMessage[]): ThreadEntry {
  return {
    parentId,
    sets: [messageSet(replies.map((m) => ({ ...m, parent_id: parentId, type: "reply" as const })))],
  };
}

export function stateOf(channels: readonly ChannelEntry[], more: Partial<State> = {}): State {
  const me = ownUser("me", user("me"));
  return {
    link: { phase: "open", transport: "websocket", failures: 0, catchingUp: false, latency: 12 },
    me,
    users: new Map(["me", "ana", "bo", "cy"].map((id) => [id, user(id)])),
    channels: new Map(channels.map((entry) => [entry.cid, entry])),
    totals: { unread: channels.reduce((n, c) => n + c.unread, 0), channels: 0, threads: 0 },
    notices: [],
    outbox: 0,
    ...more,
  };
}

/** Core's lists before anything was loaded. */
export const NO_LISTS: UserListStates = {
  threads: NO_THREADS,
  reminders: { items: [], loaded: false, loading: false },
  locations: { tracked: [], elsewhere: [] },
};

export const NO_COUNTS = { inbox: 0, threads: 0, later: 0, drafts: 0 } as const;

export interface Asked {
  name: string;
  args: unknown[];
}

/** Unless a test answers otherwise, every channel that is looked up exists. */
function channelsNamed(name: string, args: unknown): object | undefined {
  const cid = (args as { body?: { filter_conditions?: { cid?: unknown } } } | undefined)?.body
    ?.filter_conditions?.cid;
  return name === "queryChannels" && typeof cid === "string"
    ? { channels: [{ channel: { cid } }] }
    : undefined;
}

/** Records every call; `change` sets a new state and notifies the listeners, as core does once a tick. */
export class FakeCore implements Core {
  readonly userId = "me";
  readonly answersDryRuns = (): boolean => false;
  readonly answeredLimits = (): [] => [];
  readonly oddities = (): [] => [];
  readonly asked: Asked[] = [];
  readonly kept = new Map<string, unknown>();
  readonly #drafts = new Map<string, LocalDraft>();
  readonly #listeners = new Set<() => void>();
  readonly #hearers = new Set<{ type: string; listener: (event: AnyEvent) => void }>();
  #state: State;
  #sent = 0;

  /** Advances only when a test does it; the composer's pauses and searches depend on it. */
  readonly clock = new VirtualClock(EPOCH);
  /** Upload steps; nothing is uploaded unless a test replaces them. */
  readonly uploads: AttachmentsDeps["uploads"] = {
    checkWrite: async () => {},
    prepare: async (file) => ({
      source: { name: file, size: 1, mimeType: "text/plain" } as UploadSource,
      attachment: { type: "file", title: file },
    }),
    findBlock: async () => undefined,
    transfer: () => Promise.reject(new Error("the fake uploads nothing")),
  };
  readonly audiences = new Audiences({
    call: (name, args) => this.call(name, args) as never,
    state: () => this.#state,
    threadParent: () => undefined,
  });
  readonly #composers: ComposerRegistry;
  readonly threads: ThreadList;
  readonly reminders: ReminderList;
  readonly locations: LocationManager;
  readonly providerDrafts: ProviderDrafts;
  /** Answers by call name; other calls get no answer. */
  readonly answers = new Map<string, (args: never) => unknown>();

  constructor(state: State, { linkPreviews = false }: { linkPreviews?: boolean } = {}) {
    this.#state = state;
    this.#composers = this.#makeComposers(linkPreviews);
    this.threads = this.#makeThreads();
    this.reminders = createReminders(this.#listDeps);
    this.locations = new LocationManager({ ...this.#listDeps, deviceId: () => "device" });
    this.providerDrafts = createProviderDrafts({ ...this.#listDeps, enabled: true });
  }
  /** Real composers on top of the recorded calls. */
  #makeComposers(linkPreviews: boolean): ComposerRegistry {
    const plain = ({ id: _id, uploads = [], ...rest }: OutgoingMessage): OutgoingMessage => ({
      ...rest,
      ...(uploads.length > 0 && { uploads }),
    });
    const send = (place: ThreadRef, composition: OutgoingMessage) => this.send(place, plain(composition));
    return new ComposerRegistry({
      call: (name, args) => this.call(name, args) as never,
      clock: this.clock,
      random: fixedRandom(),
      log: fakeLog(),
      drafts: {
        get: (place) => this.draft(place),
        all: () => this.drafts(),
        save: (draft) => this.saveDraft(draft),
        sent: () => {},
        flush: () => {},
        close: () => {},
      },
      audiences: this.audiences,
      uploads: this.uploads as Uploads,
      state: () => this.#state,
      userId: () => this.userId,
      now: () => EPOCH,
      deviceId: () => "device",
      syncDrafts: false,
      providerDraft: () => undefined,
      linkPreviews,
      locations: true,
      send,
      sendSeparately: send,
      edit: (edited, set) => this.edit(edited, set),
      typed: (place, text) => this.typed(place, text),
      notify: (notice) => this.notify(notice),
    });
  }
  setLinkPreviews(on: boolean): void {
    this.#composers.setLinkPreviews(on);
  }
  composer(place: ThreadRef, options?: ComposerOptions): Composer {
    return this.#composers.composer(place, options);
  }
  #ask(name: string, ...args: unknown[]): void {
    this.asked.push({ name, args });
  }
  /** Arguments of every call with this name. */
  calls(name: string): unknown[][] {
    return this.asked.filter((a) => a.name === name).map((a) => a.args);
  }
  change(change: (state: State) => State): void {
    this.#state = change(this.#state);
    for (const listener of this.#listeners) listener();
  }
  changeChannel(cid: string, change: (entry: ChannelEntry) => ChannelEntry): void {
    this.change((state) => ({
      ...state,
      channels: new Map(state.channels).set(cid, change(state.channels.get(cid)!)),
    }));
  }
  /** Appends a message to the latest set of its channel, or to its thread. */
  arrive(cid: string, held: ClientMessage): void {
    this.changeChannel(cid, (entry) => {
      const add = (sets: readonly MessageSet[]): MessageSet[] =>
        sets.map((s) => (s.isLatest ? { ...s, messages: new ListTimeline([...s.messages, held]) } : s));
      if (held.parent_id === undefined) return { ...entry, sets: add(entry.sets) };
      const old = entry.threads.get(held.parent_id) ?? thread(held.parent_id, []);
      return {
        ...entry,
        threads: new Map(entry.threads).set(held.parent_id, { ...old, sets: add(old.sets) }),
      };
    });
  }

  state(): State {
    return this.#state;
  }
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  use(): void {}
  readonly on: Core["on"] = (type, listener) => {
    const entry = { type, listener: listener as (event: AnyEvent) => void };
    this.#hearers.add(entry);
    return () => this.#hearers.delete(entry);
  };
  /** Delivers an event to the lists and to the listeners of its type. */
  hear(event: { type: string; [more: string]: unknown }): void {
    this.threads.onEvent(event as never);
    this.reminders.onEvent(event as never);
    this.locations.onEvent(event as never);
    for (const search of this.#searches) search.onEvent?.(event as never);
    for (const { type, listener } of this.#hearers)
      if (type === event.type || type === "all") listener(event as never);
  }
  get hearers(): number {
    return this.#hearers.size;
  }
  /** A real list on top of the recorded calls and answers. */
  #makeThreads(): ThreadList {
    const list = new ThreadList(this.#listDeps);
    const seen = list.seen.bind(list);
    return Object.assign(list, {
      seen: (place: ThreadRef & { parentId: string }) => {
        this.#ask("seenThread", place);
        seen(place);
      },
    });
  }
  get #listDeps(): ThreadsDeps & RemindersDeps {
    return {
      call: (name, args) => this.call(name, args) as never,
      clock: this.clock,
      log: fakeLog(),
      state: () => this.#state,
      userId: () => this.userId,
      now: () => EPOCH,
      notify: (notice) => this.notify(notice),
    };
  }
  /** Locally stored messages, newest first. */
  held: Message[] = [];
  /** Searches that follow events. */
  readonly #searches: { onEvent?(event: AnyEvent): void }[] = [];
  heldChannels(): [] {
    return [];
  }

  /** A real search over `call` and the stored messages. */
  search(scope: SearchScope): SearchSource {
    const held = (question: LocalSearch, limit: number): Message[] =>
      this.held.filter((one) => question.fits(one)).slice(0, limit);
    return new SearchSource(
      {
        call: (name, args) => this.call(name, args) as never,
        clock: this.clock,
        held,
        me: () => this.userId,
        join: (part) => {
          this.#searches.push(part);
          return part;
        },
      },
      scope,
    );
  }
  members(cid: string, query?: MembersQuery): PagedList<Member> {
    const answered = (members: readonly Member[]): void =>
      this.changeChannel(cid, (entry) => ({
        ...entry,
        members: new Map([
          ...entry.members,
          ...members.map((each): [string, Member] => [each.user_id, each]),
        ]),
      }));
    const machine = {
      revision: () => 0,
      apply: (change: { kind: string }) => answered((change as unknown as { members: Member[] }).members),
    };
    return createMembers(
      { call: (name, args) => this.call(name, args) as never, machine: machine as never },
      cid,
      query,
    );
  }
  setLocalDevice(device: unknown): void {
    this.#ask("setLocalDevice", device);
  }
  async #operation(name: string, ...args: unknown[]): Promise<never> {
    this.#ask(name, ...args);
    return {} as never;
  }
  readonly act = (...args: unknown[]): Promise<never> => this.#operation("act", ...args);
  setUser(): void {}
  async connectUser(): Promise<OwnUser> {
    return this.#state.me!;
  }
  async disconnectUser(): Promise<void> {}
  reconnect(): void {
    this.#ask("reconnect");
  }
  restore(): void {}
  async close(): Promise<void> {}
  async call(name: string, args?: unknown): Promise<never> {
    this.#ask("call", name, args);
    return (this.answers.get(name)?.(args as never) ?? channelsNamed(name, args) ?? {}) as never;
  }
  expectList(): void {}

  async listed(): Promise<undefined> {}

  async queryChannels(query: unknown): Promise<string[]> {
    this.#ask("queryChannels", query);
    return [...this.#state.channels.keys()];
  }
  watchExisting(cid: string): Promise<void> {
    return this.watch(cid);
  }
  async watch(cid: string): Promise<void> {
    this.#ask("watch", cid);
  }
  async stopWatching(cid: string): Promise<void> {
    this.#ask("stopWatching", cid);
  }
  async openDirect(userIds: string[]): Promise<string> {
    this.#ask("openDirect", userIds);
    return `messaging:!members-${userIds.join("-")}`;
  }
  async loadOlder(place: ThreadRef): Promise<boolean> {
    this.#ask("loadOlder", place);
    return true;
  }
  async loadNewer(place: ThreadRef): Promise<boolean> {
    this.#ask("loadNewer", place);
    return true;
  }
  async jumpTo(place: ThreadRef, id: string): Promise<void> {
    this.#ask("jumpTo", place, id);
  }
  async loadAround(place: ThreadRef, id: string): Promise<void> {
    this.#ask("loadAround", place, id);
  }
  async backToLatest(place: ThreadRef): Promise<void> {
    this.#ask("backToLatest", place);
  }
  async openThread(cid: string, parentId: string): Promise<void> {
    this.#ask("openThread", cid, parentId);
  }
  send(place: ThreadRef, composition: OutgoingMessage): { id: string; outcome: Promise<SendOutcome> } {
    this.#ask("send", place, composition);
    const id = `me-sent-${++this.#sent}`;
    const held = message(id, "me", composition.text, {
      cid: place.cid,
      minute: 200 + this.#sent,
      status: "sending",
      ...(place.parentId === undefined ? {} : { parent_id: place.parentId, type: "reply" }),
    });
    this.#drafts.delete(`${place.cid} ${place.parentId ?? ""}`);
    this.arrive(place.cid, held);
    return { id, outcome: Promise.resolve({ state: "waiting", message: held }) };
  }
  /** Rows that `unsent` returns. */
  waitingRows: ReturnType<Core["unsent"]> = [];
  unsent(): ReturnType<Core["unsent"]> {
    return this.waitingRows;
  }
  dropUnsent(id: string): boolean | undefined {
    this.#ask("dropUnsent", id);
    return undefined;
  }
  /** Messages that `unsend` returns, by id. */
  readonly takenBack = new Map<string, MessageInput>();
  unsend(id: string, ...refused: boolean[]): MessageInput | undefined {
    this.#ask("unsend", id, ...refused);
    return this.takenBack.get(id);
  }
  retry(id: string): boolean {
    this.#ask("retry", id);
    return true;
  }
  drop(id: string): void {
    this.#ask("drop", id);
  }
  async edit(m: unknown, set: Record<string, unknown>, unset?: string[]): Promise<void> {
    this.#ask("edit", m, set, unset);
  }
  /** Ids of pending deletes. */
  readonly waitingDeletes = new Set<string>();
  keepMessage(id: string): boolean {
    this.#ask("keepMessage", id);
    return this.waitingDeletes.delete(id);
  }
  async remove(m: unknown, how?: unknown): Promise<void> {
    this.#ask("remove", m, how);
  }
  async react(m: unknown, type: string, options?: unknown): Promise<void> {
    this.#ask("react", m, type, options);
  }
  async unreact(m: unknown, type: string): Promise<void> {
    this.#ask("unreact", m, type);
  }
  async pin(m: unknown, pinned: boolean): Promise<void> {
    this.#ask("pin", m, pinned);
  }
  seen(cid: string, ...upTo: string[]): void {
    this.#ask("seen", cid, ...upTo);
  }
  left(cid: string): void {
    this.#ask("left", cid);
  }
  endLine(cid: string): void {
    this.#ask("endLine", cid);
  }
  hold(cid: string, on: boolean): void {
    this.#ask("hold", cid, on);
  }
  async markRead(cid: string): Promise<void> {
    this.#ask("markRead", cid);
  }
  async markUnread(cid: string, id: string): Promise<void> {
    this.#ask("markUnread", cid, id);
  }
  typed(place: ThreadRef, text: string): void {
    this.#ask("typed", place, text);
  }
  draft(place: ThreadRef): LocalDraft | undefined {
    return this.#drafts.get(`${place.cid} ${place.parentId ?? ""}`);
  }
  drafts(): LocalDraft[] {
    return [...this.#drafts.values()];
  }
  replacedDrafts(): LocalDraft[] {
    return [];
  }
  saveDraft(draft: Omit<LocalDraft, "updatedAt">): void {
    this.#ask("saveDraft", draft);
    const key = `${draft.cid} ${draft.parentId ?? ""}`;
    if (draft.text === "" && !draft.quotedMessageId && !draft.editingId) this.#drafts.delete(key);
    else this.#drafts.set(key, { ...draft, updatedAt: EPOCH });
  }
  remember<T>(key: string): T | undefined {
    return this.kept.get(key) as T | undefined;
  }
  firstSent(): string | undefined {
    return undefined;
  }
  recordFirstSent(): void {}
  keep(key: string, value: unknown): void {
    this.kept.set(key, value);
  }
  dismiss(id: string): void {
    this.#ask("dismiss", id);
  }
  providerNow(): number {
    return EPOCH;
  }

  notify(notice: Parameters<Core["notify"]>[0]): string {
    this.#ask("notify", notice);
    const id = `n${this.calls("notify").length - 1}`;
    const given = { until: Number.POSITIVE_INFINITY, ...notice };
    this.change((state) => ({ ...state, notices: withNotice(state.notices, given, 0, id) }));
    return this.state().notices.at(-1)!.id;
  }
}
