/** The sequences that make a terminal show a notification, for each protocol (specification/screen.md §7). */
import { cleanForTerminal } from "../text/sequence-text.ts";
import type { NoticeRoute } from "./notice-route.ts";

/** The bytes of a notification; title (at most 80 UTF-16 units) and body (at most 240) are sanitised. */
export function notificationBytes(route: NoticeRoute, title: string, body: string): string {
  const head = cleanForTerminal(title, 80);
  const text = cleanForTerminal(body, 240);
  if (route === "off") return "";
  if (route === "bell") return "\x07";
  // ConEmu and similar terminals read a number and `;` at the start as a command.
  if (route === "osc9") return `\x1b]9;${`${head}: ${text}`.replace(/^(\d+);/, "$1,")}\x07`;
  if (route === "osc777") return `\x1b]777;notify;${head.replaceAll(";", ",")};${text}\x07`;
  const id = "i=parley";
  return `\x1b]99;${id}:d=0;${head}\x1b\\\x1b]99;${id}:d=1:p=body;${text}\x1b\\`;
}
