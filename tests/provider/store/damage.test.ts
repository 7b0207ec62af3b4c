/** A damaged database file: when it is checked, what callers and the operator are told, and how its rows are saved. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { openDatabase, type OpenedDatabase } from "../../../src/provider/store/open.ts";
import { takeFolderLock } from "../../../src/model/files/folder-lock.ts";
import { readArchive, writeArchive } from "../../../src/jobs/archive/open.ts";
import { signToken } from "../../../src/wire/token.ts";
import { httpRequest } from "../tiny.ts";

const PAGE = 4096;
const SMALL = 32 * 2 ** 20;
let folder: string;
let file: string;
const open: OpenedDatabase[] = [];
const running: Provider[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-damage-"));
  file = path.join(folder, "provider.db");
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const db of open.splice(0)) db.close();
  await Promise.all(running.splice(0).map((provider) => provider.close()));
  rmSync(folder, { recursive: true, force: true });
});

const parts = [
  {
    name: "part",
    migrations: [
      "CREATE TABLE note (n INTEGER PRIMARY KEY, text TEXT, fill BLOB) STRICT; CREATE INDEX note_text ON note (text)",
    ],
  },
];
function openFile(): OpenedDatabase {
  const db = openDatabase(file, parts);
  open.push(db);
  return db;
}
function createSmallFile(): void {
  const db = openFile();
  db.raw.exec("BEGIN");
  for (let n = 0; n < 500; n++) db.run("INSERT INTO note VALUES (?, ?, zeroblob(2000))", n, `text ${n}`);
  db.raw.exec("COMMIT");
  db.close();
}
/** Adds a hole after the last page, so that the file is as long as a big one; SQLite does not read it. */
const enlarge = (): void => truncateSync(file, SMALL + PAGE);
function createBigFile(): void {
  createSmallFile();
  enlarge();
}
/** Overwrites pages with garbage, starting at page `from`, as a failing disk would. */
function overwritePages(from: number, pages: number): void {
  const handle = openSync(file, "r+");
  expect(fstatSync(handle).size).toBeGreaterThan((from + pages) * PAGE);
  writeSync(handle, Buffer.alloc(pages * PAGE, 0x5a), 0, pages * PAGE, from * PAGE);
  closeSync(handle);
}
/** The integrity checks that an opening of the database runs. */
function checksOf(run: () => void): string[] {
  const spy = vi.spyOn(DatabaseSync.prototype, "prepare");
  run();
  const checks = spy.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("_check"));
  spy.mockRestore();
  return checks;
}
const damagedFiles = (): string[] => readdirSync(folder).filter((name) => name.includes(".damaged-"));

describe("the integrity check at a start", () => {
  test("a small file is always checked, a big one never after a clean close", () => {
    createSmallFile();
    expect(checksOf(openFile)).toEqual(["PRAGMA quick_check(1)"]);
    open.pop()!.close();
    rmSync(file);
    createBigFile();
    expect(checksOf(openFile)).toEqual([]);
  });
  test("a big file is checked when a killed process left its log", () => {
    createBigFile();
    writeFileSync(`${file}-wal`, "");
    expect(checksOf(openFile)).toEqual(["PRAGMA quick_check(1)"]);
    open.pop()!.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    writeFileSync(`${file}-journal`, "x");
    expect(checksOf(openFile)).toEqual(["PRAGMA quick_check(1)"]);
  });
  test("an empty rollback journal, which a clean close leaves in that mode, causes no check", () => {
    createBigFile();
    writeFileSync(`${file}-journal`, "");
    expect(checksOf(openFile)).toEqual([]);
  });
});

