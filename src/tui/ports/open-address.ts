/** Opens a URL in the browser or its program. */
import { safeUrl } from "../../text/safe-url.ts";
import { words } from "../../text/words.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { Ports } from "./ports.ts";
import { attempt, showNotice } from "../screen/notices.ts";

/** A name for a URL: the file name it ends with, else its host. */
function nameOfUrl({ pathname, host }: URL): string {
  const last = pathname.split("/").at(-1)!;
  if (!/.\.\w+$/.test(last)) return cleanName(host);
  try {
    return cleanName(decodeURIComponent(last));
  } catch {
    return cleanName(last);
  }
}

/** Without a desktop, as over SSH, the URL is copied to the terminal's clipboard instead; `name` is shown in the notice. */
export function openAddress(ports: Pick<Ports, "core" | "terminal">, url: string, name?: string): void {
  const safe = safeUrl(url);
  if (!safe) return;
  const failed = (): void => {
    const copied = ports.terminal.copy(safe.href);
    showNotice(ports, copied ? words.acting.copiedInstead : words.acting.noOpener, "warning");
  };
  const open = async (): Promise<void> => {
    if (!(await ports.terminal.openUrl(safe.href, failed))) return failed();
    showNotice(ports, words.acting.opened(name === undefined ? nameOfUrl(safe) : cleanName(name)), "success");
  };
  attempt(ports, open());
}
