/** Extensions as the screen runs them: found in PATH, told the place and no secret, and ended by Esc and by limits. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { extensionNames, findExtension, listExtensions } from "../../../src/config/extensions.ts";
import { ExtensionPrograms } from "../../../src/tui/machine/extensions.ts";
import type { ExtensionEnd } from "../../../src/tui/screen/host.ts";
import { EXTENSION_OUTPUT } from "../../../src/wire/constants.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-extensions-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string, text: string, mode = 0o755): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const envOf = (...folders: string[]): Record<string, string> => ({
  PATH: [...folders.map((one) => path.join(folder, one)), process.env.PATH].join(":"),
});

test("the first executable file of an absolute folder is the extension; folders, other files and odd names are not", () => {
  const first = program("one/parley-foo", "");
  const second = program("two/parley-foo", "");
  program("one/parley-text", "", 0o644);
  program("one/parley-a b", "");
  program("one/parley-", "");
  mkdirSync(path.join(folder, "one/parley-dir"));
  symlinkSync("/nowhere", path.join(folder, "one/parley-gone"));
  symlinkSync("one", path.join(folder, "again"));
  const env = {
    PATH: ["", "one", ".", ...["one", "again", "two", "missing"].map((one) => path.join(folder, one))].join(
      ":",
    ),
  };
  expect(listExtensions(env)).toEqual([
    { name: "foo", path: first },
    { name: "foo", path: second },
  ]);
  expect(extensionNames(env)).toEqual(["foo"]);
  expect(findExtension(env, "foo")?.path).toBe(first);
  for (const name of ["text", "dir", "gone", "a b", "", "../foo", "foo/.."])
    expect([name, findExtension(env, name)]).toEqual([name, undefined]);
  expect(findExtension({ PATH: "one:" }, "foo")).toBeUndefined();
});

async function run(text: string, end?: AbortSignal, env: Record<string, string> = {}): Promise<ExtensionEnd> {
  program("bin/parley-foo", text);
  const programs = new ExtensionPrograms({ ...envOf("bin"), ...env }, "work");
  const message = {
    id: "m1",
    user: { id: "bo", name: "Bo" },
    text: "tea?",
    created_at: "2026-05-01T10:00:00Z",
  };
  const place = { args: ["a", "b c"], user_id: "ana", cid: "messaging:ops", message };
  return programs.run(programs.find("foo")!, place, end ?? new AbortController().signal);
}

test("it gets arguments, variables and JSON, and no variable with a secret", async () => {
  const secrets = {
    PARLEY_TOKEN: "s1",
    PARLEY_API_SECRET: "s2",
    PARLEY_LOCAL_SECRET_FILE: "s3",
    PARLEY_OTHER_TOKEN: "s4",
    PARLEY_PROXY: "http://me:s5@proxy.example.org:3128",
    PARLEY_THREAD: "of the caller",
    PARLEY_KEYRING: "off",
  };
  const ended = await run(
    '#!/bin/sh\nprintf "%s|" "$@"\nenv | grep ^PARLEY_ | sort\ncat\nexit 4\n',
    undefined,
    secrets,
  );
  expect(ended).toMatchObject({ end: "exit", code: 4, err: "" });
  const { out } = ended as { out: string };
  const [words, json] = [out.slice(0, out.indexOf("{")), out.slice(out.indexOf("{"))];
  expect(words.split("\n")).toEqual([
    "a|b c|PARLEY_CALLER=screen",
    "PARLEY_CHANNEL=messaging:ops",
    "PARLEY_EXTENSION=foo",
    "PARLEY_KEYRING=off",
    "PARLEY_MESSAGE=m1",
    "PARLEY_PROFILE=work",
    "PARLEY_USER=ana",
    "",
  ]);
  expect(JSON.parse(json)).toEqual({
    schema_version: 1,
    extension: "foo",
    args: ["a", "b c"],
    caller: "screen",
    profile: "work",
    user_id: "ana",
    cid: "messaging:ops",
    parent_id: null,
    message: { id: "m1", user: { id: "bo", name: "Bo" }, text: "tea?", created_at: "2026-05-01T10:00:00Z" },
  });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("it is ended with what it has started, even if it ignores the request", async () => {
  const pids = path.join(folder, "pids");
  const stop = new AbortController();
  const running = run(
    `#!/bin/sh\ntrap '' TERM\nsleep 60 &\necho $! $$ > '${pids}.new'; mv '${pids}.new' '${pids}'\nwhile :; do sleep 1; done\n`,
    stop.signal,
  );
  await expect.poll(() => existsSync(pids)).toBe(true);
  stop.abort();
  expect(await running).toEqual({ end: "stopped" });
  for (const pid of readFileSync(pids, "utf8").trim().split(" "))
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

test("the end of the screen ends what still runs", async () => {
  const pids = path.join(folder, "pids");
  program(
    "bin/parley-foo",
    `#!/bin/sh\ntrap '' TERM\necho $$ > '${pids}.new'; mv '${pids}.new' '${pids}'\nwhile :; do sleep 1; done\n`,
  );
  const programs = new ExtensionPrograms(envOf("bin"), "work");
  const running = programs.run(programs.find("foo")!, { args: [] }, new AbortController().signal);
  await expect.poll(() => existsSync(pids)).toBe(true);
  await programs.stop();
  expect(await running).toEqual({ end: "stopped" });
  await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
});

test("more output than the limit ends it", async () => {
  expect(await run("#!/bin/sh\nyes\n")).toEqual({ end: "size" });
  const below = await run(`#!/bin/sh\nyes | head -c ${EXTENSION_OUTPUT - 10}\n`);
  expect(below).toMatchObject({ end: "exit", code: 0 });
});

test("a program in the background does not delay the end, and one that cannot be run is an error", async () => {
  const before = performance.now();
  expect(await run("#!/bin/sh\necho done\nsleep 30 &\n")).toMatchObject({
    end: "exit",
    code: 0,
    out: "done\n",
  });
  expect(performance.now() - before).toBeLessThan(10_000);
  await expect(run("#!/nowhere/sh\n")).rejects.toThrow("ENOENT");
});
