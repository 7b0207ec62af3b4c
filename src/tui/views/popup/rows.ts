/** Rows of popups: pickers, questions, help and sheets. */
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import {
  PADDING,
  QUERY_INDENT,
  RULE,
  box,
  linesShown,
  placeInList,
  justify,
  queryRow,
  shownQuery,
} from "../../components/box.ts";
import { movedThumb, thumbOf } from "../../components/thumb.ts";
import { selectedRow } from "../../components/selected-row.ts";
import {
  actionNames,
  actionRow,
  isAction,
  type ActionName,
  type KeyContext,
} from "../../keys/action-table.ts";
import { showChord } from "../../input/chord.ts";
import { composerCommandHint, composerCommandNames } from "../../keys/composer-commands.ts";
import { panelSections } from "../../ports/panels.ts";
import { keysByBinding, type KeyTable } from "../../keys/lookup.ts";
import { bindingTitle } from "../../keys/macros.ts";
import { popupRect, popupWidth, windowTop, type Rect } from "../../screen/layout.ts";
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

type Of<Kind extends Popup["kind"]> = Extract<Popup, { kind: Kind }>;
type Size = Pick<PopupProps, "columns" | "rows">;

/** The width of a list whose choices have descriptions. */
const DESCRIBED_WIDTH = 100;
/** The width of a list that leaves what is behind it in sight. */
const NARROW_WIDTH = 34;
/** Rows of a list beside its choices: the frame, the query, a rule. */
const AROUND_CHOICES = 4;

/** A row of a list: a heading, or the choice at an index. */
type ListRow = { heading: string } | { at: number };

function rowsOf(choices: readonly Choice[], query: string): ListRow[] {
  return choices.flatMap(({ group }, at): ListRow[] =>
    query === "" && group !== undefined && group !== choices[at - 1]?.group
      ? [{ heading: group }, { at }]
      : [{ at }],
  );
}

/** The visible rows of a list, around the selected choice. */
function listWindow(popup: Of<"picker">, choices: readonly Choice[], height: number) {
  const all = rowsOf(choices, popup.query);
  const selected = Math.min(popup.selected, Math.max(0, choices.length - 1));
  const row = all.findIndex((one) => "at" in one && one.at === selected);
  const top = windowTop(Math.max(0, row), all.length, height);
  return { selected, top, length: all.length, rows: all.slice(top, top + height) };
}

/** As high as its choices; its place is that of the list before it is filtered, so that it does not jump while one types. */
function pickerRect(popup: Of<"picker">, choices: readonly Choice[], size: Size): Rect {
  const all = typeof popup.choices === "function" ? choices : popup.choices;
  const isDescribed = all.some(({ detail }) => detail !== undefined);
  const width = popupWidth(
    size.columns,
    popup.undimmed ? NARROW_WIDTH : isDescribed ? DESCRIBED_WIDTH : undefined,
  );
  const hint = choices.length > 0 ? 0 : wrapText(popup.hint ?? words.popups.nothing, width - 6).length;
  const heightOf = (some: readonly Choice[]): number =>
    Math.max(rowsOf(some, popup.query).length, hint) + AROUND_CHOICES + noteHeight(some);
  const whole = popupRect(
    size,
    { width, height: heightOf(all.length < choices.length ? choices : all) },
    popup.clear,
  );
  const rect = { ...whole, height: Math.min(whole.height, heightOf(choices)) };
  // In a corner it leaves in sight what the theme is for.
  return popup.undimmed ? { ...rect, x: Math.max(1, size.columns - rect.width - 2) } : rect;
}

/** As many whole clauses as fit; if not even the first fits, the label is cut later. */
function clausesIn(label: string, room: number): string {
  if (cellWidth(label) <= room) return label;
  const ends = [...label.matchAll(/[,;:] /g)].map(({ index }) => label.slice(0, index));
  return ends.findLast((part) => cellWidth(part) <= room) ?? label;
}

/** A choice in `cells` cells: its label, its description, and its mark at the right. */
function choiceRow(choice: Choice, cells: number, isSelected: boolean, theme: Theme): string {
  const { mark = "" } = choice;
  const room = cells - (mark ? cellWidth(mark) + 2 : 0);
  const short = choice.clauses ? clausesIn(choice.label, room) : choice.label;
  const label = choice.column === undefined ? short : padEnd(short, Math.min(choice.column, room >> 1));
  const text = justify(label + (choice.detail ? `  ${choice.detail}` : ""), mark, cells);
  const indent = " ".repeat(PADDING);
  if (isSelected) return selectedRow(theme, `${indent.slice(1)}${text}`, cells + 2 * PADDING);
  const plainLabel = truncate(label, cells);
  return text.startsWith(plainLabel)
    ? `${indent}${plainLabel}${(choice.changed ? theme.accent : theme.dim)(text.slice(plainLabel.length))}`
    : indent + text;
}

