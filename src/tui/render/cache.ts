/** Caches the rendered rows of messages, limited in number and size. */
import type { ClientMessage } from "../../model/state.ts";
import { highlighterLoaded } from "../../text/highlight.ts";
import { timeLeft } from "./location.ts";
import type { RowContext } from "./context.ts";
import { reminderMark } from "./marks.ts";
import { isPinned } from "../../model/message-state.ts";
import { soundsOf } from "../../model/sounds.ts";
import { messageRows } from "./message.ts";
import { isLive } from "../../model/locations.ts";

interface Entry {
  message: ClientMessage;
  key: string;
  rows: readonly string[];
  size: number;
}

/** Messages with more UTF-16 units of rows than this are not cached. */
const MAX_ENTRY_UNITS = 64_000;
/** Rows of texts longer than this are copied, because slices would keep the whole text in memory. */
const COPY_ABOVE_UNITS = 2_000;

/** All parts of the context that change the rows; width and place are in the entry's id. */
function keyOf(message: ClientMessage, ctx: RowContext): string {
  const flags =
    (ctx.grouped ? 1 : 0) +
    (ctx.expanded ? 2 : 0) +
    (ctx.revealed ? 4 : 0) +
    (ctx.hyperlinks ? 8 : 0) +
    (ctx.utc ? 16 : 0) +
    (ctx.glyphs?.dropVariation ? 32 : 0) +
    (ctx.glyphs?.dropSkinTone ? 64 : 0) +
    (ctx.glyphs?.dropJoiner ? 128 : 0) +
    (highlighterLoaded() ? 256 : 0) +
    (ctx.sameMinute ? 2048 : 0) +
    (ctx.glyphs?.asNames ? 4096 : 0) +
    (ctx.withoutLetters ? 16384 : 0) +
    (ctx.hasNamesake ? 8192 : 0) +
    (message.pinned && isPinned(message, ctx.now) ? 512 : 0);
  const location = message.shared_location;
  // Live locations and reminders count down by the minute.
  const remaining = location && isLive(location, ctx.now) ? timeLeft(location, ctx.now) : "";
  const map = location && ctx.maps ? `${ctx.maps.style}${ctx.maps.atlas ? 1 : 0}` : "";
  const reminder = message.reminder ? reminderMark(message, ctx.now) : "";
  const thumbnail = ctx.thumbnails?.cacheKey(message.attachments) ?? "";
  const { sound } = ctx;
  const playing =
    sound && soundsOf(message).some(({ url }) => url === sound.url) ? `${sound.phase}${sound.heard}` : "";
  return `${ctx.theme.key}|${flags}|${ctx.textWidth ?? ""}|${ctx.readBy ?? ""}|${ctx.language ?? ""}|${ctx.me.id}|${remaining}${map}|${reminder}|${thumbnail}|${playing}`;
}

/** A bounded cache of {@link messageRows}; drops the least recently used messages first. */
export class RowCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxMessages: number;
  readonly #maxUnits: number;
  #size = 0;
  /** Messages rendered since the start, for tests and the debug line. */
  rendered = 0;

  /** The limits: messages, and UTF-16 units of all rows. */
  constructor(maxMessages = 1_500, maxUnits = 4_000_000) {
    this.#maxMessages = maxMessages;
    this.#maxUnits = maxUnits;
  }

  get length(): number {
    return this.#entries.size;
  }

  /** Like {@link messageRows}, but rendered again only if message or context changed. */
  rows(message: ClientMessage, ctx: RowContext): readonly string[] {
    const id = `${ctx.width}${ctx.inThread ? "t" : "c"}${message.id}`;
    const key = keyOf(message, ctx);
    const entry = this.#entries.get(id);
    if (entry) {
      this.#entries.delete(id);
      if (entry.message === message && entry.key === key) {
        this.#entries.set(id, entry);
        return entry.rows;
      }
      this.#size -= entry.size;
    }
    let rows = messageRows(message, ctx);
    this.rendered++;
    if ((message.text?.length ?? 0) > COPY_ABOVE_UNITS) rows = rows.map((row) => Buffer.from(row).toString());
    const size = rows.reduce((sum, row) => sum + row.length, 64);
    if (size <= MAX_ENTRY_UNITS) {
      this.#entries.set(id, { message, key, rows, size });
      this.#size += size;
      this.#trim();
    }
    return rows;
  }

  #trim(): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxMessages && this.#size <= this.#maxUnits) return;
      this.#entries.delete(id);
      this.#size -= entry.size;
    }
  }
}
