/** Draws attached files as chips (name, size, progress), and finds the chip under a click. */
import type { Upload } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { size, words } from "../../../text/words.ts";
import type { Attachment } from "../../../wire/entities/attachment.ts";
import type { ComposerBox } from "../../screen/composer.ts";

interface Chip {
  /** The local id of an upload, or an attachment restored with a draft. */
  file: string | Attachment;
  text: string;
  state: Upload["state"];
}

/** A chip with its position in a row, in cells. */
interface PlacedChip extends Chip {
  x: number;
  width: number;
}

export interface ChipRow {
  text: string;
  chips: readonly PlacedChip[];
}

const NAME_CELLS = 28;
const MAX_ROWS = 3;
/** The end of a chip, never truncated: the retry hint, and the cross that removes the file. */
const tailOf = (state: Upload["state"]): string =>
  `${state === "failed" ? ` · ${words.files.retry}` : ""} ✕]`;

/** The progress of an upload; empty when it is finished. */
const STATES: Record<Upload["state"], (upload: Upload) => string> = {
  pending: ({ held }) => (held ? words.files.held : words.files.waits),
  uploading: ({ sent, total }) => `${Math.floor((100 * sent) / Math.max(1, total))} %`,
  finished: () => "",
  failed: ({ reason }) => words.files.failed(reason ?? ""),
  blocked: ({ reason }) => words.files.blocked(reason ?? ""),
};

const chip = (file: Chip["file"], state: Upload["state"], name: string, facts: readonly string[]): Chip => ({
  file,
  state,
  text: `[${[truncate(cleanLine(name), NAME_CELLS), ...facts.map(cleanLine)].filter(Boolean).join(" · ")}`,
});

/** The files of the message, in the order in which they are sent. */
function chipsOf({ carried, uploads, editing }: ComposerBox): Chip[] {
  if (editing) return [];
  return [
    ...carried.map((one) =>
      chip(one, "finished", one.title ?? one.type ?? words.attachment.file, [size(one.file_size ?? NaN)]),
    ),
    ...uploads.map((upload) =>
      chip(upload.localId, upload.state, upload.name, [
        // The total of a running upload includes the multipart envelope.
        size(upload.attachment.file_size ?? (upload.total || NaN)),
        STATES[upload.state](upload),
      ]),
    ),
  ];
}

/** Rows of at most `width` cells; the last one counts the files that did not fit. */
export function attachmentChipRows(composer: ComposerBox, width: number): ChipRow[] {
  const chips = chipsOf(composer);
  const label = ` ${words.files.label} · `;
  const rows: { text: string; chips: PlacedChip[] }[] = [];
  let remaining = chips.length;
  for (const one of chips) {
    const room = width - label.length - 1;
    const tail = tailOf(one.state);
    const text = truncate(one.text, Math.max(1, room - cellWidth(tail))) + tail;
    let row = rows.at(-1);
    if (!row || cellWidth(row.text) + cellWidth(text) + 1 > width - 1) {
      if (rows.length === MAX_ROWS) break;
      rows.push((row = { text: rows.length === 0 ? label : " ".repeat(label.length), chips: [] }));
    }
    row.chips.push({ ...one, x: cellWidth(row.text), width: cellWidth(text) });
    row.text += `${text} `;
    remaining--;
  }
  const last = rows.at(-1);
  if (last && remaining > 0)
    last.text = `${truncate(last.text, width - 12).replace(/…$/, "")}${words.files.more(remaining)}`;
  return rows.map(({ text, chips: placed }) => ({ text: text.trimEnd(), chips: placed }));
}

/** The chip at cell `x` of a row: clicked on its cross it is removed, elsewhere a failed upload is retried. */
export function clickedChip(
  row: ChipRow | undefined,
  x: number,
): { file: Chip["file"]; retry: boolean } | undefined {
  const hit = row?.chips.find((one) => x >= one.x && x < one.x + one.width);
  if (!hit) return undefined;
  const cross = x >= hit.x + hit.width - 2;
  if (cross) return { file: hit.file, retry: false };
  return hit.state === "failed" ? { file: hit.file, retry: true } : undefined;
}
