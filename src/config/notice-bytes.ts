/** The sequences that make a terminal show a notification, for each protocol (specification/screen.md §7). */
import { cleanForTerminal } from "../text/sequence-text.ts";
import type { NoticeRoute } from "./notice-route.ts";

/** The name of a notice for the terminal; ids of channels can hold signs that end a sequence. */
const idOf = (key: string | undefined): string =>
  key === undefined ? "parley" : `parley-${Buffer.from(key).toString("hex").slice(-120)}`;

/** The bytes that remove a notice; empty where the terminal has no sequence for that. */
export const withdrawalBytes = (route: NoticeRoute, key: string): string =>
  route === "osc99" ? `\x1b]99;i=${idOf(key)}:p=close;\x1b\\` : "";

/** The bytes of a notification; title (at most 80 UTF-16 units) and body (at most 240) are sanitised. One with the key of another replaces it, where the terminal can. */
export function notificationBytes(route: NoticeRoute, title: string, body: string, key?: string): string {
  const head = cleanForTerminal(title, 80);
  const text = cleanForTerminal(body, 240);
  if (route === "off") return "";
  if (route === "bell") return "\x07";
  // ConEmu and similar terminals read a number and `;` at the start as a command.
  if (route === "osc9") return `\x1b]9;${`${head}: ${text}`.replace(/^(\d+);/, "$1,")}\x07`;
  if (route === "osc777") return `\x1b]777;notify;${head.replaceAll(";", ",")};${text}\x07`;
  const id = `i=${idOf(key)}`;
  return `\x1b]99;${id}:d=0;${head}\x1b\\\x1b]99;${id}:d=1:p=body;${text}\x1b\\`;
}
