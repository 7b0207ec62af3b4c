/** Drafts as a test writes and reads them: written in the place's box, read where they are kept. */
import type { Core } from "../../src/core/core.ts";
import type { LocalDraft } from "../../src/core/store/store.ts";
import type { ThreadRef } from "../../src/model/state.ts";

/** Opens the box of the place and leaves this text in it. */
export function writeDraft(core: Pick<Core, "composer">, place: ThreadRef, text: string): void {
  const box = core.composer(place);
  box.open();
  box.typed(text, text.length);
}

/** What this machine keeps of the place. */
export const draftOf = (core: Pick<Core, "drafts">, place: ThreadRef): LocalDraft | undefined =>
  core.drafts().find(({ cid, parentId }) => cid === place.cid && parentId === place.parentId);
