/** What a message has beside its text, as lines for the readable formats: quote, poll, location, cards, fields. */
import { isObject } from "../../wire/json-object.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import { hasPosition } from "../../wire/entities/location.ts";
import type { PollVote } from "../../wire/entities/poll.ts";
import { customOf } from "../../wire/custom.ts";
import { clean, cleanLine } from "../../text/sanitize.ts";
import { safeUrl } from "../../text/safe-url.ts";
import type { Exported, OnUnused } from "./form.ts";
import { formatStamp, personName } from "./texts.ts";

/** A headline with the lines below it. */
export interface Detail {
  /** `card`: an attachment of any kind. */
  kind: "quote" | "poll" | "location" | "card" | "fields";
  head: string;
  /** Path of the copied file, or a safe address. */
  url?: string;
  lines: string[];
}

export const detailsOf = (exported: Exported): Detail[] => [
  ...quoteOf(exported),
  ...pollOf(exported),
  ...locationOf(exported),
  ...cardsOf(exported),
  ...fieldsOf(exported),
];

/** Attachments may hold any JSON. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

const lineOf = (value: unknown): string => cleanLine(textOf(value));

/** Without empty lines. */
const linesOf = (...values: unknown[]): string[] =>
  values.flatMap((value) => clean(textOf(value)).split("\n")).filter((line) => line.trim() !== "");

const fieldLine = (name: unknown, value: unknown): string => `${lineOf(name)}: ${lineOf(value)}`;

function quoteOf({ message }: Exported): Detail[] {
  const { quoted_message: quoted, quoted_message_id: id } = message;
  if (!quoted && id === undefined) return [];
  const head = quoted ? `Quoting ${personName(quoted.user)}` : `Quoting ${lineOf(id)}`;
  return [{ kind: "quote", head, lines: linesOf(quoted?.text) }];
}

function pollOf({ message: { poll }, votes }: Exported): Detail[] {
  if (!poll) return [];
  const counts = poll.vote_counts_by_option ?? {};
  const votersOf = (option: string): string => {
    const voters = votes.filter((vote) => vote.option_id === option).map(voterName);
    return voters.length > 0 ? ` (${voters.join(", ")})` : "";
  };
  const answers = votes.filter((vote) => vote.answer_text);
  return [
    {
      kind: "poll",
      head: `Poll: ${lineOf(poll.name)}${poll.is_closed ? " (closed)" : ""}`,
      lines: [
        ...linesOf(poll.description),
        ...(poll.options ?? []).map(({ id, text }) => `${lineOf(text)}: ${counts[id] ?? 0}${votersOf(id)}`),
        ...answers.map((vote) => fieldLine(voterName(vote), vote.answer_text)),
      ],
    },
  ];
}

const voterName = ({ user, user_id: id }: PollVote): string =>
  user ? personName(user) : lineOf(id ?? "somebody");

/** `59.3, 18.1`, and until when it is live. */
function locationOf({ message: { shared_location: at } }: Exported): Detail[] {
  if (!at || !hasPosition(at)) return [];
  const until = at.end_at ? `, live until ${formatStamp(lineOf(at.end_at))}` : "";
  return [{ kind: "location", head: `Location: ${at.latitude}, ${at.longitude}${until}`, lines: [] }];
}

/** Shown as such, or about the file and the looks; every other key is a field of its own. */
const SHOWN_KEYS = new Set(
  `type title title_link og_scrape_url text author_name author_link author_icon image_url asset_url thumb_url mime_type file_size
   original_width original_height duration waveform_data fallback pretext color footer footer_icon actions fields giphy`.split(
    /\s+/,
  ),
);

/** Attachments with a link to the copied file, else to their address. */
const cardsOf = ({ message, paths }: Exported): Detail[] =>
  (message.attachments ?? []).filter(isObject).map((one: Attachment, n) => {
    const [address, ...others] = addressesOf(one);
    const url = paths.get(n) ?? address;
    const head = lineOf(one.title ?? one.fallback ?? one.type) || "file";
    return {
      kind: "card",
      head,
      ...(url === undefined ? {} : { url }),
      lines: [...cardLines(one), ...others],
    };
  });

/** Its safe addresses, the one to open first. The picture of a link preview is no address of its own. */
function addressesOf(one: Attachment): string[] {
  const pictures = one.og_scrape_url === undefined ? [one.image_url] : [];
  const named = [one.asset_url, one.og_scrape_url, one.title_link, ...pictures, one.author_link];
  const all = named.some(Boolean) ? named : [one.image_url, one.thumb_url];
  const safe = all
    .map((url) => (typeof url === "string" ? safeUrl(url)?.href : undefined))
    .filter((url) => url !== undefined);
  return [...new Set(safe)];
}

function cardLines(one: Attachment): string[] {
  const fields = Array.isArray(one.fields) ? one.fields.filter(isObject) : [];
  const actions = Array.isArray(one.actions) ? one.actions.filter(isObject) : [];
  const own = Object.entries(one).filter(([key, value]) => !SHOWN_KEYS.has(key) && value !== null);
  return [
    ...linesOf(one.pretext, one.author_name, one.text),
    ...fields.map(({ title, value }) => fieldLine(title, value)),
    ...own.map(([key, value]) => fieldLine(key, value)),
    ...linesOf(one.footer),
    ...(actions.length === 0
      ? []
      : [`Buttons: ${actions.map(({ text, name }) => lineOf(text || name)).join(", ")}`]),
  ];
}

function fieldsOf({ message }: Exported): Detail[] {
  const lines = Object.entries(customOf("message", message)).map(([key, value]) => fieldLine(key, value));
  return lines.length > 0 ? [{ kind: "fields", head: "Fields", lines }] : [];
}

/** Counts what a readable text does not show of a message and its replies; `named`: whether it names who reacted. */
export function countHidden({ message, reactions, replies }: Exported, add: OnUnused, named: boolean): void {
  if (!named) add("field", "who reacted is counted, not named", reactions.length);
  const languages = Object.keys(message.i18n ?? {}).filter((key) => key !== "language");
  add("field", "translations are left out", languages.length);
  if (message.silent) add("field", "that a message is silent is left out");
  if (message.restricted_visibility?.length) add("field", "who may see a message is left out");
  for (const reply of replies) countHidden(reply, add, named);
}
