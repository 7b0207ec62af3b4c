/** Renders lists of messages as cached blocks of rows: with days, the line of new messages, gaps and the parent of a thread. */
import type { ClientMessage, ChannelEntry, MessageSet, ThreadRef } from "../../../../model/state.ts";
import { timeToMs } from "../../../../wire/time.ts";
import { wrapText, wrapsOf, type Wrap } from "../../../../text/wrap.ts";
import { count, words } from "../../../../text/words.ts";
import { hasNamesake } from "../../../../model/namesakes.ts";
import { readersOf } from "../../../../model/readers.ts";
import { AuthorNumbers } from "../../../render/author-numbers.ts";
import { RowCache } from "../../../render/cache.ts";
import type { RowContext } from "../../../render/context.ts";
import { continuesGroup, dayOf, gapRow, olderRow, ruleRow, startsDay } from "../../../render/separators.ts";
import { messageRows } from "../../../render/message.ts";
import { spotsIn, type Spot } from "../../../render/spots.ts";
import type { Feed } from "./feed.ts";
import { placeKey } from "../../../screen/place-key.ts";
import type { Screen, MessageDisplay } from "../../../screen/screen.ts";
import { shownSet } from "../../../../model/select.ts";
import { threadParent } from "../../../screen/selectors.ts";
import type { Snapshot } from "../../../screen/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The next time at which `ceil((end − now) / step)` changes. */
function nextStep(end: number, now: number, step: number): number {
  const left = end - now;
  if (!(left > 0)) return Infinity;
  return end - (Math.ceil(left / step) - 1) * step;
}

const endOf = (text: string | null | undefined): number => (text ? timeToMs(text) : Number.NaN);

/** Milliseconds since the epoch; Infinity if nothing expires. */
export function nextChange(
  { shared_location, reminder, pinned, pin_expires }: ClientMessage,
  now: number,
): number {
  const remind = endOf(reminder?.remind_at);
  const pin = pinned ? endOf(pin_expires) : Number.NaN;
  return Math.min(
    nextStep(endOf(shared_location?.end_at), now, MINUTE),
    nextStep(remind, now, remind - now <= HOUR ? MINUTE : HOUR),
    pin > now ? pin : Infinity,
  );
}

/** Ids of blocks that are not messages; message ids contain no caret. */
export const OLDER = "^older";
export const NEWER = "^newer";
const START = "^start";

/** Columns around each row: the browse cursor before it, a blank after it. */
export const GUTTER = 1;
const MARGIN = 1;

interface FeedContext {
  place: ThreadRef;
  entry: ChannelEntry;
  set: MessageSet;
  parent: ClientMessage | undefined;
  context: RowContext;
  /** A blank row separates authors. */
  roomy: boolean;
  displays: ReadonlyMap<string, MessageDisplay>;
  /** The message below the line of new ones. */
  newFrom: string | undefined;
  /** Of the user's profile. */
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
  /** When the first of the rendered rows changes by time alone, ms. */
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
  isSelectable(index: number): boolean {
    const block = this.#block(index);
    if (block.kind !== "message") return block.kind !== "start";
    // Nothing can be done with what is deleted, but for reading its thread.
    const { type, reply_count: replies = 0 } = this.#props.set.messages.at(block.index)!;
    return type !== "deleted" || replies > 0;
  }
  rowsAt(index: number): readonly string[] {
    let rows = this.#rows.get(index);
    if (!rows) this.#rows.set(index, (rows = this.#render(this.#block(index))));
    return rows;
  }

  messageSpanAt(index: number): MessageSpan {
    const block = this.#block(index);
    const { length } = this.rowsAt(index);
    return {
      from: block.kind === "message" ? this.#rowsAbove(block.index).length : 0,
      to: block.kind === "parent" ? length - this.#belowParent().length : length,
    };
  }

