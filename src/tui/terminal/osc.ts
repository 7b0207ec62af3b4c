/** Window title and clipboard sequences, with text sanitised so that it cannot end them. */
import { cleanForTerminal } from "../../text/sequence-text.ts";

/** OSC 2: the window title, at most 200 units. */
export const titleBytes = (title: string): string => `\x1b]2;${cleanForTerminal(title, 200)}\x07`;

/** Bytes of base64 that common terminals accept in one OSC 52. */
export const CLIPBOARD_LIMIT = 100_000;

/**
 * OSC 52: puts text on the clipboard of the terminal's machine. Undefined if the text is too long. GNU Screen needs
 * a wrapper around it; tmux does not.
 */
export function clipboardBytes(
  text: string,
  env: Record<string, string | undefined> = {},
): string | undefined {
  const base64 = Buffer.from(text, "utf8").toString("base64");
  if (base64.length > CLIPBOARD_LIMIT) return undefined;
  const bytes = `\x1b]52;c;${base64}\x07`;
  if (env["STY"] && !env["TMUX"]) {
    // GNU Screen passes on at most 768 bytes of a string at once.
    return (bytes.match(/[^]{1,500}/g) ?? []).map((part) => `\x1bP${part}\x1b\\`).join("");
  }
  return bytes;
}