describe("damage found during use", () => {
  test("is reported with a sentence, and the next start moves the whole file aside", () => {
    createBigFile();
    overwritePages(2, 100);
    const db = openFile();
    let caught: unknown;
    try {
      for (let n = 0; n < 500; n++) db.get("SELECT * FROM note WHERE n = ?", n);
    } catch (error) {
      caught = error;
    }
    expect(db.damageMessage(caught)).toMatch(
      /^the data of the provider is damaged; .* stop the provider and start it again$/,
    );
    db.close();
    const next = openFile();
    // Without the first page of a table its rows cannot be located.
    expect(next.movedAside).toEqual({
      file: `${file}.damaged-1`,
      salvaged: { rows: 0, incomplete: ["note"] },
    });
    expect(next.all("SELECT * FROM note")).toEqual([]);
    next.close();
    // The damaged file was moved aside, so the next opening finds nothing.
    expect(openFile().movedAside).toBeUndefined();
    expect(damagedFiles()).toEqual(["provider.db.damaged-1"]);
  });
  test("rows before and after the damage are copied", () => {
    createSmallFile();
    overwritePages(60, 20);
    const next = openFile();
    expect(next.movedAside).toMatchObject({ salvaged: { incomplete: ["note"] } });
    const copied = next.all<{ n: number }>("SELECT n FROM note ORDER BY n").map(({ n }) => n);
    expect(copied.length).toBe(next.movedAside!.salvaged.rows);
    expect([copied[0], copied.at(-1)]).toEqual([0, 499]);
    // The twenty damaged pages hold two rows each.
    expect(copied.length).toBeGreaterThan(440);
    expect(copied.length).toBeLessThan(500);
  });
  test("other errors are not damage, and a mark on an undamaged file causes one check", () => {
    createBigFile();
    const db = openFile();
    expect(() => db.get("SELECT nonsense")).toThrow();
    expect(db.damageMessage(new Error("another"))).toBeUndefined();
    expect(db.damageMessage(Object.assign(new Error("full"), { errcode: 13 }))).toBeUndefined();
    expect(db.damageMessage(Object.assign(new Error("malformed"), { errcode: 267 }))).toBeTypeOf("string");
    db.close();
    expect(checksOf(() => expect(openFile().movedAside).toBeUndefined())).toEqual([
      "PRAGMA integrity_check(1)",
    ]);
    open.pop()!.close();
    expect(checksOf(openFile)).toEqual([]);
  });
});

