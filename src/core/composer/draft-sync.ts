/** Synchronises drafts with the provider: saved after a rest in typing and on leaving, loaded into an empty composer (R-DRAFT, DR-1); off by default. */
import { CLOSE_WAIT, DEFAULT_MAX_MESSAGE_LENGTH, DRAFT_PROVIDER_DEBOUNCE } from "../../wire/constants.ts";
import type { Draft, DraftInput } from "../../wire/entities/draft.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { makeMessageId } from "../../wire/ids.ts";
import { compareTimes } from "../../wire/time.ts";
import { partsOf } from "../base/validate-call.ts";
import { parentOf, placeKey } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { ApiError } from "../../model/errors.ts";
import type { Timer } from "../base/ports.ts";
import type { LocalDraft } from "../store/store.ts";
import { cutText } from "../../text/pieces.ts";
import type { Services } from "../http/services.ts";

/** What is kept of a composition: never an edit, never an upload that has not finished (R-DRAFT-8). */
export type DraftContent = NonNullable<LocalDraft["aside"]>;

interface DraftSyncDeps extends Pick<Services, "call" | "clock" | "random" | "log" | "state" | "userId"> {
  /** The composer's own limit; absent = the channel's. */
  maximum?: number;
}

interface DraftRecord {
  place: ThreadRef;
  /** What the provider keeps as far as is known; undefined = nothing. */
  stored?: { content: string; at: string } | undefined;
  /** What is to be saved. */
  wanted?: DraftContent | undefined;
  /** Of the draft message, the same for all its saves. */
  id?: string;
  opened: boolean;
  /** Changed since it was opened. */
  touched: boolean;
  /** Sends of the place that have not been decided. */
  sending: number;
  timer?: Timer | undefined;
  flight?: Promise<void> | undefined;
}

const NOTHING: DraftContent = { text: "" };

/** R-DRAFT-4. */
function isEmpty(content: DraftContent): boolean {
  return content.text.trim() === "" && content.quotedMessageId === undefined && !content.attachments?.length;
}

/** Same content, same text: what differs in absent keys alone is the same. */
function printOf({
  text,
  quotedMessageId,
  showInChannel,
  attachments,
  mentionedUsers,
}: DraftContent): string {
  return JSON.stringify([
    text,
    quotedMessageId ?? null,
    showInChannel === true,
    attachments ?? [],
    mentionedUsers ?? [],
  ]);
}

/** Text and quote: what tells one draft of a place from another. */
const headOf = ({ text, quotedMessageId }: DraftContent): string =>
  JSON.stringify([text, quotedMessageId ?? null]);
const headOfPrint = (print: string | undefined): string | undefined =>
  print === undefined ? undefined : JSON.stringify((JSON.parse(print) as unknown[]).slice(0, 2));

function contentOf({ message }: Draft): DraftContent {
  return {
    text: message.text ?? "",
    ...(message.quoted_message_id !== undefined && { quotedMessageId: message.quoted_message_id }),
    ...(message.show_in_channel && { showInChannel: true }),
    ...(message.attachments?.length && { attachments: message.attachments }),
    ...(message.mentioned_users?.length && { mentionedUsers: message.mentioned_users.map(({ id }) => id) }),
  };
}

export class DraftSync {
  readonly #deps: DraftSyncDeps;
  readonly #entries = new Map<string, DraftRecord>();

  constructor(deps: DraftSyncDeps) {
    this.#deps = deps;
  }

  /** What the provider keeps for the place, for a composer that opens empty (R-DRAFT-5); it counts as untouched from now on. */
  opened(place: ThreadRef): DraftContent | undefined {
    const entry = this.#entryOf(place);
    Object.assign(entry, { opened: true, touched: false });
    const told = this.#toldBy(place);
    learn(entry, told);
    return told && entry.stored?.at === told.created_at ? contentOf(told) : undefined;
  }

