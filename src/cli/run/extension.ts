/** Runs an extension from the shell: arguments, streams and exit code are its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import {
  extensionEnv,
  extensionInput,
  type Extension,
  type ExtensionContext,
} from "../../config/extensions.ts";
import { SETTINGS, type SettingKey, type SettingRow } from "../../config/settings.ts";
import { settingFlags, type Flags } from "../base/globals.ts";
import type { Shell } from "../base/shell.ts";
import { inputKind, readChunks, write } from "../base/stdio.ts";
import { ExitError } from "../base/exit.ts";

/** Settings as variables, so that a `parley` which the extension runs has the same ones. */
function settingVariables(flags: Flags): Record<string, string> {
  const rows = Object.entries(settingFlags(flags)).map(([key, value]) => {
    const [name] = (SETTINGS[key as SettingKey] as SettingRow).env ?? [];
    return [name, String(value)] as const;
  });
  return Object.fromEntries(rows.filter(([name]) => name !== undefined));
}

/** Throws `ExitError` 2 for a flag before the name that would be lost. */
function requireSettings(name: string, flags: Flags): void {
  const known = new Set(Object.keys(settingFlags(flags)));
  const names = { as: "user" } as Record<string, string>;
  const lost = Object.entries(flags).find(
    ([flag, value]) => value !== undefined && !(flag === "pager" && value) && !known.has(names[flag] ?? flag),
  );
  if (lost)
    throw new ExitError(
      2,
      `--${lost[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is no flag of an extension.`,
      `Its own flags follow its name: parley ${name} …`,
    );
}

const descriptorOf = (stream: object): number | undefined => (stream as { fd?: number }).fd;

/** Passes on what is piped in; an input without any content is replaced by the context. */
async function feed(
  child: ChildProcess,
  { in: input }: Shell,
  context: ExtensionContext,
  ended: AbortSignal,
): Promise<void> {
  const { stdin } = child;
  // It may end without reading.
  stdin!.on("error", () => {});
  let isEmpty = true;
  if (inputKind(input) === "pipe")
    for await (const chunk of readChunks(input, ended)) {
      isEmpty = false;
      await write(stdin!, chunk);
    }
  stdin!.end(isEmpty ? extensionInput(context) : undefined);
}

function start(shell: Shell, { path }: Extension, context: ExtensionContext): ChildProcess {
  const child = spawn(path, context.args, {
    stdio: [
      inputKind(shell.in) === "file" ? descriptorOf(shell.in)! : "pipe",
      descriptorOf(shell.out) ?? "pipe",
      descriptorOf(shell.err) ?? "pipe",
    ],
    env: extensionEnv({ ...shell.env, ...settingVariables(shell.flags) }, context),
  });
  child.stdout?.pipe(shell.out, { end: false });
  child.stderr?.pipe(shell.err, { end: false });
  return child;
}

/** Runs it and returns its exit code; after a signal 128 and the signal's number, as a shell does. */
export async function runExtension(
  shell: Shell,
  extension: Extension,
  args: readonly string[],
): Promise<number> {
  const { settings, host, signal } = shell;
  requireSettings(extension.name, shell.flags);
  const { user, channel, profile } = settings;
  const context: ExtensionContext = {
    extension: extension.name,
    args,
    caller: "shell",
    profile,
    user_id: user || host.profileOf(profile)?.user,
    cid: channel || undefined,
  };
  // Ctrl-C reaches the extension as well, which decides what it means.
  const restoreInterrupt = shell.lendInterrupt();
  const ended = new AbortController();
  const child = start(shell, extension, context);
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  if (child.stdin) feed(child, shell, context, ended.signal).catch(() => {});
  try {
    const [code, killed] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[killed!];
  } catch (error) {
    throw new ExitError(
      1,
      `The extension ${extension.path} cannot be run.`,
      "Its first line must name a program that exists: #!/bin/sh",
      (error as Error).message,
    );
  } finally {
    ended.abort();
    signal.removeEventListener("abort", stop);
    restoreInterrupt();
  }
}
