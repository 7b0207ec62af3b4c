/** Decodes a complete CSI sequence: legacy keys, modifyOtherKeys, the kitty keyboard protocol, SGR mouse, focus and replies. */
import { NO_MODIFIERS, type InputEvent, type Modifiers, type MouseKind } from "./events.ts";

/** Keys named by the final byte of a CSI or SS3 sequence. */
const KEY_BY_FINAL: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
  M: "enter",
};

/** Keys named by the number before a tilde. */
const KEY_BY_NUMBER: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
  29: "menu",
};

/** Keys named by a Unicode or kitty functional code point. */
const KEY_BY_CODE: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "esc",
  32: "space",
  127: "backspace",
  57363: "menu",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
};

/** Text of the number pad in the kitty protocol: digits, then . / * - + and, after Enter, = and the separator. */
const KEYPAD: Readonly<Record<number, string>> = {
  57409: ".",
  57410: "/",
  57411: "*",
  57412: "-",
  57413: "+",
  57415: "=",
  57416: ",",
};

const BASE_KITTY_F13 = 57376;
const WHEEL: readonly MouseKind[] = ["wheelup", "wheeldown", "wheelleft", "wheelright"];

/** Characters that Shift gives on the keys of a US board; used when a terminal names the unshifted key of a chord. */
export const US_SHIFT: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("`1234567890-=[]\\;',./", (character, i) => [character, '~!@#$%^&*()_+{}|:"<>?'[i]!]),
);

/** Decodes a modifier parameter (1 + bits); Caps Lock and Num Lock are ignored. */
function modifiersOf(parameter: number | undefined): Modifiers {
  const bits = Math.max(0, (parameter || 1) - 1);
  return { shift: (bits & 1) > 0, alt: (bits & 2) > 0, ctrl: (bits & 4) > 0, super: (bits & 8) > 0 };
}

const isCharacter = (code: number | undefined): code is number =>
  code !== undefined &&
  Number.isInteger(code) &&
  code >= 0x20 &&
  code <= 0x10ffff &&
  !(code >= 0x7f && code <= 0x9f) &&
  !(code >= 0xd800 && code <= 0xdfff);

const key = (name: string, modifiers: Modifiers, repeat = false): InputEvent => ({
  type: "key",
  name,
  ...modifiers,
  repeat,
});

/**
 * A chord on a character key. Letters keep Shift as a modifier (`C-S-k`); on other keys the shifted
 * character is the name and Shift is dropped, so that Ctrl-_ is `C-_` in every protocol.
 */
function characterKey(code: number, modifiers: Modifiers, shifted?: number, repeat = false): InputEvent {
  const character = String.fromCodePoint(code);
  const lower = character.toLowerCase();
  if (!modifiers.shift) return key(lower, { ...modifiers, shift: character !== lower }, repeat);
  if (lower !== character.toUpperCase()) return key(lower, modifiers, repeat);
  const name = isCharacter(shifted) ? String.fromCodePoint(shifted) : (US_SHIFT[character] ?? character);
  return key(name, { ...modifiers, shift: false }, repeat);
}

function mouse(body: string, released: boolean): InputEvent | undefined {
  const [bits, column, row] = body.split(";").map(Number);
  if (bits === undefined || !column || !row || !(bits >= 0)) return undefined;
  const wheel = (bits & 64) > 0;
  const noButton = (bits & 3) === 3 && bits < 128;
  let kind: MouseKind = released ? "up" : "down";
  if (wheel) kind = WHEEL[bits & 3]!;
  else if (bits & 32) kind = noButton ? "move" : "drag";
  return {
    type: "mouse",
    kind,
    x: column - 1,
    y: row - 1,
    button: wheel || kind === "move" ? -1 : bits & 128 ? 8 + (bits & 3) : bits & 3,
    shift: (bits & 4) > 0,
    alt: (bits & 8) > 0,
    ctrl: (bits & 16) > 0,
    super: false,
  };
}

