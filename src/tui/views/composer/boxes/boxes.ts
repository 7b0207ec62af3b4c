/** Keeps the editors of all channels and threads in step with core's composers, with completion and history. */
import { settingKeys } from "../../../../config/settings.ts";
import type { Composer } from "../../../../core/composer/composer.ts";
import type { Core } from "../../../../core/core.ts";
import { channelTitle, listedChannels } from "../../../../model/channels.ts";
import { namesMessage } from "../../../../model/default-message.ts";
import { messageWords } from "../../../../model/message-words.ts";
import type { ThreadRef } from "../../../../model/state.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { completionFor } from "./complete.ts";
import type { JoinableChannels } from "../../../screen/finder.ts";
import type { CompletionSource } from "../../../keys/composer-commands.ts";
import { insert, setText } from "../../../editor/edits.ts";
import { NO_HISTORY, addToHistory, type MessageHistory } from "../../../editor/history.ts";
import { moveTo, type EditorState } from "../../../editor/state.ts";
import { boxFrom, EMPTY_BOX, type ComposerBox } from "../../../screen/composer.ts";
import { draftsByPlace, defaultMessageIn, messageIn } from "../../../screen/selectors.ts";
import { boxOf, composerPlace, withComposer } from "../../../screen/screen.ts";
import { withCompletion } from "../../../screen/transitions.ts";
import { NO_CHANNEL_KEY, placeKey } from "../../../screen/place-key.ts";
import { preferredFirst, preferredEmoji } from "../../../screen/emoji-use.ts";
import type { Extensions, Profiles, ScreenSettings, Snippets, Themes } from "../../../screen/host.ts";
import type { Pictures } from "../../../pictures/pictures.ts";
import type { ScreenStore } from "../../../screen/store.ts";

interface PastedFiles {
  files: readonly string[];
  /** Local ids of their uploads. */
  ids: readonly string[];
}

