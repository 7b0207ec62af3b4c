/** The launcher: an old Node hands over to the package's own Node or prints one sentence, from any folder (specification/command-line.md §9). */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/home.ts";
import { isRunning } from "../../src/model/files/owner.ts";
import { Pty } from "../support/pty.ts";
import { makeHome, type Home } from "../support/transcript.ts";
import { removeFolder } from "../support/remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
let home: Home;
let folder: string;
let old: string;

/** An old Node of this machine, or the current one reporting an old version. */
function oldNode(): string {
  const real = "/usr/bin/node";
  try {
    const version = execFileSync(real, ["--version"], { encoding: "utf8" });
    if (Number(/^v(\d+)/.exec(version)?.[1]) < 24) return real;
  } catch {
    // This machine has no Node there.
  }
  const lie = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
  const file = path.join(folder, "old-node");
  const line = `exec '${process.execPath}' --import 'data:text/javascript,${encodeURIComponent(lie)}' "$@"`;
  writeFileSync(file, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return file;
}

/** The package as installed; `node` is its bundled Node, if it has one. */
function install(name: string, node?: string): string {
  const place = path.join(folder, name);
  mkdirSync(path.join(place, "bin"), { recursive: true });
  copyFileSync(path.join(ROOT, "bin/parley.js"), path.join(place, "bin/parley.js"));
  copyFileSync(path.join(ROOT, "bin/ahead.cjs"), path.join(place, "bin/ahead.cjs"));
  copyFileSync(path.join(ROOT, "package.json"), path.join(place, "package.json"));
  symlinkSync(path.join(ROOT, "dist"), path.join(place, "dist"));
  if (node) {
    mkdirSync(path.join(place, "node_modules/node/bin"), { recursive: true });
    symlinkSync(node, path.join(place, "node_modules/node/bin/node"));
  }
  return path.join(place, "bin/parley.js");
}

beforeAll(() => {
  home = makeHome();
  folder = mkdtempSync(path.join(tmpdir(), "parley-launcher-"));
  old = oldNode();
});
afterAll(async () => {
  await home.end();
  removeFolder(folder);
});

const ONE_SENTENCE = /^Parley needs Node 24\.15 or newer; this is Node 2\d\.[\d.]+\.\n$/;

describe("under an old Node", () => {
  test("without a Node of its own it prints one sentence and exits with 1; --version works", async () => {
    const alone = install("alone");
    const ran = await home.sh(`'${old}' '${alone}' channel list`);
    expect(ran).toMatchObject({ out: "", code: 1 });
    expect(ran.err).toMatch(ONE_SENTENCE);
    expect((await home.sh(`'${old}' '${alone}' --version`)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
  test("with a bundled Node that is old too it does not loop", async () => {
    const ran = await home.sh(`'${old}' '${install("both-old", old)}' channel list`);
    expect(ran).toMatchObject({ out: "", code: 1 });
    expect(ran.err).toMatch(ONE_SENTENCE);
  });

  describe("with a new bundled Node", () => {
    let parley: string;
    const children: ChildProcess[] = [];
    beforeAll(() => {
      parley = install("with", process.execPath);
    });
    afterAll(() => children.forEach((child) => child.kill("SIGKILL")));

    test("arguments, streams and exit codes pass through", async () => {
      expect(await home.sh(`'${old}' '${parley}' config get limit`)).toEqual({
        out: "30\n",
        err: "",
        code: 0,
      });
      expect((await home.sh(`'${old}' '${parley}' sedn`)).code).toBe(2);
      const piped = await home.sh(`parley local token bo | '${old}' '${parley}' token decode - | cut -c1-10`);
      expect(piped).toEqual({ out: '{"header":\n', err: "", code: 0 });
    });
    test("a child process can run Parley under the old Node again", async () => {
      const ran = await home.sh(`'${old}' '${parley}' local exec -- '${old}' '${parley}' config get limit`);
      expect(ran).toMatchObject({ out: "30\n", code: 0 });
    });

    /** Starts a long-running command through the launcher; also returns the process that does the work. */
    async function startServe(): Promise<{ child: ChildProcess; worker: number; ended: Promise<unknown[]> }> {
      const child = spawn(old, [parley, "serve", "--memory"], {
        // A killed run cannot remove its temporary folder.
        env: { ...home.env, TMPDIR: folder },
        stdio: ["ignore", "ignore", "pipe"],
      });
      children.push(child);
      let output = "";
      child.stderr!.setEncoding("utf8").on("data", (piece: string) => (output += piece));
      const ended = new Promise<unknown[]>((resolve) =>
        child.once("exit", (code, signal) => resolve([code, signal])),
      );
      await until("the provider's address", () => output.includes("listens at"));
      const worker = Number(
        readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ")[0],
      );
      return { child, worker, ended };
    }
    const signals = [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const;
    for (const [signal, code] of signals)
      test(`${signal} reaches the program, which exits with ${code} and leaves no process behind`, async () => {
        const { child, worker, ended } = await startServe();
        child.kill(signal);
        expect(await ended).toEqual([code, null]);
        expect(isRunning(worker)).toBe(false);
      });
    test("a killed program is reported as killed", async () => {
      const { worker, ended } = await startServe();
      process.kill(worker, "SIGKILL");
      expect(await ended).toEqual([null, "SIGKILL"]);
    });
    test("a question on the terminal works, and Ctrl-C arrives once", async () => {
      expect(
        await home.sh("parley channel create messaging:ops && parley send '#ops' --id here-1 x"),
      ).toMatchObject({ err: "", code: 0 });
      await using pty = Pty.spawn(old, [parley, "message", "delete", "here-1"], { env: home.env });
      await pty.waitFor("Delete message here-1? [y/N]");
      pty.key("C-c");
      expect((await pty.end()).exitCode).toBe(130);
      await using again = Pty.spawn(old, [parley, "message", "delete", "here-1"], { env: home.env });
      await again.waitFor("[y/N]");
      again.type("y\r");
      expect((await again.end()).exitCode).toBe(0);
    });
  });
});

test("started through a link from another folder, it starts its provider with the same program", async () => {
  const other = makeHome();
  try {
    const link = path.join(other.folder, "pl");
    symlinkSync(path.join(ROOT, "bin/parley.js"), link);
    const ran = await other.sh(`cd / && '${process.execPath}' '${link}' channel create messaging:a`);
    expect(ran).toEqual({ out: "messaging:a\n", err: "", code: 0 });
    const { pid } = JSON.parse((await other.sh("parley local status --json")).out) as { pid: number };
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(words.slice(1, 3)).toEqual([path.join(ROOT, "bin/parley.js"), "serve"]);
  } finally {
    await other.end();
  }
});

test("loaded by another program, it starts its provider with its own launcher", async () => {
  const other = makeHome();
  try {
    const script = path.join(other.folder, "mine.mjs");
    writeFileSync(
      script,
      `const { main } = await import(${JSON.stringify(path.join(ROOT, "dist/main.js"))});\nawait main(["channel", "create", "messaging:a"]);\n`,
    );
    expect(await other.sh(`'${process.execPath}' '${script}'`)).toEqual({
      out: "messaging:a\n",
      err: "",
      code: 0,
    });
  } finally {
    await other.end();
  }
});

describe("compiled code", () => {
  const { uid } = userInfo();
  /** A run in a cache folder of its own, prepared by `prepare`; returns what the run left in the folder for compiled code. */
  async function leftBy(prepare: (place: string) => void): Promise<string[]> {
    const cache = mkdtempSync(path.join(folder, "cache-"));
    const temporary = mkdtempSync(path.join(folder, "tmp-"));
    const place = path.join(cache, "parley/.code");
    mkdirSync(path.dirname(place), { mode: 0o700 });
    prepare(place);
    const ran = await home.sh(`XDG_CACHE_HOME='${cache}' TMPDIR='${temporary}' parley config get limit`);
    expect(ran).toEqual({ out: "30\n", err: "", code: 0 });
    expect(readdirSync(temporary)).toEqual([]);
    return existsSync(place) ? readdirSync(place) : [];
  }

  test("is kept in a folder that only this user can read and write, not below the temporary folder", async () => {
    let place = "";
    expect(await leftBy((made) => (place = made))).toHaveLength(1);
    expect(statSync(place).mode & 0o777).toBe(0o700);
  });
  const foreign: [title: string, prepare: (place: string) => void][] = [
    ["others can write to", (place) => (mkdirSync(place), chmodSync(place, 0o777))],
    ["the group can read", (place) => (mkdirSync(place), chmodSync(place, 0o750))],
    ["is a link", (place) => symlinkSync(mkdtempSync(path.join(folder, "linked-")), place)],
  ];
  test.each(foreign)("is neither read nor written where the folder is one that %s", async (_, prepare) => {
    expect(await leftBy(prepare)).toEqual([]);
  });
  test.skipIf(uid !== 0)("is neither read nor written in a folder of another user", async () => {
    expect(await leftBy((place) => (mkdirSync(place, 0o700), chownSync(place, 65534, 65534)))).toEqual([]);
  });
});
