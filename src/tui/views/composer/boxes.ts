/** The boxes of all places: what stands in them is on disk as a draft, and what was sent can be walked back to. */
import type { Core } from "../../../core/core.ts";
import type { LocalDraft } from "../../../core/store/store.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { NO_HISTORY, remember } from "../../editor/history.ts";
import type { MessageHistory } from "../../editor/history.ts";
import { EMPTY_COMPOSER, fromDraft, toDraft } from "../../screen/composer.ts";
import type { Composer } from "../../screen/composer.ts";
import { composed } from "../../screen/moves.ts";
import { composerPlace, placeKey } from "../../screen/screen.ts";
import type { Screen } from "../../screen/screen.ts";
import { messageIn } from "../../screen/selectors.ts";
import type { ScreenStore } from "../../screen/store.ts";

/** What stands in the box of a place. */
const boxOf = (screen: Screen, place: ThreadRef | undefined = composerPlace(screen)): Composer =>
  (place && screen.composers.get(placeKey(place))) ?? EMPTY_COMPOSER;

export class Boxes {
  readonly #core: Core;
  readonly #store: ScreenStore;
  history: MessageHistory = NO_HISTORY;

  constructor(core: Core, store: ScreenStore) {
    this.#core = core;
    this.#store = store;
    const kept = core.remember<string[]>("history");
    if (kept) this.history = { entries: kept, index: kept.length, draft: "" };
    this.#countDrafts();
  }

  /** Where what is written goes. */
  get place(): ThreadRef | undefined {
    return composerPlace(this.#store.screen);
  }

  at(place: ThreadRef | undefined = this.place): Composer {
    return boxOf(this.#store.screen, place);
  }

  /** Puts a box on the screen and its draft on disk; a change of text tells the others (R-TYPE-1, D10). */
  put(composer: Composer, place: ThreadRef | undefined = this.place, pull = false): void {
    if (!place) return;
    const before = this.at(place);
    if (composer === before) return;
    if (
      composer.editor.text !== before.editor.text ||
      composer.quote !== before.quote ||
      composer.editing !== before.editing
    ) {
      this.#core.saveDraft(toDraft(place, composer));
      // Asks the disk: only where a draft begins or ends.
      if ((composer.editor.text.trim() === "") === this.#store.screen.drafts.has(placeKey(place)))
        this.#countDrafts();
    }
    this.#store.now((screen) => composed(screen, place, composer), pull);
    if (composer.editor.text !== before.editor.text) this.#core.typed(place, composer.editor.text);
  }

  /** The box of a place as its draft left it, once. */
  restore(place: ThreadRef): void {
    if (this.#store.screen.composers.has(placeKey(place))) return;
    const { state } = this.#store;
    const composer = fromDraft(this.#core.draft(place), (id) => messageIn(state, place, id));
    if (composer !== EMPTY_COMPOSER) this.#store.now((s) => composed(s, place, composer));
  }

  /** What was sent or cleared can be walked back to (the loser of two drafts too, D10). */
  remember(text: string): void {
    if (text.trim() === "") return;
    this.history = remember(this.history, text);
    this.#core.keep("history", this.history.entries.slice(-100));
  }

  /** Drafts with a text, but the one that is being written, newest first. */
  elsewhere(): LocalDraft[] {
    const here = this.place && placeKey(this.place);
    return this.#written().filter((draft) => placeKey(draft) !== here);
  }

  #written(): LocalDraft[] {
    return this.#core.drafts().filter(({ text }) => text.trim() !== "");
  }

  #countDrafts(): void {
    const drafts = new Map(this.#written().map((draft) => [placeKey(draft), draft.cid]));
    this.#store.now((screen) => ({ ...screen, drafts }), false);
  }
}
