/** Progress on standard error: a bar on a terminal, plain lines or JSON events if requested, nothing in a pipe. */
import { cleanLine } from "../../text/sanitize.ts";
import { truncate } from "../../text/width.ts";
import type { Shell } from "./shell.ts";

interface Progress {
  step(done: number, total: number, text: string): void;
  end(): void;
}

const FRAME_MS = 100;
/** The most of a step beside the bar, cells. */
const TEXT_CELLS = 40;

export function openProgress(shell: Shell, now: () => number = () => performance.now()): Progress {
  const requested = shell.settings.progress;
  const style =
    shell.flags.quiet || requested === "none"
      ? "none"
      : requested === "auto"
        ? shell.tty.err && !shell.settings.accessible
          ? "bar"
          : "none"
        : requested;
  let last = -FRAME_MS;
  let drawn = false;
  let lastState = "";
  const end = (): void => {
    if (drawn) shell.err.write("\r\x1b[2K");
    drawn = false;
  };
  shell.eraseProgress = end;
  return {
    step(done, total, text) {
      const finished = done >= total;
      const percent = total > 0 ? (100 * done) / total : 100;
      if (style === "none" || (now() - last < FRAME_MS && !finished)) return;
      last = now();
      const state = `${done}/${total} ${text}`;
      if (state === lastState) return;
      lastState = state;
      if (style === "json") shell.err.write(`${JSON.stringify({ event: "progress", done, total, text })}\n`);
      else if (style === "plain") shell.err.write(`${Math.floor(percent)}% ${cleanLine(text)}\n`);
      else {
        const filled = Math.round(percent / 5);
        const bar = "#".repeat(filled) + "-".repeat(20 - filled);
        shell.err.write(`\r\x1b[2K[${bar}] ${Math.floor(percent)}% ${truncate(cleanLine(text), TEXT_CELLS)}`);
        drawn = true;
      }
    },
    end,
  };
}