  #isNew({ id }: ClientMessage): boolean {
    return this.#props.newFrom === id;
  }
  /** It continues what the message before it began. */
  #isGrouped(index: number): boolean {
    const { context, set } = this.#props;
    const message = set.messages.at(index)!;
    if (index === 0 || this.#isNew(message)) return false;
    return continuesGroup(set.messages.at(index - 1), message, context.utc);
  }
  /** Rows above a message: a blank one where another author begins, and one rule for the day and what is new. */
  #rowsAbove(index: number): string[] {
    const { context, set, roomy } = this.#props;
    const message = set.messages.at(index)!;
    const count = this.#isNew(message)
      ? words.message.new(set.isLatest ? countFromOthers(set, index, context.me.id) : 0)
      : "";
    const label = this.#startsDay(index) ? dayOf(message.created_at, context) : "";
    const rule = label || count ? [ruleRow({ label, count }, context)] : [];
    return roomy && index > 0 && !this.#isGrouped(index) ? ["", ...rule] : rule;
  }
  /** The day of the first reply is in the rule below the first message of the thread. */
  #startsDay(index: number): boolean {
    const { context, set } = this.#props;
    if (index === 0 && this.#head.at(-1)?.kind === "parent") return false;
    const before = index === 0 ? undefined : set.messages.at(index - 1);
    return startsDay(before, set.messages.at(index)!, context.utc);
  }
  /** Below the first message of a thread: the number of replies, and their day if it is another. */
  #belowParent(): string[] {
    const { context, set, roomy } = this.#props;
    const parent = this.#props.parent!;
    const first = this.#head.at(-1)?.kind === "parent" ? set.messages.at(0) : undefined;
    const isOtherDay = first && startsDay(parent, first, context.utc);
    const label = [
      count(parent.reply_count, "reply", "replies"),
      ...(isOtherDay ? [dayOf(first.created_at, context)] : []),
    ].join(" · ");
    return [...(roomy ? [""] : []), ruleRow({ label }, context)];
  }

  #trackNextChange(message: ClientMessage): void {
    this.changesAt = Math.min(this.changesAt, nextChange(message, this.#props.context.now));
  }

  wrapsAt(index: number): readonly Wrap[] {
    return wrapsOf(() => this.#render(this.#block(index), true));
  }
  spotsAt(index: number): Spot[] {
    return spotsIn(this.#render(this.#block(index), true));
  }
  /** The rows of a message; not from the cache when its spots are marked in them. */
  #messageRows(message: ClientMessage, context: RowContext, spots: boolean): readonly string[] {
    const rowContext = this.#contextFor(message, context);
    return spots ? messageRows(message, { ...rowContext, spots }) : this.#cache.rows(message, rowContext);
  }
  /** The context with what the user chose for this message: open spoilers, a translation. */
  #contextFor(message: ClientMessage, context: RowContext): RowContext {
    const display = this.#props.displays.get(message.id);
    const isOwn = message.user?.id === context.me.id;
    const language = display?.original || isOwn ? undefined : (display?.language ?? this.#props.language);
    if (!display?.revealed && !language) return context;
    return { ...context, ...(display?.revealed && { revealed: true }), ...(language && { language }) };
  }

  #render(block: Block, spots = false): readonly string[] {
    const { context, set, entry, place, parent } = this.#props;
    switch (block.kind) {
      case "older":
        return [olderRow(set.loading === "prev", context)];
      case "newer":
        return [gapRow(set.loading === "next", context)];
      case "start":
        return [...startRows(set.messages.length > 0, context), ""];
      case "parent": {
        this.#trackNextChange(parent!);
        const rows = this.#messageRows(parent!, { ...context, inThread: true }, spots);
        return [...rows, ...this.#belowParent()];
      }
      case "message": {
        const message = set.messages.at(block.index)!;
        this.#trackNextChange(message);
        const rows = this.#rowsAbove(block.index);
        const grouped = this.#isGrouped(block.index);
        const isOwn = message.user?.id === context.me.id;
        const readBy = isOwn ? readersOf(message, entry, context.me.id) : undefined;
        const rowContext: RowContext = {
          ...context,
          ...(grouped ? { grouped, sameMinute: sameMinute(set.messages.at(block.index - 1)!, message) } : {}),
          ...(readBy === undefined ? {} : { readBy }),
          ...(hasNamesake(message.user, entry.members) ? { hasNamesake: true } : {}),
          ...(place.parentId === undefined ? {} : { inThread: true }),
        };
        rows.push(...this.#messageRows(message, rowContext, spots));
        return rows;
      }
    }
  }
}

const minuteOf = ({ created_at }: ClientMessage): number => Math.floor(timeToMs(created_at) / 60_000);
const sameMinute = (a: ClientMessage, b: ClientMessage): boolean => minuteOf(a) === minuteOf(b);

/** From a row to before another. */
interface MessageSpan {
  from: number;
  to: number;
}

/** A feed that also knows what can be pressed in its messages. */
export interface MessageRows extends Feed {
  /** The spots of a block; their rows are relative to its first row. */
  spotsAt(index: number): Spot[];
  /** How each row of a block goes on in the next one. */
  wrapsAt(index: number): readonly Wrap[];
  /** The rows of a block that are its message, without the rules around it. */
  messageSpanAt(index: number): MessageSpan;
}

/** The slices that {@link Feeds.feed} reads. */
export const FEED_SLICES = [
  "state",
  "lists",
  "now",
  "look",
  "messageDisplay",
  "threadLine",
  "columns",
  "rows",
] as const;

/** The parts of a snapshot that message rows depend on. */
export type FeedInput = Pick<Snapshot, "state" | "lists" | "now" | "look"> & {
  /** The model that this one is a view of, if it is one. */
  whole?: object;
  /** Absent: every message is drawn with the default options. */
  screen?: Pick<Screen, "messageDisplay" | "threadLine" | "columns" | "rows">;
};

/** A pane of 28 rows, on a screen of that many: what the box takes does not change it. */
const ROOMY_ROWS = 32;

/** Whether a blank row separates authors. */
const isRoomy = ({ screen, look: { spacing = "auto" } }: FeedInput): boolean =>
  spacing === "auto" ? screen !== undefined && screen.rows >= ROOMY_ROWS : spacing === "roomy";

/** The message below the line of new ones. */
function newLineOf(
  { screen }: FeedInput,
  { firstUnreadId }: ChannelEntry,
  place: ThreadRef,
): string | undefined {
  if (place.parentId === undefined) return firstUnreadId;
  return screen?.threadLine?.key === placeKey(place) ? screen.threadLine.id : undefined;
}

/** Above the first message, or in the place of all. */
const startRows = (hasMessages: boolean, { theme, width }: RowContext): string[] =>
  wrapText(hasMessages ? words.channel.start : words.channel.empty, width).map((row) => theme.dim(row));

interface CachedFeed {
  inputs: readonly unknown[];
  feed: MessageFeed;
}

/** Caches one feed for each channel or thread, rebuilt only when its inputs have changed. */
export class Feeds {
  readonly #cache = new RowCache();
  readonly #authors = new AuthorNumbers();
  readonly #feeds = new Map<string, CachedFeed>();
  /** The feeds used for the newest model. */
  #shown = new Set<MessageFeed>();
  #model: object | undefined;
  /** Called when code was drawn plain because the highlighter is not loaded yet. */
  onCode: (() => void) | undefined;

  /** Count of messages rendered since the start. */
  get renderCount(): number {
    return this.#cache.rendered;
  }

  /** When the shown feeds next change by time alone, ms. */
  get changesAt(): number {
    return Math.min(Infinity, ...Array.from(this.#shown, (feed) => feed.changesAt));
  }

  /** The number of a person for the colour of their name. */
  authorNumber = (userId: string): number => this.#authors.numberOf(userId);

  /** The context for drawing rows in a pane of this width. */
  context({ state, now, look }: Omit<FeedInput, "lists">, width: number): RowContext {
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
      ...(look.sound && { sound: look.sound }),
      ...(look.withoutLetters && { withoutLetters: true }),
      ...(look.thumbnails && { thumbnails: look.thumbnails }),
      ...(look.maps && { maps: look.maps }),
      ...(this.onCode && { onCode: this.onCode }),
    };
  }

  feed(model: FeedInput, place: ThreadRef, width: number): MessageRows {
    const entry = model.state.channels.get(place.cid);
    const set = shownSet(model.state, place);
    if (!entry || !set) return EMPTY_FEED;
    const parent = place.parentId === undefined ? undefined : threadParent(model, place.cid, place.parentId);
    const minute = Math.floor(model.now / 60_000);
    const roomy = isRoomy(model);
    const newFrom = newLineOf(model, entry, place);
    const inputs = [
      set,
      entry.read,
      entry.members,
      newFrom,
      parent,
      width,
      roomy,
      minute,
      model.state.me?.id,
      model.state.me?.language,
      model.look,
      model.screen?.messageDisplay,
    ];
    const key = placeKey(place);
    const cached = this.#feeds.get(key);
    const isCurrent = cached?.inputs.every((v, i) => Object.is(v, inputs[i]));
    if (isCurrent && model.now < cached!.feed.changesAt) return this.#show(model, cached!.feed);
    const context = {
      ...this.context(model, width),
      authorNumber: this.authorNumber,
    };
    const { me } = model.state;
    const { messageDisplay = DEFAULT_DISPLAYS } = model.screen ?? {};
    const feed = new MessageFeed(
      {
        place,
        entry,
        set,
        parent,
        context,
        roomy,
        newFrom,
        displays: messageDisplay,
        language: me?.language,
      },
      this.#cache,
    );
    this.#feeds.delete(key);
    this.#feeds.set(key, { inputs, feed });
    // Users switch between a handful of channels; other feeds are cheap to rebuild.
    if (this.#feeds.size > 16) this.#feeds.delete(this.#feeds.keys().next().value!);
    return this.#show(model, feed);
  }

  #show(model: FeedInput, feed: MessageFeed): MessageFeed {
    const whole = model.whole ?? model;
    if (whole !== this.#model) this.#shown = new Set();
    this.#model = whole;
    this.#shown.add(feed);
    return feed;
  }
}

const DEFAULT_DISPLAYS: ReadonlyMap<string, MessageDisplay> = new Map();

const EMPTY_FEED: MessageRows = {
  length: 0,
  idAt: () => "",
  indexOf: () => -1,
  rowsAt: () => [""],
  isSelectable: () => false,
  spotsAt: () => [],
  wrapsAt: () => [],
  messageSpanAt: () => ({ from: 0, to: 0 }),
};

/** How many messages from `index` on are new: written by others and not deleted. */
export function countFromOthers(set: MessageSet, index: number, me: string): number {
  return set.messages
    .slice(index, set.messages.length)
    .filter((message) => message.user?.id !== me && message.type !== "deleted").length;
}
