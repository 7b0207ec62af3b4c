/** The sequences that set and reset terminal modes (Ink handles the alternate screen and the cursor). */

export interface ModeSettings {
  /** Clicks, drags and the wheel (1000, 1002, 1006), without plain movement. */
  mouse: boolean;
  /** Focus reports (1004). */
  focus: boolean;
}

export type CursorShape = "default" | "block" | "underline" | "bar";

const ESC = "\x1b";
export const ALT_SCREEN_ON = `${ESC}[?1049h`;
export const ALT_SCREEN_OFF = `${ESC}[?1049l`;
export const SYNC_BEGIN = `${ESC}[?2026h`;
export const SYNC_END = `${ESC}[?2026l`;
export const CURSOR_SHOW = `${ESC}[?25h`;
export const CURSOR_HIDE = `${ESC}[?25l`;
export const HOME_AND_ERASE = `${ESC}[H${ESC}[J`;

export const MOUSE_ON = `${ESC}[?1000h${ESC}[?1002h${ESC}[?1006h`;
export const MOUSE_OFF = `${ESC}[?1006l${ESC}[?1002l${ESC}[?1000l`;

/** Requests unambiguous key codes and alternate keys, which identify a chord in any script. */
export const KITTY_PUSH = `${ESC}[>5u`;
const KITTY_POP = `${ESC}[<u`;

/**
 * Set on entering the alternate screen: saves the title, turns on bracketed paste and modifyOtherKeys, and turns off
 * autowrap, so that a glyph the terminal draws wider than measured spoils only one row.
 */
export const modesOn = (settings: ModeSettings): string =>
  `${ESC}[22;2t${ESC}[?7l${ESC}[?2004h${ESC}[>4;1m` +
  (settings.focus ? `${ESC}[?1004h` : "") +
  (settings.mouse ? MOUSE_ON : "");

/** Undoes everything `modesOn` may have set; `kitty` = keyboard flags were pushed. */
export const modesOff = (kitty: boolean): string =>
  `${kitty ? KITTY_POP : ""}${MOUSE_OFF}${ESC}[?1004l${ESC}[>4m${ESC}[?2004l${ESC}[?7h${ESC}[0 q${ESC}[23;2t`;

/** DECSCUSR: the non-blinking form of a shape, or the terminal's default. */
export const cursorShape = (shape: CursorShape): string =>
  `${ESC}[${{ default: 0, block: 2, underline: 4, bar: 6 }[shape]} q`;
