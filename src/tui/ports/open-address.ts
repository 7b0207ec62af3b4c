/** Opens an address outside the screen. */
import { safeUrl } from "../../text/safe-url.ts";
import { words } from "../../text/words.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { Ports } from "./ports.ts";
import { attempt, showNotice } from "../screen/notices.ts";

/** What the address leads to, where nobody has named it: the file that it ends in, else its host. */
function nameOf({ pathname, host }: URL): string {
  const last = pathname.split("/").at(-1)!;
  if (!/.\.\w+$/.test(last)) return cleanName(host);
  try {
    return cleanName(decodeURIComponent(last));
  } catch {
    return cleanName(last);
  }
}

/** Where no desktop is, as over SSH, the address goes to the clipboard of whoever sits there; `name` of a file is its own. */
export function openAddress(ports: Pick<Ports, "core" | "terminal">, url: string, name?: string): void {
  const safe = safeUrl(url);
  if (!safe) return;
  const failed = (): void => {
    const copied = ports.terminal.copy(safe.href);
    showNotice(ports, copied ? words.acting.copiedInstead : words.acting.noOpener, "warning");
  };
  const open = async (): Promise<void> => {
    if (!(await ports.terminal.openUrl(safe.href, failed))) return failed();
    showNotice(ports, words.acting.opened(name === undefined ? nameOf(safe) : cleanName(name)), "success");
  };
  attempt(ports, open());
}
