/** The store of core: outbox, drafts and screen state (state.db, durable), and the cache (cache.db, can be rebuilt). */
import type { LocalSearch } from "../../model/search-query.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { OwnUser } from "../../wire/entities/user.ts";
import type { OutboxRow } from "../base/outbox-row.ts";

export { StoreFailure } from "../../model/files/storage.ts";

export interface LocalDraft {
  cid: string;
  parentId?: string;
  text: string;
  quotedMessageId?: string;
  showInChannel?: boolean;
  attachments?: readonly Attachment[];
  /** Paths of local files that are not uploaded yet. */
  files?: readonly string[];
  /** Paths of files that are uploaded with the send only. */
  heldFiles?: readonly string[];
  mentionedUsers?: readonly string[];
  /** Who was chosen to see it; none: everybody; absent: whoever sees what it answers (R-SEND-16). */
  onlyFor?: readonly string[];
  editingId?: string;
  /** The draft from before the edit began. */
  aside?: Omit<LocalDraft, "cid" | "parentId" | "editingId" | "aside" | "updatedAt">;
  updatedAt: number;
}

/** Methods throw `StoreFailure` when the disk fails: a write that returns is durable (D1). */
export interface Store {
  /** Adds the row and removes the draft of its channel or thread in one durable transaction. */
  enqueue(row: Omit<OutboxRow, "seq">, clearDraft?: { cid: string; parentId?: string }): OutboxRow;
  outbox(): OutboxRow[];
  update(
    seq: number,
    change: Partial<Pick<OutboxRow, "state" | "tries" | "owner" | "notBefore" | "error" | "action" | "once">>,
  ): void;
  /** Stores the provider's copy in the cache, then removes the row. */
  settle(seq: number, copy?: Message): void;
  remove(seq: number): void;
  /** Takes or keeps the lease that lets one process take over rows of ended processes; false when another has it. */
  lease(owner: string): boolean;
  /** The owner of rows of this process. */
  readonly owner: string;
  alive(owner: string): boolean;

  draft(cid: string, parentId?: string): LocalDraft | undefined;
  drafts(): LocalDraft[];
  saveDraft(draft: LocalDraft): void;
  dropDraft(cid: string, parentId?: string): void;
  /** Drafts that another process overwrote, most recently replaced first (D10). */
  replacedDrafts(): LocalDraft[];

  /** Small JSON values: screen state, device id, sync checkpoint. */
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;

  /** The digest of what was first sent under a chosen message id; the oldest records are dropped. */
  firstSent(messageId: string): string | undefined;
  recordFirstSent(messageId: string, digest: string): void;

  cache: Cache;
  close(): void;
}

export interface Cache {
  me(): OwnUser | undefined;
  /** The cached channels, most recently active first, each with its newest page of messages. */
  channels(messages: number): ChannelState[];
  saveMe(me: OwnUser): void;
  /** Stores newest pages of channels; new messages are added to them from then on. A page that overlaps nothing replaces the stored one (D6). */
  saveChannels(states: ChannelState[]): void;
  /** Stores newer versions of cached messages; others are ignored, because they would leave gaps. New messages come with their events. */
  saveMessages(messages: Message[]): void;
  /** The connection was lost: new messages are not stored until the next page (D6). */
  interrupted(): void;
  /** Removes messages before this one, which may have changed unnoticed (D7). */
  dropOlder(cid: string, from: Message): void;
  dropChannel(cid: string): void;
  /** Matching messages, newest first; without `all` only in recently active channels, which is fast. */
  search(question: LocalSearch, limit: number, all: boolean): Message[];
  /** Applies a batch of events that has already been reduced. */
  note(events: AnyEvent[]): void;
}
