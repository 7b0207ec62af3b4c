/** Rows of popups: pickers, questions, help and sheets. */
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import { box, shownQuery, justify, scrollPosition } from "../../components/box.ts";
import { selectedRow } from "../../components/selected-row.ts";
import { actionNames, actionRow, type ActionName, type KeyContext } from "../../keys/action-table.ts";
import { showChord } from "../../input/chord.ts";
import { composerCommandHint, composerCommandNames } from "../../keys/composer-commands.ts";
import { panelSections } from "../../ports/panels.ts";
import type { KeyTable } from "../../keys/lookup.ts";
import { popupRect, windowTop, type Rect } from "../../screen/layout.ts";
import { canConfirm, type Choice, type Popup } from "../../screen/popup.ts";
import type { Theme } from "../../render/theme.ts";
import { drawFiles, filesRect } from "../files/rows.ts";

/** The popups drawn by this file. */
type ListPopup = Exclude<Popup, { kind: "poll" | "fields" }>;

interface DrawnPopup {
  rect: Rect;
  rows: string[];
}

interface PopupProps {
  theme: Theme;
  columns: number;
  rows: number;
  table: KeyTable;
  /** The choices of the picker, already filtered. */
  choices: readonly Choice[];
}

const LIST_WIDTH = 64;
const LIST_ROWS = 16;

type Of<Kind extends Popup["kind"]> = Extract<Popup, { kind: Kind }>;
type Size = Pick<PopupProps, "columns" | "rows">;

/** Leaves header, composer and hints visible. */
const pickerRect = ({ columns, rows }: Size): Rect =>
  popupRect(columns, rows, LIST_WIDTH, Math.max(2, Math.min(LIST_ROWS, rows - 8)) + 4);

/** As many whole clauses as fit; if not even the first fits, the label is cut later. */
function clausesIn(label: string, room: number): string {
  if (cellWidth(label) <= room) return label;
  const ends = [...label.matchAll(/[,;:] /g)].map(({ index }) => label.slice(0, index));
  return ends.findLast((part) => cellWidth(part) <= room) ?? label;
}

function picker(popup: Of<"picker">, props: PopupProps): DrawnPopup {
  const { theme, choices } = props;
  const rect = pickerRect(props);
  const inner = rect.width - 4;
  const listHeight = rect.height - 4 - noteHeight(choices);
  const selected = Math.min(popup.selected, Math.max(0, choices.length - 1));
  const top = windowTop(selected, choices.length, listHeight);
  const lines = choices.slice(top, top + listHeight).map((choice, i) => {
    const { mark = "" } = choice;
    const room = inner - (mark ? cellWidth(mark) + 2 : 0);
    const label = choice.clauses ? clausesIn(choice.label, room) : choice.label;
    const detail = choice.detail ? `  ${choice.detail}` : "";
    const text = ` ${justify(label + detail, mark, inner)} `;
    if (top + i === selected) return selectedRow(theme, text.slice(1), inner + 2);
    const plainLabel = truncate(label, inner);
    return text.startsWith(` ${plainLabel}`)
      ? ` ${plainLabel}${theme.dim(text.slice(1 + plainLabel.length))}`
      : text;
  });
  if (!choices.length)
    for (const row of wrapText(popup.hint ?? words.popups.nothing, inner)) lines.push(theme.dim(` ${row}`));
  const rows = box(theme, rect, popup.title, [
    ` ${theme.accent("›")} ${shownQuery(popup.query, rect)}`,
    theme.line("─".repeat(rect.width - 2)),
    ...lines,
    ...Array<string>(Math.max(0, listHeight - lines.length)).fill(""),
    ...noteRows(choices[selected], rect, theme),
  ]);
  return { rect, rows };
}

/** Rows reserved for a rule and the note of the selected choice, if any choice has a note. */
const NOTE_ROWS = 4;
const noteHeight = (choices: readonly Choice[]): number =>
  choices.some(({ note }) => note !== undefined) ? NOTE_ROWS : 0;

function noteRows(choice: Choice | undefined, rect: Rect, theme: Theme): string[] {
  if (choice?.note === undefined) return [];
  const noteLines = wrapText(cleanLine(choice.note), rect.width - 4).slice(0, NOTE_ROWS - 1);
  return [theme.line("─".repeat(rect.width - 2)), ...noteLines.map((row) => ` ${row}`)];
}

