/** Extensions in the built program: exit code, signals and streams are theirs, and the examples of docs/extensions.md run. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

const PAGE = readFileSync(path.resolve(import.meta.dirname, "../../docs/extensions.md"), "utf8");
/** The examples of the page by the name before them. */
const EXAMPLES = [...PAGE.matchAll(/^`(parley-[a-z]+)` .*\n\n```sh\n([\s\S]*?)^```/gm)];

let home: Home;
const program = (name: string, text: string): void => {
  const file = path.join(home.folder, "ext", name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
};

beforeAll(() => {
  home = makeHome();
  mkdirSync(path.join(home.folder, "ext"));
  home.env.PATH = `${path.join(home.folder, "ext")}:${home.env.PATH}`;
  for (const [, name, text] of EXAMPLES) program(name!, text!);
});
afterAll(() => home.end());

test("the exit code is that of the extension, and 128 more than the number of a signal", async () => {
  program("parley-code", '#!/bin/sh\nexit "$1"\n');
  program("parley-term", "#!/bin/sh\nkill -TERM $$\n");
  const codes = await Promise.all(
    ["parley code 0", "parley code 42", "parley code 130", "parley term"].map((line) => home.sh(line)),
  );
  expect(codes.map(({ code }) => code)).toEqual([0, 42, 130, 143]);
});

test("output goes straight to where parley's goes, and an extension that reads nothing ends at once", async () => {
  program("parley-both", "#!/bin/sh\nprintf out; printf err >&2\n");
  expect(await home.sh("yes | head -c 1000000 | parley both")).toEqual({ out: "out", err: "err", code: 0 });
});

test("SIGTERM to parley ends the extension as well", async () => {
  program("parley-hang", "#!/bin/sh\ntrap 'echo ended; exit 1' TERM\necho up\nwhile :; do sleep 0.1; done\n");
  const { out, code } = await home.sh(
    `(${home.built} hang & pid=$!; sleep 2; kill -TERM $pid; wait $pid; echo "code $?")`,
  );
  expect([out, code]).toEqual(["up\nended\ncode 143\n", 0]);
});

test("an extension without a program says so, and one with a name of a command is never run", async () => {
  program("parley-broken", "#!/nowhere/sh\n");
  program("parley-whoami", "#!/bin/sh\necho mine\n");
  const broken = await home.sh("parley broken");
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining("cannot be run")]);
  expect((await home.sh("parley whoami")).out).not.toContain("mine");
});

test("the examples of the page run as they stand", async () => {
  expect(EXAMPLES.map(([, name]) => name)).toEqual(["parley-shrug", "parley-writers"]);
  expect((await home.sh("parley shrug no idea")).out).toBe("no idea ¯\\_(ツ)_/¯\n");
  await home.sh("parley channel create messaging:ops");
  for (const text of ["a", "b", "c"]) await home.sh(`parley send '#ops' ${text}`);
  await home.sh("parley user upsert bo --yes; parley member add '#ops' bo; parley send '#ops' d --as bo");
  expect((await home.sh("parley writers '#ops'")).out.replace(/^ +/gm, "")).toBe("3 mira\n1 bo\n");
  expect((await home.sh("PARLEY_CHANNEL=messaging:ops parley writers")).out).toContain("3 mira");
  expect((await home.sh("parley writers")).code).toBe(2);
});
