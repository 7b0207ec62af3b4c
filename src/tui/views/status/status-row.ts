/** The status line: mode, key hints, unsent messages and a slow connection. */
import { pictureOf } from "../../../model/pictures.ts";
import { soundsOf } from "../../../model/sounds.ts";
import type { ClientMessage, Link } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { actionRow, isAction, type ActionName, type KeyContext } from "../../keys/action-table.ts";
import { chordsFor, type Binding, type KeyTable } from "../../keys/lookup.ts";
import { bindingTitle } from "../../keys/macros.ts";
import { numbered } from "../../keys/numbered.ts";
import { showChord } from "../../input/chord.ts";
import { buttonsOf } from "../../render/cards.ts";
import { canConfirm, type Popup } from "../../screen/popup.ts";
import { keyPlaceOf, panelAction, type AnyPanel } from "../../ports/panels.ts";
import type { Theme } from "../../render/theme.ts";
import { linkWords } from "./link-words.ts";

/** A mode of the screen, or that of the focused panel. */
type ScreenMode = "WRITE" | "EDIT" | "NORMAL" | "VISUAL" | "BROWSE" | "LIST" | "CHOOSE";
type StatusMode = ScreenMode | (string & {});

export interface StatusProps {
  theme: Theme;
  width: number;
  table: KeyTable;
  mode: StatusMode;
  link: Link;
  outbox: number;
  /** Time left of do-not-disturb, in words. */
  quiet?: string | undefined;
  /** Progress of the file being saved, in percent. */
  saving?: number | undefined;
  storage: string | undefined;
  /** The selected message. */
  selected: ClientMessage | undefined;
  /** The address of the sound that is loaded or plays. */
  playing?: string | undefined;
  /** Actions without effect now (inactive-actions.ts). */
  inactive?: readonly ActionName[];
  /** Letters are text now, so letter keys are not hinted. */
  typing?: boolean;
  pendingKey: string | undefined;
  /** A letter that waits for its second press, and its binding. */
  asked?: { chord: string; binding: string } | undefined;
  /** The composer shows a list of completions, which has Tab, Enter, Esc and the arrows. */
  completing?: boolean;
  /** Enter would run the command that is in the box. */
  enterRuns?: boolean;
  /** Esc switches the composer to Vim's normal mode. */
  escEntersNormal?: boolean;
  /** The keys of the Vim command being typed. */
  vimKeys?: string | undefined;
  /** Number of selected messages. */
  range?: number | undefined;
  /** The hint letters typed so far, while hints are shown. */
  typedHint?: string | undefined;
  quitArmed: boolean;
  /** The extension that runs for the box. */
  running?: string | undefined;
  /** What the undo key would take back. */
  takeBack?: string | undefined;
  /** That the user's location is shared and for how long, in a long and a short form; empty if it is not. */
  sharing?: string;
  sharingShort?: string;
  /** Jump actions that are possible. */
  jumpActions?: readonly ("nextFound" | "jumpBack")[];
  /** A panel is open: Esc closes it first. */
  panel?: boolean;
  /** The panel that has the focus. */
  focused?: AnyPanel | undefined;
  /** The other half is beside this one. */
  halves?: boolean;
  /** The composer writes to a thread. */
  thread?: boolean;
  /** The composer has files, or one whose upload failed. */
  files?: "some" | "failed" | undefined;
  /** Links of the composer's text have rows. */
  hasLinks?: boolean;
  /** Read-only: keys that change something are not hinted. */
  readOnly?: boolean;
  /** The top popup, which has the focus. */
  popup?: Popup | undefined;
  /** Without a title line, this one is it, too: what is open, and the clock for the state of the connection. */
  only?: { title: string; now: number } | undefined;
}

/** Short forms for the hint line: `^K` for `Ctrl-K`, and symbols for named keys. */
function shortChord(chord: string): string {
  return chord
    .split(" ")
    .map((one) =>
      showChord(one)
        .replace(/^Ctrl-(.)$/, "^$1")
        .replace(/^Enter$/, "⏎")
        .replace(/^Up$/, "↑")
        .replace(/^Down$/, "↓"),
    )
    .join(" ");
}

