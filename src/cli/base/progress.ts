/** Progress on standard error: a bar on a terminal, a plain line or JSON events where asked, nothing in a pipe. */
import { cleanLine } from "../../text/sanitize.ts";
import type { Shell } from "./shell.ts";

interface Progress {
  step(done: number, total: number, text: string): void;
  end(): void;
}

/** At most ten frames a second. */
const FRAME = 100;

export function openProgress(shell: Shell, now: () => number = () => performance.now()): Progress {
  const asked = shell.settings.progress;
  const how =
    shell.flags.quiet || asked === "none"
      ? "none"
      : asked === "auto"
        ? shell.tty.err && !shell.settings.accessible
          ? "bar"
          : "none"
        : asked;
  let last = -FRAME;
  let drawn = false;
  let told = "";
  const end = (): void => {
    if (drawn) shell.err.write("\r\x1b[2K");
    drawn = false;
  };
  shell.eraseProgress = end;
  return {
    step(done, total, text) {
      const finished = done >= total;
      // Of nothing all is done.
      const percent = total > 0 ? (100 * done) / total : 100;
      if (how === "none" || (now() - last < FRAME && !finished)) return;
      last = now();
      const state = `${done}/${total} ${text}`;
      if (state === told) return;
      told = state;
      if (how === "json") shell.err.write(`${JSON.stringify({ event: "progress", done, total, text })}\n`);
      else if (how === "plain") shell.err.write(`${Math.floor(percent)}% ${cleanLine(text)}\n`);
      else {
        const filled = Math.round(percent / 5);
        const bar = "#".repeat(filled) + "-".repeat(20 - filled);
        shell.err.write(`\r\x1b[2K[${bar}] ${Math.floor(percent)}% ${cleanLine(text).slice(0, 40)}`);
        drawn = true;
      }
    },
    end,
  };
}