/** Text that may be completed to a person, a channel or an emoji; a person's name has up to three words. */
const MAY_COMPLETE = /[@#:]\S*$|@\S+(?: \S+){1,2}$/;

/** The start of a channel name before the cursor. */
const CHANNEL_WORD = /(?:^\/join |(?:^|\s)#)#?(\S*)$/;

/** Sources of completions, and the pictures of uploads. */
interface Parts {
  themes: Pick<Themes, "list">;
  profiles: Pick<Profiles, "list">;
  pictures: Pick<Pictures, "uploaded">;
  snippets: Pick<Snippets, "read">;
  extensions: Pick<Extensions, "list">;
  joinableChannels: JoinableChannels;
}

export class Boxes {
  readonly #core: Core;
  readonly #store: ScreenStore;
  readonly #settings: Pick<ScreenSettings, "channelType" | "skinTone">;
  readonly #parts: Parts;
  /** Composers subscribed to, by `placeKey`. */
  readonly #watched = new Map<string, Composer>();
  /** The text before the cursor for which people or channels are still being searched. */
  #awaitedText: string | undefined;
  history: MessageHistory = NO_HISTORY;
  /** What Ctrl-C cleared last, by `placeKey`. */
  readonly cleared = new Map<string, ReturnType<Composer["clear"]>>();
  /** What a command line begun by a key has replaced, by `placeKey`; it comes back when the box is empty again. */
  readonly #setAside = new Map<string, string>();
  /** The text that was pasted last and is the paths of files, by `placeKey`. */
  readonly pastedPaths = new Map<string, string>();
  /** Files attached instead of pasted paths, by the change that removed the paths. */
  readonly pastedFiles = new WeakMap<object, PastedFiles>();

  constructor(
    core: Core,
    store: ScreenStore,
    settings: Pick<ScreenSettings, "channelType" | "skinTone">,
    parts: Parts,
  ) {
    this.#core = core;
    this.#store = store;
    this.#settings = settings;
    this.#parts = parts;
    parts.joinableChannels.subscribe(() => {
      const { place } = this;
      if (place) this.#onSuggestions(place);
    });
    core.providerDrafts.subscribe(() => this.#readDrafts(true));
    const savedHistory = core.remember<string[]>("history");
    if (savedHistory) this.history = { entries: savedHistory, index: savedHistory.length, draft: "" };
    this.#readDrafts();
  }

  /** The channel or thread that the composer sends to. */
  get place(): ThreadRef | undefined {
    return composerPlace(this.#store.screen);
  }

  at(place: ThreadRef | undefined = this.place): ComposerBox {
    return boxOf(this.#store.screen, place);
  }

  /** Core's composer of a channel or thread; its changes are drawn from then on. */
  composer(place: ThreadRef): Composer {
    const key = placeKey(place);
    const composer = this.#core.composer(place);
    if (this.#watched.get(key) === composer) return composer;
    this.#watched.set(key, composer);
    const { attachments, links, suggestions } = composer;
    for (const part of [composer, attachments, links])
      part.subscribe(() => {
        if (this.#watched.get(key) === composer) this.sync(place);
      });
    suggestions.subscribe(() => {
      if (this.#watched.get(key) === composer) this.#onSuggestions(place);
    });
    return composer;
  }

  /** Opens the composer of a channel or thread with its draft, and refreshes the list of drafts. */
  open(place: ThreadRef): void {
    this.composer(place).open();
    this.sync(place, true);
    // Not into the box of a half without the focus.
    if (this.place && placeKey(this.place) === placeKey(place)) this.#moveEarlyText(place);
    this.#readDrafts();
  }

  /** Takes over the editor after a key changed its text or moved its cursor; `pull` draws pending network changes too. */
  setEditor(editor: EditorState, place: ThreadRef | undefined = this.place, pull = false): void {
    if (editor === this.at(place).editor) return;
    if (!place)
      return this.#store.update((screen) => withComposer(screen, undefined, { ...EMPTY_BOX, editor }));
    this.composer(place).typed(editor.text, editor.cursor);
    this.#show(place, { ...this.at(place), editor }, pull);
    if (editor.text === "") this.#giveBack(place);
  }

  /** Replaces the text by a command line; it comes back when the line has run or was deleted (specification/screen.md §4). */
  beginLine(line: string, place: ThreadRef | undefined = this.place): void {
    const { editor } = this.at(place);
    const key = place && placeKey(place);
    // A line that replaces an earlier one does not replace what that one has set aside.
    if (key !== undefined && editor.text.trim() !== "" && !this.#setAside.has(key))
      this.#setAside.set(key, editor.text);
    this.remember(editor.text);
    this.setEditor(setText(editor, line), place, true);
  }

  #giveBack(place: ThreadRef): void {
    const key = placeKey(place);
    const text = this.#setAside.get(key);
    this.#setAside.delete(key);
    if (text !== undefined) this.setEditor(setText(this.at(place).editor, text), place, true);
  }

  /** Changes core's composer and draws the result. */
  change(change: (box: Composer) => void, place: ThreadRef | undefined = this.place): void {
    if (!place) return;
    change(this.composer(place));
    this.sync(place, true);
  }

  /** Begins editing a message; what was written comes back when the edit ends. */
  edit(message: Message): void {
    this.change((box) => box.edit(message));
  }

  quote(message: Message): void {
    this.change((box) => box.quote(message.id));
  }

  /** Draws core's composer; `pull` draws pending network changes too. */
  sync(place: ThreadRef, pull = false): void {
    const find = (id: string): Message | undefined => messageIn(this.#store.state, place, id);
    const next = boxFrom(this.composer(place), this.at(place), find);
    if (pull || next !== this.at(place)) this.#show(place, next, pull);
    if (next.editor.text === "") this.#giveBack(place);
  }

  /** Updates the completion list for the text before the cursor; moving the cursor closes it. */
  updateCompletion(changed: boolean): void {
    const { place } = this;
    const { editor } = this.at();
    const before = editor.text.slice(0, editor.cursor);
    if (this.#awaitedText !== undefined) this.#parts.joinableChannels.cancel();
    this.#awaitedText = undefined;
    // Most text is plain words, for which nothing is looked up.
    const command = before.startsWith("/") && !editor.text.startsWith("//");
    const possible = changed && place && (command || MAY_COMPLETE.test(before.slice(-64)));
    if (!possible) {
      if (this.#store.screen.completion) this.#store.update((s) => withCompletion(s, undefined));
      return;
    }
    const channel = CHANNEL_WORD.exec(before)?.[1];
    if (this.composer(place).suggestions.state().loading || channel !== undefined) this.#awaitedText = before;
    const completion = completionFor(before, this.#sources(place, channel));
    this.#store.update((s) => withCompletion(s, completion));
  }

  /** Adds a text to the history: one that was sent or cleared, or a replaced draft (D10). */
  remember(text: string): void {
    if (text.trim() === "") return;
    this.history = addToHistory(this.history, text);
    this.#core.keep("history", this.history.entries.slice(-100));
  }

  /** Appends what was typed before any channel was open to the draft. */
  #moveEarlyText(place: ThreadRef): void {
    const early = this.#store.screen.composers.get(NO_CHANNEL_KEY)?.editor;
    if (!early || early.text === "") return;
    this.#store.update((screen) => withComposer(screen, undefined, EMPTY_BOX));
    const { editor } = this.at(place);
    this.setEditor(moveTo(insert(editor, early.text), editor.cursor + early.cursor), place, true);
  }

  #show(place: ThreadRef, box: ComposerBox, pull: boolean): void {
    this.#store.update((screen) => withComposer(screen, place, box), pull);
    for (const { state, attachment } of box.uploads)
      if (state === "finished") this.#parts.pictures.uploaded(attachment);
    // Reads the disk, so only when a draft begins or ends.
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
        ...listedChannels(state).map((e) => ({ cid: e.cid, title: channelTitle(e, me) })),
        ...(channel === undefined ? [] : this.#parts.joinableChannels.search(channel))
          .filter(({ cid }) => !state.channels.has(cid))
          .map((each) => ({ ...each, open: true as const })),
      ],
      users: [...state.users.values()].filter(({ id }) => id !== me),
      channelType: this.#settings.channelType,
      emoji: { first: preferredFirst(preferredEmoji(this.#core)), tone: this.#settings.skinTone ?? "none" },
      choices: (takes) => this.#choices(place, takes),
      describeDefault: (which) => {
        const message = defaultMessageIn(this.#store.get(), place, which);
        return message && messageWords(message);
      },
      namesMessage: (word) => namesMessage(state, place, word),
      extensions: () => this.#parts.extensions.list(),
      providerCommands: state.channels.get(place.cid)?.channel.config?.commands ?? [],
    };
  }

  /** The possible arguments of one of the composer's own commands. */
  #choices(place: ThreadRef, takes: CompletionSource): readonly string[] {
    if (takes === "theme") return this.#parts.themes.list().map(({ name }) => name);
    if (takes === "profile") return this.#parts.profiles.list().map(({ name }) => name);
    if (takes === "snippet")
      return [...this.#parts.snippets.read().snippets.map(({ name }) => name), "add", "remove", "list"];
    if (takes === "setting") return settingKeys;
    if (takes !== "attached") return [];
    const { uploads, carried } = this.at(place);
    return [...carried.flatMap(({ title }) => title ?? []), ...uploads.map(({ name }) => name)];
  }

  /** Suggestions arrived: updates the completion list if the text before the cursor is still the same. */
  #onSuggestions(place: ThreadRef): void {
    const { screen } = this.#store;
    const { place: here } = this;
    if (!here || placeKey(here) !== placeKey(place) || screen.focus !== "composer") return;
    const { editor } = this.at(place);
    if (this.#awaitedText === editor.text.slice(0, editor.cursor)) this.updateCompletion(true);
  }

  /** `pull` draws the change at once. */
  #readDrafts(pull = false): void {
    const drafts = draftsByPlace(this.#core, (key) => this.#watched.get(key)?.state().text === "");
    this.#store.update((screen) => ({ ...screen, drafts }), pull);
  }
}