/** The hinted actions of each mode, most useful first, because narrow screens show only two or three. */
interface Hints {
  where: KeyContext;
  actions: readonly ActionName[];
}

const HINTS: Readonly<Record<ScreenMode, Hints>> = {
  WRITE: {
    where: "write",
    actions: ["send", "escape", "goto", "nextUnread", "search.show", "newline", "help"],
  },
  NORMAL: {
    where: "normal",
    actions: [
      "vimInsert",
      "send",
      "escape",
      "vimDelete",
      "vimChange",
      "vimYank",
      "vimPut",
      "vimUndo",
      "help",
    ],
  },
  VISUAL: {
    where: "normal",
    actions: ["vimDelete", "vimChange", "vimYank", "vimPut", "escape", "help"],
  },
  EDIT: { where: "write", actions: ["send", "clear", "newline", "help"] },
  BROWSE: {
    where: "browse",
    actions: [
      "reply",
      "menu",
      "react",
      "escape",
      "openLink",
      "saveFile",
      "openMessage",
      "quote",
      "edit",
      "remove",
      "copy",
      "pin",
      "search.show",
      "help",
    ],
  },
  LIST: {
    where: "sidebar",
    actions: ["sidebarOpen", "sidebarFilter", "fold", "sidebarMenu", "escape", "help"],
  },
  CHOOSE: { where: "popup", actions: ["popupAccept", "escape"] },
};

/** The hinted actions of the mode, or of the focused panel: its own, then those of the screen that it names. */
function hintsOf({ mode, focused }: Pick<StatusProps, "mode" | "focused">): Hints {
  if (!focused || mode in HINTS) return HINTS[mode as ScreenMode];
  const where = keyPlaceOf(focused);
  const own = Object.entries(focused.actions).flatMap(([name, { hint }]) =>
    hint === undefined ? [] : [`${where}.${name}` as const],
  );
  const named = (focused.hints ?? []).map(({ action }) => action as ActionName);
  return { where, actions: [...own, ...named, "escape", "help"] };
}

function hintWords(
  action: ActionName,
  mode: StatusProps["mode"],
  { focused, panel, escEntersNormal, typing, enterRuns, selected, playing }: Partial<StatusProps> = {},
): string {
  if (action === "escape" && (mode === "VISUAL" || (escEntersNormal && mode === "WRITE")))
    return words.status.normalMode;
  const own =
    focused && (panelAction(focused, action) ?? focused.hints?.find((one) => one.action === action));
  if (own?.hint !== undefined) return own.hint;
  if (action === "escape")
    return mode === "WRITE" || mode === "NORMAL"
      ? "browse"
      : (mode === "LIST" && !typing) || (mode === "BROWSE" && !panel)
        ? "write"
        : "close";
  if (action === "send" && mode === "EDIT") return "save";
  if (action === "send" && mode === "WRITE" && enterRuns) return words.status.runs;
  if (action === "playSound" && stopsSound(selected, playing)) return words.sounds.stops;
  if (action === "clear") return "cancel";
  if (action === "alsoChannel") return words.status.alsoChannel;
  return actionRow(action).hint ?? actionRow(action).title;
}

/** The most of a button that its hint shows, cells. */
const BUTTON_CELLS = 16;

/** Actions refused on a read-only screen. */
const CHANGING_ACTIONS: readonly ActionName[] = [
  "send",
  "newline",
  "alsoChannel",
  "reply",
  "react",
  "quote",
  "edit",
  "remove",
  "pin",
  "save",
  "remind",
  "forward",
  "markUnread",
];

