/**
 * Folders of the version before, which were named after profiles, are opened without loss. `before/5289a202.tar.gz` has those of
 * that commit's built program: `local`, `w1` and `w2` lead to one embedded provider, `h1` and `h2` to one hosted app, `h3` to the
 * same key elsewhere. Killed screens left a draft in each of the first three, and a message waits in each of the last five.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appAt, findAppFolder, readAppFolders, storeFiles } from "../../src/config/app-folders.ts";
import { openStateDb } from "../../src/core/store/state-db.ts";
import { apiKeyOf } from "../../src/model/files/local-key.ts";
import { adoptOldFolders } from "../../src/open/adopt-folders.ts";
import { Home, type Json } from "../support/home.ts";

let home: Home;
beforeEach(() => {
  home = new Home();
  const archive = path.join(import.meta.dirname, "before/5289a202.tar.gz");
  execFileSync("tar", ["xzf", archive, "-C", home.folder]);
});
afterEach(() => home.end());

const at = (...parts: string[]): string => path.join(home.folder, "state/parley", ...parts);
const keyOfLocal = (): string => apiKeyOf(readFileSync(path.join(home.data, "secret"), "utf8").trim());

/** What a profile's user has waiting and typed, read without a provider. */
function stored(profile: string, app = { key: keyOfLocal() }) {
  const { places } = findAppFolder(home.env, app, profile);
  const db = openStateDb(storeFiles(places, "ana").state, () => 0);
  const rows = db.outbox().map(({ messageId }) => messageId);
  const drafts = [...db.drafts(), ...db.replacedDrafts()].map(({ text }) => text);
  db.close();
  return { rows: rows.toSorted(), draft: drafts[0], drafts: drafts.toSorted() };
}

const JOINED = {
  rows: ["queued-w1", "queued-w2"],
  draft: "draft of w2",
  drafts: ["draft of local", "draft of w1", "draft of w2"],
};

async function lines(...words: string[]): Promise<string[]> {
  const { code, out, err } = await home.run(words);
  expect([words.join(" "), code, err]).toEqual([words.join(" "), 0, ""]);
  return out.split("\n").filter(Boolean).toSorted();
}

test("what waits is listed by every profile of its app, and by no other, and is sent once", async () => {
  for (const profile of ["h1", "h2"])
    expect(await lines("-p", profile, "outbox", "list", "--jq", ".id")).toEqual(["queued-h1", "queued-h2"]);
  expect(await lines("-p", "h3", "outbox", "list", "--jq", ".id")).toEqual(["queued-h3"]);
  for (const profile of ["w1", "local", "w2"])
    expect(await lines("-p", profile, "outbox", "list", "--jq", ".id")).toEqual(["queued-w1", "queued-w2"]);
  const texts = async (): Promise<unknown[]> =>
    (await home.messages("messaging:tea")).map(({ text }) => text);
  await home.up();
  expect(await texts()).toEqual(["the kettle is on"]);
  for (const _ of [1, 2]) await home.run(["outbox", "retry"]);
  expect(await texts()).toEqual(["the kettle is on", "waits in w1", "waits in w2"]);
});

test("drafts, pins, settings, and the journals and opt-outs of campaigns are those of the app", async () => {
  await adoptOldFolders(home.env);
  expect(stored("local")).toEqual(JOINED);
  expect(await lines("config", "get", "theme", "--jq", ".value")).toEqual(["dark"]);
  expect(await lines("channel", "list", "--filter", '{"pinned":true}', "--jq", ".cid")).toEqual([
    "messaging:tea",
  ]);
  expect(await lines("message", "list", "-c", "#tea", "--pinned", "--jq", ".id")).toEqual(["tea-1"]);
  expect(await lines("campaign", "optout", "list", "--jq", ".id")).toEqual(["cy", "w1-bo", "w2-bo"]);
  for (const [campaign, people] of [
    ["spring", 1],
    ["autumn", 2],
  ] as const)
    expect(await lines("campaign", "report", campaign, "--jq", "[.audience, .sent]")).toEqual([
      `[${people},${people}]`,
    ]);
});

test("several programs that start at once adopt the folders once", async () => {
  const profiles = ["w1", "w2", "local", "w1", "w2", "local"];
  const found = await Promise.all(profiles.map((name) => lines("-p", name, "outbox", "list", "--jq", ".id")));
  for (const ids of found) expect(ids).toEqual(JOINED.rows);
  expect(stored("w2")).toEqual(JOINED);
  expect(readdirSync(at()).toSorted()).toEqual(expect.arrayContaining(["h1", "h3", "local"]));
  expect(globSync("{w1,w2,h2}", { cwd: at() })).toEqual([]);
  const caches = globSync("**/cache.db", { cwd: path.join(home.folder, "cache/parley") });
  expect(caches.toSorted()).toEqual([
    "k3y@a.example/ana/cache.db",
    "k3y@b.example/ana/cache.db",
    `${keyOfLocal()}@local/ana/cache.db`,
  ]);
});