function picker(popup: Of<"picker">, props: PopupProps): DrawnPopup {
  const { theme, choices } = props;
  const rect = pickerRect(popup, choices, props);
  const cells = rect.width - 2 - 2 * PADDING;
  const note = noteHeightIn(choices, rect);
  const listHeight = rect.height - AROUND_CHOICES - note;
  const { selected, top, length, rows: shown } = listWindow(popup, choices, listHeight);
  const lines = shown.map((row) =>
    "at" in row
      ? choiceRow(choices[row.at]!, cells, row.at === selected, theme)
      : " ".repeat(PADDING) + theme.bold(truncate(row.heading, cells)),
  );
  if (!choices.length)
    for (const row of wrapText(popup.hint ?? words.popups.nothing, cells))
      lines.push(theme.dim(" ".repeat(PADDING) + row));
  const count = placeInList(selected, choices.length);
  const thumb = movedThumb(thumbOf(top, listHeight, length), ROWS_ABOVE - 1);
  const rows = box(theme, rect, { title: popup.title, count, thumb }, [
    queryRow(theme, popup.query, rect),
    RULE,
    ...lines,
    ...Array<string>(Math.max(0, listHeight - lines.length)).fill(""),
    ...noteRows(choices[selected], rect).slice(0, note),
  ]);
  return { rect, rows };
}

/** Rows reserved for a rule and the note of the selected choice, if any choice has a note. */
const NOTE_ROWS = 5;
const noteHeight = (choices: readonly Choice[]): number =>
  choices.some(({ note }) => note !== undefined) ? NOTE_ROWS : 0;

/** On a low screen the note leaves room for some choices. */
const MIN_CHOICES = 3;
function noteHeightIn(choices: readonly Choice[], { height }: Rect): number {
  const room = height - AROUND_CHOICES - Math.min(MIN_CHOICES, choices.length);
  return room < 2 ? 0 : Math.min(noteHeight(choices), room);
}

function noteRows(choice: Choice | undefined, rect: Rect): string[] {
  if (choice?.note === undefined) return [];
  const noteLines = wrapText(cleanLine(choice.note), rect.width - 2 - 2 * PADDING).slice(0, NOTE_ROWS - 1);
  return [RULE, ...noteLines.map((row) => " ".repeat(PADDING) + row)];
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
  const rect = pickerRect(popup, choices, size);
  const height = rect.height - ROWS_ABOVE - 1 - noteHeightIn(choices, rect);
  const row = y - rect.y - ROWS_ABOVE;
  if (row < 0 || row >= height || x <= rect.x || x >= rect.x + rect.width - 1) return undefined;
  const clicked = listWindow(popup, choices, height).rows[row];
  return clicked && "at" in clicked ? clicked.at : undefined;
}

const questionRows = (popup: Of<"confirm">, columns: number): string[] => {
  const cells = popupWidth(columns) - 2 - 2 * PADDING;
  const rows = wrapText(cleanLine(popup.question.question), cells).map((row) => " ".repeat(PADDING) + row);
  return ["", ...rows, ""];
};

function confirmRect(popup: Of<"confirm">, size: Size): Rect {
  const typed = popup.question.level === "severe" ? 1 : 0;
  const height = questionRows(popup, size.columns).length + typed + 1;
  return popupRect(size, { width: popupWidth(size.columns), height: height + 2 });
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
  const indent = " ".repeat(PADDING);
  const body = questionRows(popup, props.columns);
  if (level === "severe") body.push(`${indent}${theme.accent("›")} ${cleanLine(popup.typed)}`);
  body.push(indent + (canConfirm(popup) ? theme.bold(answers) : theme.dim(answers)));
  const rect = confirmRect(popup, props);
  const title = level === "mild" ? words.popups.sure : words.popups.certain;
  return { rect, rows: box(theme, rect, { title }, body) };
}

const queryCursor = (query: string, rect: Rect): { x: number; y: number } => ({
  x: rect.x + QUERY_INDENT + cellWidth(shownQuery(query, rect)),
  y: rect.y + 1,
});

