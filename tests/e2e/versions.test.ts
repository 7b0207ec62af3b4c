/** Mixed versions: an older provider that still runs, files of a newer program, and damaged files. */
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Home, PARLEY, until } from "../support/home.ts";
import { isRunning } from "../../src/model/files/owner.ts";

const ROOT = path.resolve(path.dirname(PARLEY), "..");
let home: Home;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.end());

/** The built program under another version number, as if installed beside this one; returns its launcher. */
function otherVersion(version: string): string {
  const at = path.join(home.folder, `parley-${version}`);
  mkdirSync(at);
  for (const part of ["bin", "dist"]) cpSync(path.join(ROOT, part), path.join(at, part), { recursive: true });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(at, "node_modules"));
  const info = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as object;
  writeFileSync(path.join(at, "package.json"), JSON.stringify({ ...info, version }));
  return `'${process.execPath}' '${path.join(at, "bin/parley.js")}'`;
}
const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };

describe("a running provider of an older version", () => {
  test("is replaced while nobody is connected, keeps its data, and keeps running as it was started", async () => {
    const old = otherVersion("0.0.7");
    expect((await home.sh(`${old} local start`)).code).toBe(0);
    const before = home.provider()!.pid;
    await home.channel("ops", ["ana"]);
    await home.say("messaging:ops", "ana", { id: "before", text: "before" });
    const listed = { code: 0, out: '[{"id":"before"}]\n', err: "" };
    expect(await home.run(["message", "list", "-c", "#ops", "--json=id"])).toEqual(listed);
    await until("the older one to end", () => !isRunning(before));
    const status = JSON.parse((await home.run(["local", "status", "-o", "json"])).out) as object;
    expect(status).toMatchObject({ running: true, stay: true, version, background: true });
    // The older program accepts the newer provider.
    const after = home.provider()!.pid;
    expect(await home.sh(`${old} message list -c '#ops' --json=id`)).toEqual(listed);
    expect(home.provider()!.pid).toBe(after);
  });

  test("is used while other clients are connected, with a note about it", async () => {
    const old = otherVersion("0.0.7");
    expect((await home.sh(`${old} local start`)).code).toBe(0);
    const { pid } = home.provider()!;
    await home.channel("ops", ["ana"]);
    const tail = home.sh(`exec ${old} tail '#ops' --ndjson --exit-after 30s`);
    await until(
      "a client of the older program",
      async () => ((await home.call("POST", "/_local/status", {})).connections as number) > 0,
    );
    const ran = await home.run(["channel", "list", "--json=cid"]);
    expect(ran).toMatchObject({ code: 0, out: '[{"cid":"messaging:ops"}]\n' });
    expect(ran.err).toBe(
      `the embedded provider, process ${pid}, is still that of Parley 0.0.7, because others are using it; run parley local stop to update it\n`,
    );
    expect((await home.run(["channel", "list", "-q"])).err).toBe("");
    expect(home.provider()!.pid).toBe(pid);
    await home.run(["local", "stop"]);
    void tail;
  });
});

/** Runs a statement that changes the version recorded in a database. */
function execSql(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe("files written by a newer version", () => {
  test("a newer provider database is named, refused with code 12 and not changed", async () => {
    await home.up();
    await home.run(["local", "stop"]);
    const file = path.join(home.data, "provider.db");
    execSql(file, "UPDATE schema_part SET version = version + 5 WHERE name = 'domain'");
    const before = readFileSync(file);
    const ran = await home.run(["channel", "list", "--json"]);
    expect([ran.code, ran.out]).toEqual([12, ""]);
    expect(JSON.parse(ran.err)).toMatchObject({
      error: {
        exit: 12,
        message: expect.stringContaining(`${file} was written by a newer version of this program`),
      },
    });
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(home.data).filter((name) => name.startsWith("provider.db"))).toEqual(["provider.db"]);
  });

  test("a newer client database is named, refused with code 12 and not changed, on the screen too", async () => {
    await home.up();
    await home.channel("ops", ["ana"]);
    expect((await home.run(["send", "#ops", "hello"])).code).toBe(0);
    const file = home.stateFile("ana");
    execSql(file, "PRAGMA user_version = 77");
    const before = readFileSync(file);
    const ran = await home.run(["send", "#ops", "again"]);
    expect([ran.code, ran.out]).toEqual([12, ""]);
    expect(ran.err).toContain(`${file} was written by a newer version of this program: update it`);
    const screen = home.screen();
    await screen.waitFor("of this program: update it");
    expect(readFileSync(file)).toEqual(before);
  });
});

describe("damaged files", () => {
  /** Overwrites the database page that contains the text. */
  function damagePage(file: string, text: string): void {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.indexOf(text) / 4096) * 4096;
    writeFileSync(file, bytes.fill(0x5a, at, at + 4096));
  }

  test("a damaged provider database is moved to a name that is printed, and its readable rows are kept", async () => {
    await home.up();
    await home.channel("ops", ["ana"]);
    for (let n = 0; n < 30; n++)
      await home.say("messaging:ops", "ana", { id: `m${n}`, text: `kettle${n} ${"x".repeat(900)}` });
    await home.run(["local", "stop"]);
    damagePage(path.join(home.data, "provider.db"), "kettle15 ");
    const ran = await home.run(["message", "list", "-c", "#ops", "--limit", "100", "--json=id"]);
    expect(ran.code).toBe(0);
    const ids = (JSON.parse(ran.out) as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["m0", "m29"]));
    expect(ids).not.toContain("m15");
    expect(ran.err).toContain(`the damaged file is now ${path.join(home.data, "provider.db.damaged-1")}`);
    expect((await home.run(["local", "logs"])).out).toContain("provider.db.damaged-1");
    expect((await home.run(["channel", "list", "-q"])).err).toBe("");
  });

  test("a damaged client database is moved to a name that is printed, and its unsent messages are sent", async () => {
    await home.up();
    await home.channel("ops", ["ana"]);
    process.kill(home.provider()!.pid, "SIGSTOP");
    for (const id of ["kept-1", "kept-2"])
      await home.run([
        "send",
        "#ops",
        "--queue",
        "--id",
        id,
        "--max-wait",
        "300ms",
        "--timeout",
        "100ms",
        "kept",
      ]);
    await home.run(["local", "stop", "--force", "--timeout", "300ms"]);
    const file = home.stateFile("ana");
    execSql(file, "CREATE TABLE other (x); INSERT INTO other VALUES ('torn page here')");
    damagePage(file, "torn page here");
    const ran = await home.run(["send", "#ops", "--id", "now-1", "now"]);
    expect(ran).toMatchObject({ code: 0, out: "now-1\n" });
    expect(ran.err).toMatch(
      /state\.db was damaged and moved to \S+state\.db\.damaged-\d+; recovered 2 unsent messages and 0 drafts/,
    );
    const screen = home.screen();
    const ids = async (): Promise<unknown[]> => (await home.messages("messaging:ops")).map(({ id }) => id);
    await until("what was kept to arrive", async () => (await ids()).length === 3);
    await screen.close();
    expect((await ids()).toSorted()).toEqual(["kept-1", "kept-2", "now-1"]);
  });
});
