/** Local drafts: changed at once in memory, written to disk within DRAFT_LOCAL_DEBOUNCE (D10, specification/drafts.md §4). */
import { DRAFT_LOCAL_DEBOUNCE } from "../../wire/constants.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import { errorMessage } from "../../model/errors.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { LocalDraft, Store } from "../store/store.ts";

export interface Drafts {
  get(place: ThreadRef): LocalDraft | undefined;
  all(): LocalDraft[];
  save(draft: Omit<LocalDraft, "updatedAt">): void;
  /** The draft was already deleted in the transaction that queued its text. */
  sent(place: ThreadRef): void;
  /** Writes unsaved drafts; called on leaving a channel and on quit (R-DRAFT-3). */
  flush(): void;
  /** Writes unsaved drafts; afterwards the disk is no longer used. */
  close(): void;
}

interface DraftsOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** The disk fails, or works again (undefined). */
  storage?(fault: string | undefined): void;
}

/** Milliseconds until a failing disk is tried again. */
const RETRY_AFTER = 5000;

export function createDrafts({ store, clock, log, storage }: DraftsOptions): Drafts {
  const unsaved = new Map<string, LocalDraft>();
  let timer: Timer | undefined;
  let retry: Timer | undefined;
  let isDiskFailing = false;
  let closed = false;

  /** `retryLater`: tries a failing disk again after RETRY_AFTER. */
  function flush(retryLater: boolean): void {
    clock.clearTimeout(timer);
    clock.clearTimeout(retry);
    timer = undefined;
    let fault: string | undefined;
    for (const [key, draft] of unsaved)
      try {
        if (isEmpty(draft)) store.dropDraft(draft.cid, draft.parentId);
        else store.saveDraft(draft);
        unsaved.delete(key);
      } catch (error) {
        fault = errorMessage(error);
        log.warn("a draft could not be saved", { error: fault });
      }
    if (fault !== undefined || isDiskFailing) storage?.(fault);
    isDiskFailing = fault !== undefined;
    // The draft stays in memory until the disk works.
    if (isDiskFailing && retryLater) retry = clock.setTimeout(() => flush(true), RETRY_AFTER);
  }

  return {
    get(place) {
      const held = unsaved.get(placeKey(place));
      if (held) return isEmpty(held) ? undefined : held;
      if (closed) return undefined;
      return store.draft(place.cid, place.parentId);
    },
    all() {
      // Subscribers may still read drafts after the disk is closed.
      const stored = closed ? [] : store.drafts().filter((draft) => !unsaved.has(placeKey(draft)));
      return [...unsaved.values(), ...stored]
        .filter((draft) => !isEmpty(draft))
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
    },
    save(draft) {
      if (closed) return;
      unsaved.set(placeKey(draft), { ...draft, updatedAt: clock.now() });
      // The wait starts with the first unsaved change and is not extended by later ones.
      timer ??= clock.setTimeout(() => flush(true), DRAFT_LOCAL_DEBOUNCE);
    },
    sent: (place) => void unsaved.delete(placeKey(place)),
    flush: () => flush(false),
    close() {
      flush(false);
      closed = true;
    },
  };
}

/** R-DRAFT-4: an empty message is no draft. */
function isEmpty(draft: LocalDraft): boolean {
  const { attachments = [], files = [], heldFiles = [] } = draft;
  const hanging = attachments.length + files.length + heldFiles.length;
  return (
    draft.text.trim() === "" &&
    draft.quotedMessageId === undefined &&
    draft.editingId === undefined &&
    hanging === 0
  );
}
