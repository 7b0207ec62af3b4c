/** Lists of messages as cached blocks of rows, with days, new-message lines, gaps and the parent of a thread. */
import type { ChannelEntry, HeldMessage, MessageSet, ThreadRef } from "../../../../model/state.ts";
import { count, words } from "../../../../text/words.ts";
import { timeToMs } from "../../../../wire/time.ts";
import { hasNamesake } from "../../../../model/namesakes.ts";
import { readersOf } from "../../../../model/readers.ts";
import { RowCache } from "../../../render/cache.ts";
import type { RowContext } from "../../../render/context.ts";
import { nextChange } from "../../../render/next-change.ts";
import { continuesGroup, dayRow, gapRow, newRow, olderRow, startsDay } from "../../../render/separators.ts";
import { messageRows } from "../../../render/message.ts";
import { spotsIn, type Spot } from "../../../render/spots.ts";
import type { Feed } from "./feed.ts";
import { layoutKind } from "../../../screen/layout.ts";
import { placeKey } from "../../../screen/place-key.ts";
import type { Screen, ShownAs } from "../../../screen/screen.ts";
import { shownSet } from "../../../../model/select.ts";
import { threadParent } from "../../../screen/selectors.ts";
import type { Snapshot } from "../../../screen/store.ts";

/** Ids of blocks that are no message; message ids hold no caret. */
export const OLDER = "^older";
export const NEWER = "^newer";
const START = "^start";

/** The pane's own columns: the browse cursor before a row, a blank behind it. */
export const GUTTER = 1;
const MARGIN = 1;

interface FeedContext {
  place: ThreadRef;
  entry: ChannelEntry;
  set: MessageSet;
  parent: HeldMessage | undefined;
  context: RowContext;
  shownAs: ReadonlyMap<string, ShownAs>;
  /** The reader's own. */
  language: string | undefined;
}

type Block =
  | { id: string; kind: "older" | "newer" | "start" | "parent" }
  | { id: string; kind: "message"; index: number };

class MessageFeed implements MessageRows {
  readonly #props: FeedContext;
  readonly #cache: RowCache;
  readonly #head: Block[] = [];
  readonly #tail: Block[] = [];
  readonly #rows = new Map<number, readonly string[]>();
  /** When a row that was made looks different by time alone. */
  changesAt = Infinity;

  constructor(props: FeedContext, cache: RowCache) {
    this.#props = props;
    this.#cache = cache;
    const { set, place, parent } = props;
    if (parent) this.#head.push({ id: parent.id, kind: "parent" });
    if (set.hasPrev) this.#head.push({ id: OLDER, kind: "older" });
    else if (place.parentId === undefined) this.#head.push({ id: START, kind: "start" });
    if (set.hasNext) this.#tail.push({ id: NEWER, kind: "newer" });
  }

  get length(): number {
    return this.#head.length + this.#props.set.messages.length + this.#tail.length;
  }
  #block(index: number): Block {
    if (index < this.#head.length) return this.#head[index]!;
    const at = index - this.#head.length;
    const { messages } = this.#props.set;
    if (at < messages.length) return { id: messages.at(at)!.id, kind: "message", index: at };
    return this.#tail[at - messages.length]!;
  }
  idAt(index: number): string {
    return this.#block(index).id;
  }
  indexOf(id: string): number {
    const head = this.#head.findIndex((b) => b.id === id);
    if (head >= 0) return head;
    const at = this.#props.set.messages.indexOf(id);
    if (at >= 0) return at + this.#head.length;
    return this.#tail.some((b) => b.id === id) ? this.length - 1 : -1;
  }
  stops(index: number): boolean {
    return this.#block(index).kind !== "start";
  }
  rowsAt(index: number): readonly string[] {
    let rows = this.#rows.get(index);
    if (!rows) this.#rows.set(index, (rows = this.#make(this.#block(index))));
    return rows;
  }

  headAt(index: number): number {
    const block = this.#block(index);
    return block.kind === "message" ? this.#above(block.index).length : 0;
  }

