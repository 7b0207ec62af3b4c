/** Local drafts: changed at once in memory, written to disk at most DRAFT_LOCAL_DEBOUNCE later (D10, specification/drafts.md §4). */
import { DRAFT_LOCAL_DEBOUNCE } from "../../wire/constants.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import type { LocalDraft, Store } from "../store/store.ts";

export interface Drafts {
  get(place: ThreadRef): LocalDraft | undefined;
  all(): LocalDraft[];
  save(draft: Omit<LocalDraft, "updatedAt">): void;
  /** The draft went away in the transaction that queued its text. */
  sent(place: ThreadRef): void;
  /** Writes what waits; on leaving a place and on quit (R-DRAFT-3). */
  flush(): void;
  /** Writes what waits for the last time: the disk is not asked any more, and nothing is held. */
  close(): void;
}

interface DraftsOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** The disk refused, or takes drafts again (undefined). */
  storage?(fault: string | undefined): void;
}

/** Milliseconds until a disk that refused is tried again. */
const AGAIN = 5000;

export function createDrafts({ store, clock, log, storage }: DraftsOptions): Drafts {
  const unsaved = new Map<string, LocalDraft>();
  let timer: Timer | undefined;
  let retry: Timer | undefined;
  let faulty = false;
  let over = false;

  /** `again`: a disk that refuses is asked once more by itself. */
  function flush(again: boolean): void {
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
        fault = error instanceof Error ? error.message : String(error);
        log.warn("a draft could not be saved", { error: fault });
      }
    if (fault !== undefined || faulty) storage?.(fault);
    faulty = fault !== undefined;
    // It stays in memory until the disk takes it.
    if (faulty && again) retry = clock.setTimeout(() => flush(true), AGAIN);
  }

  return {
    get(place) {
      const held = unsaved.get(placeKey(place));
      if (held) return isEmpty(held) ? undefined : held;
      if (over) return undefined;
      return store.draft(place.cid, place.parentId);
    },
    all() {
      // Whoever watches a box is told of its end when the disk is closed.
      const stored = over ? [] : store.drafts().filter((draft) => !unsaved.has(placeKey(draft)));
      return [...unsaved.values(), ...stored]
        .filter((draft) => !isEmpty(draft))
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
    },
    save(draft) {
      if (over) return;
      unsaved.set(placeKey(draft), { ...draft, updatedAt: clock.now() });
      // The first unsaved stroke starts the wait: later ones do not put it off.
      timer ??= clock.setTimeout(() => flush(true), DRAFT_LOCAL_DEBOUNCE);
    },
    sent: (place) => void unsaved.delete(placeKey(place)),
    flush: () => flush(false),
    close() {
      flush(false);
      over = true;
    },
  };
}

/** R-DRAFT-4: an empty composition is no draft. */
function isEmpty(draft: LocalDraft): boolean {
  const hanging = (draft.attachments?.length ?? 0) + (draft.files?.length ?? 0);
  return (
    draft.text.trim() === "" &&
    draft.quotedMessageId === undefined &&
    draft.editingId === undefined &&
    hanging === 0
  );
}
