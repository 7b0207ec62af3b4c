/** Shows help pages and lists of messages in a pager when they are taller than the terminal. */
import type { Shell } from "../base/shell.ts";
import { type OutputStream, write } from "../base/stdio.ts";

interface LongOutputOptions {
  out: OutputStream;
  env: Shell["env"];
  /** `--no-pager` was not given. */
  isAllowed: boolean;
  lendInterrupt(): () => void;
}

/** Shows a help page, in the pager only if it does not fit; works even if the settings cannot be read. */
export async function showLong(text: string, options: LongOutputOptions): Promise<void> {
  const { out } = options;
  const rows = out.isTTY ? out.rows || 24 : Infinity;
  if (text.split("\n").length <= rows) return write(out, text);
  const { pagerOf, withPager } = await import("./pager.ts");
  const command = pagerOf({ env: options.env, tty: true, isAllowed: options.isAllowed });
  if (command === undefined) return write(out, text);
  await withPager(command, options, (pager) => write(pager, text));
}

/** Runs a command with the pager as its output; its notices are printed after the pager has closed. */
export async function runPaged(shell: Shell, run: (shell: Shell) => Promise<number>): Promise<number> {
  if (!shell.out.isTTY) return run(shell);
  const { pagerOf, withPager } = await import("./pager.ts");
  const command = pagerOf({
    env: shell.env,
    tty: true,
    isAllowed: shell.flags.pager !== false,
    name: shell.settings.pager,
  });
  if (command === undefined) return run(shell);
  const { PassThrough } = await import("node:stream");
  const err = new PassThrough();
  let notices = "";
  err.setEncoding("utf8").on("data", (chunk: string) => (notices += chunk));
  try {
    const code = await withPager(command, shell, (out, gone) =>
      run({ ...shell, out, err, signal: AbortSignal.any([shell.signal, gone]) }),
    );
    // Undefined: the pager was closed early, which is not a failure.
    return code ?? 0;
  } finally {
    shell.err.write(notices);
  }
}