  #isNew({ id }: HeldMessage): boolean {
    const { place, entry } = this.#props;
    return place.parentId === undefined && entry.firstUnreadId === id;
  }
  /** What stands over a message: the day, and the line of new ones. */
  #above(index: number): string[] {
    const { context, set } = this.#props;
    const message = set.messages.at(index)!;
    const before = index === 0 ? undefined : set.messages.at(index - 1);
    const rows = startsDay(before, message, context.utc) ? [dayRow(message.created_at, context)] : [];
    if (this.#isNew(message))
      rows.push(newRow(set.isLatest ? othersFrom(set, index, context.me.id) : 0, context));
    return rows;
  }

  #runsOut(message: HeldMessage): void {
    this.changesAt = Math.min(this.changesAt, nextChange(message, this.#props.context.now));
  }

  spotsAt(index: number): Spot[] {
    return spotsIn(this.#make(this.#block(index), true));
  }
  /** The rows of a message, made anew where its spots are looked for. */
  #messageRows(message: HeldMessage, context: RowContext, spots: boolean): readonly string[] {
    const own = this.#chosen(message, context);
    return spots ? messageRows(message, { ...own, spots }) : this.#cache.rows(message, own);
  }
  /** With what was chosen for this message. */
  #chosen(message: HeldMessage, context: RowContext): RowContext {
    const as = this.#props.shownAs.get(message.id);
    const mine = message.user?.id === context.me.id;
    const language = as?.original || mine ? undefined : (as?.language ?? this.#props.language);
    if (!as?.revealed && !language) return context;
    return { ...context, ...(as?.revealed && { revealed: true }), ...(language && { language }) };
  }

  #make(block: Block, spots = false): readonly string[] {
    const { context, set, entry, place, parent } = this.#props;
    switch (block.kind) {
      case "older":
        return [olderRow(set.loading === "prev", context)];
      case "newer":
        return [gapRow(set.loading === "next", context)];
      case "start":
        return [context.theme.dim(set.messages.length ? words.channel.start : words.channel.empty), ""];
      case "parent": {
        this.#runsOut(parent!);
        const label = count(parent!.reply_count, "reply", "replies");
        return [
          ...this.#messageRows(parent!, { ...context, inThread: true }, spots),
          context.theme.dim(`── ${label} ${"─".repeat(Math.max(0, context.width - label.length - 4))}`),
        ];
      }
      case "message": {
        const message = set.messages.at(block.index)!;
        this.#runsOut(message);
        const rows = this.#above(block.index);
        const before = set.messages.at(block.index - 1);
        const isNew = this.#isNew(message);
        const grouped = block.index > 0 && !isNew && continuesGroup(before, message, context.utc);
        const mine = message.user?.id === context.me.id;
        const readBy = mine ? readersOf(message, entry, context.me.id) : undefined;
        const own: RowContext = {
          ...context,
          ...(grouped ? { grouped, sameMinute: sameMinute(before!, message) } : {}),
          ...(readBy === undefined ? {} : { readBy }),
          ...(hasNamesake(message.user, entry.members) ? { hasNamesake: true } : {}),
          ...(place.parentId === undefined ? {} : { inThread: true }),
        };
        rows.push(...this.#messageRows(message, own, spots));
        return rows;
      }
    }
  }
}

const minuteOf = ({ created_at }: HeldMessage): number => Math.floor(timeToMs(created_at) / 60_000);
const sameMinute = (a: HeldMessage, b: HeldMessage): boolean => minuteOf(a) === minuteOf(b);

/** A feed whose messages tell what of them can be pressed. */
export interface MessageRows extends Feed {
  /** The spots of a block; rows are counted from its first. */
  spotsAt(index: number): Spot[];
  /** The row of a block in which its message begins: under a day and the line of new ones. */
  headAt(index: number): number;
}

/** The parts of a snapshot that rows of messages are made from. */
export type Given = Pick<Snapshot, "state" | "lists" | "now" | "look"> & {
  /** Absent: every message as it is shown without a choice. */
  screen?: Pick<Screen, "shownAs" | "columns" | "rows">;
};

