/** Attached files as chips: name, size, progress, and what a click does. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { size, words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { ComposerBox } from "../../screen/composer.ts";

interface Chip {
  /** An upload by its local id, or an attachment that a draft brought along. */
  of: string | Attachment;
  text: string;
  state: Upload["state"];
}

/** A chip at its place in a row. */
interface PlacedChip extends Chip {
  x: number;
  width: number;
}

export interface ChipRow {
  text: string;
  chips: readonly PlacedChip[];
}

const NAME_CELLS = 28;
const MOST_ROWS = 3;
/** Stays when the rest is cut: what a click does, and the cross that takes the file off. */
const tailOf = (state: Upload["state"]): string =>
  `${state === "failed" ? ` · ${words.files.retry}` : ""} ✕]`;

/** Where it is with the upload; nothing when it is there. */
const STATES: Record<Upload["state"], (upload: Upload) => string> = {
  pending: () => words.files.waits,
  uploading: ({ sent, total }) => `${Math.floor((100 * sent) / Math.max(1, total))} %`,
  finished: () => "",
  failed: ({ reason }) => words.files.failed(reason ?? ""),
  blocked: ({ reason }) => words.files.blocked(reason ?? ""),
};

const chip = (of: Chip["of"], state: Upload["state"], name: string, facts: readonly string[]): Chip => ({
  of,
  state,
  text: `[${[truncate(cleanLine(name), NAME_CELLS), ...facts.map(cleanLine)].filter(Boolean).join(" · ")}`,
});

/** What hangs on a message, in the order in which it goes out. */
function chipsOf({ carried, uploads, editing }: ComposerBox): Chip[] {
  if (editing) return [];
  return [
    ...carried.map((one) =>
      chip(one, "finished", one.title ?? one.type ?? words.attachment.file, [size(one.file_size ?? NaN)]),
    ),
    ...uploads.map((upload) =>
      chip(upload.localId, upload.state, upload.name, [
        // The total of an upload on its way counts what is sent around the file, too.
        size(upload.attachment.file_size ?? (upload.total || NaN)),
        STATES[upload.state](upload),
      ]),
    ),
  ];
}

/** Rows of at most `width` cells; what has no place in them is counted at the end. */
export function attachmentChipRows(composer: ComposerBox, width: number): ChipRow[] {
  const chips = chipsOf(composer);
  const label = ` ${words.files.label} · `;
  const rows: { text: string; chips: PlacedChip[] }[] = [];
  let left = chips.length;
  for (const one of chips) {
    const room = width - label.length - 1;
    const tail = tailOf(one.state);
    const text = truncate(one.text, Math.max(1, room - cellWidth(tail))) + tail;
    let row = rows.at(-1);
    if (!row || cellWidth(row.text) + cellWidth(text) + 1 > width - 1) {
      if (rows.length === MOST_ROWS) break;
      rows.push((row = { text: rows.length === 0 ? label : " ".repeat(label.length), chips: [] }));
    }
    row.chips.push({ ...one, x: cellWidth(row.text), width: cellWidth(text) });
    row.text += `${text} `;
    left--;
  }
  const last = rows.at(-1);
  if (last && left > 0)
    last.text = `${truncate(last.text, width - 12).replace(/…$/, "")}${words.files.more(left)}`;
  return rows.map(({ text, chips: placed }) => ({ text: text.trimEnd(), chips: placed }));
}

/** What a click at `x` of a row means: a failed one is tried again, but for its cross. */
export function clickedChip(
  row: ChipRow | undefined,
  x: number,
): { of: Chip["of"]; retry: boolean } | undefined {
  const hit = row?.chips.find((one) => x >= one.x && x < one.x + one.width);
  if (!hit) return undefined;
  const cross = x >= hit.x + hit.width - 2;
  if (cross) return { of: hit.of, retry: false };
  return hit.state === "failed" ? { of: hit.of, retry: true } : undefined;
}
