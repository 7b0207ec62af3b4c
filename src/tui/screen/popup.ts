/** Popups as data: pickers, questions, forms, help. */
import type { Question } from "../../commands/base/define-command.ts";
import type { SavableFile } from "../../model/message-links.ts";
import type { DiskEntry } from "./host.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { User } from "../../wire/entities/user.ts";
import type { EditorState } from "../editor/state.ts";
import type { PreferredEmoji } from "./emoji-use.ts";

/** A stack; the top one has the focus. */
export interface PopupSlice {
  popups: readonly Popup[];
}

export function topPopup(screen: PopupSlice): Popup | undefined {
  return screen.popups.at(-1);
}

/** A choice of a picker; `value` is interpreted by the picker's owner. */
export interface Choice {
  label: string;
  detail?: string;
  /** Shown at the right, such as a key or a count. */
  mark?: string;
  value: string;
  /** Further words by which it is found. */
  keywords?: string;
  /** A sentence shown while it is selected. */
  note?: string;
  /** The detail consists of clauses: if it is too long, whole clauses are dropped from the end. */
  clauses?: true;
  /** It deletes or ends something: ranked after equally good matches. */
  destructive?: true;
}

/** Identifies a picker, so that the chosen value can be interpreted. */
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
  /** Duration of do-not-disturb, and the notification level of a channel. */
  | "quiet"
  | "notices"
  /** All settings, the choices of one setting, and a typed value. */
  | "settings"
  | "setting"
  | "settingText";

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
  name: PickerName;
  title: string;
  query: string;
  selected: number;
  /** Set when a short list is opened; absent if the choices are computed from the query. */
  choices?: readonly Choice[] | undefined;
  /** Actions offered below the choices once something is typed. */
  actions?: readonly Choice[] | undefined;
  /** The id of the message (or other object) it was opened for. */
  about?: string | undefined;
  /** Emoji listed first: favourites and recent ones. */
  preferred?: PreferredEmoji;
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
  | { kind: "help"; query: string; top: number }
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