/** Rows of a picker above its first choice: border, query, rule. */
const ROWS_ABOVE = 3;

/** Index of the choice under the mouse. */
export function choiceIn(
  popup: Of<"picker">,
  choices: readonly Choice[],
  size: Size,
  { x, y }: { x: number; y: number },
): number | undefined {
  const rect = pickerRect(size);
  const { length } = choices;
  const height = rect.height - ROWS_ABOVE - 1 - noteHeight(choices);
  const row = y - rect.y - ROWS_ABOVE;
  if (row < 0 || row >= height || x <= rect.x || x >= rect.x + rect.width - 1) return undefined;
  const index = windowTop(Math.min(popup.selected, Math.max(0, length - 1)), length, height) + row;
  return index < length ? index : undefined;
}

const confirmWidth = (columns: number): number => Math.min(60, columns - 4);

const questionRows = (popup: Of<"confirm">, columns: number): string[] => [
  "",
  ...wrapText(cleanLine(popup.question.question), confirmWidth(columns) - 4).map((row) => ` ${row}`),
  "",
];

function confirmRect(popup: Of<"confirm">, { columns, rows }: Size): Rect {
  const typed = popup.question.level === "severe" ? 1 : 0;
  const height = questionRows(popup, columns).length + typed + 1;
  return popupRect(columns, rows, confirmWidth(columns), height + 2);
}

function confirm(popup: Of<"confirm">, props: PopupProps): DrawnPopup {
  const { theme } = props;
  const { level, word } = popup.question;
  const answers =
    level === "severe"
      ? words.popups.typeWord(word ?? "yes")
      : level === "moderate"
        ? words.popups.yesNo
        : words.popups.enterYesNo;
  const body = questionRows(popup, props.columns);
  if (level === "severe") body.push(` › ${cleanLine(popup.typed)}`);
  body.push(` ${canConfirm(popup) ? theme.bold(answers) : theme.dim(answers)}`);
  const rect = confirmRect(popup, props);
  return { rect, rows: box(theme, rect, level === "mild" ? words.popups.sure : words.popups.certain, body) };
}

const queryCursor = (query: string, rect: Rect): { x: number; y: number } => ({
  x: rect.x + 4 + cellWidth(shownQuery(query, rect)),
  y: rect.y + 1,
});

/** The position of the text cursor on the screen; undefined if the popup takes no text. */
export function popupCursor(popup: ListPopup, size: Size): { x: number; y: number } | undefined {
  switch (popup.kind) {
    case "picker":
      return queryCursor(popup.query, pickerRect(size));
    case "files":
      return queryCursor(popup.query, filesRect(size));
    case "help":
      return queryCursor(popup.query, helpRect(size.columns, size.rows));
    case "confirm": {
      if (popup.question.level !== "severe") return undefined;
      const rect = confirmRect(popup, size);
      const row = questionRows(popup, size.columns).length;
      return { x: rect.x + 4 + cellWidth(cleanLine(popup.typed)), y: rect.y + 1 + row };
    }
    case "sheet":
      return undefined;
  }
}

/** The places of keys with their headings, those of panels last. */
const sections = (): [KeyContext, string][] =>
  Object.entries({ ...words.popups.sections, ...panelSections() });

interface HelpLine {
  section?: string;
  keys?: string;
  title?: string;
  /** Further words by which it is found. */
  keywords?: string;
}

const titleOf = (name: ActionName): Pick<HelpLine, "title" | "keywords"> => {
  const { title, keywords } = actionRow(name);
  return { title, ...(keywords !== undefined && { keywords }) };
};

