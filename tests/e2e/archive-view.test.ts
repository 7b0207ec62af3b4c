/** An archive on the screen, without provider and account: what is read there, what is refused, and that nothing is left behind. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeArchive } from "../../src/jobs/archive/open.ts";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const MESSAGES = 80;
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let home: Home;
let temporary: string;

beforeAll(async () => {
  home = new Home();
  temporary = path.join(home.folder, "tmp");
  mkdirSync(temporary);
  await home.up();
  await home.channel("hall", ["ana", "bob"]);
  await home.channel("ops", ["ana", "bob"]);
  for (let n = 1; n <= MESSAGES; n++) await home.say("messaging:hall", "bob", { text: `line ${n}.` });
  const { message } = await home.say("messaging:hall", "bob", { text: "deploy at ten?" });
  const parent_id = (message as { id: string }).id;
  await home.say("messaging:hall", "ana", { text: "after the kettle", parent_id });
  const picture = path.join(home.folder, "dot.png");
  writeFileSync(picture, Buffer.from(PNG, "base64"));
  const uploaded = await home.run(["send", "messaging:ops", "look", "--file", picture]);
  expect(uploaded.code).toBe(0);
  const { code } = await home.run(["archive", "create", "keep", "--attachments", "download"]);
  expect(code).toBe(0);
  await home.run(["local", "stop"]);
});
afterAll(() => home.end());

/** Every file below a folder with its content; what Node keeps of compiled code is not the program's. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = names
    .map((one) => path.join(one.parentPath, one.name))
    .filter((file) => !file.includes("/.code/"));
  return Object.fromEntries(
    files.map((file) => [file, createHash("sha256").update(readFileSync(file)).digest("hex")]),
  );
}

const view = (...more: string[]): Pty =>
  home.screen(["archive", "view", "keep", ...more], { env: { TMPDIR: temporary }, cols: 120 });

test("an archive is read on the screen: pages, a thread, a search, a picture; a message is refused, and nothing is left behind", async () => {
  const before = filesIn(home.folder);
  await using screen = view("messaging:hall");
  await screen.waitFor("archive keep · read-only");
  await screen.waitFor("deploy at ten?");
  await screen.waitFor("read-only · nothing is sent");
  expect(screen.text()).not.toMatch(/online|offline/);
  screen.type("hello\r");
  await screen.waitFor("Read-only mode");
  screen.key("C-u");
  screen.key("esc");
  await screen.waitFor("BROWSE");
  expect(screen.text().split("\n").at(-1)).not.toMatch(/react|reply|edit/);
  screen.type("gg");
  await screen.waitFor("line 1.");
  screen.type("G");
  await screen.waitFor("deploy at ten?");
  screen.type("\r");
  await screen.waitFor("after the kettle");
  screen.key("esc");
  await screen.pause();
  screen.key("C-f");
  await screen.waitFor("Search");
  screen.type("kettle");
  await screen.waitFor("1 message");
  screen.key("esc");
  await screen.pause();
  screen.key("C-k");
  screen.type("ops\r");
  await screen.waitFor("dot.png");
  await until("the fetched picture", () => readdirSync(temporary).length === 1);
  screen.type("\x03\x03");
  expect((await screen.exited).exitCode).toBe(0);
  expect(filesIn(home.folder)).toEqual(before);
  expect(readdirSync(temporary)).toEqual([]);
  expect(home.provider()).toBeUndefined();
});

test("a signal ends it as orderly as a key", async () => {
  await using screen = view("messaging:ops");
  await screen.waitFor("dot.png");
  await until("the fetched picture", () => readdirSync(temporary).length === 1);
  screen.signal("SIGTERM");
  expect((await screen.exited).exitCode).toBe(143);
  expect(readdirSync(temporary)).toEqual([]);
});

test("an archive is viewed while a run is writing to it", async () => {
  const writing = writeArchive(path.join(home.folder, "keep"), { create: false });
  await using screen = view("messaging:hall");
  await screen.waitFor("deploy at ten?");
  writing.close();
  screen.type("\x03\x03");
  expect((await screen.exited).exitCode).toBe(0);
});

test.each([
  ["no archive", ["archive", "view", "nowhere"], 3, "There is no archive in nowhere"],
  ["no such channel", ["archive", "view", "keep", "messaging:none"], 3, "keep has no channel messaging:none"],
  ["a damaged one", ["archive", "view", "damaged"], 12, "damaged/archive.sqlite is damaged"],
  ["an empty one", ["archive", "view", "empty"], 3, "The archive in empty holds no channels"],
])("%s is told in a sentence", async (_, words, code, sentence) => {
  mkdirSync(path.join(home.folder, "damaged"), { recursive: true });
  writeFileSync(
    path.join(home.folder, "damaged/archive.sqlite"),
    "SQLite format 3\0 and then something else".repeat(99),
  );
  writeArchive(path.join(home.folder, "empty"), { create: true }).close();
  await using screen = home.screen(words);
  await screen.waitFor((pty) => pty.text().replaceAll(/\s+/g, " ").includes(sentence));
  expect((await screen.exited).exitCode).toBe(code);
});

test("rows that cannot be read are left out, named at the end, and end it with 9", async () => {
  await home.run(["archive", "merge", "torn", "keep"]);
  const torn = new DatabaseSync(path.join(home.folder, "torn/archive.sqlite"));
  torn.exec("UPDATE messages SET raw = '{' WHERE text = 'deploy at ten?'");
  torn.close();
  await using screen = home.screen(["archive", "view", "torn", "messaging:hall"], { cols: 120 });
  await screen.waitFor(`line ${MESSAGES}.`);
  screen.type("\x03\x03");
  await screen.waitFor("1 row of torn cannot be read and is left out");
  expect((await screen.exited).exitCode).toBe(9);
});

test("where there is no terminal the command says what shows an archive in a pipe", async () => {
  const { code, err } = await home.run(["archive", "view", "keep"]);
  expect([code, err]).toEqual([2, expect.stringContaining("parley archive show keep works in a pipe.")]);
});

test("what a killed view has left in the temporary folder goes when the next one starts", async () => {
  const left = (): string[] => readdirSync(temporary).filter((name) => name.startsWith("parley-"));
  await using killed = view("messaging:hall");
  await killed.waitFor("archive keep · read-only");
  const before = left();
  expect(before).toHaveLength(1);
  killed.signal("SIGKILL", true);
  await killed.exited;
  expect(left()).toEqual(before);
  await using screen = view("messaging:hall");
  await screen.waitFor("archive keep · read-only");
  expect(left()).toHaveLength(1);
  expect(left()).not.toEqual(before);
});