/** The hints, as `key words`, of the actions that have a key and an effect. */
const keyHints = (actions: readonly ActionName[], props: StatusProps): string[] =>
  actions.flatMap((action) => {
    if (
      props.inactive?.includes(action) ||
      (props.readOnly && (CHANGING_ACTIONS.includes(action) || actionRow(action).changes))
    )
      return [];
    const chords = chordsFor(props.table, action, [hintsOf(props).where]);
    const chord = chords.find((one) => !props.typing || (one !== "space" && [...one].length > 1));
    return chord ? [`${shortChord(chord)} ${hintWords(action, props.mode, props)}`] : [];
  });

/** Modes of a half. */
const HALF_MODES: ReadonlySet<StatusMode> = new Set(["WRITE", "NORMAL", "BROWSE"]);

/** The hints of the mode, as `key words`, most useful first. */
export function hintsFor(props: StatusProps): string[] {
  const { table, mode, selected } = props;
  if (props.quitArmed) return [words.status.againQuits(shortChord("C-c"))];
  if (props.typedHint !== undefined)
    return [
      words.hinting.type(props.typedHint),
      `${shortChord(chordsFor(table, "escape")[0] ?? "esc")} close`,
    ];
  if (props.running !== undefined && !props.popup && !props.completing)
    return [words.extensions.running(shortChord(chordsFor(table, "escape")[0] ?? "esc"), props.running)];
  if (props.vimKeys) return [words.vim.begun(props.vimKeys)];
  if (props.pendingKey !== undefined) {
    const prefix = `${props.pendingKey} `;
    const map = { ...table.global, ...table[hintsOf(props).where] };
    return Object.entries(map)
      .filter(([chord]) => chord.startsWith(prefix))
      .map(([chord, binding]) => `${shortChord(chord)} ${bindingWords(binding)}`);
  }
  if (props.asked) {
    const { chord, binding } = props.asked;
    const { hint } = isAction(binding) ? actionRow(binding) : {};
    const what = askedWords(binding, selected) ?? hint ?? bindingWords(binding);
    return words.status.asks(shortChord(chord), what);
  }
  if (props.popup) return popupHints(props.popup, props);
  if (props.completing) {
    const run = props.enterRuns
      ? [words.status.run(shortChord(chordsFor(table, "completeEnter", ["complete"])[0] ?? ""))]
      : [];
    return [...run, ...COMPLETION_KEYS.map((action) => completionHint(action, table))];
  }
  if (mode === "BROWSE" && props.range !== undefined) return rangeHints(props.range, table);
  if (mode === "BROWSE" && selected?.status === "failed") return failedHints(props);
  const buttons = mode === "BROWSE" && selected && !selected.poll ? buttonsOf(selected) : [];
  if (buttons.length > 0)
    return [
      ...buttons.map((button, i) => `${i + 1} ${buttonWords(button)}`),
      ...keyHints(["escape", "help"], props),
    ];
  const shown = mode === "BROWSE" && selected ? fileHints(selected, props.playing) : [];
  const usual = hintsOf(props).actions;
  const actions = [
    ...(mode === "BROWSE" ? (props.jumpActions ?? []) : []),
    ...shown,
    ...(props.halves && HALF_MODES.has(mode) ? usual.toSpliced(1, 0, "nextPane", "split") : usual),
  ];
  const back = chordsFor(table, "takeBack")[0];
  const first =
    props.takeBack === undefined || back === undefined
      ? []
      : [words.status.undo(shortChord(back), props.takeBack)];
  const hints = keyHints(mode === "WRITE" ? withComposerExtras(actions, props) : actions, props);
  const mayVote = mode === "BROWSE" && !props.readOnly && !props.inactive?.includes("vote1");
  const votes = mayVote ? voteHint(selected, table) : [];
  return [...first, ...votes, ...hints];
}

/** What a letter would do to this message, where that is not what its action is called. */
function askedWords(binding: string, selected: ClientMessage | undefined): string | undefined {
  if (binding === "reply" && selected?.status === "failed") return words.status.retries;
  const number = /^vote(\d)$/.exec(binding)?.[1];
  const button = selected && number && buttonsOf(selected)[Number(number) - 1];
  return button ? buttonWords(button) : undefined;
}

