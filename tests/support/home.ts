/** A private home for the built program: its folders, its embedded provider, screens in terminals and runs in pipes. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  globSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { isRunning } from "../../src/model/files/owner.ts";
import { signToken } from "../../src/wire/token.ts";
import { Pty, type PtyOptions } from "./pty.ts";
import type * as Here from "./shell-here.ts";
import { startingIn } from "./leftovers.ts";
import { PATIENCE } from "./patience.ts";
import { removeFolder } from "./remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
export const PARLEY = path.join(ROOT, "bin/parley.js");

/** The header of a profile that is online: after an outage a slow machine may have switched to long polling. */
export const online = (profile: string): RegExp => new RegExp(`● online( · long-poll)? {3}${profile}`);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for a condition outside a terminal; returns its value once it is not false, null or undefined. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  timeout = PATIENCE,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${timeout} ms for ${what}.`);
    await sleep(10);
  }
}

function isBuilt(): boolean {
  const built = path.join(ROOT, "dist/main.js");
  if (!existsSync(built)) return false;
  const sources = ["src", "scripts"]
    .flatMap((folder) => readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map((file) => path.join(file.parentPath, file.name));
  const newest = Math.max(...sources.map((f) => statSync(f).mtimeMs));
  return statSync(built).mtimeMs >= newest;
}

let built = false;

/** Builds the program when the build is older than the sources; one process at a time, and once per process. */
export function ensureBuilt(): void {
  if (built) return;
  const lock = path.join(
    tmpdir(),
    `parley-build-${createHash("sha256").update(ROOT).digest("hex").slice(0, 12)}.lock`,
  );
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch {
      const owner = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
      if ((owner && !isRunning(owner)) || performance.now() > deadline) rmSync(lock, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
  try {
    if (!isBuilt()) execFileSync(process.execPath, [path.join(ROOT, "scripts/build.ts")], { stdio: "pipe" });
    built = true;
  } finally {
    rmSync(lock, { force: true });
  }
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** A program running in pipes. */
export class Running {
  out = "";
  err = "";
  code: number | null | undefined;
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout!.setEncoding("utf8").on("data", (piece: string) => (this.out += piece));
    child.stderr!.setEncoding("utf8").on("data", (piece: string) => (this.err += piece));
    child.stdin?.on("error", () => {});
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve((this.code = code)));
    });
  }
  async waitFor(text: string | RegExp, timeout = PATIENCE): Promise<void> {
    await until(
      `${String(text)} in the output`,
      () => {
        if (typeof text === "string" ? this.out.includes(text) : text.test(this.out)) return true;
        if (this.code !== undefined) throw new Error(`It ended with ${this.code}: ${this.out}\n${this.err}`);
        return false;
      },
      timeout,
    );
  }
}

/** A call's body or answer, loosely typed. */
export type Json = Record<string, ReturnType<typeof JSON.parse>>;

export interface HomeOptions {
  /** Starts with the demo workspace; otherwise empty. */
  demo?: boolean;
  /** The name of the local user. */
  user?: string;
  /** Runs in pipes use this process (shell-here.ts), except those with settings that only Node reads; long-running programs use the build. */
  here?: typeof Here | undefined;
  env?: Record<string, string>;
  /** The program's file; this clone's by default. */
  program?: string;
}

export class Home {
  readonly folder: string;
  readonly #program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #open = new Set<Pty>();
  readonly #runs = new Set<Running>();
  /** Process ids of all providers seen so far: the program may replace a killed one. */
  readonly #pids = new Set<number>();
  readonly #here: typeof Here | undefined;
  readonly #leave: () => void;

  constructor(options: HomeOptions = {}) {
    this.#program = options.program ?? PARLEY;
    ensureBuilt();
    this.folder = mkdtempSync(path.join(tmpdir(), "parley-e2e-"));
    const bin = path.join(this.folder, "bin");
    mkdirSync(bin);
    this.#here = options.here;
    const script = `#!/bin/sh\nexec '${process.execPath}' '${this.#program}' "$@"\n`;
    if (!options.here) writeFileSync(path.join(bin, "parley"), script, { mode: 0o755 });
    this.#leave = options.here?.shellHere(this.folder, bin) ?? (() => undefined);
    this.env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: this.folder,
      TMPDIR: tmpdir(),
      XDG_CONFIG_HOME: path.join(this.folder, "config"),
      XDG_STATE_HOME: path.join(this.folder, "state"),
      XDG_CACHE_HOME: path.join(this.folder, "cache"),
      XDG_DATA_HOME: path.join(this.folder, "data"),
      PARLEY_KEYRING: "off",
      ...(options.demo ? {} : { PARLEY_LOCAL_SEED: "none" }),
      PARLEY_USER: options.user ?? "ana",
      TERM: "xterm-256color",
      TZ: "UTC",
      LANG: "C.UTF-8",
      ...options.env,
    };
  }

  /** The database with a user's outbox and drafts; `app`: the app's key and address as its folder names them, with wildcards. */
  stateFile(user: string, app = "*@local"): string {
    const states = path.join(this.folder, "state/parley");
    const [found = `${app}/${user}/state.db`] = globSync(`${app}/${user}/state.db`, { cwd: states });
    return path.join(states, found);
  }

  /** The data folder of the local profile's provider. */
  get data(): string {
    return path.join(this.folder, "data/parley/local");
  }

  /** Starts the program in pipes; `input` goes to its stdin, which is then closed. */
  start(words: readonly string[], input?: string): Running {
    return this.#track(
      spawn(process.execPath, [this.#program, ...words], { env: this.env, cwd: this.folder, stdio: "pipe" }),
      input ?? "",
    );
  }
  async run(words: readonly string[], input?: string): Promise<Ran> {
    const { folder: cwd, env } = this;
    if (this.#here && input === undefined && !Object.keys(env).some((name) => name.startsWith("NODE_")))
      return this.#here.runHere({ words, env, cwd });
    const running = this.start(words, input);
    const code = await running.ended;
    return { code, out: running.out, err: running.err };
  }
  /** Runs one line of a POSIX shell with `parley` in its PATH. */
  async sh(line: string): Promise<Ran> {
    const words = this.#here?.plainWords(line);
    if (words) return this.run(words);
    const running = this.#track(
      spawn("/bin/sh", ["-c", line], { env: this.env, cwd: this.folder, stdio: "pipe" }),
      "",
    );
    const code = await running.ended;
    return { code, out: running.out, err: running.err };
  }
  #track(child: ChildProcess, input: string): Running {
    const running = new Running(child);
    this.#runs.add(running);
    void running.ended.finally(() => this.#runs.delete(running)).catch(() => {});
    child.stdin!.end(input);
    return running;
  }

  /** A screen in a terminal of 110×30 with colours. */
  screen(words: readonly string[] = [], options: PtyOptions = {}): Pty {
    const { env, ...rest } = options;
    const pty = Pty.spawn(process.execPath, [this.#program, ...words], {
      cols: 110,
      rows: 30,
      cwd: this.folder,
      ...rest,
      env: { ...this.env, ...env },
    });
    this.#open.add(pty);
    return pty;
  }

  /** The provider of a data folder according to its address file; undefined without one. */
  provider(folder = this.data): { url: string; pid: number; apiKey: string; secret: string } | undefined {
    try {
      const file = JSON.parse(readFileSync(path.join(folder, "provider.json"), "utf8")) as Json;
      this.#pids.add(file.pid as number);
      return {
        url: file.url as string,
        pid: file.pid as number,
        apiKey: file.api_key as string,
        secret: readFileSync(file.secret_file as string, "utf8").trim(),
      };
    } catch {
      return undefined;
    }
  }
  /** The process that owns the data folder, also before it listens. */
  holder(folder = this.data): number | undefined {
    try {
      const file = JSON.parse(readFileSync(path.join(folder, "holder.json"), "utf8")) as Json;
      const pid = Number(String(file.owner).split(":")[0]);
      this.#pids.add(pid);
      return pid;
    } catch {
      return undefined;
    }
  }
  /** Starts the local provider if it is not running; returns its process id. */
  async up(): Promise<number> {
    const { code, err } = await this.run(["local", "start"]);
    if (code !== 0) throw new Error(`local start ended with ${code}: ${err}`);
    return this.provider()!.pid;
  }

  /** A call as this user, or with the server's token when there is none. */
  async call<R = Json>(
    method: string,
    route: string,
    body?: unknown,
    user?: string,
    folder?: string,
  ): Promise<R> {
    const found = this.provider(folder);
    if (!found) throw new Error("There is no provider to call.");
    const claims = user === undefined ? { server: true } : { user_id: user };
    const answer = await fetch(
      `${found.url}${route}${route.includes("?") ? "&" : "?"}api_key=${found.apiKey}`,
      {
        method,
        headers: {
          authorization: signToken(claims, found.secret),
          "stream-auth-type": "jwt",
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return JSON.parse(text) as R;
  }
  /** Creates the users and a channel with them. */
  async channel(id: string, members: readonly string[], data: Json = {}, folder?: string): Promise<string> {
    const users = Object.fromEntries(members.map((user) => [user, { id: user, name: user }]));
    await this.call("POST", "/users", { users }, undefined, folder);
    await this.call(
      "POST",
      `/channels/messaging/${id}/query`,
      { data: { created_by_id: members[0], members, name: id, ...data } },
      undefined,
      folder,
    );
    return `messaging:${id}`;
  }
  say(cid: string, user: string, message: Json, folder?: string): Promise<Json> {
    const [type, id] = cid.split(":");
    return this.call("POST", `/channels/${type}/${id}/message`, { message }, user, folder);
  }
  /** The newest 300 messages of a channel at the provider, oldest first. */
  async messages(cid: string, folder?: string): Promise<Json[]> {
    const [type, id] = cid.split(":");
    const body = { state: true, messages: { limit: 300 } };
    const { messages } = await this.call("POST", `/channels/${type}/${id}/query`, body, undefined, folder);
    return messages as Json[];
  }

  /** Ends every program that was started here and removes the folder. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((pty) => pty.close()));
    for (const running of this.#runs) running.child.kill("SIGKILL");
    this.provider();
    // A provider that has just started may not have written its address file yet.
    for (const pid of [...this.#pids, ...startingIn(this.folder)])
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended by itself.
      }
    this.#leave();
    removeFolder(this.folder);
  }
}
