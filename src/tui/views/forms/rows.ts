/** Draws a short form: fields, the button, suggestions and an error. */
import { cleanLine } from "../../../text/sanitize.ts";
import { padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import { verticalPadding, box, placeInList } from "../../components/box.ts";
import { thumbOf } from "../../components/thumb.ts";
import { typedLine } from "../../components/typed-line.ts";
import type { Theme } from "../../render/theme.ts";
import { popupRect, popupWidth, windowTop, type Rect } from "../../screen/layout.ts";
import type { FieldsPopup, FormField } from "../../screen/popup.ts";

interface Size {
  columns: number;
  rows: number;
}

const LABEL_WIDTH = 16;

const widthIn = ({ columns }: Size): number => popupWidth(columns);
const labelIn = (size: Size): number => Math.min(LABEL_WIDTH, Math.floor(widthIn(size) / 3));

const maskSecret = ({ input }: FormField, text: string): string =>
  input === "secret" ? "*".repeat(text.length) : text;

const faultRows = ({ fault }: FieldsPopup, size: Size): string[] =>
  fault === undefined ? [] : wrapText(`! ${cleanLine(fault)}`, widthIn(size) - 4).slice(0, 3);

/** Suggested people for the word at the cursor. */
function suggestionRows({ people = [] }: FieldsPopup, size: Size): string[] {
  if (people.length === 0) return [];
  const names = people.map((user) => cleanLine(user.name || user.id));
  return [truncate(`  ${words.forms.offered(names)}`, widthIn(size) - 4)];
}

/** The content of a field: a switch as a checkbox, a hint in an empty text. */
function fieldText(field: FormField, popup: FieldsPopup, room: number, theme: Theme): string {
  const { key, text, input } = field;
  if (input === "switch") {
    const [sign, meaning] = text === "" ? ["[ ]", words.forms.open] : ["[x]", words.forms.closed];
    return `${sign} ${theme.dim(truncate(meaning, Math.max(1, room - 5)))}`;
  }
  if (input === "choice") return `‹ ${truncate(words.forms.kinds[text]!, Math.max(1, room - 5))} ›`;
  const emptyHint = words.forms.empty[popup.name]?.[key];
  if (text === "" && emptyHint !== undefined) return theme.dim(truncate(emptyHint, room));
  const shown = maskSecret(field, text);
  return field === popup.fields[popup.at]
    ? typedLine(shown, popup.editor.cursor, room).text
    : truncate(cleanLine(shown), room);
}

const lineCount = (popup: FieldsPopup, size: Size): number =>
  popup.fields.length + 1 + suggestionRows(popup, size).length + faultRows(popup, size).length;

function rectOf(popup: FieldsPopup, size: Size): Rect {
  const lines = lineCount(popup, size);
  const height = lines + 2 + 2 * verticalPadding(lines, size.rows);
  return popupRect(size, { width: widthIn(size), height });
}

/** The screen row of the first field, which is above the form where that is too low for all of them. */
const firstRow = (popup: FieldsPopup, size: Size): number =>
  rectOf(popup, size).y + 1 + verticalPadding(lineCount(popup, size), size.rows) - topOf(popup, size);

/** The first visible line: the one with the focus stays in sight. */
function topOf(popup: FieldsPopup, size: Size): number {
  const lines = lineCount(popup, size);
  return windowTop(popup.at, lines, rectOf(popup, size).height - 2 - 2 * verticalPadding(lines, size.rows));
}

export function drawFields(
  popup: FieldsPopup,
  size: Size & { theme: Theme },
): { rect: Rect; rows: string[] } {
  const { theme } = size;
  const rect = rectOf(popup, size);
  const { title, button, foot, labels } = words.forms;
  const room = rect.width - 5 - labelIn(size);
  const fieldLabels: Readonly<Record<string, string>> = labels[popup.name];
  const body = popup.fields.map((field, i) => {
    const mark = i === popup.at ? "▌" : " ";
    const label = padEnd(truncate(fieldLabels[field.key]!, labelIn(size) - 1), labelIn(size));
    const row = ` ${mark}${label}${fieldText(field, popup, room, theme)}`;
    return i === popup.at ? theme.bold(row) : row;
  });
  const isButtonFocused = popup.at === popup.fields.length;
  const buttonRow = ` ${isButtonFocused ? "▌" : " "}[ ${button[popup.name]} ]${popup.busy ? ` ${words.forms.busy}` : ""}`;
  const topPadding = verticalPadding(lineCount(popup, size), size.rows) > 0 ? [""] : [];
  const suggestions = suggestionRows(popup, size).map((row) => theme.dim(` ${row}`));
  const faults = faultRows(popup, size).map((row) => theme.bad(` ${row}`));
  const styledButton = isButtonFocused ? theme.bold(buttonRow) : buttonRow;
  const content = [...topPadding, ...body, styledButton, ...suggestions, ...faults];
  const top = topOf(popup, size);
  const thumb = thumbOf(top, rect.height - 2, content.length);
  const count = thumb ? placeInList(popup.at, popup.fields.length + 1) : "";
  const labelled = { title: title[popup.name], count, foot, thumb };
  return { rect, rows: box(theme, rect, labelled, content.slice(top)) };
}

/** The text cursor; undefined outside text fields. */
export function fieldsCursor(popup: FieldsPopup, size: Size): { x: number; y: number } | undefined {
  const field = popup.fields[popup.at];
  if (!field || field.input === "switch" || field.input === "choice") return undefined;
  const rect = rectOf(popup, size);
  const { text, cursor } = popup.editor;
  const { before } = typedLine(maskSecret(field, text), cursor, rect.width - 5 - labelIn(size));
  return { x: rect.x + 3 + labelIn(size) + before, y: firstRow(popup, size) + popup.at };
}

/** Index of the field under the mouse, with the button after the last field; undefined elsewhere. */
export function fieldIndexAt(
  popup: FieldsPopup,
  size: Size,
  { x, y }: { x: number; y: number },
): number | undefined {
  const rect = rectOf(popup, size);
  const row = y - firstRow(popup, size);
  const within = x > rect.x && x < rect.x + rect.width - 1;
  const isInside = y > rect.y && y < rect.y + rect.height - 1;
  return within && isInside && row >= 0 && row <= popup.fields.length ? row : undefined;
}
