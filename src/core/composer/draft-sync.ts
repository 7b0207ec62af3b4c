/** Copies drafts to the provider after a pause in typing and on leaving, and loads them into empty composers (R-DRAFT, DR-1); off by default. */
import { CLOSE_WAIT, DRAFT_PROVIDER_DEBOUNCE } from "../../wire/constants.ts";
import type { Draft } from "../../wire/entities/draft.ts";
import type { DraftInput } from "../../wire/bodies/drafts.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { makeMessageId } from "../../wire/ids.ts";
import { compareTimes } from "../../wire/time.ts";
import { partsOf } from "../base/validate-call.ts";
import { longestText } from "../../model/channels.ts";
import { parentOf, placeKey } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { ApiError } from "../../model/errors.ts";
import type { Timer } from "../base/ports.ts";
import { cutText } from "../../text/pieces.ts";
import type { Services } from "../http/services.ts";
import { draftContent, placeOfDraftEvent, type DraftContent } from "../lists/provider-drafts.ts";

export interface DraftSyncDeps extends Pick<
  Services,
  "call" | "clock" | "random" | "log" | "state" | "userId"
> {
  /** Longest text; absent = the channel's limit. */
  maximum?: number;
  /** The listed draft of a place whose channel or thread may not be loaded. */
  providerDraft(place: ThreadRef): Draft | undefined;
}

interface DraftRecord {
  place: ThreadRef;
  /** The provider's last known copy; undefined = none. */
  stored?: { content: string; at: string } | undefined;
  unsaved?: DraftContent | undefined;
  /** Id of the draft message, the same for all saves. */
  id?: string;
  opened: boolean;
  /** Changed since the composer was opened. */
  touched: boolean;
  /** Number of sends without an outcome. */
  sending: number;
  timer?: Timer | undefined;
  saving?: Promise<void> | undefined;
}

const EMPTY_DRAFT: DraftContent = { text: "" };

/** R-DRAFT-4. */
function isEmpty(content: DraftContent): boolean {
  return content.text.trim() === "" && content.quotedMessageId === undefined && !content.attachments?.length;
}