const buttonWords = (button: ReturnType<typeof buttonsOf>[number]): string =>
  truncate(cleanLine(button.text || button.name), BUTTON_CELLS);

/** Whether the key of sounds would stop the one that plays: that of this message, or any if it has none. */
function stopsSound(selected: ClientMessage | undefined, playing: string | undefined): boolean {
  const [first, ...more] = selected ? soundsOf(selected) : [];
  return playing !== undefined && more.length === 0 && (!first || first.url === playing);
}

/** What its pictures and sounds are for; a sound that plays can be stopped from any message. */
const fileHints = (selected: ClientMessage, playing: string | undefined): ActionName[] => [
  ...(selected.attachments.some(pictureOf) ? (["full"] as const) : []),
  ...(soundsOf(selected).length > 0 || playing !== undefined ? (["playSound"] as const) : []),
];

/** For a message that was not sent; the menu has these, too. */
function failedHints(props: StatusProps): string[] {
  const named = [
    ["reply", words.status.retries],
    ["edit", "edit"],
    ["drop", "drop"],
  ] as const;
  const own = named.flatMap(([action, what]) => {
    const [chord] = chordsFor(props.table, action);
    return chord === undefined ? [] : [`${shortChord(chord)} ${what}`];
  });
  return [
    ...own,
    ...keyHints([...(own.length === 0 ? (["menu"] as const) : []), "copy", "escape", "help"], props),
  ];
}

const VOTE_ACTIONS = Object.values(numbered("vote", (n) => `vote${n}` as const));

/** The hint for the number keys that vote, while the poll is open. */
function voteHint(selected: ClientMessage | undefined, table: KeyTable): string[] {
  const { poll } = selected ?? {};
  if (!poll || poll.is_closed) return [];
  const chords = VOTE_ACTIONS.slice(0, poll.options.length).flatMap(
    (name) => chordsFor(table, name)[0] ?? [],
  );
  const [first, last] = [chords[0], chords.at(-1)];
  return first === undefined || last === undefined
    ? []
    : [words.status.votes(shortChord(first), shortChord(last))];
}

const RANGE_ACTIONS = ["copy", "save", "forward", "remove", "markUnread", "escape"] as const;

const rangeHints = (n: number, table: KeyTable): string[] => [
  words.range.chosen(n),
  ...RANGE_ACTIONS.flatMap((action) => {
    const [chord] = chordsFor(table, action);
    return chord === undefined
      ? []
      : [`${shortChord(chord)} ${hintWords(action, "BROWSE", { panel: true })}`];
  }),
];

/** Adds actions for attached files and for threads; those for files come right after send. */
function withComposerExtras(
  [send, ...rest]: readonly ActionName[],
  { thread, files, hasLinks }: StatusProps,
): ActionName[] {
  const fileActions: ActionName[] =
    files === "failed" ? ["retryUpload", "takeOff"] : files ? ["takeOff"] : [];
  const linkActions: ActionName[] = hasLinks ? ["linkPreviews"] : [];
  return [send!, ...fileActions, ...linkActions, ...(thread ? rest.toSpliced(1, 0, "alsoChannel") : rest)];
}

const FILE_KEYS: ActionName[] = ["filesTake", "filesMark", "filesComplete", "filesAbove"];
const FOLDER_KEYS: ActionName[] = ["filesInto", "filesAbove", "filesComplete"];
const POLL_KEYS: ActionName[] = ["formNext", "formCreate", "formOptionRemove", "formOptionDown"];

const COMPLETION_KEYS: ActionName[] = ["completeAccept", "completeNext", "escape", "help"];

const completionHint = (action: ActionName, table: KeyTable): string =>
  `${shortChord(chordsFor(table, action, ["complete", "global"])[0] ?? "")} ${hintWords(action, "CHOOSE")}`;

