/** Translates a message: adds its text in one more language under `i18n` (specification/messages.md §6). */
import { messageBodies } from "../../../../wire/bodies/messages.ts";
import { TRANSLATED_TEXT_LIMIT } from "../../../../wire/constants.ts";
import { TRANSLATED_LANGUAGES } from "../../../../wire/languages.ts";
import type { RouteCall, Prefetch, Reply } from "../../../base/handler.ts";
import { BodyReader, invalidField } from "../../validation/check.ts";
import { requireNotBanned } from "../../access/view/policy.ts";
import { findUser } from "../../users/storage/rows.ts";
import { callerViewContext, messageFor } from "../view/visibility.ts";
import { findMessage, type MessageData, type MessageRow } from "../storage/rows.ts";
import { messageView } from "../view/messages.ts";
import { publishUpdated } from "./update.ts";
import { setMessageData } from "../storage/change.ts";

const CODES = new Set(TRANSLATED_LANGUAGES);

interface Translation {
  source: string;
  text: string | undefined;
}

/** The source language: from an earlier translation, else the author's `language`. */
const languageOf = (call: Pick<RouteCall, "db">, row: MessageRow): string => {
  const { i18n } = JSON.parse(row.data) as MessageData;
  if (i18n?.language) return i18n.language;
  const author = findUser(call.db, row.user_id);
  const { language } = JSON.parse(author?.data ?? "{}") as { language?: unknown };
  return typeof language === "string" ? language : "";
};

export const prepareTranslation: Prefetch = (call) => {
  const { language } = call.body;
  const row = findMessage(call.db, call.path.id ?? "");
  if (!call.external || !row || typeof language !== "string" || !CODES.has(language)) return undefined;
  if (row.text === "" || row.text.length > TRANSLATED_TEXT_LIMIT) return undefined;
  return call.external
    .translate(row.text, languageOf(call, row), language)
    .then((text): Translation => ({ source: row.text, text }));
};

/** Translates for any reader; errors, commands and deleted messages are not translated (D). */
export function translateMessage(call: RouteCall): Reply<"translateMessage"> {
  const { row, permissions } = messageFor(call);
  requireNotBanned(permissions, call.now());
  const check = new BodyReader(call.body);
  const { language } = check.read(messageBodies.translateMessage);
  if (language !== "" && !CODES.has(language))
    check.fail("language", "is not a language that texts are translated to");
  check.done();
  const data = JSON.parse(row.data) as MessageData;
  if (row.type === "deleted" || data.command !== undefined)
    throw invalidField("id", "names a message that is not translated: it is deleted or a command");
  if (row.text.trim() === "") throw invalidField("id", "names a message without a text");
  if (row.text.length > TRANSLATED_TEXT_LIMIT)
    throw invalidField("id", `names a message of more than ${TRANSLATED_TEXT_LIMIT} characters`);
  const source = languageOf(call, row);
  const translation = call.prepared as Translation | undefined;
  // Without a translator, or when the text changed meanwhile, the original text is used.
  const text =
    translation?.source === row.text && translation.text !== undefined ? translation.text : row.text;
  const i18n = {
    ...data.i18n,
    language: source,
    ...(source === "" ? {} : { [`${source}_text`]: row.text }),
    [`${language}_text`]: text,
  };
  const now = Math.max(call.now(), row.updated_at + 1);
  setMessageData(call.db, row.id, JSON.stringify({ ...data, i18n }), now);
  const after = findMessage(call.db, row.id)!;
  publishUpdated(call, after, call.caller.userId ?? row.user_id);
  return { message: messageView(callerViewContext(call), after) };
}