/** The lines of help: every action of each section with its keys, and the lines of the composer. */
export function helpLines(table: KeyTable, query: string): HelpLine[] {
  const queryWords = query.trim().toLowerCase().split(/\s+/);
  const fits = ({ title, keys, keywords = "" }: HelpLine): boolean => {
    const text = `${title} ${keys} ${keywords}`.toLowerCase();
    return queryWords.every((word) => text.includes(word));
  };
  const lines: HelpLine[] = [];
  for (const [where, title] of sections()) {
    const byAction = new Map<string, string[]>();
    for (const [chord, binding] of Object.entries(table[where] ?? {})) {
      const keys = byAction.get(binding) ?? [];
      keys.push(chord.split(" ").map(showChord).join(" "));
      byAction.set(binding, keys);
    }
    const rows = [...byAction].map(([binding, keys]): HelpLine => ({
      keys: keys.join(", "),
      ...(binding.startsWith("/") ? { title: binding } : titleOf(binding as ActionName)),
    }));
    const unbound = actionNames.filter(
      (n) => actionRow(n).contexts[0] === where && !byAction.has(n) && !actionRow(n).keyOnly,
    );
    for (const name of unbound) rows.push({ keys: "palette", ...titleOf(name) });
    const found = rows.filter(fits);
    if (found.length) lines.push({ section: title }, ...found);
  }
  const composerLines = composerCommandNames
    .map((name): HelpLine => ({ keys: `/${name}`, title: composerCommandHint(name) }))
    .filter(fits);
  if (composerLines.length) lines.push({ section: words.lines.section }, ...composerLines);
  return lines;
}

const helpRect = (columns: number, rows: number): Rect => popupRect(columns, rows, 76, rows - 4);

/** Wraps the lines of help into two columns. */
function helpRows(lines: readonly HelpLine[], inner: number, theme?: Theme): string[] {
  const keysWidth = Math.min(26, Math.floor(inner * 0.4));
  const accent = theme?.accent ?? String;
  return lines.flatMap((l) => {
    if (l.section) return [` ${theme?.bold(l.section) ?? l.section}`];
    const keys = wrapText(l.keys!, keysWidth);
    const title = wrapText(l.title!, inner - keysWidth - 1);
    return Array.from(
      { length: Math.max(keys.length, title.length) },
      (_, i) => ` ${accent(padEnd(keys[i]?.trimEnd() ?? "", keysWidth))} ${title[i] ?? ""}`,
    );
  });
}

function help(popup: Of<"help">, props: PopupProps): DrawnPopup {
  const { theme } = props;
  const rect = helpRect(props.columns, props.rows);
  const inner = rect.width - 4;
  const lines = helpRows(helpLines(props.table, popup.query), inner, theme);
  const height = rect.height - 4;
  const top = Math.max(0, Math.min(popup.top, lines.length - height));
  const body = [
    ` ${theme.accent("›")} ${shownQuery(popup.query, rect)}`,
    theme.line("─".repeat(rect.width - 2)),
    ...(lines.length ? lines.slice(top, top + height) : [theme.dim(` ${words.popups.nothing}`)]),
  ];
  const rows = box(theme, rect, words.popups.keys, body, scrollPosition(top, height, lines.length));
  return { rect, rows };
}

const SHEET_WIDTH = 100;
const sheetWidth = (columns: number): number => Math.min(SHEET_WIDTH, columns - 4);
const sheetLines = (popup: Of<"sheet">, columns: number): string[] =>
  popup.lines.flatMap((l) => wrapText(l, sheetWidth(columns) - 4));

/** The maximum `top` of help and sheets: their last line is then in the last row. */
export function lastTop(popup: Popup, props: Pick<PopupProps, "columns" | "rows" | "table">): number {
  const { columns, rows } = props;
  if (popup.kind === "help") {
    const rect = helpRect(columns, rows);
    const { length } = helpRows(helpLines(props.table, popup.query), rect.width - 4);
    return Math.max(0, length - (rect.height - 4));
  }
  return popup.kind === "sheet" ? Math.max(0, sheetLines(popup, columns).length - (rows - 6)) : 0;
}

function sheet(popup: Of<"sheet">, props: PopupProps): DrawnPopup {
  const width = sheetWidth(props.columns);
  const lines = sheetLines(popup, props.columns);
  const rect = popupRect(props.columns, props.rows, width, Math.min(lines.length + 2, props.rows - 4));
  const height = rect.height - 2;
  const top = Math.max(0, Math.min(popup.top, lines.length - height));
  return {
    rect,
    rows: box(
      props.theme,
      rect,
      popup.title,
      lines.slice(top, top + height).map((l) => ` ${l}`),
      scrollPosition(top, height, lines.length),
    ),
  };
}

export function drawPopup(popup: ListPopup, props: PopupProps): DrawnPopup {
  switch (popup.kind) {
    case "picker":
      return picker(popup, props);
    case "confirm":
      return confirm(popup, props);
    case "files":
      return drawFiles(popup, props);
    case "help":
      return help(popup, props);
    case "sheet":
      return sheet(popup, props);
  }
}