/** Beside a panel the messages keep their grid, so that nothing jumps when one opens. */
const keepsGrid = ({ screen }: Given, { parentId }: ThreadRef): boolean =>
  parentId === undefined && screen !== undefined && layoutKind(screen.columns, screen.rows) === "wide";

interface Held {
  inputs: readonly unknown[];
  feed: MessageFeed;
}

/** One feed for each place, made again only when what it shows has changed. */
export class Feeds {
  readonly #cache = new RowCache();
  readonly #held = new Map<string, Held>();
  /** Feeds of the newest picture. */
  #shown = new Set<MessageFeed>();
  #model: Given | undefined;
  /** Code was drawn plain because the highlighter is not loaded. */
  onCode: (() => void) | undefined;

  /** Rows made since the start. */
  get made(): number {
    return this.#cache.made;
  }

  /** When the picture looks different by time alone, before the minute is over. */
  get changesAt(): number {
    return Math.min(Infinity, ...Array.from(this.#shown, (feed) => feed.changesAt));
  }

  /** What the rows of a pane of this width are drawn with. */
  context({ state, now, look }: Omit<Given, "lists">, width: number): RowContext {
    const { me } = state;
    return {
      width: Math.max(4, width - GUTTER - MARGIN),
      theme: look.theme,
      now,
      utc: look.utc,
      me: { id: me?.id ?? "", ...(me?.name === undefined ? {} : { name: me.name }) },
      hyperlinks: look.hyperlinks,
      ...(look.textWidth && { textWidth: look.textWidth }),
      ...(look.glyphs && { glyphs: look.glyphs }),
      ...(look.thumbnails && { thumbnails: look.thumbnails }),
      ...(look.maps && { maps: look.maps }),
      ...(this.onCode && { onCode: this.onCode }),
    };
  }

  feed(model: Given, place: ThreadRef, width: number): MessageRows {
    const entry = model.state.channels.get(place.cid);
    const set = shownSet(model.state, place);
    if (!entry || !set) return EMPTY_FEED;
    const parent = place.parentId === undefined ? undefined : threadParent(model, place.cid, place.parentId);
    const minute = Math.floor(model.now / 60_000);
    const oneLine = keepsGrid(model, place);
    const inputs = [
      set,
      entry.read,
      entry.members,
      entry.firstUnreadId,
      parent,
      width,
      oneLine,
      minute,
      model.state.me?.id,
      model.state.me?.language,
      model.look,
      model.screen?.shownAs,
    ];
    const key = placeKey(place);
    const held = this.#held.get(key);
    const same = held?.inputs.every((v, i) => Object.is(v, inputs[i]));
    if (same && model.now < held!.feed.changesAt) return this.#show(model, held!.feed);
    const context = { ...this.context(model, width), ...(oneLine && { oneLine }) };
    const { me } = model.state;
    const { shownAs = NO_CHOICE } = model.screen ?? {};
    const feed = new MessageFeed(
      { place, entry, set, parent, context, shownAs, language: me?.language },
      this.#cache,
    );
    this.#held.delete(key);
    this.#held.set(key, { inputs, feed });
    // A handful of places is looked at in turn; the rest is cheap to make again.
    if (this.#held.size > 16) this.#held.delete(this.#held.keys().next().value!);
    return this.#show(model, feed);
  }

  #show(model: Given, feed: MessageFeed): MessageFeed {
    if (model !== this.#model) this.#shown = new Set();
    this.#model = model;
    this.#shown.add(feed);
    return feed;
  }
}

const NO_CHOICE: ReadonlyMap<string, ShownAs> = new Map();

const EMPTY_FEED: MessageRows = {
  length: 0,
  idAt: () => "",
  indexOf: () => -1,
  rowsAt: () => [""],
  stops: () => false,
  spotsAt: () => [],
  headAt: () => 0,
};

/** Messages from this one on that the line above it speaks of: what others wrote and nobody deleted. */
export function othersFrom(set: MessageSet, index: number, me: string): number {
  return set.messages
    .slice(index, set.messages.length)
    .filter((message) => message.user?.id !== me && message.type !== "deleted").length;
}
