/** `parley local logs`: prints the provider's log, with `--follow` also what is written from then on. */
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanLine } from "../../../text/sanitize.ts";
import { ExitError } from "../../base/exit.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { write } from "../../base/stdio.ts";
import type { LOGS_ARGS } from "./args.ts";

/** Milliseconds between two looks at the file. */
const EVERY = 200;

/** What a file has from a place on, and where it ends now; a file that became shorter was begun anew. */
function readFrom(file: string, from: number): { text: string; at: number } {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const start = size < from ? 0 : from;
  const bytes = Buffer.alloc(size - start);
  if (bytes.length === 0) return { text: "", at: start };
  const descriptor = openSync(file, "r");
  try {
    const read = readSync(descriptor, bytes, 0, bytes.length, start);
    // A line that is being written comes with the next look.
    const end = bytes.subarray(0, read).lastIndexOf(0x0a) + 1;
    return { text: bytes.subarray(0, end).toString("utf8"), at: start + end };
  } finally {
    closeSync(descriptor);
  }
}

const logs: ShellRun<typeof LOGS_ARGS> = async (shell, { follow }) => {
  const file = path.join(shell.host.local.folder, "provider.log");
  if (!existsSync(file) && !follow) throw new ExitError(3, `There is no log yet: ${file}`);
  let gone = false;
  shell.out.once("close", () => (gone = true));
  let from = 0;
  for (;;) {
    const { text, at } = readFrom(file, from);
    from = at;
    const lines = shell.tty.out ? text.split("\n").map(cleanLine).join("\n") : text;
    await write(shell.out, lines);
    if (!follow || gone) return 0;
    if (shell.signal.aborted) return 130;
    await sleep(EVERY, undefined, { signal: shell.signal }).catch(() => {});
  }
};
export default logs;