  /** The composition of the place is this now. */
  onChanged(place: ThreadRef, content: DraftContent): void {
    const { clock } = this.#deps;
    const entry = this.#entryOf(place);
    if (entry.wanted !== undefined && printOf(entry.wanted) === printOf(content)) return;
    // The empty box that a send leaves behind is not the user's doing.
    if (!isEmpty(content) || entry.sending === 0) entry.touched = true;
    entry.wanted = content;
    clock.clearTimeout(entry.timer);
    entry.timer = clock.setTimeout(() => void this.#save(entry), DRAFT_PROVIDER_DEBOUNCE);
  }

  /** The text was queued: what becomes of the copy is decided by the outcome (R-DRAFT-6). */
  sent(place: ThreadRef): void {
    const entry = this.#entryOf(place);
    entry.sending += 1;
    entry.touched = false;
    entry.wanted = undefined;
    this.#deps.clock.clearTimeout(entry.timer);
    entry.timer = undefined;
  }

  outcome(place: ThreadRef, received: boolean): void {
    const entry = this.#entryOf(place);
    entry.sending = Math.max(0, entry.sending - 1);
    if (!received || entry.sending > 0 || !entry.stored) return;
    // What was written since is a draft of its own and is saved by its own wait.
    if (entry.wanted && !isEmpty(entry.wanted)) return;
    entry.wanted = NOTHING;
    void this.#save(entry);
  }

  /** The user looks elsewhere: what waits for any place of the channel is saved now (R-DRAFT-3). */
  onLeft(cid: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.place.cid !== cid) continue;
      Object.assign(entry, { opened: false, touched: false });
      if (entry.wanted) void this.#save(entry);
    }
  }

  /**
   * A draft event; the answer says what the composer of the place shall hold now, undefined = leave it (R-DRAFT-7).
   * `local` is what this machine keeps of a place: it stays when it was never opened here and says something else.
   */
  onEvent(
    event: AnyEvent,
    local: (place: ThreadRef) => DraftContent | undefined,
  ): { place: ThreadRef; content: DraftContent } | undefined {
    const place = placeOf(event);
    if (!place) return undefined;
    const entry = this.#entryOf(place);
    const before = entry.stored;
    const content = event.type === "draft.deleted" ? forgotten(entry, event) : learned(entry, event);
    if (!content || entry.touched || entry.flight || entry.wanted) return undefined;
    const held = local(place);
    // Written here in an earlier run and never copied: it is not thrown away.
    const own = !entry.opened && held && !isEmpty(held) && headOf(held) !== headOfPrint(before?.content);
    return own ? undefined : { place, content };
  }

  /** Quit: saves what waits, for at most CLOSE_WAIT. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#save(entry, CLOSE_WAIT)));
  }

  /** The user is gone. */
  reset(): void {
    for (const { timer } of this.#entries.values()) this.#deps.clock.clearTimeout(timer);
    this.#entries.clear();
  }

  #entryOf(place: ThreadRef): DraftRecord {
    const held = this.#entries.get(placeKey(place));
    if (held) return held;
    const entry: DraftRecord = { place, opened: false, touched: false, sending: 0 };
    learn(entry, this.#toldBy(place));
    this.#entries.set(placeKey(place), entry);
    return entry;
  }

  /** The draft that came with the channel, or with the parent of a thread (DR-5). */
  #toldBy(place: ThreadRef): Draft | undefined {
    const state = this.#deps.state();
    if (place.parentId === undefined) return state.channels.get(place.cid)?.draft;
    return parentOf(state, place.cid, place.parentId)?.draft;
  }

  /** Makes the provider's copy what is wanted; one call at a time a place, so that the last one wins. */
  async #save(entry: DraftRecord, timeout?: number): Promise<void> {
    this.#deps.clock.clearTimeout(entry.timer);
    entry.timer = undefined;
    await entry.flight;
    const { wanted } = entry;
    if (!wanted || this.#deps.userId() === undefined) return;
    entry.wanted = undefined;
    const limit = timeout === undefined ? {} : { timeout };
    const flight = this.#copy(entry, wanted, limit).finally(() => {
      if (entry.flight === flight) entry.flight = undefined;
    });
    entry.flight = flight;
    await flight;
  }

  async #copy(entry: DraftRecord, wanted: DraftContent, limit: { timeout?: number }): Promise<void> {
    try {
      if (isEmpty(wanted)) await this.#drop(entry, limit);
      else await this.#store(entry, wanted, limit);
    } catch (error) {
      this.#deps.log.debug("the provider's copy of a draft could not be kept", { error: String(error) });
      // A refusal stands until the text changes; a passing failure is made good with the next save.
      if (!(error instanceof ApiError) || error.retryable) entry.wanted ??= wanted;
    }
  }

  async #drop(entry: DraftRecord, limit: { timeout?: number }): Promise<void> {
    // While a send is on its way the copy is all there is of the text, should it fail (R-DRAFT-6).
    if (!entry.stored || entry.sending > 0) return;
    const { cid, parentId } = entry.place;
    const query = parentId === undefined ? {} : { parent_id: parentId };
    await this.#deps.call("deleteDraft", { path: partsOf(cid), query, ...limit });
    entry.stored = undefined;
    delete entry.id;
  }

  async #store(entry: DraftRecord, wanted: DraftContent, limit: { timeout?: number }): Promise<void> {
    const { cid } = entry.place;
    // DR-1, R-DRAFT-2.
    const content = { ...wanted, text: cutText(wanted.text, this.#maximumOf(cid)) };
    if (entry.stored?.content === printOf(content)) return;
    const body = { message: this.#messageOf(entry, content) };
    const { draft } = await this.#deps.call("saveDraft", { path: partsOf(cid), body, ...limit });
    entry.stored = draft && { content: printOf(content), at: draft.created_at };
  }

  #maximumOf(cid: string): number {
    const config = this.#deps.state().channels.get(cid)?.channel.config;
    return this.#deps.maximum ?? config?.max_message_length ?? DEFAULT_MAX_MESSAGE_LENGTH;
  }

  #messageOf(entry: DraftRecord, content: DraftContent): DraftInput {
    const { quotedMessageId, showInChannel, attachments, mentionedUsers } = content;
    const { parentId } = entry.place;
    entry.id ??= makeMessageId(this.#deps.userId() ?? "", this.#deps.random.uuid());
    return {
      id: entry.id,
      text: content.text,
      ...(attachments?.length && { attachments: [...attachments] }),
      ...(mentionedUsers?.length && { mentioned_users: [...mentionedUsers] }),
      ...(parentId !== undefined && { parent_id: parentId }),
      ...(parentId !== undefined && showInChannel && { show_in_channel: true }),
      ...(quotedMessageId !== undefined && { quoted_message_id: quotedMessageId }),
    };
  }
}