/**
 * The text of a character reported with Alt, if AltGr made it (some terminals report AltGr as Ctrl and Alt, or as Alt): what
 * the terminal says it typed, else a sign, or a Latin letter outside ASCII, with Ctrl and Alt, and a sign outside ASCII with
 * Alt alone. A letter of another script stays a chord, because it is named by its place on the keyboard.
 */
function altGrText(code: number, modifiers: Modifiers, typed: readonly number[] = []): string | undefined {
  if (!modifiers.alt || modifiers.super) return undefined;
  const character = String.fromCodePoint(code);
  const text = String.fromCodePoint(...typed);
  if (text !== "" && text.toLowerCase() !== character.toLowerCase()) return text;
  const isOutsideAscii = code > 0x7f;
  const isSign = !/[\p{L}\p{N}\s]/u.test(character);
  const isMade = modifiers.ctrl
    ? isSign || (isOutsideAscii && /[\p{Script=Latin}\p{Script=Common}]/u.test(character))
    : isSign && isOutsideAscii;
  return isMade ? character : undefined;
}

/** `CSI code[:shifted[:base]] ; modifiers[:event] ; text u` of the kitty keyboard protocol. */
function kittyKey(body: string): InputEvent | undefined {
  const [codes = "", state = "", texts] = body.split(";");
  const [code, shifted, base] = codes.split(":").map(Number);
  const [bits, event] = state.split(":").map(Number);
  if (code === undefined || Number.isNaN(code) || event === 3) return undefined;
  const modifiers = modifiersOf(bits);
  const repeat = event === 2;
  const hasModifier = modifiers.ctrl || modifiers.alt || modifiers.super;
  const keypadText = code >= 57399 && code <= 57408 ? String(code - 57399) : KEYPAD[code];
  if (keypadText !== undefined)
    return hasModifier ? key(keypadText, modifiers, repeat) : { type: "text", text: keypadText };
  const named = KEY_BY_CODE[code];
  if (named === "space" && !hasModifier) return { type: "text", text: " " };
  if (named) return key(named, modifiers, repeat);
  if (code >= BASE_KITTY_F13 && code < BASE_KITTY_F13 + 12)
    return key(`f${13 + code - BASE_KITTY_F13}`, modifiers, repeat);
  if (code >= 0xe000 && code <= 0xf8ff) return undefined; // Lone modifiers, locks and media keys.
  if (!isCharacter(code)) return undefined;
  const typed = texts?.split(":").map(Number).filter(isCharacter);
  const made = altGrText(code, modifiers, typed);
  if (made !== undefined) return { type: "text", text: made };
  if (hasModifier) {
    // A letter of another script is named by its position on a US keyboard: Ctrl with Cyrillic С is C-c.
    const latin = code > 0x7f && isCharacter(base) ? base : code;
    return characterKey(latin, modifiers, latin === code ? shifted : undefined, repeat);
  }
  if (typed?.length) return { type: "text", text: String.fromCodePoint(...typed) };
  const letter = modifiers.shift && isCharacter(shifted) ? shifted : code;
  const text = String.fromCodePoint(letter);
  return {
    type: "text",
    text: modifiers.shift && letter === code ? (US_SHIFT[text] ?? text.toUpperCase()) : text,
  };
}

/** `CSI 27 ; modifiers ; code ~` of xterm's modifyOtherKeys. */
function modifyOtherKeysKey(modifiers: Modifiers, code: number): InputEvent | undefined {
  const named = KEY_BY_CODE[code];
  const hasModifier = modifiers.ctrl || modifiers.alt || modifiers.super;
  if (named === "space" && !hasModifier) return { type: "text", text: " " };
  if (named) return key(named, modifiers);
  if (!isCharacter(code)) return undefined;
  const made = hasModifier ? altGrText(code, modifiers) : String.fromCodePoint(code);
  if (made !== undefined) return { type: "text", text: made };
  // In this protocol the code is the character with Shift already applied.
  const character = String.fromCodePoint(code);
  const letter = character.toLowerCase() !== character.toUpperCase();
  return key(character.toLowerCase(), { ...modifiers, shift: letter && modifiers.shift });
}

