/** A disk that is full ends a command with an error that names the file, and leaves no half file, no part and no empty folder. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let place: string;

/** Runs the built program in an empty folder, with files of at most so many blocks of 512 bytes. */
const within = (blocks: number, line: string) =>
  home.sh(`cd '${place}' && trap '' XFSZ && ulimit -f ${blocks} && exec '${home.built}' ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  const work = path.join(home.folder, "work");
  place = path.join(home.folder, "place");
  mkdirSync(place);
  await home.sh("parley channel create messaging:big --member mira");
  writeFileSync(path.join(work, "lines"), `${"x".repeat(3000)}\n`.repeat(150));
  expect((await home.sh("parley send messaging:big --lines < lines > /dev/null")).code).toBe(0);
  writeFileSync(path.join(work, "file.bin"), Buffer.alloc(900_000, 7));
  expect((await home.sh("parley upload file.bin -c messaging:big --message")).err).toBe("");
  const line = { channel: "big", user: "mira", text: "y".repeat(500), at: "2026-01-02T03:04:05Z" };
  writeFileSync(path.join(work, "plain.ndjson"), `${JSON.stringify(line)}\n`.repeat(300));
});
afterEach(() => {
  for (const name of readdirSync(place)) rmSync(path.join(place, name), { recursive: true });
});
afterAll(() => home.end());

test.each([
  [100, "export messaging:big --out a/b/all.ndjson", "archive.sqlite"],
  [100, "export messaging:big --out a/b/all.sqlite --format sqlite", "archive.sqlite"],
  [1, "archive create a/b --channels messaging:big", "a/b/archive.sqlite"],
  [100, "archive create a/b --channels messaging:big", "a/b"],
  [100, "gdpr export mira --out a/b", "a/b/messages.ndjson"],
  [1, "app backup --out app.yaml", "app.yaml"],
  [1, "campaign new tea.yaml", "tea.yaml"],
  [20, "import convert ../work/plain.ndjson --out items.ndjson", "items.ndjson"],
])("within %i blocks %s names %s and leaves nothing", async (blocks, line, named) => {
  const { code, out, err } = await within(blocks, line);
  expect([line, code, out]).toEqual([line, 12, ""]);
  expect(err).toContain(named);
  expect(readdirSync(place)).toEqual([]);
});

test.each(["csv", "html", "json", "ndjson"])(
  "a %s export that is cut leaves neither a part nor a file",
  async (format) => {
    symlinkSync("/dev/full", path.join(place, `all.${format}.part`));
    const { code, err } = await home.sh(`cd '${place}' && parley export messaging:big --out all.${format}`);
    expect([code, err]).toEqual([12, expect.stringContaining(`all.${format}`)]);
    expect(readdirSync(place)).toEqual([]);
  },
);

test("a list of a Slack export that is cut leaves no part, and the other files are there", async () => {
  const folder = path.join(place, "slack");
  mkdirSync(folder);
  for (const name of ["users", "channels"]) symlinkSync("/dev/full", path.join(folder, `${name}.json.part`));
  const { code, err } = await home.sh(
    `cd '${place}' && parley export messaging:big --format slack --out slack/`,
  );
  expect([code, err]).toEqual([9, expect.stringContaining("users.json cannot grow: the disk is full")]);
  expect(readdirSync(folder).toSorted()).toEqual(["big", "manifest.json"]);
});

test("an import file is not converted once more, and no file is made of it", async () => {
  expect(
    (await home.sh(`cd ${place} && parley export messaging:big --out all.ndjson --format import`)).code,
  ).toBe(0);
  const { code, err } = await home.sh(`cd ${place} && parley import convert all.ndjson --out again.ndjson`);
  expect([code, err]).toEqual([
    7,
    expect.stringContaining("all.ndjson is an import file already: parley import upload takes it"),
  ]);
  expect(readdirSync(place)).toEqual(["all.ndjson"]);
});

test("what was there before a full disk stays as it was", async () => {
  writeFileSync(path.join(place, "app.yaml"), "mine\n");
  mkdirSync(path.join(place, "kept"));
  expect((await within(1, "app backup --out app.yaml --force")).code).toBe(12);
  expect((await within(100, "gdpr export mira --out kept")).code).toBe(12);
  expect(readFileSync(path.join(place, "app.yaml"), "utf8")).toBe("mine\n");
  expect(readdirSync(place)).toEqual(["app.yaml", "kept"]);
  expect(readdirSync(path.join(place, "kept"))).toEqual([]);
});
