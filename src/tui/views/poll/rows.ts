/** Rows of the poll form, with errors under their fields. */
import type { PollForm } from "../../../model/poll-form.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { verticalPadding, box, placeInList } from "../../components/box.ts";
import { thumbOf } from "../../components/thumb.ts";
import { typedLine } from "../../components/typed-line.ts";
import type { EditorState } from "../../editor/state.ts";
import type { Theme } from "../../render/theme.ts";
import { popupRect, popupWidth, windowTop, type Rect } from "../../screen/layout.ts";
import { pollFormFields, type PollField } from "./fields.ts";

interface FormLook {
  columns: number;
  rows: number;
  /** Key of the focused field, and its editor. */
  field: string;
  editor: EditorState;
}

const LABEL_WIDTH = 22;

/** A row and the key of its field. */
interface Line {
  key: string;
  text: string;
  error?: true;
}

const labelCells = (inner: number): number => Math.min(LABEL_WIDTH, Math.floor(inner / 2));

function shownField(field: Exclude<PollField, { kind: "button" }>, look: FormLook, room: number): string {
  if (field.kind === "switch") return field.on ? "[x]" : "[ ]";
  if (field.key !== look.field) return truncate(cleanLine(field.text), room);
  return typedLine(field.text, look.editor.cursor, room).text;
}

function formLines(form: PollForm, look: FormLook, inner: number): Line[] {
  const label = labelCells(inner);
  return pollFormFields(form).flatMap((field): Line[] => {
    const { key } = field;
    const mark = key === look.field ? "▌" : " ";
    if (field.kind === "button") return [{ key, text: `${mark}[ ${field.label} ]` }];
    const name = padEnd(truncate(field.label, label - 1), label);
    const row: Line = { key, text: `${mark}${name}${shownField(field, look, inner - label - 1)}` };
    const error = field.kind === "text" ? field.error : undefined;
    if (error === undefined) return [row];
    const indent = Math.max(1, Math.min(label + 1, inner - cellWidth(error) - 2));
    return [row, { key, text: `${" ".repeat(indent)}! ${error}`, error: true }];
  });
}

interface FormLayout {
  rect: Rect;
  inner: number;
  lines: Line[];
  top: number;
  /** Empty rows above and below. */
  air: 0 | 1;
}

function layoutForm(form: PollForm, look: FormLook): FormLayout {
  const width = popupWidth(look.columns);
  const inner = width - 4;
  const lines = formLines(form, look, inner);
  const air = verticalPadding(lines.length, look.rows);
  const rect = popupRect(look, { width, height: lines.length + 2 + 2 * air });
  const at = lines.findIndex(({ key }) => key === look.field);
  return {
    rect,
    inner,
    lines,
    air,
    top: windowTop(Math.max(0, at), lines.length, rect.height - 2 - 2 * air),
  };
}

export function drawForm(form: PollForm, look: FormLook & { theme: Theme }): { rect: Rect; rows: string[] } {
  const { theme } = look;
  const { rect, inner, lines, top, air } = layoutForm(form, look);
  const body = lines.slice(top, top + rect.height - 2 - 2 * air).map(({ key, text, error }) => {
    const row = ` ${truncate(text, inner + 1)}`;
    return error ? theme.bad(row) : key === look.field ? theme.bold(row) : row;
  });
  const { title, foot } = words.poll.form;
  const thumb = thumbOf(top, rect.height - 2, lines.length);
  const keys = [...new Set(lines.map(({ key }) => key))];
  const count = thumb ? placeInList(keys.indexOf(look.field), keys.length) : "";
  return { rect, rows: box(theme, rect, { title, count, foot, thumb }, air ? ["", ...body] : body) };
}

/** The position of the text cursor; undefined unless a text field is focused. */
export function formCursor(form: PollForm, look: FormLook): { x: number; y: number } | undefined {
  const { rect, inner, lines, top, air } = layoutForm(form, look);
  const at = lines.findIndex(({ key }) => key === look.field);
  const field = pollFormFields(form).find(({ key }) => key === look.field);
  if (field?.kind !== "text" || at < 0) return undefined;
  const label = labelCells(inner);
  const { before } = typedLine(look.editor.text, look.editor.cursor, inner - label - 1);
  return { x: rect.x + 3 + label + before, y: rect.y + 1 + air + at - top };
}

/** The key of the field under the mouse. */
export function fieldKeyAt(
  form: PollForm,
  look: FormLook,
  { x, y }: { x: number; y: number },
): string | undefined {
  const { rect, lines, top, air } = layoutForm(form, look);
  const row = y - rect.y - 1 - air;
  const within = row >= 0 && row < rect.height - 2 - 2 * air && x > rect.x && x < rect.x + rect.width - 1;
  return within ? lines[top + row]?.key : undefined;
}
