/** The person at the screen, to the rest of the program: input in, actions on core and screen out. No React in here. */
import type { Core } from "../core/core.ts";
import type { ChannelEntry, HeldMessage, MessageSet, State, ThreadRef } from "../model/state.ts";
import type { Question } from "../commands/base/define-command.ts";
import type { LocalDraft } from "../core/store/store.ts";
import { loadHighlighter } from "../text/highlight.ts";
import { cleanLine } from "../text/sanitize.ts";
import { reasonOf } from "../wire/errors.ts";
import { NO_HISTORY, remember } from "./editor/history.ts";
import type { MessageHistory } from "./editor/history.ts";
import { KEY_TABLES } from "./keys/tables.ts";
import type { KeyProfile, KeyTable } from "./keys/tables.ts";
import { createMeasure } from "./measure.ts";
import { Feeds } from "./views/messages/feeds.ts";
import { channelTitle } from "../model/channels.ts";
import { EMPTY_COMPOSER, fromDraft, toDraft } from "./screen/composer.ts";
import type { Composer } from "./screen/composer.ts";
import { composed, opened, popupPushed, viewed } from "./screen/moves.ts";
import { browsePlace, composerPlace, emptyScreen, placeKey, viewOf } from "./screen/screen.ts";
import type { Ports, ScreenSettings, Terminal } from "./screen/ports.ts";
import type { Screen } from "./screen/screen.ts";
import { shownSet, parentOf } from "../model/select.ts";
import { ScreenStore } from "./screen/store.ts";
import type { Model, Pace } from "./screen/store.ts";
import type { Theme } from "./render/theme.ts";

/** What the screen needs of the world around it. */
export interface UiPorts extends ScreenSettings, Terminal {
  core: Core;
  clock: Pace;
  theme: Theme;
  keys: KeyProfile;
  utc: boolean;
  /** UUID v4. */
  random(): string;
}

export class Ui implements Ports {
  readonly ports: UiPorts;
  readonly core: Core;
  readonly store: ScreenStore;
  readonly keys: KeyTable;
  readonly settings: ScreenSettings;
  readonly terminal: Terminal;
  readonly feeds = new Feeds();
  history: MessageHistory = NO_HISTORY;
  #tokens = 0;
  readonly #answers = new Map<number, () => void>();

  constructor(ports: UiPorts, size: { columns: number; rows: number }) {
    this.ports = ports;
    this.core = ports.core;
    this.keys = KEY_TABLES[ports.keys];
    this.settings = ports;
    this.terminal = ports;
    this.store = new ScreenStore({
      screen: emptyScreen(size.columns, size.rows),
      look: { theme: ports.theme, utc: ports.utc, hyperlinks: true },
      read: () => ports.core.state(),
      pace: ports.clock,
      measure: createMeasure(ports.core),
    });
    this.feeds.onCode = () => {
      this.feeds.onCode = undefined;
      this.#loadHighlighter();
    };
    const kept = ports.core.remember<string[]>("history");
    if (kept) this.history = { entries: kept, index: kept.length, draft: "" };
    const folded = ports.core.remember<string[]>("folded");
    if (folded) this.change((s) => ({ ...s, sidebar: { ...s.sidebar, folded: new Set(folded) } }));
    this.#countDrafts();
  }

  get model(): Model {
    return this.store.get();
  }
  get screen(): Screen {
    return this.store.get().screen;
  }
  get state(): State {
    return this.store.get().state;
  }

