/** Popups as data: pickers, questions, forms, help. */
import type { Places } from "../../atlas/read.ts";
import type { Question } from "../../commands/base/define-command.ts";
import type { SavableFile } from "../../model/message-links.ts";
import type { DiskEntry } from "./host.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { User } from "../../wire/entities/user.ts";
import type { RowSpan } from "./layout.ts";
import type { EditorState } from "../editor/state.ts";

/** A stack; the top one has the focus. */
export interface PopupSlice {
  popups: readonly Popup[];
}

export function topPopup(screen: PopupSlice): Popup | undefined {
  return screen.popups.at(-1);
}

/** A choice of a picker. */
export interface Choice {
  label: string;
  detail?: string;
  /** Shown at the right, such as a key or a count. */
  mark?: string;
  /** The heading above it, if it is the first of its group and nothing is typed. */
  group?: string;
  /** The detail begins in this column. */
  column?: number;
  /** The detail stands out: it was changed. */
  changed?: boolean;
  /** Its name elsewhere: typed whole, it comes first. */
  named?: string;
  /** What choosing it does; the picker is then closed. */
  choose?: () => void;
  /** Instead: the action, by name, or the command line that it runs. */
  runs?: string;
  /** Adds it to the favourites, or takes it from them. */
  favourite?: () => void;
  /** The theme shown while it is selected. */
  theme?: string;
  /** Further words by which it is found. */
  keywords?: string;
  /** A sentence shown while it is selected. */
  note?: string;
  /** The detail consists of clauses: if it is too long, whole clauses are dropped from the end. */
  clauses?: true;
  /** It deletes or ends something: ranked after equally good matches. */
  destructive?: true;
  /** It names a feature that does not exist, found only by whole words; choosing it shows the note. */
  missing?: true;
}

/** What choices are computed from. */
export interface PickerInput {
  /** What is typed, trimmed. */
  query: string;
  /** Time of the snapshot, ms; 0 in a picker that does not follow it. */
  now: number;
  utc: boolean;
  /** Those of the atlas, once it is loaded. */
  places?: Places | undefined;
}

/** The file browser, showing one folder at a time. */
export interface FilesPopup {
  kind: "files";
  /** Choosing files to attach, or a folder to save to. */
  purpose: "attach" | "save";
  home: string;
  /** Typed paths are relative to it. */
  folder: string;
  /** A path, part of a name, or a pattern. */
  query: string;
  selected: number;
  /** Full paths. */
  marked: readonly string[];
  /** The files to save in the chosen folder. */
  saving?: readonly SavableFile[];
  /** The folder read last, or the fault that prevented it. */
  listing?: { folder: string; entries: readonly DiskEntry[]; fault?: string };
}

export interface FormField {
  readonly key: string;
  /** For a switch `yes` or empty, for a choice the chosen value. */
  readonly text: string;
  /** The kind of input; default plain text. */
  readonly input?: "switch" | "people" | "secret" | "choice";
}

/** A short form: a channel, an invitation, the user's profile. */
export interface FieldsPopup {
  kind: "fields";
  name: "newChannel" | "editChannel" | "write" | "invite" | "profile" | "login";
  fields: readonly FormField[];
  /** Index of the focused field; the button follows the last field. */
  at: number;
  editor: EditorState;
  /** Users that match the word at the cursor. */
  people?: readonly User[];
  /** The channel it applies to. */
  targetId?: string;
  /** The error of the last submit. */
  fault?: string | undefined;
  /** The form is being submitted. */
  busy?: boolean;
}

/** A list to choose from. */
export interface Picker {
  kind: "picker";
  title: string;
  query: string;
  selected: number;
  /** A short list, which the query filters, or choices computed from the query. */
  choices: readonly Choice[] | ((input: PickerInput) => readonly Choice[]);
  /** The computed choices depend on the time. */
  followsTime?: true;
  /** Shown while there are no choices. */
  hint?: string;
  /** Takes the typed text as it is, instead of a choice. */
  accept?: (typed: string) => void;
  /** It stays open below what a choice opens, and makes its choices anew after a change there. */
  stays?: () => readonly Choice[];
  /** Its choices can be favourites. */
  favourites?: true;
  /** The rows of the screen with the message it acts on, which stay in sight. */
  clear?: RowSpan | undefined;
  /** Nothing is dimmed behind it, so that the theme of a choice can be seen. */
  undimmed?: true;
  /** Called after every change: the picker brought up to date, the same one if nothing changed, or why it closes. */
  refresh?: (picker: Picker) => Picker | string;
}

/** The form for a new poll in a place: the focused field and its editor. */
export interface PollPopup {
  kind: "poll";
  place: ThreadRef;
  field: string;
  editor: EditorState;
}

export interface ConfirmPopup {
  kind: "confirm";
  question: Question;
  /** The text typed so far to confirm a severe question. */
  typed: string;
  yes: () => void;
}

export type Popup =
  | Picker
  | ConfirmPopup
  | FilesPopup
  | PollPopup
  | FieldsPopup
  /** `first`: the place of keys that comes first. */
  | { kind: "help"; query: string; top: number; first?: string }
  | { kind: "sheet"; title: string; lines: readonly string[]; top: number };

/** The popup with a new query; the selection returns to the first choice. */
function withQuery(popup: Popup, query: string): Popup {
  switch (popup.kind) {
    case "picker":
    case "files":
      return { ...popup, query, selected: 0 };
    case "help":
      return { ...popup, query, top: 0 };
    case "confirm":
      return { ...popup, typed: query };
    default:
      return popup;
  }
}

export function queryOf(popup: Popup): string {
  switch (popup.kind) {
    case "picker":
    case "files":
    case "help":
      return popup.query;
    case "confirm":
      return popup.typed;
    default:
      return "";
  }
}

/** Whether yes can be chosen: a severe question requires its word to be typed first. */
export function canConfirm(popup: ConfirmPopup): boolean {
  return popup.question.level !== "severe" || popup.typed === (popup.question.word ?? "yes");
}

export function popupPushed<S extends PopupSlice>(screen: S, popup: Popup): S {
  return { ...screen, popups: [...screen.popups, popup], completion: undefined, pendingKey: undefined };
}

export function popupPopped<S extends PopupSlice>(screen: S): S {
  return screen.popups.length ? { ...screen, popups: screen.popups.slice(0, -1) } : screen;
}

/** Replaces the top popup. */
export function popupChanged<S extends PopupSlice>(screen: S, change: (popup: Popup) => Popup): S {
  const top = topPopup(screen);
  return top ? { ...screen, popups: [...screen.popups.slice(0, -1), change(top)] } : screen;
}

export function popupTyped<S extends PopupSlice>(screen: S, query: string): S {
  return popupChanged(screen, (popup) => withQuery(popup, query));
}