const isReply = (body: string, final: string): boolean =>
  /^[?>=]/.test(body) ||
  "cntyx".includes(final) ||
  // A cursor position. `1;2R`–`1;16R` can also be Shift-F3 and the like, so the program's own probes never use row 1.
  (final === "R" && /^\d+;\d+$/.test(body) && !/^1;(?:[2-9]|1[0-6])$/.test(body));

/**
 * The event of `CSI body final`, `"paste"` at the start of a bracketed paste, or undefined for an unknown sequence,
 * which is dropped.
 */
export function decodeCsi(body: string, final: string): InputEvent | "paste" | undefined {
  if (body.startsWith("<") && (final === "M" || final === "m")) return mouse(body.slice(1), final === "m");
  if (body === "" && (final === "I" || final === "O")) return { type: "focus", on: final === "I" };
  if (final === "~" && body === "200") return "paste";
  if (isReply(body, final)) return { type: "reply", kind: "csi", data: body + final };
  if (final === "u") return kittyKey(body);
  const parameters = body.split(";");
  const first = Number(parameters[0]);
  const [bits, event] = (parameters[1] ?? "").split(":").map(Number);
  if (event === 3) return undefined;
  const modifiers = modifiersOf(bits);
  if (final === "~" && first === 27 && parameters.length === 3)
    return modifyOtherKeysKey(modifiers, Number(parameters[2]));
  if (final === "Z") return key("tab", { ...modifiers, shift: true });
  // rxvt marks Shift with `$` and Ctrl with `^` in place of the tilde.
  if (final === "$" || final === "^") {
    const name = KEY_BY_NUMBER[first];
    return name ? key(name, { ...NO_MODIFIERS, shift: final === "$", ctrl: final === "^" }) : undefined;
  }
  const name =
    final === "~"
      ? KEY_BY_NUMBER[first]
      : body === "" || /^1(;|$)/.test(body)
        ? KEY_BY_FINAL[final]
        : undefined;
  return name ? key(name, modifiers, event === 2) : undefined;
}

/** The Alt chord of a character that followed an ESC. */
export const altKey = (character: string): InputEvent =>
  character === " "
    ? key("space", { ...NO_MODIFIERS, alt: true })
    : characterKey(character.codePointAt(0)!, { ...NO_MODIFIERS, alt: true });

/** The key of one C0 control character or DEL. */
export function controlKey(character: string, alt = false): InputEvent {
  const modifiers = { ...NO_MODIFIERS, alt };
  const code = character.charCodeAt(0);
  if (character === "\r") return key("enter", modifiers);
  if (character === "\t") return key("tab", modifiers);
  if (character === "\x1b") return key("esc", modifiers);
  if (character === "\x7f" || character === "\b") return key("backspace", modifiers);
  if (code === 0) return key("space", { ...modifiers, ctrl: true });
  // 1–26 are letters (so a line feed is C-j), 28–31 are \ ] ^ _.
  return key(String.fromCharCode(code + (code <= 26 ? 96 : 64)), { ...modifiers, ctrl: true });
}

/** F1–F5 of the Linux console: `CSI [ A` … `CSI [ E`. */
export const consoleKey = (letter: string): InputEvent | undefined => {
  const n = "ABCDE".indexOf(letter);
  return n < 0 ? undefined : key(`f${n + 1}`, NO_MODIFIERS);
};

/** A key after SS3 (application cursor keys), with the modifiers some terminals put there (`O5C`). */
export function ss3Key(body: string, final: string): InputEvent | undefined {
  const name = final === "I" ? "tab" : KEY_BY_FINAL[final];
  if (name) return key(name, modifiersOf(Number(body) || undefined));
  // Number pad in application mode: O j … O y are * + , - . / 0–9.
  const keypadText = final >= "j" && final <= "y" ? "*+,-./0123456789"[final.charCodeAt(0) - 106] : undefined;
  return keypadText === undefined ? undefined : { type: "text", text: keypadText };
}