/** The position of the text cursor on the screen; undefined if the popup takes no text. */
export function popupCursor(
  popup: ListPopup,
  choices: readonly Choice[],
  size: Size,
): { x: number; y: number } | undefined {
  switch (popup.kind) {
    case "picker":
      return queryCursor(popup.query, pickerRect(popup, choices, size));
    case "files":
      return queryCursor(popup.query, filesRect(popup, size));
    case "help":
      return queryCursor(popup.query, helpRect(size));
    case "confirm": {
      if (popup.question.level !== "severe") return undefined;
      const rect = confirmRect(popup, size);
      const row = questionRows(popup, size.columns).length;
      return { x: rect.x + QUERY_INDENT + cellWidth(cleanLine(popup.typed)), y: rect.y + 1 + row };
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
export function helpLines(table: KeyTable, query: string, first?: string): HelpLine[] {
  const queryWords = query.trim().toLowerCase().split(/\s+/);
  const fits = ({ title, keys, keywords = "" }: HelpLine): boolean => {
    const text = `${title} ${keys} ${keywords}`.toLowerCase();
    return queryWords.every((word) => text.includes(word));
  };
  const lines: HelpLine[] = [];
  const places = sections();
  const isFirst = ([where]: [KeyContext, string]): boolean => where === first;
  for (const [where, title] of [...places.filter(isFirst), ...places.filter((one) => !isFirst(one))]) {
    const byAction = keysByBinding(table[where] ?? {});
    const rows = [...byAction].map(([binding, keys]): HelpLine => ({
      keys: keys.map((chords) => chords.split(" ").map(showChord).join(" ")).join(", "),
      ...(isAction(binding) ? titleOf(binding) : { title: bindingTitle(binding) }),
    }));
    const unbound = actionNames.filter(
      (n) => actionRow(n).contexts[0] === where && !byAction.has(n) && !actionRow(n).keyOnly,
    );
    for (const name of unbound) rows.push({ keys: "palette", ...titleOf(name) });
    const found = rows.filter(fits);
    if (found.length) lines.push({ section: title }, ...found);
  }
  const alphabets: HelpLine = { ...words.popups.alphabets };
  if (fits(alphabets)) lines.push({ section: words.popups.alphabetsTitle }, alphabets);
  const composerLines = composerCommandNames
    .map((name): HelpLine => ({ keys: `/${name}`, title: composerCommandHint(name) }))
    .filter(fits);
  if (composerLines.length) lines.push({ section: words.lines.section }, ...composerLines);
  return lines;
}

/** As high as the screen allows, since it lists every key. */
const helpRect = (size: Size): Rect =>
  popupRect(size, { width: popupWidth(size.columns, DESCRIBED_WIDTH), height: size.rows });

/** Wraps the lines of help into two columns. */
function helpRows(lines: readonly HelpLine[], cells: number, theme?: Theme): string[] {
  const keysWidth = Math.min(26, Math.floor(cells * 0.4));
  const accent = theme?.accent ?? String;
  const indent = " ".repeat(PADDING);
  return lines.flatMap((l) => {
    if (l.section) return [indent + (theme?.bold(l.section) ?? l.section)];
    const keys = wrapText(l.keys!, keysWidth);
    const title = wrapText(l.title!, cells - keysWidth - 2);
    return Array.from(
      { length: Math.max(keys.length, title.length) },
      (_, i) => `${indent}${accent(padEnd(keys[i]?.trimEnd() ?? "", keysWidth))}  ${title[i] ?? ""}`,
    );
  });
}

/** The rows of help in its rectangle, and how many of them it shows. */
function helpPage({ query, first }: Of<"help">, props: Size & Pick<PopupProps, "table">, theme?: Theme) {
  const rect = helpRect(props);
  const lines = helpRows(helpLines(props.table, query, first), rect.width - 2 - 2 * PADDING, theme);
  return { rect, lines, height: rect.height - AROUND_CHOICES };
}

function help(popup: Of<"help">, props: PopupProps): DrawnPopup {
  const { theme } = props;
  const { rect, lines, height } = helpPage(popup, props, theme);
  const top = Math.max(0, Math.min(popup.top, lines.length - height));
  const body = [
    queryRow(theme, popup.query, rect),
    RULE,
    ...(lines.length
      ? lines.slice(top, top + height)
      : [theme.dim(" ".repeat(PADDING) + words.popups.nothing)]),
  ];
  const thumb = movedThumb(thumbOf(top, height, lines.length), ROWS_ABOVE - 1);
  const count = linesShown(top, height, lines.length);
  return { rect, rows: box(theme, rect, { title: words.popups.keys, count, thumb }, body) };
}

/** The rows of a sheet in its rectangle, and how many of them it shows. */
function sheetPage({ lines }: Of<"sheet">, size: Size) {
  const width = popupWidth(size.columns, DESCRIBED_WIDTH);
  const all = lines.flatMap((line) => wrapText(line, width - 2 - 2 * PADDING));
  const rect = popupRect(size, { width, height: all.length + 2 });
  return { rect, lines: all, height: rect.height - 2 };
}

/** The maximum `top` of help and sheets: their last line is then in the last row. */
export function lastTop(popup: Popup, props: Size & Pick<PopupProps, "table">): number {
  if (popup.kind !== "help" && popup.kind !== "sheet") return 0;
  const page = popup.kind === "help" ? helpPage(popup, props) : sheetPage(popup, props);
  return Math.max(0, page.lines.length - page.height);
}

function sheet(popup: Of<"sheet">, props: PopupProps): DrawnPopup {
  const { rect, lines, height } = sheetPage(popup, props);
  const top = Math.max(0, Math.min(popup.top, lines.length - height));
  const labels = {
    title: popup.title,
    count: linesShown(top, height, lines.length),
    thumb: thumbOf(top, height, lines.length),
  };
  const body = lines.slice(top, top + height).map((line) => " ".repeat(PADDING) + line);
  return { rect, rows: box(props.theme, rect, labels, body) };
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
