/** Converts exports of other services for tests, and adds up what became of their parts. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { convertAny, Tally, type Source } from "../../src/jobs/foreign/convert-any.ts";
import type { TakenFiles } from "../../src/jobs/foreign/base/taken-files.ts";
import type { ImportItem } from "../../src/wire/entities/import.ts";
import { itemProblem } from "../../src/wire/imports/forms.ts";
import type { Packed } from "./zip.ts";

interface Data {
  [field: string]: unknown;
  id: string;
  text: string;
  created_at: string;
  attachments?: { image_url?: string; asset_url?: string; title?: string; type?: string }[];
}

export interface Converted {
  items: ImportItem[];
  of(type: string): Data[];
  texts: string[];
  /** `kind: reason: count`. */
  unused: string[];
  lost: number;
  /** Messages, without the further parts of long ones, and those that are counted as left out. */
  messages: number;
  reactions: number;
}

/** Reasons whose notices stand for a message or a reaction of the export. */
const MESSAGE_NOTICES = /^a message is in the export twice|: a notice about another message$/;
const REACTION_NOTICES = /^a reaction (of a message that is twice|that its giver has already given)/;

export async function convertSource(
  source: string,
  {
    taken,
    format = "auto",
    now = Date.now(),
  }: { taken?: TakenFiles | undefined; format?: Source; now?: number } = {},
): Promise<Converted> {
  const tally = new Tally();
  const { signal } = new AbortController();
  const options = { source: format, channelType: "messaging", signal, now, tally, taken };
  const items: ImportItem[] = [];
  for await (const item of convertAny(source, options)) items.push(item);
  for (const item of items) expect([item, itemProblem(item, now * 1000)]).toEqual([item, undefined]);
  const of = (type: string) => items.filter((item) => item.type === type).map(({ data }) => data as Data);
  const ids = of("message").map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const counted = (kinds: readonly string[], notices: RegExp): number =>
    tally.rows.reduce(
      (sum, { kind, reason, count }) =>
        kinds.includes(kind) || (kind === "notice" && notices.test(reason)) ? sum + count : sum,
      0,
    );
  return {
    items,
    of,
    texts: of("message").map(({ text }) => text),
    unused: tally.rows.map(({ kind, reason, count }) => `${kind}: ${reason}: ${count}`),
    lost: tally.rows.reduce((sum, { lost, count }) => sum + (lost ? count : 0), 0),
    messages:
      ids.filter((id) => !/-part\d+$/.test(id)).length +
      counted(["message", "reply", "entry"], MESSAGE_NOTICES),
    reactions: of("reaction").length + counted(["reaction"], REACTION_NOTICES),
  };
}

/** Writes files below a folder, which is made. */
export function writeFolder(folder: string, files: readonly Packed[]): string {
  for (const { name, content } of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}
