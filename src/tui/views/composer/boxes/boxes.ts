/** The editors of all places, with completion and history, over core's composers. */
import { settingKeys } from "../../../../config/settings.ts";
import type { Composer } from "../../../../core/composer/composer.ts";
import type { Core } from "../../../../core/core.ts";
import { channelTitle, listed } from "../../../../model/channels.ts";
import { namesMessage } from "../../../../model/default-message.ts";
import { messageWords } from "../../../../model/message-words.ts";
import type { ThreadRef } from "../../../../model/state.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { completionFor } from "./complete.ts";
import type { OpenChannels } from "../../../screen/open-channels.ts";
import type { Takes } from "../../../keys/line-table.ts";
import { insert } from "../../../editor/edits.ts";
import { NO_HISTORY, addToHistory, type MessageHistory } from "../../../editor/history.ts";
import { moveTo, type EditorState } from "../../../editor/state.ts";
import { drawnFrom, EMPTY_BOX, type ComposerBox } from "../../../screen/composer.ts";
import { boxOf, composerPlace } from "../../../screen/screen.ts";
import { withCompletion, withComposer } from "../../../screen/transitions.ts";
import { NO_CHANNEL_KEY, placeKey } from "../../../screen/place-key.ts";
import { defaultMessageIn, messageIn } from "../../../screen/selectors.ts";
import { preferredFirst, preferredEmoji } from "../../../screen/emoji-use.ts";
import type { Profiles, ScreenSettings, Snippets, Themes } from "../../../screen/host.ts";
import type { Pictures } from "../../../pictures/pictures.ts";
import type { ScreenStore } from "../../../screen/store.ts";

interface Dropped {
  files: readonly string[];
  /** Of their uploads. */
  ids: readonly string[];
}

