/** Writes drafts through the composer and reads them from the local store. */
import type { Core } from "../../src/core/core.ts";
import type { LocalDraft } from "../../src/core/store/store.ts";
import type { ThreadRef } from "../../src/model/state.ts";

/** Opens the composer of the channel or thread and leaves this text in it. */
export function writeDraft(core: Pick<Core, "composer">, place: ThreadRef, text: string): void {
  const box = core.composer(place);
  box.open();
  box.typed(text, text.length);
}

/** The locally saved draft of the channel or thread. */
export const draftOf = (core: Pick<Core, "drafts">, place: ThreadRef): LocalDraft | undefined =>
  core.drafts().find(({ cid, parentId }) => cid === place.cid && parentId === place.parentId);
