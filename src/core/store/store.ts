/** What core keeps on disk: the outbox, drafts and screen state durably (state.db), the cache rebuildably (cache.db). */
import type { HeldQuestion } from "../../model/search-query.ts";
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
  /** Files that are at the provider. */
  attachments?: readonly Attachment[];
  /** Paths of files on this machine that are not there yet. */
  files?: readonly string[];
  mentionedUsers?: readonly string[];
  editingId?: string;
  /** What was written before the edit began. */
  aside?: Omit<LocalDraft, "cid" | "parentId" | "editingId" | "aside" | "updatedAt">;
  updatedAt: number;
}

/** Throws `StoreFailure` when the disk refuses: nothing is acknowledged that is not durable (D1). */
export interface Store {
  /** Adds the row and removes the draft of its channel or thread in one durable transaction. */
  enqueue(row: Omit<OutboxRow, "seq">, clearDraft?: { cid: string; parentId?: string }): OutboxRow;
  outbox(): OutboxRow[];
  update(
    seq: number,
    change: Partial<Pick<OutboxRow, "state" | "tries" | "owner" | "notBefore" | "error" | "action">>,
  ): void;
  /** Removes the row and stores the provider's copy in the cache, in that order of safety. */
  settle(seq: number, copy?: Message): void;
  remove(seq: number): void;
  /** Holds or takes the lease that lets one process drain rows of dead owners. */
  lease(owner: string): boolean;
  /** This process, as its rows name it. */
  readonly owner: string;
  alive(owner: string): boolean;

  draft(cid: string, parentId?: string): LocalDraft | undefined;
  drafts(): LocalDraft[];
  saveDraft(draft: LocalDraft): void;
  dropDraft(cid: string, parentId?: string): void;
  /** Drafts that another program's draft of the same place has replaced, the last replaced first (D10). */
  replacedDrafts(): LocalDraft[];

  /** Small JSON values: screen state, device id, sync checkpoint. */
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;

  cache: Cache;
  close(): void;
}

export interface Cache {
  me(): OwnUser | undefined;
  /** The channel list as it was last known, newest activity first, each with its newest page of messages. */
  channels(messages: number): ChannelState[];
  saveMe(me: OwnUser): void;
  /** Newest pages of channels; from then on new messages are kept behind them. A page that overlaps nothing stored replaces it (D6). */
  saveChannels(states: ChannelState[]): void;
  /** Newer versions of what is stored; others are left out, they would make holes: new messages come with their events. */
  saveMessages(messages: Message[]): void;
  /** The link was lost: nothing new is kept behind what is stored until a page comes (D6). */
  interrupted(): void;
  dropChannel(cid: string): void;
  /** Stored messages that fit, newest first; not of `all` channels, but of those active last, it takes no time that is felt. */
  search(question: HeldQuestion, limit: number, all: boolean): Message[];
  /** Applies a batch of events that has already been reduced. */
  note(events: AnyEvent[]): void;
}
