/** Redirects console output and writes to stdout and stderr to the log while the screen is shown. */
import { format } from "node:util";

export type ConsoleLog = (level: "debug" | "info" | "warn" | "error", text: string) => void;

interface TtyStream {
  isTTY?: boolean;
  write: (...args: never[]) => boolean;
}

const LEVELS = {
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
  trace: "debug",
} as const;

/**
 * Sends `console.*` and, if they are the terminal, `stdout.write` and `stderr.write` to `log`, because stray output
 * would corrupt the screen. The screen itself writes with a `write` function bound before. Returns the undo function.
 */
export function divertConsole(log: ConsoleLog, stdout: TtyStream, stderr: TtyStream): () => void {
  const restorers: (() => void)[] = [];
  for (const name of Object.keys(LEVELS) as (keyof typeof LEVELS)[]) {
    // oxlint-disable-next-line no-console
    const original = console[name];
    restorers.push(() => (console[name] = original));
    console[name] = (...args: unknown[]) => log(LEVELS[name], format(...args));
  }
  for (const [stream, level] of [
    [stdout, "info"],
    [stderr, "warn"],
  ] as const) {
    if (!stream.isTTY) continue;
    const ownProperty = Object.getOwnPropertyDescriptor(stream, "write");
    const write = (data: unknown, ...rest: unknown[]): boolean => {
      const text = typeof data === "string" ? data : Buffer.from(data as Uint8Array).toString("utf8");
      // Libraries hide and show the cursor; that is not logged.
      const visible = text.replace(/\x1b\[[?\d;]*[A-Za-z]/g, "").trimEnd();
      if (visible) log(level, visible);
      const callback = rest.at(-1);
      if (typeof callback === "function") queueMicrotask(() => void callback());
      return true;
    };
    stream.write = write as TtyStream["write"];
    restorers.push(() => {
      if (ownProperty) Object.defineProperty(stream, "write", ownProperty);
      else delete (stream as { write?: unknown }).write;
    });
  }
  return () => {
    for (const restore of restorers) restore();
  };
}
