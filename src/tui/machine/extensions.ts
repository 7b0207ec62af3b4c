/** Runs extensions for the message box: without the terminal, and within limits of time and output. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import {
  extensionEnv,
  extensionInput,
  findExtension,
  listExtensions,
  type Extension,
} from "../../config/extensions.ts";
import type { Env } from "../../config/paths.ts";
import { EXTENSION_OUTPUT, EXTENSION_TIME } from "../../wire/constants.ts";
import type { ExtensionEnd, ExtensionPlace, Extensions } from "../screen/host.ts";

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/** Between the polite request to end and the kill, and for the last output of a program that has ended, ms. */
const GRACE_MS = 500;

/** In a session of its own it cannot write to the terminal that the screen has, and is ended with what it has started. */
const IN_GROUP = process.platform !== "win32";

export class ExtensionPrograms implements Extensions {
  readonly #env: Env;
  readonly #profile: string;
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<ExtensionEnd>>();
  #listed: readonly Extension[] | undefined;

  constructor(env: Env, profile: string) {
    this.#env = env;
    this.#profile = profile;
  }

  /** Read once: a folder of PATH may be slow. One that is installed later is found by its name. */
  list(): readonly Extension[] {
    return (this.#listed ??= listExtensions(this.#env));
  }

  find(name: string): Extension | undefined {
    return findExtension(this.#env, name);
  }

  async run(extension: Extension, place: ExtensionPlace, signal: AbortSignal): Promise<ExtensionEnd> {
    const context = {
      ...place,
      extension: extension.name,
      caller: "screen",
      profile: this.#profile,
    } as const;
    const program = spawn(extension.path, place.args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: extensionEnv(this.#env, context),
      detached: IN_GROUP,
    });
    // It may end without reading.
    program.stdin.on("error", () => {});
    program.stdin.end(extensionInput(context));
    const ending = endOf(program, AbortSignal.any([signal, this.#stopped.signal]));
    this.#running.add(ending);
    return ending.finally(() => this.#running.delete(ending));
  }

  /** Ends what still runs; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#running);
  }
}

/** Waits for the end of a program, or ends it. Rejects if it could not be started. */
async function endOf(program: Program, signal: AbortSignal): Promise<ExtensionEnd> {
  const over = Promise.withResolvers<"stopped" | "time" | "size">();
  const timer = globalThis.setTimeout(over.resolve, EXTENSION_TIME, "time");
  const stop = (): void => over.resolve("stopped");
  signal.addEventListener("abort", stop, { once: true });
  const texts = { out: "", err: "" };
  collect(program, texts, () => over.resolve("size"));
  try {
    const [code, killedBy] = (await Promise.race([
      once(program, "exit"),
      over.promise.then((why) => [why]),
    ])) as [number | null | "stopped" | "time" | "size", string?];
    if (typeof code === "string") return await killed(program, code);
    // What it has started may hold its output open.
    await Promise.race([once(program, "close"), setTimeout(GRACE_MS, undefined, { ref: false })]);
    return { end: "exit", code: code ?? killedBy ?? "", ...texts };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    program.stdout.destroy();
    program.stderr.destroy();
  }
}

function collect(program: Program, texts: { out: string; err: string }, tooMuch: () => void): void {
  for (const [name, stream] of [
    ["out", program.stdout],
    ["err", program.stderr],
  ] as const)
    stream.setEncoding("utf8").on("data", (piece: string) => {
      if (texts.out.length + texts.err.length > EXTENSION_OUTPUT) return tooMuch();
      texts[name] += piece;
    });
}

/** Asks it to end, and does not wait for longer than a moment. */
async function killed<T extends string>(program: Program, end: T): Promise<{ end: T }> {
  const send = (signal: NodeJS.Signals): void => {
    try {
      if (IN_GROUP) process.kill(-program.pid!, signal);
      else program.kill(signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  send("SIGTERM");
  await Promise.race([once(program, "close"), setTimeout(GRACE_MS)]);
  send("SIGKILL");
  return { end };
}
