/** The log file: JSON lines at or above a level, in two files of about 5 MiB each. */
import { closeSync, lstatSync, mkdirSync, renameSync, writeSync } from "node:fs";
import path from "node:path";
import { appendOwn } from "../model/files/own-files.ts";
import { logFile } from "./paths.ts";
import type { Settings } from "./settings.ts";

const LEVELS = ["debug", "info", "warn", "error", "off"] as const;
const MAX_BYTES = 5 * 1024 * 1024;

type WriteLine = (text: string, fields?: Record<string, unknown>) => void;

export interface FileLog {
  debug: WriteLine;
  info: WriteLine;
  warn: WriteLine;
  error: WriteLine;
}

export function openLog(env: Readonly<Record<string, string | undefined>>, level: Settings["log"]): FileLog {
  return fileLog(logFile(env), level);
}

/** A log that cannot be written is silent: it never stops the program. */
export function fileLog(file: string, level: Settings["log"]): FileLog {
  const minimum = LEVELS.indexOf(level);
  const line =
    (name: (typeof LEVELS)[number]): WriteLine =>
    (text, fields) => {
      if (LEVELS.indexOf(name) < minimum) return;
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
          renameSync(file, `${file}.1`);
        const row = { time: new Date().toISOString(), level: name, pid: process.pid, text, ...fields };
        const descriptor = appendOwn(file);
        try {
          writeSync(descriptor, `${JSON.stringify(row)}\n`);
        } finally {
          closeSync(descriptor);
        }
      } catch {
        // Disk full or read-only: the store reports that, not the log.
      }
    };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}