function placeOf(event: AnyEvent): ThreadRef | undefined {
  const draft = event.draft as Draft | undefined;
  const cid = event.cid ?? draft?.channel_cid;
  const parentId = (event.parent_id as string | undefined) ?? draft?.parent_id;
  return cid === undefined ? undefined : { cid, ...(parentId !== undefined && { parentId }) };
}

function learn(entry: DraftRecord, draft: Draft | undefined): void {
  if (!draft || compareTimes(draft.created_at, entry.stored?.at) < 0) return;
  entry.stored = { content: printOf(contentOf(draft)), at: draft.created_at };
  if (draft.message.id) entry.id = draft.message.id;
}

/** What another device saved; undefined for an echo of the own save, or one that is older than what is known. */
function learned(entry: DraftRecord, event: AnyEvent): DraftContent | undefined {
  const draft = event.draft as Draft | undefined;
  if (!draft?.message) return undefined;
  const before = entry.stored;
  learn(entry, draft);
  if (entry.stored?.at !== draft.created_at || entry.stored.content === before?.content) return undefined;
  return contentOf(draft);
}

/** Nothing, where another device deleted what was known; undefined when that is older, or nothing was. */
function forgotten(entry: DraftRecord, event: AnyEvent): DraftContent | undefined {
  const before = entry.stored;
  if (compareTimes(event.created_at, before?.at) < 0) return undefined;
  entry.stored = undefined;
  delete entry.id;
  return before && NOTHING;
}