/** Equal for equal content, whether or not optional keys are present. */
function fingerprint({
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

/** The parts by which two drafts are compared. */
const textAndQuote = ({ text, quotedMessageId }: DraftContent): string =>
  JSON.stringify([text, quotedMessageId ?? null]);
const textAndQuoteOfFingerprint = (print: string | undefined): string | undefined =>
  print === undefined ? undefined : JSON.stringify((JSON.parse(print) as unknown[]).slice(0, 2));

export class DraftSync {
  readonly #deps: DraftSyncDeps;
  readonly #entries = new Map<string, DraftRecord>();

  constructor(deps: DraftSyncDeps) {
    this.#deps = deps;
  }

  /** The provider's copy for an empty composer that opens (R-DRAFT-5); the draft counts as untouched from now on. */
  opened(place: ThreadRef): DraftContent | undefined {
    const entry = this.#entryOf(place);
    Object.assign(entry, { opened: true, touched: false });
    const remote = this.#knownDraft(place);
    recordStored(entry, remote);
    return remote && entry.stored?.at === remote.created_at ? draftContent(remote) : undefined;
  }

  onChanged(place: ThreadRef, content: DraftContent): void {
    const { clock } = this.#deps;
    const entry = this.#entryOf(place);
    if (entry.unsaved !== undefined && fingerprint(entry.unsaved) === fingerprint(content)) return;
    // An empty composer after a send is not a change by the user.
    if (!isEmpty(content) || entry.sending === 0) entry.touched = true;
    entry.unsaved = content;
    clock.clearTimeout(entry.timer);
    entry.timer = clock.setTimeout(() => void this.#save(entry), DRAFT_PROVIDER_DEBOUNCE);
  }

  /** The message was queued: its outcome decides about the copy (R-DRAFT-6). */
  sent(place: ThreadRef): void {
    const entry = this.#entryOf(place);
    entry.sending += 1;
    entry.touched = false;
    entry.unsaved = undefined;
    this.#deps.clock.clearTimeout(entry.timer);
    entry.timer = undefined;
  }

  outcome(place: ThreadRef, received: boolean): void {
    const entry = this.#entryOf(place);
    entry.sending = Math.max(0, entry.sending - 1);
    if (!received || entry.sending > 0 || !entry.stored) return;
    // A new draft has been written since; it is saved after its own wait.
    if (entry.unsaved && !isEmpty(entry.unsaved)) return;
    entry.unsaved = EMPTY_DRAFT;
    void this.#save(entry);
  }

  /** The channel is no longer on screen: saves its drafts now (R-DRAFT-3). */
  onLeft(cid: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.place.cid !== cid) continue;
      Object.assign(entry, { opened: false, touched: false });
      if (entry.unsaved) void this.#save(entry);
    }
  }

  /**
   * Handles a draft event; returns the new content for the composer, or undefined to leave it (R-DRAFT-7). A different
   * `local` draft of a composer that was never opened stays.
   */
  onEvent(
    event: AnyEvent,
    local: (place: ThreadRef) => DraftContent | undefined,
  ): { place: ThreadRef; content: DraftContent } | undefined {
    const place = placeOfDraftEvent(event);
    if (!place) return undefined;
    const entry = this.#entryOf(place);
    const before = entry.stored;
    const content =
      event.type === "draft.deleted" ? onDraftDeleted(entry, event) : onDraftUpdated(entry, event);
    if (!content || entry.touched || entry.saving || entry.unsaved) return undefined;
    const held = local(place);
    // R-DRAFT-10.
    if (held?.onlyFor?.length) return undefined;
    // A draft written here in an earlier run and never copied is kept.
    const own =
      !entry.opened &&
      held &&
      !isEmpty(held) &&
      textAndQuote(held) !== textAndQuoteOfFingerprint(before?.content);
    return own ? undefined : { place, content };
  }

  /** Saves all unsaved drafts, within CLOSE_WAIT. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#save(entry, CLOSE_WAIT)));
  }

  reset(): void {
    for (const { timer } of this.#entries.values()) this.#deps.clock.clearTimeout(timer);
    this.#entries.clear();
  }

  #entryOf(place: ThreadRef): DraftRecord {
    const held = this.#entries.get(placeKey(place));
    if (held) return held;
    const entry: DraftRecord = { place, opened: false, touched: false, sending: 0 };
    recordStored(entry, this.#knownDraft(place));
    this.#entries.set(placeKey(place), entry);
    return entry;
  }

  /** The newer of the listed draft and the one in the state, of the channel or of the thread's parent (DR-5). */
  #knownDraft(place: ThreadRef): Draft | undefined {
    const state = this.#deps.state();
    const inState =
      place.parentId === undefined
        ? state.channels.get(place.cid)?.draft
        : parentOf(state, place.cid, place.parentId)?.draft;
    const listed = this.#deps.providerDraft(place);
    return inState && compareTimes(inState.created_at, listed?.created_at) >= 0 ? inState : listed;
  }

  /** Saves the unsaved content; one call at a time per draft, so that the last one wins. */
  async #save(entry: DraftRecord, timeout?: number): Promise<void> {
    this.#deps.clock.clearTimeout(entry.timer);
    entry.timer = undefined;
    await entry.saving;
    const { unsaved } = entry;
    if (!unsaved || this.#deps.userId() === undefined) return;
    entry.unsaved = undefined;
    const limit = timeout === undefined ? {} : { timeout };
    const saving = this.#write(entry, unsaved, limit).finally(() => {
      if (entry.saving === saving) entry.saving = undefined;
    });
    entry.saving = saving;
    await saving;
  }

  async #write(entry: DraftRecord, unsaved: DraftContent, limit: { timeout?: number }): Promise<void> {
    try {
      if (isEmpty(unsaved)) await this.#delete(entry, limit);
      else await this.#store(entry, unsaved, limit);
    } catch (error) {
      this.#deps.log.debug("a draft could not be copied to the provider", { error: String(error) });
      // A refused draft is not retried until it changes; a transient failure is retried with the next save.
      if (!(error instanceof ApiError) || error.retryable) entry.unsaved ??= unsaved;
    }
  }

  async #delete(entry: DraftRecord, limit: { timeout?: number }): Promise<void> {
    // While a send has no outcome, the copy is needed in case it fails (R-DRAFT-6).
    if (!entry.stored || entry.sending > 0) return;
    const { cid, parentId } = entry.place;
    const query = parentId === undefined ? {} : { parent_id: parentId };
    await this.#deps.call("deleteDraft", { path: partsOf(cid), query, ...limit });
    entry.stored = undefined;
    delete entry.id;
  }

  async #store(entry: DraftRecord, unsaved: DraftContent, limit: { timeout?: number }): Promise<void> {
    const { cid } = entry.place;
    // DR-1, R-DRAFT-2.
    const content = { ...unsaved, text: cutText(unsaved.text, this.#maximumOf(cid)) };
    if (entry.stored?.content === fingerprint(content)) return;
    const body = { message: this.#messageOf(entry, content) };
    const { draft } = await this.#deps.call("saveDraft", { path: partsOf(cid), body, ...limit });
    entry.stored = draft && { content: fingerprint(content), at: draft.created_at };
  }

  #maximumOf(cid: string): number {
    const config = this.#deps.state().channels.get(cid)?.channel.config;
    return longestText(config, this.#deps.maximum);
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

function recordStored(entry: DraftRecord, draft: Draft | undefined): void {
  if (!draft || compareTimes(draft.created_at, entry.stored?.at) < 0) return;
  entry.stored = { content: fingerprint(draftContent(draft)), at: draft.created_at };
  if (draft.message.id) entry.id = draft.message.id;
}

/** The draft saved by another device; undefined for the event of this client's own save, or an older one. */
function onDraftUpdated(entry: DraftRecord, event: AnyEvent): DraftContent | undefined {
  const draft = event.draft as Draft | undefined;
  if (!draft?.message) return undefined;
  const before = entry.stored;
  recordStored(entry, draft);
  if (entry.stored?.at !== draft.created_at || entry.stored.content === before?.content) return undefined;
  return draftContent(draft);
}

/** An empty draft when another device deleted the known one; undefined for an older event, or when none was known. */
function onDraftDeleted(entry: DraftRecord, event: AnyEvent): DraftContent | undefined {
  const before = entry.stored;
  if (compareTimes(event.created_at, before?.at) < 0) return undefined;
  entry.stored = undefined;
  delete entry.id;
  return before && EMPTY_DRAFT;
}
