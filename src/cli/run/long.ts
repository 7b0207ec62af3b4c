/** Shows long output, help pages and lists of messages, in a pager when it is taller than the terminal. */
import type { Shell } from "../base/shell.ts";
import { type OutputStream, write } from "../base/stdio.ts";

interface How {
  out: OutputStream;
  env: Shell["env"];
  /** `--no-pager` was not given. */
  wanted: boolean;
  lendInterrupt(): () => void;
}

/** A page of help; it is paged only when it does not fit, and without any setting being readable. */
export async function showLong(text: string, how: How): Promise<void> {
  const { out } = how;
  const rows = out.isTTY ? out.rows || 24 : Infinity;
  if (text.split("\n").length <= rows) return write(out, text);
  const { pagerOf, withPager } = await import("./pager.ts");
  const command = pagerOf({ env: how.env, tty: true, wanted: how.wanted });
  if (command === undefined) return write(out, text);
  await withPager(command, how, (pager) => write(pager, text));
}

/** A run whose results may be many; what it says beside them is held back until the pager has left the terminal. */
export async function paged(shell: Shell, run: (shell: Shell) => Promise<number>): Promise<number> {
  if (!shell.out.isTTY) return run(shell);
  const { pagerOf, withPager } = await import("./pager.ts");
  const command = pagerOf({
    env: shell.env,
    tty: true,
    wanted: shell.flags.pager !== false,
    name: shell.settings.pager,
  });
  if (command === undefined) return run(shell);
  const { PassThrough } = await import("node:stream");
  const held = new PassThrough();
  let said = "";
  held.setEncoding("utf8").on("data", (piece: string) => (said += piece));
  try {
    const code = await withPager(command, shell, (out, gone) =>
      run({ ...shell, out, err: held, signal: AbortSignal.any([shell.signal, gone]) }),
    );
    // A reader who left had enough.
    return code ?? 0;
  } finally {
    shell.err.write(said);
  }
}