describe("a provider whose data is damaged", () => {
  const start = async (warn: (text: string) => void = () => {}): Promise<Provider> => {
    const provider = createProvider({ data: folder, warn, stay: true });
    running.push(provider);
    await provider.listen();
    return provider;
  };
  const call = (p: Provider, method: string, route: string, body?: object) =>
    httpRequest(`${p.url}${route}${route.includes("?") ? "&" : "?"}api_key=${p.apiKey}`, {
      method,
      headers: { Authorization: signToken({ server: true }, p.secret), "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const createWorld = async (p: Provider): Promise<void> => {
    await call(p, "POST", "/users", { users: { ann: { id: "ann" } } });
    await call(p, "POST", "/channels/team/tea/query", { data: { created_by_id: "ann", members: ["ann"] } });
    for (let n = 0; n < 40; n++)
      await call(p, "POST", "/channels/team/tea/message", {
        message: { id: `m${n}`, user_id: "ann", text: `kettle number${n} ${"long text ".repeat(100)}` },
      });
  };
  const search = (p: Provider) => {
    const payload = { filter_conditions: { cid: "team:tea" }, query: "number7", user_id: "ann" };
    return call(p, "GET", `/search?payload=${encodeURIComponent(JSON.stringify(payload))}`);
  };
  const found = async (p: Provider): Promise<string[]> => {
    const answer = await search(p);
    const { results } = JSON.parse(answer.text) as { results: { message: { id: string } }[] };
    return results.map(({ message }) => message.id);
  };

  const damageSearchIndex = (p: Provider): void =>
    p.transact((_emit, db) => {
      db.raw.enableDefensive(false);
      db.raw.exec("UPDATE search_index_data SET block = x'0001' WHERE id > 10");
    });

  test("a damaged search index is rebuilt at the start and no message is lost", async () => {
    const one = await start();
    await createWorld(one);
    expect(await found(one)).toEqual(["m7"]);
    damageSearchIndex(one);
    await one.close();
    const warnings: string[] = [];
    const two = await start((text) => warnings.push(text));
    expect(warnings).toEqual(["the search index was damaged and has been rebuilt; nothing is lost"]);
    expect(await found(two)).toEqual(["m7"]);
    expect(damagedFiles()).toEqual([]);
  });
  test("users, channels, messages, counts and search of the readable part continue after damage", async () => {
    const one = await start();
    await createWorld(one);
    for (const id of ["r1", "r2"])
      await call(one, "POST", "/channels/team/tea/message", {
        message: { id, user_id: "ann", text: "a reply", parent_id: "m39" },
      });
    await one.close();
    const at = readFileSync(file).indexOf("kettle number20 ");
    overwritePages(Math.floor(at / PAGE), 1);
    const warnings: string[] = [];
    const two = await start((text) => warnings.push(text));
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the provider's data was damaged; the damaged file is now .*provider\.db\.damaged-1, and \d+ rows were copied to a new one; not all of messages could be read$/,
      ),
    ]);
    const body = { state: true, messages: { limit: 100 }, user_id: "ann" };
    const answer = await call(two, "POST", "/channels/team/tea/query", body);
    const { messages } = JSON.parse(answer.text) as { messages: { id: string; reply_count: number }[] };
    const ids = messages.map(({ id }) => id);
    // A page holds about four messages.
    expect(ids.length).toBeGreaterThan(33);
    expect(ids).not.toContain("m20");
    expect(ids).toEqual(expect.arrayContaining(["m0", "m1", "m38", "m39"]));
    expect(messages.at(-1)).toMatchObject({ id: "m39", reply_count: 2 });
    expect(await found(two)).toEqual(["m7"]);
    // The new file works like any other: new words are found, and the next start reports nothing.
    await call(two, "POST", "/channels/team/tea/message", {
      message: { id: "later", user_id: "ann", text: "another number7" },
    });
    expect((await found(two)).toSorted()).toEqual(["later", "m7"]);
    await two.close();
    await start((text) => warnings.push(text));
    expect(warnings).toHaveLength(1);
  });
  test("damage found during use is reported once to the operator and in every answer", async () => {
    const one = await start();
    await createWorld(one);
    damageSearchIndex(one);
    await one.close();
    enlarge();
    const warnings: string[] = [];
    const two = await start((text) => warnings.push(text));
    expect(warnings).toEqual([]);
    for (let n = 0; n < 2; n++) {
      const answer = await search(two);
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: -1,
        message: expect.stringContaining("the data of the provider is damaged"),
      });
    }
    expect(warnings).toEqual([expect.stringContaining("stop the provider and start it again")]);
    await two.close();
    const three = await start((text) => warnings.push(text));
    expect(warnings[1]).toBe("the search index was damaged and has been rebuilt; nothing is lost");
    expect(await found(three)).toEqual(["m7"]);
  });
});

describe("a file that is not whole, or no file", () => {
  test.each([PAGE, 20 * PAGE])("cut by %i bytes gives back the rows of its other pages", (bytes) => {
    createSmallFile();
    truncateSync(file, statSync(file).size - bytes);
    const { movedAside, wasEmpty } = openFile();
    expect([movedAside?.file, wasEmpty]).toEqual([`${file}.damaged-1`, false]);
    // Two rows a page, and the index of the texts behind them.
    expect(movedAside!.salvaged.rows).toBeGreaterThan(500 - 2 * Math.ceil(bytes / PAGE) - 2);
  });
  test("emptied is told from new", () => {
    createSmallFile();
    truncateSync(file, 0);
    expect(openFile().wasEmpty).toBe(false);
    open.pop()!.close();
    rmSync(file);
    writeFileSync(file, "");
    utimesSync(file, 1000, 1000);
    const emptied = openFile();
    expect([emptied.wasEmpty, emptied.movedAside]).toEqual([true, undefined]);
    emptied.run("INSERT INTO note VALUES (1, 'a', NULL)");
  });
  test.each([
    ["is a folder", (place: string) => void mkdirSync(place)],
    ["is not a plain file", (place: string) => void execFileSync("mkfifo", [place])],
  ])("%s: said by name", (words, make) => {
    make(file);
    expect(openFile).toThrow(`${file} ${words}`);
    make(path.join(folder, "lock.db"));
    expect(() => takeFolderLock(path.join(folder, "lock.db"))).toThrow(`lock.db ${words}`);
    make(path.join(folder, "archive.sqlite"));
    expect(() => readArchive(folder)).toThrow(`archive.sqlite ${words}`);
    expect(() => writeArchive(folder, { create: true })).toThrow(`archive.sqlite ${words}`);
  });
});