/** What a person, a channel or an emoji may be completed from; a person's name has up to three words. */
const MAY_COMPLETE = /[@#:]\S*$|@\S+(?: \S+){1,2}$/;

/** The name of a channel before the cursor. */
const CHANNEL_WORD = /(?:^\/join |(?:^|\s)#)#?(\S*)$/;

/** What boxes ask while something is completed or shown. */
interface Parts {
  themes: Pick<Themes, "list">;
  profiles: Pick<Profiles, "list">;
  pictures: Pick<Pictures, "uploaded">;
  snippets: Pick<Snippets, "read">;
  openChannels: OpenChannels;
}

export class Boxes {
  readonly #core: Core;
  readonly #store: ScreenStore;
  readonly #settings: Pick<ScreenSettings, "channelType" | "skinTone">;
  readonly #themes: Parts["themes"];
  readonly #profiles: Parts["profiles"];
  readonly #pictures: Parts["pictures"];
  readonly #snippets: Parts["snippets"];
  /** Compositions whose changes are drawn, by `placeKey`. */
  readonly #watched = new Map<string, Composer>();
  /** People are being searched for this text before the cursor. */
  #awaited: string | undefined;
  readonly #open: OpenChannels;
  history: MessageHistory = NO_HISTORY;
  /** What Ctrl-C threw away last, by `placeKey`. */
  readonly thrown = new Map<string, ReturnType<Composer["clear"]>>();
  /** Files that came in place of a pasted text, by the change that took it out. */
  readonly dropped = new WeakMap<object, Dropped>();

  constructor(
    core: Core,
    store: ScreenStore,
    settings: Pick<ScreenSettings, "channelType" | "skinTone">,
    parts: Parts,
  ) {
    this.#core = core;
    this.#store = store;
    this.#settings = settings;
    this.#themes = parts.themes;
    this.#profiles = parts.profiles;
    this.#pictures = parts.pictures;
    this.#snippets = parts.snippets;
    this.#open = parts.openChannels;
    this.#open.subscribe(() => {
      const { place } = this;
      if (place) this.#suggested(place);
    });
    const kept = core.remember<string[]>("history");
    if (kept) this.history = { entries: kept, index: kept.length, draft: "" };
    this.#readDrafts();
  }

  /** Where what is written goes. */
  get place(): ThreadRef | undefined {
    return composerPlace(this.#store.screen);
  }

  at(place: ThreadRef | undefined = this.place): ComposerBox {
    return boxOf(this.#store.screen, place);
  }

  /** Core's composer of a place; what changes in it is drawn from then on. */
  composer(place: ThreadRef): Composer {
    const key = placeKey(place);
    const composer = this.#core.composer(place);
    if (this.#watched.get(key) === composer) return composer;
    this.#watched.set(key, composer);
    const whileHeld = (run: () => void) => (): void => {
      if (this.#watched.get(key) === composer) run();
    };
    const { attachments, links, suggestions } = composer;
    for (const part of [composer, attachments, links]) part.subscribe(whileHeld(() => this.sync(place)));
    suggestions.subscribe(whileHeld(() => this.#suggested(place)));
    return composer;
  }

  /** The place comes on screen with its draft; what was written in the one before is listed as it stands there now. */
  open(place: ThreadRef): void {
    this.composer(place).open();
    this.sync(place, true);
    this.#bring(place);
    this.#readDrafts();
  }

  /** A key changed the letters, or moved the cursor. */
  put(editor: EditorState, place: ThreadRef | undefined = this.place, pull = false): void {
    if (editor === this.at(place).editor) return;
    if (!place)
      return this.#store.update((screen) => withComposer(screen, undefined, { ...EMPTY_BOX, editor }));
    this.composer(place).typed(editor.text, editor.cursor);
    this.#show(place, { ...this.#drawn(place), editor }, pull);
  }

  /** Does something to core's box and draws what came of it. */
  change(change: (box: Composer) => void, place: ThreadRef | undefined = this.place): void {
    if (!place) return;
    change(this.composer(place));
    this.sync(place, true);
  }

  /** Takes the message's text into the box; what stood there comes back when the edit ends. */
  edit(message: Message): void {
    this.change((box) => box.edit(message));
  }

  quote(message: Message): void {
    this.change((box) => box.quote(message.id));
  }

  /** Draws what core has; `pull` takes the network's changes along. */
  sync(place: ThreadRef, pull = false): void {
    const next = this.#drawn(place);
    if (pull || next !== this.at(place)) this.#show(place, next, pull);
  }

  /** The completion list for what now stands before the cursor; moving about closes it. */
  offer(changed: boolean): void {
    const { place } = this;
    const { editor } = this.at();
    const before = editor.text.slice(0, editor.cursor);
    this.#awaited = undefined;
    this.#open.rest();
    // Most keys stand in plain words: nothing is looked up for them.
    const command = before.startsWith("/") && !editor.text.startsWith("//");
    const possible = changed && place && (command || MAY_COMPLETE.test(before.slice(-64)));
    if (!possible) {
      if (this.#store.screen.completion) this.#store.update((s) => withCompletion(s, undefined));
      return;
    }
    const channel = CHANNEL_WORD.exec(before)?.[1];
    if (this.composer(place).suggestions.state().loading || channel !== undefined) this.#awaited = before;
    const completion = completionFor(before, this.#sources(place, channel));
    this.#store.update((s) => withCompletion(s, completion));
  }

  /** What was sent or cleared can be walked back to (the loser of two drafts too, D10). */
  remember(text: string): void {
    if (text.trim() === "") return;
    this.history = addToHistory(this.history, text);
    this.#core.keep("history", this.history.entries.slice(-100));
  }

  /** What was typed before any place was open comes behind its draft, as if it were typed there. */
  #bring(place: ThreadRef): void {
    const early = this.#store.screen.composers.get(NO_CHANNEL_KEY)?.editor;
    if (!early || early.text === "") return;
    this.#store.update((screen) => withComposer(screen, undefined, EMPTY_BOX));
    const { editor } = this.at(place);
    this.put(moveTo(insert(editor, early.text), editor.cursor + early.cursor), place, true);
  }

  #drawn(place: ThreadRef): ComposerBox {
    const { state } = this.#store;
    return drawnFrom(this.composer(place), this.at(place), (id) => messageIn(state, place, id));
  }

  #show(place: ThreadRef, box: ComposerBox, pull: boolean): void {
    this.#store.update((screen) => withComposer(screen, place, box), pull);
    for (const { state, attachment } of box.uploads)
      if (state === "finished") this.#pictures.uploaded(attachment);
    // Asks the disk: only where a draft begins or ends.
    const isDraft = this.#store.screen.drafts.has(placeKey(place));
    if ((box.editor.text.trim() === "") === isDraft) this.#readDrafts();
  }

  #sources(place: ThreadRef, channel: string | undefined): Parameters<typeof completionFor>[1] {
    const { state } = this.#store;
    const { items } = this.composer(place).suggestions.state();
    const me = this.#core.userId;
    return {
      people: items,
      channels: [
        ...listed(state).map((e) => ({ cid: e.cid, title: channelTitle(e, me) })),
        ...(channel === undefined ? [] : this.#open.for(channel))
          .filter(({ cid }) => !state.channels.has(cid))
          .map((each) => ({ ...each, open: true as const })),
      ],
      users: [...state.users.values()].filter(({ id }) => id !== me),
      channelType: this.#settings.channelType,
      emoji: { first: preferredFirst(preferredEmoji(this.#core)), tone: this.#settings.skinTone ?? "none" },
      choices: (takes) => this.#choices(place, takes),
      meant: (which) => {
        const message = defaultMessageIn(this.#store.get(), place, which);
        return message && messageWords(message);
      },
      namesMessage: (word) => namesMessage(state, place, word),
      providerCommands: state.channels.get(place.cid)?.channel.config?.commands ?? [],
    };
  }

  /** What a line of the box takes, where there are few of it. */
  #choices(place: ThreadRef, takes: Takes): readonly string[] {
    if (takes === "theme") return this.#themes.list().map(({ name }) => name);
    if (takes === "profile") return this.#profiles.list().map(({ name }) => name);
    if (takes === "snippet")
      return [...this.#snippets.read().snippets.map(({ name }) => name), "add", "remove", "list"];
    if (takes === "setting") return settingKeys;
    if (takes !== "attached") return [];
    const { uploads, carried } = this.at(place);
    return [...carried.flatMap(({ title }) => title ?? []), ...uploads.map(({ name }) => name)];
  }

  /** People or channels were found that are not held: shown where they are still waited for. */
  #suggested(place: ThreadRef): void {
    const { screen } = this.#store;
    const { place: here } = this;
    if (!here || placeKey(here) !== placeKey(place) || screen.focus !== "composer") return;
    const { editor } = this.at(place);
    if (this.#awaited === editor.text.slice(0, editor.cursor)) this.offer(true);
  }

  #readDrafts(): void {
    const written = this.#core.drafts().filter(({ text }) => text.trim() !== "");
    const drafts = new Map(written.map((draft) => [placeKey(draft), draft]));
    this.#store.update((screen) => ({ ...screen, drafts }), false);
  }
}
