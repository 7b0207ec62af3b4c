/** Archives of slackdump in each of their forms: the newest of every message is in the import once, with its files, and the rest is counted. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { TakenFiles } from "../../../src/jobs/foreign/base/taken-files.ts";
import { convertSource, writeFolder, type Converted } from "../../support/foreign.ts";
import { WRONG_VALUES } from "../../support/wrong-values.ts";
import { json, type Packed } from "../../support/zip.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-slackdump-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const ROOT = "1772352000.000100";
const said = (ts: string, text: string, more: object = {}): object => ({
  type: "message",
  user: "U1",
  ts,
  text,
  ...more,
});
const REPLY = said("1772352060.000200", "rising", { thread_ts: ROOT, user: "U2" });
const FILE = said("1772352070.000300", "see", {
  files: [{ id: "F1", name: "cup.txt", mimetype: "text/plain", url_private: "https://e.example/F1" }],
});
const USER = { id: "U1", name: "ada", profile: { real_name: "Ada" } };
const convert = (entries: readonly Packed[], taken?: TakenFiles): Promise<Converted> =>
  convertSource(writeFolder(path.join(folder, `${++made}`), entries), { taken });

/** Rows of messages: run, and bytes or text. */
function database(
  file: string,
  rows: readonly (readonly [chunk: number, id: bigint, data: string | Buffer])[],
): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(`CREATE TABLE SESSION(ID INTEGER PRIMARY KEY, FINISHED SMALLINT); INSERT INTO SESSION VALUES(1, 1), (2, 0);
    CREATE TABLE CHUNK(ID INTEGER PRIMARY KEY); CREATE TABLE S_USER(ID TEXT, CHUNK_ID INTEGER, DATA BLOB);
    CREATE TABLE CHANNEL(ID TEXT, CHUNK_ID INTEGER, NAME TEXT, DATA BLOB);
    CREATE TABLE MESSAGE(ID INTEGER, CHUNK_ID INTEGER, CHANNEL_ID TEXT, DATA BLOB, PRIMARY KEY(ID, CHUNK_ID, CHANNEL_ID));
    INSERT INTO CHANNEL VALUES('C1', 1, 'kitchen', '{"id":"C1","name":"kitchen"}'), ('D1', 1, '', '{"id":"D1","is_im":true,"user":"U2"}'), ('C2', 1, 'quiet', 'broken')`);
  for (const [chunk, name] of [
    [1, "Old"],
    [2, "Ada"],
  ] as const)
    db.prepare("INSERT INTO S_USER VALUES('U1', ?, ?)").run(
      chunk,
      Buffer.from(JSON.stringify({ ...USER, profile: { real_name: name } })),
    );
  const insert = db.prepare("INSERT INTO MESSAGE VALUES(?, ?, ?, ?)");
  for (const [chunk, id, data] of rows) insert.run(id, chunk, "C1", data);
  insert.run(5n, 1, "C9", JSON.stringify(said("1772352080.000000", "unlisted")));
  db.close();
  return file;
}
const row = (chunk: number, id: bigint, message: object) =>
  [chunk, id, Buffer.from(JSON.stringify(message))] as const;

test("of the rows of several runs the newest is read, alone or in the folder of its files", async () => {
  const top = path.join(folder, "archive");
  const file = database(path.join(top, "slackdump.sqlite"), [
    row(1, 1n, said(ROOT, "old")),
    row(4, 1n, said(ROOT, "rise *now*", { thread_ts: ROOT, reply_count: 1 })),
    row(2, 2n, REPLY),
    row(2, 3n, FILE),
    [2, 4n, "not JSON"],
  ]);
  writeFolder(top, [
    { name: "__uploads/F1/cup.txt", content: "tea" },
    { name: "__uploads/F2/lost.txt", content: "of no message" },
  ]);
  for (const source of [top, file]) {
    const { of, texts, unused, messages } = await convertSource(source, {
      taken: new TakenFiles(path.join(folder, "items.jsonl")),
    });
    expect(texts).toEqual(["rise **now**", "rising", "see", "unlisted"]);
    expect(of("message")[1]).toMatchObject({ type: "reply", parent_id: "slack-C1-1772352000-000100" });
    expect(of("message")[2]!.attachments![0]!.asset_url).toBe("./items.jsonl.files/F1-cup.txt");
    expect(of("user").map(({ id, name }) => [id, name])).toEqual([
      ["U1", "Ada"],
      ["U2", undefined],
    ]);
    expect(of("channel").map(({ id, name }) => [id, name])).toEqual([
      ["C1", "kitchen"],
      ["C2", "quiet"],
      ["D1", undefined],
      ["C9", undefined],
    ]);
    expect([messages, unused]).toEqual([
      6,
      [
        "notice: a run of slackdump that did not finish: the archive may lack messages: 1",
        "notice: a message is in the export twice: 1",
        "entry: in a list of messages, but no message: 1",
        "file: in the export, but in no message: 1",
      ],
    ]);
  }
});