/** The hints of each kind of popup. */
function popupHints(popup: Popup, { table, inactive = [] }: StatusProps): string[] {
  const chordIn = (where: KeyContext, action: ActionName): string =>
    shortChord(chordsFor(table, action, [where])[0] ?? "");
  const first = (action: ActionName): string => chordIn("popup", action);
  /** Hints of the actions that have an effect. */
  const named = (where: KeyContext, actions: readonly ActionName[]): string[] =>
    actions
      .filter((action) => !inactive.includes(action))
      .map((action) => `${chordIn(where, action)} ${hintWords(action, "CHOOSE")}`);
  const moves = (what: string): string[] =>
    inactive.includes("lineUp") ? [] : [`${first("lineUp")}${first("lineDown")} ${what}`];
  const close = `${first("escape")} close`;
  const accept = first("popupAccept");
  switch (popup.kind) {
    case "files":
      return named("chooseFiles", popup.purpose === "save" ? FOLDER_KEYS : FILE_KEYS).toSpliced(2, 0, close);
    case "poll":
      return named("form", POLL_KEYS).toSpliced(2, 0, close);
    case "fields":
      return [
        `${chordIn("form", "formNext")} next`,
        words.status.submit(chordIn("form", "formCreate")),
        close,
      ];
    case "picker": {
      const favouriteAction: ActionName[] = popup.favourites ? ["popupFavourite"] : [];
      return [
        ...named("popup", ["popupAccept"]),
        close,
        ...named("popup", favouriteAction),
        ...moves("move"),
        words.status.typeToSearch,
      ];
    }
    case "help":
      return [...moves("scroll"), close, words.status.typeToSearch];
    case "sheet":
      return [...moves("scroll"), close];
    case "confirm": {
      const no = `${first("escape")} no`;
      if (popup.question.level === "severe")
        return [canConfirm(popup) ? `${accept} yes` : `type ${popup.question.word ?? "yes"}`, no];
      return [popup.question.level === "moderate" ? "y yes" : `${accept} yes`, no];
    }
  }
}

function bindingWords(binding: string): string {
  const title = bindingTitle(binding as Binding);
  return isAction(binding) ? title.toLowerCase() : title;
}

/** The location label, from its longest form, with the key that stops sharing, to the shortest. */
function sharingForms({ sharing = "", sharingShort = "", table, readOnly }: StatusProps): string[] {
  const chord = readOnly ? undefined : chordsFor(table, "stopLocation", ["global"])[0];
  const stops = chord === undefined ? [] : [words.map.sharing.stops(shortChord(chord))];
  return [
    ...stops.flatMap((how) => [`${sharing} · ${how}`, `${sharingShort} · ${how}`]),
    sharing,
    sharingShort,
  ];
}

/** The cells that the title keeps from the words beside it. */
const MIN_ONLY_TITLE = 16;

/** Latency in milliseconds from which on it is shown. */
const SLOW_LATENCY = 1000;

/** The first hints, for which what lasts is shortened. */
const FIRST_HINTS = 5;

/** Problems and temporary states, shown at the right; what lasts is shortened rather than the first hints. */
function rightWords(props: StatusProps, hints: readonly string[]): string {
  if (!props.sharing) return statesAround(props, undefined);
  const forms = sharingForms(props).map((sharing) => statesAround(props, sharing));
  const first = hints.filter((hint, at) => at < FIRST_HINTS || KEPT.test(hint));
  const room = props.width - cellWidth(props.mode) - 2 - hintCells(first);
  return forms.find((one) => cellWidth(one) <= room) ?? forms.at(-1)!;
}

function statesAround(props: StatusProps, sharing: string | undefined): string {
  const parts: string[] = [];
  if (props.storage) parts.push(words.status.disk);
  if (props.saving !== undefined) parts.push(words.files.saving(props.saving));
  if (props.quiet !== undefined) parts.push(words.quiet.left(props.quiet));
  if (sharing !== undefined) parts.push(sharing);
  if (props.outbox) parts.push(words.status.unsent(props.outbox));
  const { phase, latency = 0, catchingUp } = props.link;
  if (phase === "open" && latency >= SLOW_LATENCY) parts.push(words.link.slow(Math.round(latency)));
  if (phase !== "open" || catchingUp) parts.push("… sync");
  return parts.length ? ` ${parts.join(GAP)} ` : "";
}

