/** Bounds of the fields of import items, so that one that is too large costs that field and not its item. */
import { ATTACHMENTS_JSON_LIMIT, CUSTOM_DATA_LIMIT } from "../../../wire/constants.ts";
import type { Tally } from "../../tally.ts";

/** Characters of a name. */
const MAX_NAME = 255;
const MAX_ADDRESS = 2000;

/** Not between the halves of a character. */
export const cutBefore = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? at - 1 : at;

/** A name or title of bearable length. */
export function shortened(text: string): string {
  const line = text.toWellFormed().replaceAll("\0", "").trim();
  return line.length <= MAX_NAME ? line : line.slice(0, cutBefore(line, MAX_NAME));
}

/** Whether it is an address that others can open; paths of files in the export are not. */
export const isWebAddress = (text: unknown): text is string =>
  typeof text === "string" && text.length <= MAX_ADDRESS && /^https?:\/\/[^\s/]/i.test(text);

/** Without empty texts and what is undefined. */
export const withoutNothing = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Room that other custom fields of an item need. */
const RESERVED = 512;

/** Without the largest fields, if all of them are too much for an item; they are counted. */
export function boundedCustom(fields: object, tally: Tally): Record<string, unknown> {
  const custom = withoutNothing(fields);
  const largest = Object.keys(custom).toSorted((a, b) => bytesOf(custom[b]) - bytesOf(custom[a]));
  while (largest.length > 0 && bytesOf(custom) > CUSTOM_DATA_LIMIT - RESERVED) {
    const name = largest.shift()!;
    delete custom[name];
    tally.add("field", `${name} is longer than the custom data of an item may be`);
  }
  return custom;
}

/** Without the text of a preview, if the attachment is too large with it; undefined if it is too large anyway. */
export function boundedAttachment(attachment: object): object | undefined {
  const { text: _, fields: __, ...rest } = attachment as Record<string, unknown>;
  return [withoutNothing(attachment), withoutNothing(rest)].find(
    (one) => bytesOf(one) <= ATTACHMENTS_JSON_LIMIT,
  );
}
