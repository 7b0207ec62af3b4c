/** What a Telegram message shows beside its text: files, places, contacts, polls, and what happened in the chat. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import { fileAttachment, missingFileText } from "../base/attachments.ts";
import { besidePath, type ExportFiles } from "../base/foreign-files.ts";
import type { ForeignScope } from "../base/format.ts";
import { shapedList, textsOf } from "../base/shapes.ts";
import { TELEGRAM_ANSWER, type TelegramMessage } from "./shapes.ts";
import { telegramText } from "./text.ts";

interface TelegramPlace {
  files: ExportFiles;
  /** Name of the file that the message is in. */
  document: string;
  scope: ForeignScope;
  tally: Tally;
}

/** Sentences in the place of a path, and why the file is not there. */
const ABSENT: readonly (readonly [begins: string, reason: string])[] = [
  ["(File exceeds maximum size", "too large for the settings of the export"],
  ["(File not included", "not included by the settings of the export"],
  ["(File unavailable", "unavailable at Telegram"],
];

const lines = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part.trim() !== "").join("\n");

/** The file of a message: an attachment, or a text that says what is missing. */
async function fileOf(
  message: TelegramMessage,
  id: string,
  { files, document, scope, tally }: TelegramPlace,
): Promise<{ text?: string; attachment?: object }> {
  const { photo, file, file_name, media_type, performer, title, sticker_emoji } = message;
  const where = photo ?? file;
  if (where === undefined) return {};
  const isPhoto = photo !== undefined;
  const absent = ABSENT.find(([begins]) => where.startsWith(begins));
  const path = absent ? undefined : besidePath(document, where);
  const found = path === undefined ? undefined : await files.find(path);
  const last = where.slice(Math.max(where.lastIndexOf("/"), where.lastIndexOf("\\")) + 1);
  const shown = [performer, title].filter(Boolean).join(" – ");
  const name = shown || file_name || (absent ? (isPhoto ? "photo" : (media_type ?? "file")) : last);
  const attachment = fileAttachment(
    {
      file: found,
      id,
      name,
      mime_type:
        message.mime_type ?? (isPhoto ? "image/jpeg" : media_type === "sticker" ? "image/webp" : undefined),
      size: isPhoto ? message.photo_file_size : message.file_size,
      duration: message.duration_seconds,
    },
    scope,
    tally,
    absent?.[1],
  );
  return attachment ? { attachment } : { text: lines([sticker_emoji, found ? "" : missingFileText(name)]) };
}

/** A question, and a line for each of its answers with the votes. */
function pollText(question: string, answers: unknown): string {
  const options = (Array.isArray(answers) ? answers : []).filter(isObject).map((one) => {
    const [{ voters = 0 } = {}] = shapedList([one], TELEGRAM_ANSWER);
    return `- ${telegramText(one.text)} (${voters})`;
  });
  return lines([`📊 **${question}**`, ...options]);
}

function placeText({
  location_information: at,
  place_name: name,
  address,
}: TelegramMessage): string | undefined {
  const { latitude, longitude } = at ?? {};
  if (
    latitude === undefined ||
    longitude === undefined ||
    Math.abs(latitude) > 90 ||
    Math.abs(longitude) > 180
  )
    return name;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`;
  return lines([name && `📍 ${name}`, address, name ? map : `📍 ${map}`]);
}

function contactText({ contact_information: contact }: TelegramMessage): string | undefined {
  if (!contact) return undefined;
  const { first_name: first, last_name: last, phone_number: phone } = contact;
  return `👤 ${[first, last, phone].filter(Boolean).join(" ")}`;
}

const TODO = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).filter(isObject).map((one) => `- ${telegramText(one.text ?? one.title)}`);

/** Sentences about what happened; for others the name of the action stands. */
const ACTIONS: Readonly<Record<string, (message: TelegramMessage) => string>> = {
  create_group: ({ title = "" }) => `created the group ${title}`,
  create_channel: ({ title = "" }) => `created the channel ${title}`,
  invite_members: ({ members }) => `invited ${textsOf(members).join(", ")}`,
  remove_members: ({ members }) => `removed ${textsOf(members).join(", ")}`,
  join_group_by_link: () => "joined by a link",
  join_group_by_request: () => "joined by request",
  edit_group_title: ({ title = "" }) => `renamed the chat to ${title}`,
  edit_group_photo: () => "changed the picture of the chat",
  delete_group_photo: () => "removed the picture of the chat",
  pin_message: () => "pinned a message",
  phone_call: ({ duration_seconds: seconds = 0, discard_reason: reason = "" }) =>
    seconds > 0 ? `called, ${Math.ceil(seconds / 60)} min` : `called (${reason || "no answer"})`,
  group_call: () => "started a group call",
  topic_created: ({ title = "" }) => `created the topic ${title}`,
  topic_edit: ({ new_title: title = "" }) => `renamed the topic to ${title}`,
  migrate_to_supergroup: () => "made the group a supergroup",
  migrate_from_group: ({ title = "" }) => `the group ${title} became this supergroup`,
};

function serviceText(message: TelegramMessage): string {
  const { actor, action = "something" } = message;
  const what = Object.hasOwn(ACTIONS, action) ? ACTIONS[action]!(message) : action.replaceAll("_", " ");
  return lines([[actor ?? "", what].filter(Boolean).join(" ")]);
}

/** The text and attachments of a message; `raw` is the whole of it. */
export async function telegramContent(
  message: TelegramMessage,
  raw: Record<string, unknown>,
  id: string,
  place: TelegramPlace,
): Promise<{ text: string; attachments: object[]; mentioned: string[] }> {
  const mentioned: string[] = [];
  const own = telegramText(message.text_entities?.length ? message.text_entities : raw.text, (one) =>
    mentioned.push(`user${one}`),
  );
  const { text: fileText, attachment } = await fileOf(message, id, place);
  const poll = isObject(raw.poll) ? pollText(telegramText(raw.poll.question), raw.poll.answers) : undefined;
  const todo = isObject(raw.todo_list)
    ? lines([
        `**${telegramText(raw.todo_list.title)}**`,
        ...TODO(raw.todo_list.answers ?? raw.todo_list.items),
      ])
    : undefined;
  const { forwarded_from: from, game_title: game, game_description: about } = message;
  return {
    text: lines([
      from && `_Forwarded from ${from}_`,
      message.type === "service" ? serviceText(message) : undefined,
      own,
      poll,
      todo,
      placeText(message),
      contactText(message),
      game && `🎮 ${game}`,
      game && about,
      fileText,
    ]),
    attachments: attachment ? [attachment] : [],
    mentioned,
  };
}
