/** `parley local logs`: prints the provider's log; `--follow` keeps printing new lines. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../../text/sanitize.ts";
import { ExitError } from "../../base/exit.ts";
import { write } from "../../base/stdio.ts";
import { endWithReader } from "../../output/results.ts";

const POLL_MS = 200;

/** Reads whole lines from an offset, and returns the new offset; a file that became shorter is read from its start. */
function readFrom(file: string, from: number): { text: string; end: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const start = size < from ? 0 : from;
  const bytes = Buffer.alloc(size - start);
  if (bytes.length === 0) return { text: "", end: start };
  const descriptor = openSync(file, "r");
  try {
    const read = readSync(descriptor, bytes, 0, bytes.length, start);
    // An incomplete last line is left for the next read.
    const length = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
    return { text: bytes.subarray(0, length).toString("utf8"), end: start + length };
  } finally {
    closeSync(descriptor);
  }
}

export default command({
  shell: true,
  summary: "Print the embedded provider's log",
  examples: ["local logs", "local logs -f"],
  allowsDryRun: true,
  args: {
    follow: { kind: "flag", help: "Keep printing what is logged from now on", short: "f" },
  },
  async run(shell: Shell, { follow }) {
    const file = path.join(shell.host.local.folder, "provider.log");
    if (!existsSync(file) && !follow) throw new ExitError(3, `There is no log yet: ${file}`);
    if (follow) endWithReader(shell);
    let isClosed = false;
    shell.out.once("close", () => (isClosed = true));
    let from = 0;
    for (;;) {
      const { text, end } = readFrom(file, from);
      from = end;
      const lines = shell.tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
      await write(shell.out, lines);
      if (!follow || isClosed) return 0;
      if (shell.signal.aborted) return 130;
      await sleep(POLL_MS, undefined, { signal: shell.signal }).catch(() => {});
    }
  },
});