/** Between the mode and the hints. */
const GAP = "  ";

const hintCells = (hints: readonly string[]): number =>
  hints.reduce((sum, hint) => sum + GAP.length + cellWidth(hint), 0);

/** Words of the hints that are never left out for others: help, and the ways out. */
const KEPT = /(?:^Esc .*| (?:help|cancel))$/;
/** The title of a panel has its way out. */
const KEPT_IN_PANEL = / help$/;

/** The hints that fit, each after a gap, in their order. */
function fittingHints(hints: readonly string[], room: number, kept: RegExp): string[] {
  let shown = [...hints];
  while (hintCells(shown) > room) {
    const at = shown.findLastIndex((hint) => !kept.test(hint));
    shown = shown.toSpliced(at < 0 ? shown.length - 1 : at, 1);
  }
  return shown;
}

/** The keys at the start of a hint, `Esc` or `j k`; a hint that begins with a word has none, and its last word is none. */
function keysOf(hint: string): string {
  const words = hint.split(" ");
  const isKey = (word: string, at: number): boolean => word.length === 1 || (at === 0 && /[^a-z]/.test(word));
  const end = words.findIndex((word, at) => !isKey(word, at) || at === words.length - 1);
  return words.slice(0, end).join(" ");
}

/** A hint in two tones: its keys, and what they do. */
function toned(hint: string, theme: Theme): string {
  const keys = keysOf(hint);
  return theme.accent(keys) + theme.dim(hint.slice(keys.length));
}

/** Hints that say what the next key does come before the title. */
const isPressing = ({
  quitArmed,
  typedHint,
  vimKeys,
  pendingKey,
  asked,
  popup,
  range,
}: StatusProps): boolean =>
  quitArmed || [typedHint, vimKeys, pendingKey, asked, popup, range].some((one) => one !== undefined);

/** The only line around the messages: mode, title, connection and the key of help, in what room there is. */
function onlyRow(props: StatusProps, { title, now }: { title: string; now: number }): string {
  const { theme, width, link, table } = props;
  const { states, level } = linkWords(link, now);
  const help = shortChord(chordsFor(table, "help", [hintsOf(props).where, "global"])[0] ?? "");
  const mode = ` ${props.mode}`;
  const forms = [
    `● ${states.at(-1)!}${GAP}${help} help `,
    `● ${states.at(-1)!}${GAP}${help} `,
    `●${GAP}${help} `,
  ];
  const taken = cellWidth(mode) + 2 * GAP.length + Math.min(cellWidth(title), MIN_ONLY_TITLE);
  const right = truncate(forms.find((one) => taken + cellWidth(one) <= width) ?? forms.at(-1)!, width);
  const room = width - cellWidth(right);
  const words = isPressing(props) ? hintsFor(props).join(GAP) : title;
  const left = truncate(mode + GAP + words, Math.max(0, room - GAP.length));
  const shownMode = left.slice(0, mode.length);
  return padEnd(theme.bold(shownMode) + left.slice(shownMode.length), room) + theme[level](right);
}

export function statusRow(props: StatusProps): string {
  const { theme, width } = props;
  if (props.only) return onlyRow(props, props.only);
  const all = hintsFor(props);
  const right = rightWords(props, all);
  const mode = truncate(` ${props.mode}`, Math.max(1, width - cellWidth(right)));
  const room = width - cellWidth(mode) - cellWidth(right) - 1;
  const hints = fittingHints(all, room, props.focused ? KEPT_IN_PANEL : KEPT);
  const cells = hintCells(hints);
  const shown = hints.map((hint) => GAP + toned(hint, theme)).join("");
  const rightStyle = props.storage ? theme.bad : props.outbox ? theme.warn : theme.dim;
  return theme.bold(mode) + shown + " ".repeat(Math.max(0, room + 1 - cells)) + rightStyle(right);
}
