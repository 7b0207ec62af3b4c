/** Opens a URL in the browser or its program. */
import { lastSegment } from "../../text/file-name.ts";
import { safeUrl } from "../../text/safe-url.ts";
import { words } from "../../text/words.ts";
import { cleanName } from "../../text/sanitize.ts";
import type { Ports } from "./ports.ts";
import { attempt, showNotice } from "../screen/notices.ts";

/** A name for a URL: the file name it ends with, else its host. */
function nameOfUrl({ href, pathname, host }: URL): string {
  return cleanName(/[^/]\.\w+$/.test(pathname) ? lastSegment(href) : host);
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
