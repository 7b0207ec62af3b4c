/** The public face of the client core: what the screen, the commands and a script may ask of it. */
import type { Member } from "../wire/entities/channel.ts";
import type { EndpointName, ReplyOf } from "../wire/endpoints/index.ts";
import type { EventNamed } from "../wire/events.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import type { CallArgs, OutgoingMessage, Sent, Steps, TokenSource } from "./base/api-types.ts";
import type { ThreadRef, Notice, State } from "../model/state.ts";
import type { Composer } from "./composer/composer.ts";
import type { ComposerOptions } from "./composer/composer-registry.ts";
import type { MembersQuery } from "./lists/members.ts";
import type { PagedList } from "./lists/paged.ts";
import type { ReminderList } from "./lists/reminders.ts";
import type { SearchScope, SearchSource } from "./lists/search.ts";
import type { ThreadList } from "./lists/threads.ts";
import type { LocationManager } from "./locations/manager.ts";
import type { Actions } from "./features/actions.ts";
import type { Lifecycle } from "./features/lifecycle.ts";
import type { PageLoading } from "./features/pages.ts";
import type { ChannelViewing } from "./features/viewing.ts";
import type { MessageChanges, UnsentMessages } from "./outbox/outbox.ts";
import type { LocalDraft } from "./store/store.ts";

export type {
  CallArgs,
  CallDefaults,
  CallReport,
  OutgoingMessage,
  Parked,
  SendOutcome,
  Sent,
  Steps,
  TokenSource,
  Upload,
} from "./base/api-types.ts";
export type { ThreadRef } from "../model/state.ts";

interface LocalDevice {
  id: string;
  push_provider: string;
  push_provider_name?: string;
}

/** What is heard and forgotten by core itself, and by nobody else. */
type Inner = "heard" | "connected" | "forget";

/**
 * Three layers, thinnest first:
 * - `call(name, …)`: every route of the protocol by the name of its row, typed. It keeps nothing.
 * - flat verbs on messages and channels (`send`, `edit`, `react`, `watch`, `markRead` …) that change `state()`.
 * - objects with a state of their own, each with `state()` and `subscribe()` (base/observable.ts): `composer(place)` for one
 *   box to write in, `threads`, `reminders` and `locations` of the own user, and `search(scope)` and `members(cid)`, made
 *   anew for each use. They hear events and the connection by themselves; nobody feeds them.
 *
 * Times are texts as the provider writes them (RFC 3339); numbers that say nothing else are milliseconds.
 */
export interface Core
  extends Actions, ChannelViewing, Lifecycle, MessageChanges, PageLoading, UnsentMessages {
  readonly userId: string | undefined;
  state(): State;
  /** Called once a tick after state has changed. */
  subscribe(listener: () => void): () => void;
  /** Events after state has changed; `"all"` for every one. */
  on<T extends string>(type: T, listener: (event: EventNamed<T>) => void): () => void;

  /** Stays pending while the network fails (`link` says why, and goes on trying); rejects when the provider or a local check refuses. */
  connectUser(user: { id: string; name?: string }, token: TokenSource): Promise<OwnUser>;
  /** A push device of this machine, registered with each handshake (specification/auth.md §4); throws `LocalError` while a connection is open or opening. */
  setLocalDevice(device: LocalDevice): void;
  /** Enough for calls without a connection (specification/auth.md §4). */
  setUser(user: { id: string; name?: string }, token: TokenSource): void;
  /** Try now instead of at `link.retryAt`. */
  reconnect(): void;

  /** One typed call. Throws `ApiError` or `TransportError`. The reply is not fed to the reducers, but for that of an own vote (polls.ts). */
  call<K extends EndpointName>(name: K, args?: CallArgs<K>): Promise<ReplyOf<K>>;

  /** From now on these run around what this core does: `beforeWrite` keeps changes from happening, so that none can be forgotten. */
  use(steps: Steps): void;

  /** Outbox first, then the network: it is in the state when this has been called (D1). Throws `StoreFailure` when it cannot be kept. */
  send(place: ThreadRef, composition: OutgoingMessage): Sent;
  /** Takes back a delete that still waits its `afterMs`; false when it is too late. */
  keepMessage(messageId: string): boolean;

  markRead(cid: string): Promise<void>;
  markUnread(cid: string, messageId: string): Promise<void>;

  /**
   * The box to write in of a place, the same one each time (R-SEND-4, R-LINK, R-ATT, R-MENT, R-CMD, R-POLL, R-LOC-1);
   * with `transient` one for a single message of a script.
   */
  composer(place: ThreadRef, options?: ComposerOptions): Composer;
  /** Own threads, by unread and newest reply (R-THREAD). */
  readonly threads: Omit<ThreadList, Inner>;
  /** Own reminders and bookmarks (R-REM). */
  readonly reminders: Omit<ReminderList, Inner>;
  /** Own live locations (R-LOC). */
  readonly locations: Omit<LocationManager, Inner>;
  /** A search of its own in these channels (R-SEARCH). */
  search(scope: SearchScope): SearchSource;
  /** Members of a channel, page by page. Throws the local checks of a cid. */
  members(cid: string, query?: MembersQuery): PagedList<Member>;

  /** All drafts of this machine; a composer writes them: at once in memory, within DRAFT_LOCAL_DEBOUNCE on disk (D10). */
  drafts(): LocalDraft[];
  /** Drafts that another Parley of this machine has replaced by one of the same place, the last replaced first (D10). Throws `StoreFailure`. */
  replacedDrafts(): LocalDraft[];

  /** Small JSON values of the screen (last channel, folded groups), kept in state.db. */
  remember<T>(key: string): T | undefined;
  keep(key: string, value: unknown): void;

  /** Milliseconds since the epoch by the provider's clock (specification/wire.md §7). */
  providerNow(): number;
  /** The id of the notice that stands now: the same words said again keep the one they had. */
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): string;
  /** Closes a notice early (R-NOTE-3). */
  dismiss(noticeId: string): void;
}