  /** The first code on the screen is plain for as long as this takes; without the highlighter it stays so. */
  #loadHighlighter(): void {
    loadHighlighter().then(
      () => this.store.restyle((look) => ({ ...look })),
      () => {},
    );
  }

  change(change: (screen: Screen) => Screen): void {
    this.store.now(change);
  }

  entry(cid: string | undefined = this.screen.cid): ChannelEntry | undefined {
    return cid === undefined ? undefined : this.state.channels.get(cid);
  }
  title(cid: string | undefined = this.screen.cid): string {
    const entry = this.entry(cid);
    return entry ? channelTitle(entry, this.core.userId) : cleanLine(cid ?? "Parley");
  }
  /** The set of messages that a place shows. */
  set(place: ThreadRef): MessageSet | undefined {
    return shownSet(this.state, place);
  }
  message(place: ThreadRef, id: string): HeldMessage | undefined {
    const set = this.set(place);
    const at = set?.messages.indexOf(id) ?? -1;
    if (at >= 0) return set!.messages.at(at);
    return place.parentId === id ? this.parent(place) : undefined;
  }
  /** The message a thread hangs from. */
  parent(place: ThreadRef): HeldMessage | undefined {
    if (place.parentId === undefined) return undefined;
    return parentOf(this.state, place.cid, place.parentId);
  }
  /** The message under the browse cursor. */
  selected(): HeldMessage | undefined {
    const place = browsePlace(this.screen);
    const id = viewOf(this.screen, place).selected;
    return place && id !== undefined ? this.message(place, id) : undefined;
  }
  browsing(): ThreadRef | undefined {
    return browsePlace(this.screen);
  }
  writing(): ThreadRef | undefined {
    return composerPlace(this.screen);
  }

  /** Drafts with a text, but the one that is being written, newest first. */
  draftsElsewhere(): LocalDraft[] {
    const box = this.writing();
    const inSight = box && placeKey(box);
    return this.core.drafts().filter((d) => d.text.trim() !== "" && placeKey(d) !== inSight);
  }
  #countDrafts(): void {
    const written = this.core.drafts().filter((d) => d.text.trim() !== "");
    const drafts = new Map(written.map((d) => [placeKey(d), d.cid]));
    this.store.now((s) => ({ ...s, drafts }), false);
  }

  composer(place: ThreadRef | undefined = this.writing()): Composer {
    return (place && this.screen.composers.get(placeKey(place))) ?? EMPTY_COMPOSER;
  }
  /** Puts a box on the screen and its draft on disk; a change of text tells the others (R-TYPE-1, D10). */
  compose(composer: Composer, place: ThreadRef | undefined = this.writing(), pull = false): void {
    if (!place) return;
    const before = this.composer(place);
    if (composer === before) return;
    if (
      composer.editor.text !== before.editor.text ||
      composer.quote !== before.quote ||
      composer.editing !== before.editing
    ) {
      this.core.saveDraft(toDraft(place, composer));
      // Asks the disk: only where a draft begins or ends.
      if ((composer.editor.text.trim() === "") === this.screen.drafts.has(placeKey(place)))
        this.#countDrafts();
    }
    this.store.now((screen) => composed(screen, place, composer), pull);
    if (composer.editor.text !== before.editor.text) this.core.typed(place, composer.editor.text);
  }
  /** The box of a place as its draft left it, once. */
  restoreBox(place: ThreadRef): void {
    if (this.screen.composers.has(placeKey(place))) return;
    const composer = fromDraft(this.core.draft(place), (id) => this.message(place, id));
    if (composer !== EMPTY_COMPOSER) this.change((s) => composed(s, place, composer));
  }

  /** Opens a channel in the middle: what is held is on screen at once, the rest comes with the watch. */
  open(cid: string): void {
    const before = this.screen.cid;
    if (before !== undefined && before !== cid) this.core.left(before);
    this.change((s) => opened(s, cid));
    this.restoreBox({ cid });
    this.core.keep("channel", cid);
    if (!this.entry(cid)?.watched) this.try(this.core.watch(cid));
  }

  /** What was sent or cleared can be walked back to (the loser of two drafts too, D10). */
  keepHistory(text: string): void {
    if (text.trim() === "") return;
    this.history = remember(this.history, text);
    this.core.keep("history", this.history.entries.slice(-100));
  }

  /** A second has passed: drawn anew where time alone changes the picture. */
  passed(now: number): void {
    const minute = (ms: number): number => Math.floor(ms / 60_000);
    const counts = this.state.link.phase === "waiting" || now >= this.feeds.changesAt;
    if (counts || minute(now) !== minute(this.model.now)) this.store.later();
  }
  /** Errors of what the user asked for are told, never thrown. */
  try(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.fail(error));
  }
  fail(error: unknown): void {
    if ((error as { noticed?: boolean } | null)?.noticed) return;
    const text = reasonOf(error instanceof Error ? error.message : String(error));
    const hint = (error as { hint?: unknown }).hint;
    this.core.notify({
      level: "error",
      text: cleanLine(typeof hint === "string" ? `${text} ${hint}` : text),
    });
  }
  tell(text: string, level: "info" | "success" | "warning" = "info"): void {
    this.core.notify({ level, text });
  }

  /** Asks in a popup; `yes` runs only on yes. */
  ask(question: Question, yes: () => void): void {
    const token = ++this.#tokens;
    this.#answers.set(token, yes);
    this.change((s) => popupPushed(s, { kind: "confirm", question, typed: "", token }));
  }
  answer(token: number, yes: boolean): void {
    const run = this.#answers.get(token);
    this.#answers.delete(token);
    if (yes) run?.();
  }

  scrollTo(place: ThreadRef, anchor: { id: string; row: number } | undefined, selected?: string): void {
    this.change((s) => {
      const view = viewOf(s, place);
      const set = shownSet(this.state, place);
      const last = set?.messages.at(set.messages.length - 1)?.id;
      const seenId = anchor ? (view.anchor ? view.seenId : last) : undefined;
      const next = { ...view, anchor, ...(seenId === undefined ? {} : { seenId }) };
      if (selected !== undefined) next.selected = selected;
      return viewed(s, place, next);
    });
  }
}
