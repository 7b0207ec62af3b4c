/** The public face of the client core: what the screen, the commands and a script may ask of it. */
import type { Attachment } from "../wire/attachment.ts";
import type { BodyOf, EndpointName, PathOf, QueryChannelsBody, QueryOf, ReplyOf } from "../wire/endpoints.ts";
import type { AnyEvent } from "../wire/events.ts";
import type { Message, SendOptions } from "../wire/message.ts";
import type { OwnUser } from "../wire/user.ts";
import type { HeldMessage, Notice, State } from "./state/model.ts";
import type { LocalDraft } from "./store/store.ts";

/** A text, or a function asked again when the token has expired (code 40). */
export type TokenSource = string | (() => string | Promise<string>);

export interface CallArgs<K extends EndpointName> {
  path?: PathOf<K>;
  query?: QueryOf<K>;
  body?: BodyOf<K>;
  signal?: AbortSignal;
  /** Milliseconds; default REQUEST_TIMEOUT, 0 = none. */
  timeout?: number;
  /** Repeats of a safe call on network errors, timeouts and 5xx; default 0. */
  retries?: number;
}

/** A channel, or a thread of it. */
export interface Place {
  cid: string;
  parentId?: string;
}

export interface Composition {
  text: string;
  id?: string;
  attachments?: Attachment[];
  /** Files of the composer: none may be on its way (R-SEND-1); finished ones are attached, the others are not (R-ATT-7). */
  uploads?: readonly Upload[];
  mentionedUsers?: string[];
  quotedMessageId?: string;
  showInChannel?: boolean;
  silent?: boolean;
  custom?: Record<string, unknown>;
  options?: SendOptions;
}

export type SendOutcome =
  | { state: "received"; message: Message }
  /** Refused by the provider, by moderation or by a command; the row stays for the user to drop or retry. */
  | { state: "failed"; message: HeldMessage; error: Error }
  /** Not acknowledged within the wait: still in the outbox. */
  | { state: "waiting"; message: HeldMessage };

export interface Upload {
  localId: string;
  name: string;
  state: "pending" | "uploading" | "finished" | "failed" | "blocked";
  reason?: string;
  sent: number;
  total: number;
  attachment: Attachment;
}

export interface Core {
  readonly userId: string | undefined;
  state(): State;
  /** Called once a tick after state has changed. */
  subscribe(listener: () => void): () => void;
  /** Events after state has changed; `"all"` for every one. */
  on(type: string, listener: (event: AnyEvent) => void): () => void;

  /** Enough for calls without a connection (decisions 14). */
  setUser(user: { id: string; name?: string }, token: TokenSource): void;
  /** Stays pending while the network fails (`link` says why, and goes on trying); rejects when the provider or a local check refuses. */
  connectUser(user: { id: string; name?: string }, token: TokenSource): Promise<OwnUser>;
  disconnectUser(): Promise<void>;
  /** Try now instead of at `link.retryAt`. */
  reconnect(): void;
  /** Fills the state from the cache, before any network. */
  restore(): void;
  /** Releases timers, sockets and files; outbox rows stay. */
  close(): Promise<void>;

  /** One typed call. Throws `ApiError` or `TransportError`. The reply is not fed to the reducers. */
  call<K extends EndpointName>(name: K, args?: CallArgs<K>): Promise<ReplyOf<K>>;

  /** Queries and holds channels; the cids in the answer's order. */
  queryChannels(query: QueryChannelsBody): Promise<string[]>;
  /** Gets or creates, watches, and holds the newest page. */
  watch(cid: string, data?: Record<string, unknown>): Promise<void>;
  stopWatching(cid: string): Promise<void>;
  /** The channel with exactly these members (and the own user), its cid. */
  openDirect(userIds: string[], type?: string): Promise<string>;
  /** A page on that side of the current set; refused without a request where R-SET-15 says so. */
  loadOlder(place: Place): Promise<boolean>;
  loadNewer(place: Place): Promise<boolean>;
  /** R-SET-12: makes the set that holds the message current, loading around it when none does. */
  jumpTo(place: Place, messageId: string): Promise<void>;
  /** R-SET-14. */
  backToLatest(place: Place): Promise<void>;
  openThread(cid: string, parentId: string): Promise<void>;

  /** Outbox first, then the network: it is in the state when this has been called (D1). Throws `StoreFailure` when it cannot be kept. */
  send(place: Place, composition: Composition): { id: string; outcome: Promise<SendOutcome> };
  retry(messageId: string): void;
  drop(messageId: string): void;
  edit(message: Message, set: Record<string, unknown>, unset?: string[]): Promise<void>;
  remove(message: Message, how?: { hard?: boolean; forMe?: boolean }): Promise<void>;
  react(message: Message, type: string, options?: { score?: number; unique?: boolean }): Promise<void>;
  unreact(message: Message, type: string): Promise<void>;
  pin(message: Message, pinned: boolean, expires?: string): Promise<void>;

  /** The channel is on screen at its newest message (R-READ-3): throttled, at most one call a second. */
  seen(cid: string): void;
  /** The user looks elsewhere: a held unread mark is released (R-READ-6). */
  left(cid: string): void;
  markRead(cid: string): Promise<void>;
  markUnread(cid: string, messageId: string): Promise<void>;

  /** A key stroke with text in the composer (R-TYPE-1); `""` stops (R-TYPE-4). */
  typed(place: Place, text: string): void;

  draft(place: Place): LocalDraft | undefined;
  drafts(): LocalDraft[];
  /** Kept at once in memory and within DRAFT_LOCAL_DEBOUNCE on disk (D10). */
  saveDraft(draft: Omit<LocalDraft, "updatedAt">): void;

  /** Small JSON values of the screen (last channel, folded groups), kept in state.db. */
  remember<T>(key: string): T | undefined;
  keep(key: string, value: unknown): void;

  /** Checked against the app's rules, then sent with progress; the attachment is complete when it resolves. */
  upload(
    cid: string,
    file: string,
    options?: { signal?: AbortSignal; onProgress?(upload: Upload): void },
  ): Promise<Upload>;

  notify(notice: Pick<Notice, "level" | "text"> & Partial<Notice>): void;
}