test("a damaged database is refused with one sentence", async () => {
  const file = database(
    path.join(folder, "damaged.sqlite"),
    Array.from({ length: 100 }, (_, n) =>
      row(1, BigInt(n), said(`${1_772_352_000 + n}.000000`, "x".repeat(200))),
    ),
  );
  const db = new DatabaseSync(file);
  const { size } = db
    .prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size")
    .get() as { size: number };
  db.close();
  const bytes = Buffer.alloc(size, 0xff);
  readFileSync(file).copy(bytes, 0, 0, 16_384);
  writeFileSync(file, bytes);
  await expect(convertSource(file)).rejects.toThrow(/The database of .* cannot be read/);
});

test.each([50, 1000, 5000, 9000])("a database cut after %i bytes is told as damaged", async (bytes) => {
  const top = path.join(folder, `cut-${bytes}`);
  const file = database(path.join(top, "slackdump.sqlite"), [row(1, 1n, said(ROOT, "old"))]);
  truncateSync(file, bytes);
  for (const source of [file, top])
    await expect(convertSource(source)).rejects.toThrow(`The database of ${source} cannot be read: `);
});

const chunks = (name: string, ...lines: object[]): Packed => ({
  name,
  content: gzipSync(lines.map((line) => JSON.stringify(line)).join("\n")),
});

test("chunk files are read together, the newest of each message", async () => {
  const { texts, of, messages, unused } = await convert([
    chunks("users.json.gz", { t: 3, ts: 1, n: 1, u: [USER] }),
    chunks("channels.json.gz", { t: 4, ts: 1, n: 1, ch: [{ id: "C1", name: "kitchen" }, 5] }),
    chunks(
      "C1.json.gz",
      { t: 5, ts: 1, id: "C1", ci: { id: "C1", topic: { value: "cakes" } } },
      { t: 7, ts: 1, id: "C1", cu: ["U1", "U2"] },
      { t: 0, ts: 2, id: "C1", m: [said(ROOT, "old", { thread_ts: ROOT }), FILE] },
      { t: 1, ts: 3, id: "C1", r: ROOT, p: said(ROOT, "rise", { thread_ts: ROOT }), m: [REPLY] },
      { t: 2, ts: 4, id: "C1", f: [] },
    ),
    {
      name: "C2.json.gz",
      content: gzipSync(
        `{"t":0,"ts":1,"id":"C2","m":[${JSON.stringify(said(ROOT, "two"))}]}\n{"t":0,"m":`,
      ).subarray(0, -4),
    },
  ]);
  expect(texts.toSorted()).toEqual(["rise", "rising", "see", "two"]);
  expect(of("channel")[0]).toMatchObject({ id: "C1", name: "kitchen", topic: "cakes" });
  expect([messages - 1, unused.filter((one) => !one.includes("token"))]).toEqual([
    5,
    [expect.stringMatching(/^entry: C2\.json\.gz: /), "notice: a message is in the export twice: 1"],
  ]);
});

test("dumps have their replies inside, and people from a list beside them", async () => {
  const { texts, of, messages } = await convert([
    json("C1.json", {
      channel_id: "C1",
      name: "kitchen",
      messages: [{ ...said(ROOT, "rise", { thread_ts: ROOT }), slackdump_thread_replies: [REPLY] }, FILE],
    }),
    json("C1-1772352000.000100.json", {
      channel_id: "C1",
      thread_ts: ROOT,
      name: "kitchen",
      messages: [REPLY],
    }),
    json("users.json", [USER]),
    { name: "C1/F1-cup.txt", content: "tea" },
  ]);
  expect([texts.map((text) => text.split("\n")[0]).toSorted(), messages]).toEqual([
    ["rise", "rising", "see"],
    4,
  ]);
  expect(of("user").map(({ name }) => name)).toEqual(["Ada", undefined]);
  expect(of("channel").map(({ id, name }) => [id, name])).toEqual([["C1", "kitchen"]]);
});

test("what is no message is counted in every form", async () => {
  const wrong = WRONG_VALUES.filter((one) => !one.includes("1e999"));
  const dump = await convert([
    { name: "C1.json", content: `{"channel_id":"C1","name":"a","messages":[${wrong.join()}]}` },
  ]);
  expect(dump.messages).toBe(wrong.length);
  const file = database(
    path.join(folder, "wrong.db"),
    wrong.map((one, n) => [1, BigInt(n), one] as const),
  );
  expect((await convertSource(file)).messages).toBe(wrong.length + 1);
});
