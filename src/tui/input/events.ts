/** The input events of the screen: text, keys, pastes, mouse, focus, and the terminal's replies. */

export interface Modifiers {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  super: boolean;
}

/** One or more graphemes, typed or committed by an input method; contains no control characters. */
interface TextEvent {
  type: "text";
  text: string;
}

/** A key that is not plain text. `name` is a lower-case character or one of `KEY_NAMES`. */
export interface KeyEvent extends Modifiers {
  type: "key";
  name: string;
  /** The key is held down (reported by the kitty protocol only). */
  repeat: boolean;
}

/** A bracketed paste, not sanitised yet. */
interface PasteEvent {
  type: "paste";
  text: string;
}

export type MouseKind =
  | "down"
  | "up"
  | "drag"
  | "move"
  | "wheelup"
  | "wheeldown"
  | "wheelleft"
  | "wheelright";

/** A mouse report; `x` and `y` are cells from 0 at the top left. */
export interface MouseEvent extends Modifiers {
  type: "mouse";
  kind: MouseKind;
  x: number;
  y: number;
  /** 0 left, 1 middle, 2 right, 8 and up the side buttons; −1 for the wheel and for plain movement. */
  button: number;
}

interface FocusEvent {
  type: "focus";
  on: boolean;
}

/** A reply of the terminal to a query, without introducer and terminator (`data` of a CSI ends with its final byte). */
export interface ReplyEvent {
  type: "reply";
  kind: "csi" | "osc" | "dcs" | "apc" | "other";
  data: string;
}

export type InputEvent = TextEvent | KeyEvent | PasteEvent | MouseEvent | FocusEvent | ReplyEvent;

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false, super: false };

/** All key names longer than one character. */
export const KEY_NAMES: ReadonlySet<string> = new Set([
  "enter",
  "tab",
  "esc",
  "space",
  "backspace",
  "delete",
  "insert",
  "up",
  "down",
  "left",
  "right",
  "home",
  "end",
  "pageup",
  "pagedown",
  "menu",
  ...Array.from({ length: 24 }, (_, i) => `f${i + 1}`),
]);
