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

/** An export of several files of which the named ones find no place; what is left in its folder. */
async function cutExport(
  full: readonly string[],
  flags: string,
): Promise<{ result: object; left: string[] }> {
  const folder = path.join(place, "cut");
  mkdirSync(folder);
  for (const name of full) symlinkSync("/dev/full", path.join(folder, `${name}.part`));
  const result = await home.sh(`cd '${place}' && parley -q export --out cut/ ${flags}`);
  return { result, left: readdirSync(folder).toSorted() };
}

test("a list of a Slack export that is cut leaves no part, and the complete files stay", async () => {
  const { result, left } = await cutExport(["users.json"], "messaging:big --format slack --force");
  expect(result).toMatchObject({
    code: 12,
    err: expect.stringContaining("error: cut/users.json cannot grow: the disk is full\n"),
  });
  expect(left).toEqual(["big"]);
});

test("a full disk is told once, and no file after it is begun; the same line with --resume writes them all", async () => {
  for (const id of ["cut", "dot"])
    await home.sh(`parley channel create messaging:${id} --member mira; parley send messaging:${id} hello`);
  const names = ["big", "cut", "dot"].map((id) => `messaging_${id}.ndjson`);
  const line = "messaging:big messaging:cut messaging:dot";
  const { result, left } = await cutExport(names.slice(1), line);
  expect(result).toMatchObject({
    code: 12,
    err: "error: cut/messaging_cut.ndjson cannot grow: the disk is full\nhint: Free some space, then run the same line with --resume.\n",
  });
  expect(left).toEqual([names[0], `${names[2]}.part`]);
  rmSync(path.join(place, "cut", `${names[2]}.part`));
  const again = await home.sh(`cd '${place}' && parley -q export --out cut/ ${line} --resume`);
  expect([again.code, readdirSync(path.join(place, "cut")).toSorted()]).toEqual([
    0,
    ["manifest.json", ...names],
  ]);
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
