/** Saves earlier texts of edited messages on this machine, limited in number. */
import type { Core } from "../../core/core.ts";
import type { AnyEvent, EventMap } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";

/** An earlier text, and the provider time at which it was replaced. */
export interface EarlierText {
  text: string;
  until: string;
}

type StoredTexts = readonly (readonly [id: string, texts: readonly EarlierText[]])[];

const KEY = "saidBefore";
const MAX_MESSAGES = 100;
const MAX_TEXTS = 10;
/** Maximum length of a saved text, in UTF-16 units. */
const MAX_TEXT_LENGTH = 1000;

type Storage = Pick<Core, "remember" | "keep">;

const storedTexts = (core: Storage): StoredTexts => core.remember<StoredTexts>(KEY) ?? [];

/** Oldest first. */
export const earlierTexts = (core: Storage, id: string): readonly EarlierText[] =>
  storedTexts(core).find(([messageId]) => messageId === id)?.[1] ?? [];

/** Saves the text that an edit replaced; another screen of the same person may have saved it, or a later one. Returns the message's id. */
export function saveEarlierText(core: Storage, event: AnyEvent): string | undefined {
  const { message, message_update: change } = event as Partial<EventMap["message.updated"]>;
  if (!message || !change?.old_text) return undefined;
  const text: EarlierText = {
    text: change.old_text.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
    until: message.updated_at,
  };
  const known = earlierTexts(core, message.id);
  if (known.some(({ until }) => compareTimes(until, text.until) === 0)) return message.id;
  const texts = [...known, text].toSorted((a, b) => compareTimes(a.until, b.until)).slice(-MAX_TEXTS);
  const others = storedTexts(core).filter(([id]) => id !== message.id);
  core.keep(KEY, [...others, [message.id, texts]].slice(-MAX_MESSAGES));
  return message.id;
}
