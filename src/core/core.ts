/** The public interface of the client core, used by the screen, the commands and scripts. */
import type { ChannelState, Member } from "../wire/entities/channel.ts";
import type { EndpointName, ReplyOf } from "../wire/endpoints/index.ts";
import type { EventNamed } from "../wire/events.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import type { CallArgs, OutgoingMessage, Sent, Steps, TokenSource } from "./base/api-types.ts";
import type { ThreadRef, Notice, State } from "../model/state.ts";
import type { Audiences } from "./composer/audiences.ts";
import type { Composer } from "./composer/composer.ts";
import type { ComposerOptions } from "./composer/composer-registry.ts";
import type { MembersQuery } from "./lists/members.ts";
import type { PagedList } from "./lists/paged-list.ts";
import type { ProviderDrafts } from "./lists/provider-drafts.ts";
import type { ReminderList } from "./lists/reminders.ts";
import type { SearchScope, SearchSource } from "./lists/search.ts";
import type { ThreadList } from "./lists/threads.ts";
import type { AnsweredLimit } from "./http/answered-limits.ts";
import type { Oddity } from "./http/oddities.ts";
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

/** Methods that only core's own bus calls. */
type BusMethods = "onEvent" | "onConnected" | "reset";

/**
 * Three layers, thinnest first:
 * - `call(name, …)`: one typed request for every endpoint of the protocol. It leaves the state as it is.
 * - verbs on messages and channels (`send`, `edit`, `react`, `watch`, `markRead` …) that change `state()`.
 * - objects with their own `state()` and `subscribe()` (base/observable.ts): `composer(place)` for one input box,
 *   `threads`, `reminders` and `locations` of the current user, and `search(scope)` and `members(cid)`, created for each
 *   use. Core keeps them up to date with events and with the connection.
 *
 * Times are strings as the provider writes them (RFC 3339); numbers without a unit are milliseconds.
 */
export interface Core
  extends Actions, ChannelViewing, Lifecycle, MessageChanges, PageLoading, UnsentMessages {
  readonly userId: string | undefined;
  state(): State;
  /** Called after the state has changed, at most once a tick. */
  subscribe(listener: () => void): () => void;
  /** Called with an event once the state has taken it; `"all"` for every event. */
  on<T extends string>(type: T, listener: (event: EventNamed<T>) => void): () => void;

  /** Stays pending while the network fails (`state().link` has the reason; it keeps retrying); rejects when the provider or a local check refuses. */
  connectUser(user: { id: string; name?: string }, token: TokenSource): Promise<OwnUser>;
  /** The push device to register with each handshake (specification/auth.md §4); throws `LocalError` while a connection is open or opening. */
  setLocalDevice(device: LocalDevice): void;
  /** Sets the user for calls without opening a connection (specification/auth.md §4). */
  setUser(user: { id: string; name?: string }, token: TokenSource): void;
  /** Tries to connect now instead of at `link.retryAt`. */
  reconnect(): void;

  /** One typed call. Throws `ApiError` or `TransportError`. The reply does not change the state, except for votes of the current user (polls.ts). */
  call<K extends EndpointName>(name: K, args?: CallArgs<K>): Promise<ReplyOf<K>>;

  /** Whether calls with `dry` are possible: an embedded provider on this machine. */
  answersDryRuns(): boolean;

  /** What of the provider's answers and events was filled in or left out. */
  oddities(): Oddity[];

  /** The rate limits that the answers so far told, the last of each operation. */
  answeredLimits(): AnsweredLimit[];

  /** Sets the hooks around all calls of this core, replacing earlier ones; `beforeWrite` can prevent any change. */
  use(steps: Steps): void;

  /** Stores the message in the outbox and shows it in the state, then sends it (D1). Throws `StoreFailure` when it cannot be stored. */
  send(place: ThreadRef, composition: OutgoingMessage): Sent;
  /** Cancels a delete that still waits for its `afterMs`; false when it is too late. */
  keepMessage(messageId: string): boolean;

  markRead(cid: string): Promise<void>;
  markUnread(cid: string, messageId: string): Promise<void>;

  /**
   * The composer of a channel or thread, the same object each time (R-SEND-4, R-LINK, R-ATT, R-MENT, R-CMD, R-POLL,
   * R-LOC-1); with `transient` a new one for a single message of a script.
   */
  composer(place: ThreadRef, options?: ComposerOptions): Composer;
  /** Whether links get previews while one writes, from now on (R-LINK-1). */
  setLinkPreviews(on: boolean): void;
  /** Who sees the messages that others answer; a message that was read anyway is noted here, and then not looked up (R-SEND-16). */
  readonly audiences: Pick<Audiences, "note">;
  /** Threads of the current user, unread ones first, then by newest reply (R-THREAD). */
  readonly threads: Omit<ThreadList, BusMethods>;
  /** Reminders and bookmarks of the current user (R-REM). */
  readonly reminders: Omit<ReminderList, BusMethods>;
  /** Live locations of the current user (R-LOC). */
  readonly locations: Omit<LocationManager, BusMethods>;
  /** A new search in these channels (R-SEARCH). */
  search(scope: SearchScope): SearchSource;
  /** The channels in the cache on this machine, the latest active first, without messages. */
  heldChannels(): ChannelState[];
  /** Members of a channel, page by page. Throws `LocalError` for an invalid cid. */
  members(cid: string, query?: MembersQuery): PagedList<Member>;

  /** All drafts on this machine. Composers write them: at once in memory, within DRAFT_LOCAL_DEBOUNCE on disk (D10). */
  drafts(): LocalDraft[];
  /** Drafts at the provider, where other devices may have saved them; empty unless drafts are copied there (R-DRAFT-9). */
  readonly providerDrafts: Omit<ProviderDrafts, BusMethods | "at">;
  /** Drafts that another Parley process on this machine overwrote, most recently replaced first (D10). Throws `StoreFailure`. */
  replacedDrafts(): LocalDraft[];

  /** Reads a small JSON value of the screen (last channel, folded groups) from state.db. */
  remember<T>(key: string): T | undefined;
  keep(key: string, value: unknown): void;
  /** The digest recorded for a message that was sent under a chosen id, if it is among the last ones. */
  firstSent(messageId: string): string | undefined;
  /** Records the digest of a send that the provider has just accepted. */
  recordFirstSent(messageId: string, digest: string): void;

  /** The provider's time, milliseconds since the epoch (specification/wire.md §7). */
  providerNow(): number;
  /** Shows a notice and returns its id; repeating a notice that is shown returns the same id. */
  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): string;
  /** Closes a notice early (R-NOTE-3). */
  dismiss(noticeId: string): void;
}
