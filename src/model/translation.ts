/** A message in the reader's language, as far as it was translated (specification/messages.md §8). */
import type { Message } from "../wire/entities/message.ts";

interface Translation {
  text: string;
  /** Code of the language it was written in, where that is known. */
  from?: string;
}

/** Undefined where there is none, or where it was written in that language. */
export function translationOf(message: Message, language: string | undefined): Translation | undefined {
  const { i18n } = message;
  const text = language && i18n?.[`${language}_text`];
  if (!text || i18n.language === language) return undefined;
  return { text, ...(i18n.language && { from: i18n.language }) };
}
