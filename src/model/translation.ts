/** Selects the translation of a message for the reader's language (specification/messages.md §8). */
import type { Message } from "../wire/entities/message.ts";

interface Translation {
  text: string;
  /** The original language, if known. */
  from?: string;
}

/** Undefined if there is no translation, if it is the text itself, or if the message was written in that language. */
export function translationOf(message: Message, language: string | undefined): Translation | undefined {
  const { i18n } = message;
  const text = language && i18n?.[`${language}_text`];
  if (!text || text === message.text || i18n.language === language) return undefined;
  return { text, ...(i18n.language && { from: i18n.language }) };
}
