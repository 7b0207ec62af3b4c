/** Snapshots of a data folder: the same rows with the same row numbers, taken during writes, restored completely. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DATA_FILES } from "../../../src/provider/lifecycle/identity.ts";
import { listSnapshots, loadSnapshot, saveSnapshot } from "../../../src/provider/lifecycle/snapshots.ts";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { signToken } from "../../../src/wire/token.ts";
import { httpRequest } from "../tiny.ts";
import { removeFolder } from "../../support/remove-folder.ts";

let folder: string;
let running: Provider | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-snapshots-"));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  removeFolder(folder);
});

async function start(): Promise<Provider> {
  running = createProvider({ data: folder, stay: true });
  await running.listen();
  return running;
}
async function call<R = Record<string, unknown>>(method: string, route: string, body?: object): Promise<R> {
  const { url, apiKey, secret } = running!;
  const answer = await httpRequest(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
    method,
    headers: { Authorization: signToken({ server: true }, secret), "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as R;
}
const send = (channel: string, id: string, text: string) =>
  call("POST", `/channels/team/${channel}/message`, { message: { id, text, user_id: "ann" } });
async function search(query: string, filter: object = { members: { $in: ["ann"] } }): Promise<string[]> {
  const payload = {
    filter_conditions: filter,
    query,
    user_id: "ann",
    sort: [{ field: "created_at", direction: 1 }],
  };
  const { results } = await call<{ results: { message: { id: string } }[] }>(
    "GET",
    `/search?payload=${encodeURIComponent(JSON.stringify(payload))}`,
  );
  return results.map(({ message }) => message.id).toSorted();
}
const save = (name: string) => call<{ snapshot: { size: number } }>("POST", "/_local/snapshot", { name });
const rowNumbers = (file: string): unknown[] => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return ["channels", "message_rows"].flatMap((table) =>
      db
        .prepare(`SELECT rowid, ${table === "channels" ? "cid" : "id"} AS id FROM ${table} ORDER BY rowid`)
        .all(),
    );
  } finally {
    db.close();
  }
};

test("search finds the right messages after a snapshot is saved and loaded, with deletions before, between and after", async () => {
  await start();
  await call("POST", "/users", { users: { ann: { id: "ann" } } });
  for (const id of ["gone", "tea", "milk", "late"])
    await call("POST", `/channels/team/${id}/query`, { data: { created_by_id: "ann", members: ["ann"] } });
  // Gaps at the start, in the middle and at the end of the row numbers: a copy row by row would close them.
  for (let n = 0; n < 60; n++) await send(["gone", "tea", "milk"][n % 3]!, `m${n}`, `kettle word${100 + n}`);
  await call("DELETE", "/channels/team/gone?hard_delete=true");
  for (const n of [1, 20, 31, 58]) await call("DELETE", `/messages/m${n}?hard=true`);
  await call("DELETE", "/messages/m4");
  await save("one");
  const saved = path.join(folder, "snapshots/one/provider.db");
  expect(readdirSync(path.dirname(saved)).filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([]);
  expect(rowNumbers(saved)).toEqual(rowNumbers(path.join(folder, "provider.db")));
  expect(statSync(saved).mode & 0o777).toBe(0o600);

  // These changes come after the snapshot, so loading it must undo them.
  await send("late", "after", "kettle word107");
  await call("POST", "/messages/m7", { message: { text: "no such thing", user_id: "ann" } });
  await call("DELETE", "/messages/m10?hard=true");
  await call("DELETE", "/channels/team/milk?hard_delete=true");
  await running!.close();
  expect(await loadSnapshot(folder, "one")).toBe(true);
  await start();

  const remaining = Array.from({ length: 60 }, (_, n) => n).filter(
    (n) => n % 3 > 0 && ![1, 4, 20, 31, 58].includes(n),
  );
  for (const n of remaining) expect(await search(`word${100 + n}`)).toEqual([`m${n}`]);
  for (const n of [0, 1, 3, 4, 20, 31, 57, 58]) expect(await search(`word${100 + n}`)).toEqual([]);
  expect(await search("kettle", { cid: "team:tea" })).toEqual(
    remaining
      .filter((n) => n % 3 === 1)
      .map((n) => `m${n}`)
      .toSorted(),
  );
  // Writing continues: a deleted and an edited message leave the index, a new one enters it.
  await call("DELETE", "/messages/m7?hard=true");
  await call("POST", "/messages/m8", { message: { text: "pot", user_id: "ann" } });
  await send("tea", "new", "kettle word107");
  expect(await search("word107")).toEqual(["new"]);
  expect(await search("word108")).toEqual([]);
  expect(await search("pot")).toEqual(["m8"]);
});

test("a snapshot taken during writes is consistent and contains every message answered before it", async () => {
  await start();
  await call("POST", "/users", { users: { ann: { id: "ann" } } });
  await call("POST", "/channels/team/tea/query", { data: { created_by_id: "ann", members: ["ann"] } });
  // The copy is large enough that messages are sent while it runs.
  running!.transact((_emit, db) => db.raw.exec("CREATE TABLE ballast AS SELECT zeroblob(9000000) AS b"));
  let active = true;
  let n = 0;
  const sending = (async () => {
    for (;;) {
      if (!active) return;
      await send("tea", `m${n}`, `word${100 + n++}`);
    }
  })();
  for (;;) {
    if (n >= 5) break;
    await new Promise((go) => setTimeout(go, 1));
  }
  const before = n - 1;
  await Promise.all([save("one"), save("one"), save("two")]);
  for (let k = 0; k < 10; k++) await save("two");
  active = false;
  await sending;
  await running!.close();
  expect(
    listSnapshots(folder)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(["one", "two"]);
  for (const name of ["one", "two"]) {
    const db = new DatabaseSync(path.join(folder, "snapshots", name, "provider.db"), { readOnly: true });
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    const ids = db
      .prepare("SELECT id FROM messages ORDER BY created_at")
      .all()
      .map((row) => row.id);
    expect(ids.length).toBeGreaterThanOrEqual(before);
    expect(ids).toEqual(ids.map((_, at) => `m${at}`));
    db.close();
  }
});

test("a provider closed while a snapshot is saved closes after it is complete", async () => {
  await start();
  running!.transact((_emit, db) => db.raw.exec("CREATE TABLE ballast AS SELECT zeroblob(9000000) AS b"));
  const saving = save("one").catch(() => undefined);
  while (!existsSync(path.join(folder, "snapshots"))) await new Promise((go) => setTimeout(go, 1));
  await running!.close();
  await saving;
  expect(listSnapshots(folder)).toHaveLength(1);
  for (const { name } of listSnapshots(folder)) {
    const db = new DatabaseSync(path.join(folder, "snapshots", name, "provider.db"), { readOnly: true });
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
  }
  expect(readdirSync(path.join(folder, "snapshots")).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("loading waits for a provider that is closing, is refused while one runs, and restores uploads and clock", async () => {
  const provider = await start();
  provider.advance(60_000);
  await save("one");
  provider.advance(60_000);
  const ending = provider.close();
  expect(await loadSnapshot(folder, "one")).toBe(true);
  await ending;
  const moved = Number(readFileSync(path.join(folder, "clock"), "utf8"));
  expect([moved > 59_000, moved < 61_000]).toEqual([true, true]);
  writeFileSync(path.join(folder, "provider.db-damaged"), "");
  expect(await loadSnapshot(folder, "one")).toBe(true);
  // The damage mark belonged to the file that was replaced.
  expect(existsSync(path.join(folder, "provider.db-damaged"))).toBe(false);
  expect(await loadSnapshot(folder, "none")).toBe(false);
  expect(await loadSnapshot(folder, "../one")).toBe(false);
  await start();
  await expect(loadSnapshot(folder, "one", 100)).rejects.toThrow(
    "a provider is running in this folder; stop it first",
  );
});

test("loading a snapshot removes uploads and a clock offset that the snapshot does not have", async () => {
  await saveSnapshot(folder, "bare", async (file) => writeFileSync(file, "rows"));
  mkdirSync(path.join(folder, DATA_FILES.uploads));
  writeFileSync(path.join(folder, DATA_FILES.uploads, "later"), "x");
  writeFileSync(path.join(folder, DATA_FILES.clock), "60000");
  expect(await loadSnapshot(folder, "bare")).toBe(true);
  expect(readFileSync(path.join(folder, "provider.db"), "utf8")).toBe("rows");
  expect(
    [DATA_FILES.uploads, DATA_FILES.clock].filter((name) => existsSync(path.join(folder, name))),
  ).toEqual([]);
});
