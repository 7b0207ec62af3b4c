/** Popups as data: lists, questions, help; the top one has the keys. */
import type { Question } from "../../commands/base/define-command.ts";
import type { SavableFile } from "../../model/message-links.ts";
import type { DiskEntry } from "./host.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { User } from "../../wire/entities/user.ts";
import type { EditorState } from "../editor/state.ts";
import type { PreferredEmoji } from "./emoji-use.ts";

/** A stack of which the top has the keys. */
export interface PopupSlice {
  popups: readonly Popup[];
}

export function topPopup(screen: PopupSlice): Popup | undefined {
  return screen.popups.at(-1);
}

/** A line of a list that can be chosen; `value` is what choosing it means to its owner. */
export interface Choice {
  label: string;
  detail?: string;
  /** Shown at the right: a key, a count. */
  mark?: string;
  value: string;
  /** Other words it is found by. */
  keywords?: string;
  /** A sentence about it, told while it is chosen. */
  note?: string;
  /** Its first clause says what it does: where not all of them fit, whole ones go. */
  clauses?: true;
  /** It takes something away: what fits as well stands before it. */
  destructive?: true;
}

/** Which list it is: the owner reads the chosen value by it. */
type PickerName =
  | "goto"
  | "palette"
  | "react"
  | "join"
  | "forward"
  | "flag"
  | "person"
  | "blocked"
  | "section"
  | "links"
  | "date"
  | "remind"
  | "pollVote"
  | "pollOption"
  | "pollComment"
  | "sendAt"
  | "scheduled"
  | "scheduledOne"
  | "snippets"
  | "locationPlace"
  | "locationTime"
  | "locationMove"
  | "takeOff"
  | "retry"
  | "save"
  | "theme"
  | "tour"
  | "campaign"
  /** How long to be left in peace, and what a channel may tell. */
  | "quiet"
  | "notices"
  /** All settings, the values of one, and the value of one that is written. */
  | "settings"
  | "setting"
  | "settingText";

/** Files to choose from, a folder at a time. */
export interface FilesPopup {
  kind: "files";
  /** What they are chosen for: to go with the message, or a folder for what is saved. */
  purpose: "attach" | "save";
  home: string;
  /** Where what is typed begins. */
  folder: string;
  /** A path, a part of a name, or a pattern. */
  query: string;
  selected: number;
  /** Full paths. */
  marked: readonly string[];
  /** What is saved in the folder that is chosen. */
  saving?: readonly SavableFile[];
  /** The folder that was read last, or why it could not be. */
  listing?: { folder: string; entries: readonly DiskEntry[]; fault?: string };
}

/** A line of a form. */
export interface FormField {
  readonly key: string;
  /** Of a switch `yes` or nothing, of a choice what is chosen. */
  readonly text: string;
  /** What is written in it; default words. */
  readonly takes?: "switch" | "people" | "secret" | "choice";
}

/** A short form of texts: a channel, an invitation, the own profile. */
export interface FieldsPopup {
  kind: "fields";
  name: "newChannel" | "editChannel" | "write" | "invite" | "profile" | "login";
  fields: readonly FormField[];
  /** The field with the cursor; behind the last one stands the button. */
  at: number;
  editor: EditorState;
  /** People whom the word at the cursor could mean. */
  people?: readonly User[];
  /** The channel it is about. */
  about?: string;
  /** Why it was refused. */
  fault?: string | undefined;
  /** What its button asks for is on its way. */
  busy?: boolean;
}

/** A list to choose from. */
export interface Picker {
  kind: "picker";
  name: PickerName;
  title: string;
  query: string;
  selected: number;
  /** Fixed at opening for short lists; absent where the list is made from the query. */
  choices?: readonly Choice[] | undefined;
  /** Offered below them for what is typed: what can be done, in a list of places. */
  actions?: readonly Choice[] | undefined;
  /** What it was opened for: a message id. */
  about?: string | undefined;
  /** What stands first in it, because it was put there or chosen before. */
  preferred?: PreferredEmoji;
}

/** The form of a poll that will be asked in this place: the field with the cursor, and its letters. */
export interface PollPopup {
  kind: "poll";
  place: ThreadRef;
  field: string;
  editor: EditorState;
}

export interface ConfirmPopup {
  kind: "confirm";
  question: Question;
  /** What has been typed of the word of a severe question. */
  typed: string;
  yes: () => void;
}

export type Popup =
  | Picker
  | ConfirmPopup
  | FilesPopup
  | PollPopup
  | FieldsPopup
  | { kind: "help"; query: string; top: number }
  | { kind: "sheet"; title: string; lines: readonly string[]; top: number };

/** The popup after the query has been changed: the choice goes back to the first. */
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

/** May a confirm popup be answered with yes: a severe question wants its word first. */
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
