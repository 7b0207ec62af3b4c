/** A damaged database file: when it is checked, what callers and the operator are told, and how its rows are saved. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { openDatabase, type OpenedDatabase } from "../../../src/provider/store/open.ts";
import { signToken } from "../../../src/wire/token.ts";
import { raw } from "../tiny.ts";

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
function opened(): OpenedDatabase {
  const db = openDatabase(file, parts);
  open.push(db);
  return db;
}
function filled(): void {
  const db = opened();
  db.raw.exec("BEGIN");
  for (let n = 0; n < 500; n++) db.run("INSERT INTO note VALUES (?, ?, zeroblob(2000))", n, `text ${n}`);
  db.raw.exec("COMMIT");
  db.close();
}
/** Adds a hole after the last page, so that the file is as long as a big one; SQLite does not read it. */
const swell = (): void => truncateSync(file, SMALL + PAGE);
function big(): void {
  filled();
  swell();
}
/** Overwrites pages with garbage, starting at page `from`, as a failing disk would. */
function scratch(from: number, pages: number): void {
  const handle = openSync(file, "r+");
  expect(fstatSync(handle).size).toBeGreaterThan((from + pages) * PAGE);
  writeSync(handle, Buffer.alloc(pages * PAGE, 0x5a), 0, pages * PAGE, from * PAGE);
  closeSync(handle);
}
/** The integrity checks that an opening of the database runs. */
function checksOf(run: () => void): string[] {
  const spy = vi.spyOn(DatabaseSync.prototype, "prepare");
  run();
  const asked = spy.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("_check"));
  spy.mockRestore();
  return asked;
}
const aside = (): string[] => readdirSync(folder).filter((name) => name.includes(".damaged-"));

describe("looking through the file at a start", () => {
  test("a small one always, a big one that was closed as it should be never", () => {
    filled();
    expect(checksOf(opened)).toEqual(["PRAGMA quick_check(1)"]);
    open.pop()!.close();
    rmSync(file);
    big();
    expect(checksOf(opened)).toEqual([]);
  });
  test("a big one whose log was left by a killed process", () => {
    big();
    writeFileSync(`${file}-wal`, "");
    expect(checksOf(opened)).toEqual(["PRAGMA quick_check(1)"]);
    open.pop()!.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    writeFileSync(`${file}-journal`, "x");
    expect(checksOf(opened)).toEqual(["PRAGMA quick_check(1)"]);
  });
  test("an empty rollback journal is what a clean end leaves where that journal is used", () => {
    big();
    writeFileSync(`${file}-journal`, "");
    expect(checksOf(opened)).toEqual([]);
  });
});

describe("damage met in use", () => {
  test("is told by a sentence, and the next start moves the whole file aside", () => {
    big();
    scratch(2, 100);
    const db = opened();
    let met: unknown;
    try {
      for (let n = 0; n < 500; n++) db.get("SELECT * FROM note WHERE n = ?", n);
    } catch (error) {
      met = error;
    }
    expect(db.damageMessage(met)).toMatch(
      /^the data of the provider is damaged; .* stop the provider and start it again$/,
    );
    db.close();
    const next = opened();
    // Without the first page of a table its rows cannot be located.
    expect(next.movedAside).toEqual({
      file: `${file}.damaged-1`,
      salvaged: { rows: 0, incomplete: ["note"] },
    });
    expect(next.all("SELECT * FROM note")).toEqual([]);
    next.close();
    // The damaged file was moved aside, so the next opening finds nothing.
    expect(opened().movedAside).toBeUndefined();
    expect(aside()).toEqual(["provider.db.damaged-1"]);
  });
  test("rows before and behind the damage are copied, those in it are not", () => {
    filled();
    scratch(60, 20);
    const next = opened();
    expect(next.movedAside).toMatchObject({ salvaged: { incomplete: ["note"] } });
    const kept = next.all<{ n: number }>("SELECT n FROM note ORDER BY n").map(({ n }) => n);
    expect(kept.length).toBe(next.movedAside!.salvaged.rows);
    expect([kept[0], kept.at(-1)]).toEqual([0, 499]);
    // The twenty damaged pages hold two rows each.
    expect(kept.length).toBeGreaterThan(440);
    expect(kept.length).toBeLessThan(500);
  });
  test("other errors are not damage, and a mark on a sound file costs one look", () => {
    big();
    const db = opened();
    expect(() => db.get("SELECT nonsense")).toThrow();
    expect(db.damageMessage(new Error("another"))).toBeUndefined();
    expect(db.damageMessage(Object.assign(new Error("full"), { errcode: 13 }))).toBeUndefined();
    expect(db.damageMessage(Object.assign(new Error("malformed"), { errcode: 267 }))).toBeTypeOf("string");
    db.close();
    expect(checksOf(() => expect(opened().movedAside).toBeUndefined())).toEqual([
      "PRAGMA integrity_check(1)",
    ]);
    open.pop()!.close();
    expect(checksOf(opened)).toEqual([]);
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
    raw(`${p.url}${route}${route.includes("?") ? "&" : "?"}api_key=${p.apiKey}`, {
      method,
      headers: { Authorization: signToken({ server: true }, p.secret), "Content-Type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const world = async (p: Provider): Promise<void> => {
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

  const spoilIndex = (p: Provider): void =>
    p.transact((_emit, db) => {
      db.raw.enableDefensive(false);
      db.raw.exec("UPDATE search_index_data SET block = x'0001' WHERE id > 10");
    });

  test("a damaged search index is made anew at the start and not a message is lost", async () => {
    const one = await start();
    await world(one);
    expect(await found(one)).toEqual(["m7"]);
    spoilIndex(one);
    await one.close();
    const said: string[] = [];
    const two = await start((text) => said.push(text));
    expect(said).toEqual(["the search index was damaged and has been rebuilt; nothing is lost"]);
    expect(await found(two)).toEqual(["m7"]);
    expect(aside()).toEqual([]);
  });
  test("what can still be read of a damaged file goes on: people, channels, messages, counts and search", async () => {
    const one = await start();
    await world(one);
    for (const id of ["r1", "r2"])
      await call(one, "POST", "/channels/team/tea/message", {
        message: { id, user_id: "ann", text: "a reply", parent_id: "m39" },
      });
    await one.close();
    const at = readFileSync(file).indexOf("kettle number20 ");
    scratch(Math.floor(at / PAGE), 1);
    const said: string[] = [];
    const two = await start((text) => said.push(text));
    expect(said).toEqual([
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
    await start((text) => said.push(text));
    expect(said).toHaveLength(1);
  });
  test("damage met in use is told once to the operator and in every answer, never as a fault of ours", async () => {
    const one = await start();
    await world(one);
    spoilIndex(one);
    await one.close();
    swell();
    const said: string[] = [];
    const two = await start((text) => said.push(text));
    expect(said).toEqual([]);
    for (let n = 0; n < 2; n++) {
      const answer = await search(two);
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text)).toMatchObject({
        code: -1,
        message: expect.stringContaining("the data of the provider is damaged"),
      });
    }
    expect(said).toEqual([expect.stringContaining("stop the provider and start it again")]);
    await two.close();
    const three = await start((text) => said.push(text));
    expect(said[1]).toBe("the search index was damaged and has been rebuilt; nothing is lost");
    expect(await found(three)).toEqual(["m7"]);
  });
});
