/** A message in a few words, for questions, titles and help. */
import { cleanLine } from "../text/sanitize.ts";
import { userName } from "./channels.ts";
import type { HeldMessage } from "./state.ts";

/** Its text on one line, at most 40 characters. */
export function shortText(message: HeldMessage): string {
  const text = cleanLine(message.text);
  return text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text || "a message without text";
}

/** `ana: deploy at ten?` */
export const messageWords = (message: HeldMessage): string =>
  `${userName(message.user)}: ${shortText(message)}`;