test("a folder that another program has open stays in use, and is joined once that has ended", async () => {
  const other = new DatabaseSync(at("w2/ana/state.db"));
  other.exec("SELECT * FROM outbox");
  await adoptOldFolders(home.env);
  expect([stored("local").rows, stored("w2").rows]).toEqual([["queued-w1"], ["queued-w2"]]);
  other.exec("UPDATE outbox SET message_id = 'changed'");
  other.close();
  await adoptOldFolders(home.env);
  expect(stored("w2").rows).toEqual(["changed", "queued-w1"]);
});

test("a message dropped after a join that was killed does not come back when the join is finished", async () => {
  const source = at("w1/ana/state.db");
  const db = new DatabaseSync(source);
  db.exec("INSERT INTO kv (key, value) VALUES ('move', 'this-move'); PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const copy = readFileSync(source);
  await adoptOldFolders(home.env);
  const joined = openStateDb(at("local/ana/state.db"), () => 0);
  for (const { seq } of joined.outbox()) joined.remove(seq);
  joined.close();
  // The state after a kill between the two steps: the rows are there, and the file they came from, too.
  mkdirSync(at("w1/ana"), { recursive: true });
  writeFileSync(source, copy);
  await adoptOldFolders(home.env);
  expect(stored("w1").rows).toEqual([]);
  expect(existsSync(source)).toBe(false);
});

test("a folder that an older program makes beside this one is joined at the next start", async () => {
  await adoptOldFolders(home.env);
  mkdirSync(at("w1/ana"), { recursive: true });
  const older = openStateDb(at("w1/ana/state.db"), () => 0);
  older.saveDraft({ cid: "messaging:tea", parentId: "tea-1", text: "typed in the older one", updatedAt: 1 });
  older.close();
  await adoptOldFolders(home.env);
  expect(stored("local").drafts).toEqual([...JOINED.drafts, "typed in the older one"]);
});

test("what was kept for an erased embedded provider, or for a profile that is gone, stays on disk and is nobody's", async () => {
  rmSync(home.data, { recursive: true });
  const file = path.join(home.folder, "config/parley/config.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as { profiles: Json };
  delete config.profiles.h3;
  writeFileSync(file, JSON.stringify(config));
  expect((await home.run(["local", "start"])).code).toBe(0);
  expect(await lines("outbox", "list", "--jq", ".id")).toEqual([]);
  expect(stored("local").drafts).toEqual([]);
  expect(
    (
      await home.run([
        "login",
        "h3",
        "--url",
        "https://c.example",
        "--key",
        "new",
        "--user",
        "ana",
        "--command",
        "echo x",
        "--no-test",
      ])
    ).code,
  ).toBe(0);
  expect(await lines("-p", "h3", "outbox", "list", "--jq", ".id")).toEqual([]);
  expect(globSync("{h3,local}/ana/state.db", { cwd: at() }).toSorted()).toEqual([
    "h3/ana/state.db",
    "local/ana/state.db",
  ]);
});

test("the first command after the update may be the one that gives a profile another address or erases the provider", async () => {
  const key = keyOfLocal();
  const login = [
    "login",
    "h3",
    "--url",
    "https://c.example",
    "--key",
    "new",
    "--user",
    "ana",
    "--command",
    "echo x",
    "--no-test",
  ];
  expect((await home.run(login)).err).toContain("kept on this machine: 1 unsent message for k3y@b.example");
  expect(await lines("-p", "h3", "outbox", "list", "--jq", ".id")).toEqual([]);
  expect(stored("h3", appAt("k3y", "https://b.example")).rows).toEqual(["queued-h3"]);
  expect((await home.run(["local", "reset"])).err).toContain("2 unsent messages among them");
  expect((await home.run(["local", "reset", "--confirm", "reset"])).code).toBe(0);
  expect(readAppFolders(home.env).folders.map((folder) => folder.key)).not.toContain(key);
  expect(stored("local")).toEqual({ rows: [], draft: undefined, drafts: [] });
});

test("folders that cannot be adopted are used as they are", async () => {
  // Nothing can take this lock.
  mkdirSync(at(".adopt.lock"));
  expect(await lines("-p", "h1", "outbox", "list", "--jq", ".id")).toEqual(["queued-h1"]);
  expect(await lines("-p", "w2", "outbox", "list", "--jq", ".id")).toEqual(["queued-w2"]);
  rmSync(at(".adopt.lock"), { recursive: true });
  expect(await lines("-p", "h1", "outbox", "list", "--jq", ".id")).toEqual(["queued-h1", "queued-h2"]);
});
