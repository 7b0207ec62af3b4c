/** The executable for machines without Node: built, and run where neither Node nor this package is installed. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt, until } from "../support/home.ts";
import { processesOf } from "../support/leftovers.ts";
import { PROOF } from "../support/proof.ts";
import { removeFolder } from "../support/remove-folder.ts";

const root = path.join(import.meta.dirname, "../..");
let folder = "";
const at = (name: string): string => path.join(folder, name);

const call = promisify(execFile);
async function run(args: string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = {
    PATH: at("nothing"),
    HOME: at("home"),
    PARLEY_KEYRING: "off",
    PARLEY_USER: "mira",
    TMPDIR: folder,
  };
  const { stdout } = await call(at("parley"), args, { env: { ...env, ...more }, cwd: folder });
  return stdout;
}

// Takes half a minute: Node is copied, and every file of the package unpacked.
describe.runIf(PROOF)("the executable", () => {
  beforeAll(async () => {
    ensureBuilt();
    folder = mkdtempSync(path.join(tmpdir(), "parley-single-"));
    mkdirSync(at("home"));
    await call(process.execPath, [path.join(root, "scripts/executable.ts"), "--out", at("parley")]);
  });
  afterAll(async () => {
    if (existsSync(at("parley"))) await run(["local", "stop"]).catch(() => "");
    // Processes write to the folder until they exit.
    await until("all of it to end", () => processesOf(folder, [process.pid]).length === 0);
    removeFolder(folder);
  });

  test("unpacks one complete folder if started five times at once", async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => run(["--version"])));
    expect(new Set(results).size).toBe(1);
    expect(readdirSync(at("home/.cache/parley-executable"))).toHaveLength(1);
  });
  test("starts its provider, sends, searches and filters without Node on the machine", async () => {
    await run(["send", "#general", "--id", "single-1", "carried", "by", "one", "file"]);
    expect(await run(["search", "carried", "--jq", ".id"])).toBe("single-1\n");
    expect(await run(["message", "get", "single-1", "--json=text"])).toBe('{"text":"carried by one file"}\n');
  });
  test("is the parley that local exec puts into PATH", async () => {
    expect(
      await run([
        "local",
        "exec",
        "--",
        "/bin/sh",
        "-c",
        "PATH=$PATH:/bin:/usr/bin; parley whoami --json=user",
      ]),
    ).toBe('{"user":"mira"}\n');
  });
  test("exits with its command's code, and ignores NODE_OPTIONS", async () => {
    const ended = await run(["nonsense"], { NODE_OPTIONS: "--no-such-option" }).catch(
      (error: unknown) => error,
    );
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'nonsense'") });
  });
  test("works if its cache cannot be written", async () => {
    const results = await run(["--version"], { HOME: "/dev/null", XDG_CACHE_HOME: "/dev/null" });
    expect(results).toMatch(/^\d+\.\d+\.\d+/);
  });
});
