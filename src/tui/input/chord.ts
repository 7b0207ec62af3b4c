/** Names, parses and shows key chords: `C-k`, `A-a`, `S-tab`, `f1`, `enter`, `G`. */
import { segments } from "../../text/graphemes.ts";
import { KEY_NAMES, type InputEvent, type KeyEvent, type Modifiers } from "./events.ts";

const formatChord = (m: Modifiers, name: string): string =>
  `${m.ctrl ? "C-" : ""}${m.alt ? "A-" : ""}${m.shift ? "S-" : ""}${m.super ? "D-" : ""}${name}`;

/** The canonical name of a key event: modifiers in the order C A S D (super), then the key. */
const chordOfKey = (event: KeyEvent): string => formatChord(event, event.name);

/**
 * The chords of an event, in order: one for a key, one per grapheme for text (a capital is itself, a blank
 * is `space`), none for anything else. A text event may hold several: `gg` typed quickly is one chunk.
 */
export function chordsOf(event: InputEvent): string[] {
  if (event.type === "key") return [chordOfKey(event)];
  if (event.type !== "text") return [];
  return Array.from(segments(event.text), ({ segment }) => (segment === " " ? "space" : segment));
}

const MODIFIERS: Readonly<Record<string, keyof Modifiers>> = {
  c: "ctrl",
  ctrl: "ctrl",
  control: "ctrl",
  "^": "ctrl",
  a: "alt",
  alt: "alt",
  m: "alt",
  meta: "alt",
  option: "alt",
  opt: "alt",
  s: "shift",
  shift: "shift",
  d: "super",
  super: "super",
  cmd: "super",
};

const ALIASES: Readonly<Record<string, string>> = {
  escape: "esc",
  return: "enter",
  cr: "enter",
  spc: "space",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  "page-up": "pageup",
  "page-down": "pagedown",
  bs: "backspace",
  "↑": "up",
  "↓": "down",
  "←": "left",
  "→": "right",
  "⏎": "enter",
};

/**
 * The canonical name of a chord as a user may write it (`Ctrl-K`, `ctrl+k`, `^K`, `Alt-Shift-a`, `A-A`,
 * `Return`), or undefined if it names no key. Canonical names are returned unchanged.
 */
export function parseChord(typed: string): string | undefined {
  const modifiers: Modifiers = { ctrl: false, alt: false, shift: false, super: false };
  let rest = typed.trim();
  if (rest === "" && typed.includes(" ")) return "space";
  const caret = /^\^(.)$/u.exec(rest);
  if (caret) rest = `C-${caret[1]}`;
  for (;;) {
    const found = /^([A-Za-z]+)[-+](.+)$/su.exec(rest);
    const modifier = found && MODIFIERS[found[1]!.toLowerCase()];
    if (!found || !modifier) break;
    // No key name contains a dash here, so `A-` is always a modifier.
    modifiers[modifier] = true;
    rest = found[2]!;
  }
  if (rest === " ") rest = "space";
  const graphemes = Array.from(segments(rest), ({ segment }) => segment);
  const lower = rest.toLowerCase();
  const alias = ALIASES[lower];
  if (alias) return formatChord(modifiers, alias);
  if (graphemes.length !== 1) return KEY_NAMES.has(lower) ? formatChord(modifiers, lower) : undefined;
  if (/[\p{Cc}\p{Cs}]/u.test(rest)) return undefined;
  const hasModifier = modifiers.ctrl || modifiers.alt || modifiers.super;
  if (!hasModifier) return modifiers.shift ? rest.toUpperCase() : rest;
  const letter = lower !== rest.toUpperCase();
  // People write Ctrl chords with a capital; in an Alt chord a capital is a different key.
  if (letter && rest !== lower && !modifiers.ctrl && /^[AM]-/.test(typed.trim())) modifiers.shift = true;
  return formatChord(modifiers, letter ? lower : rest);
}

const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "Enter",
  esc: "Esc",
  tab: "Tab",
  space: "Space",
  backspace: "Backspace",
  delete: "Delete",
  insert: "Insert",
  home: "Home",
  end: "End",
  pageup: "PgUp",
  pagedown: "PgDn",
  menu: "Menu",
};

/** A canonical chord as help shows it: `C-k` → `Ctrl-K`, `A-S-a` → `Alt-Shift-A`, `G` → `G`. */
export function showChord(chord: string): string {
  const found = /^(C-)?(A-)?(S-)?(D-)?(.+)$/su.exec(chord);
  if (!found) return chord;
  const [, ctrl, alt, shift, superKey, name = ""] = found;
  const hasModifier = ctrl ?? alt ?? superKey;
  const label =
    DISPLAY_NAMES[name] ??
    (/^f\d+$/.test(name) || (hasModifier && name.length === 1) ? name.toUpperCase() : name);
  return [ctrl && "Ctrl", alt && "Alt", shift && "Shift", superKey && "Super", label]
    .filter(Boolean)
    .join("-");
}
