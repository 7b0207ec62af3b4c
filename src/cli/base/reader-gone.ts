/** Notices that nobody reads a pipe any more although nothing is written to it: Node tells of it at a write only. Linux alone shows who reads it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/** How often it looks, in milliseconds. */
const LOOK_MS = 500;

const NOTHING: readonly string[] = [];

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Processes end, and those of others are closed to us.
    return NOTHING;
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** Whether a descriptor of a process is open for reading: its flags are octal, and the last two bits of them are its mode. */
function isForReading(process: string, descriptor: string): boolean {
  try {
    const info = readFileSync(path.join("/proc", process, "fdinfo", descriptor), "utf8");
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & 3) === 0;
  } catch {
    return false;
  }
}

/** The descriptor of a process that reads this pipe; undefined if none is found. */
function readerOf(pipe: string): string | undefined {
  for (const process of namesIn("/proc").filter((name) => /^\d+$/.test(name)))
    for (const descriptor of namesIn(path.join("/proc", process, "fd"))) {
      const file = path.join("/proc", process, "fd", descriptor);
      if (linkOf(file) === pipe && isForReading(process, descriptor)) return file;
    }
  return undefined;
}

/**
 * Calls `gone` once when the last reader of the pipe has closed it; returns how to end the looking. A reader that was never seen, as one of another
 * user or in another container, is not missed.
 */
export function whenReaderGone(descriptor: number, gone: () => void): () => void {
  const pipe = linkOf(`/proc/self/fd/${descriptor}`);
  let reader = pipe?.startsWith("pipe:") ? readerOf(pipe) : undefined;
  if (pipe === undefined || reader === undefined) return () => {};
  const timer = setInterval(() => {
    if (linkOf(reader!) === pipe) return;
    reader = readerOf(pipe);
    if (reader !== undefined) return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
