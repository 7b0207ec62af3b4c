/** Archives when something fails: a refused request leaves a gap that the next run fills, erased messages stay archived, one run at a time writes. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runsOf } from "../../src/jobs/archive/meta.ts";
import { readArchive, writeArchive } from "../../src/jobs/archive/open.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const folder = (): string => path.join(home.folder, "work/kept");
const ok = async (line: string): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
};

beforeEach(async () => {
  home = makeHome({ here: true });
  await ok("parley channel create messaging:ops --name Ops > /dev/null");
  await ok("seq 5 | parley send messaging:ops --lines - > /dev/null");
});
afterEach(() => home.end());

const firstId = async (): Promise<string> =>
  (await ok("parley message list -c messaging:ops --jq .id")).split("\n")[0]!;

test("a thread that cannot be read is recorded as a gap with exit code 9, and the next update fills it", async () => {
  const id = await firstId();
  await ok(`parley thread reply ${id} an answer > /dev/null`);
  await ok("parley local fault add 'GET /messages/*/replies' --status 500 --times 100 > /dev/null");
  const broken = await home.sh("parley archive create kept --retries 0 --json=messages,replies,gaps");
  expect(broken).toMatchObject({ out: '{"messages":5,"replies":0,"gaps":1}\n', code: 9 });
  expect(broken.err).toContain(`messaging:ops thread:${id}`);
  expect(await ok("parley archive stats kept --of missing --json=part")).toBe(`[{"part":"thread:${id}"}]\n`);
  await ok("parley local fault clear > /dev/null");
  // The gap is filled even if it is older than the update's look-back.
  expect(await ok("parley archive update kept --look-back 1ms --json=messages,replies,gaps")).toBe(
    '{"messages":5,"replies":1,"gaps":0}\n',
  );
});

test("archive show lists the same messages as message list, with replies also shown in the channel", async () => {
  const id = await firstId();
  await ok(`parley send messaging:ops hidden --thread ${id} > /dev/null`);
  await ok(`parley send messaging:ops shown --thread ${id} --also-in-channel > /dev/null`);
  await ok("parley archive create kept > /dev/null");
  const listed = await ok("parley message list -c messaging:ops --all --jq .text");
  expect(listed).toContain("shown\n");
  expect(await ok("parley archive show kept messaging:ops --all --jq .text")).toBe(listed);
});

test("losing the provider in the middle exits with 10, and the same command continues", async () => {
  await ok("parley channel create messaging:two --name Two > /dev/null");
  await ok("parley send messaging:two hello > /dev/null");
  await ok(
    "parley local fault add 'POST /channels/messaging/two/query' --drop request --times 100 > /dev/null",
  );
  const lost = await home.sh("parley archive create kept --retries 0");
  expect(lost.code).toBe(10);
  const { db, close } = readArchive(folder());
  expect(db.prepare("SELECT count(*) n FROM runs WHERE ended_at IS NULL").get()?.n).toBe(1);
  close();
  await ok("parley local fault clear > /dev/null");
  expect(await ok("parley archive create kept --json=channels,messages,resumed")).toBe(
    '{"channels":2,"messages":6,"resumed":true}\n',
  );
  await ok("parley archive verify kept > /dev/null");
});

test("an update after an interrupted run also takes what was written since", async () => {
  await ok("parley channel create messaging:two > /dev/null");
  await ok("parley send messaging:two hello > /dev/null");
  await ok("parley local fault add 'POST /channels/messaging/two/query' --drop request > /dev/null");
  expect((await home.sh("parley archive create kept --retries 0")).code).toBe(10);
  await ok("parley local fault clear > /dev/null");
  await ok("parley send messaging:ops late > /dev/null");
  expect(await ok("parley archive update kept --json=run,messages,resumed")).toBe(
    '{"run":"update","messages":7,"resumed":true}\n',
  );
  await ok("parley archive verify kept > /dev/null");
});

test("an archive whose first run was killed before it began is not updated but created again", async () => {
  writeArchive(folder(), { create: true }).close();
  const { code, err } = await home.sh("parley archive update kept");
  expect([code, err]).toEqual([
    3,
    "error: The archive in kept is empty\nhint: parley archive create kept fills it.\n",
  ]);
  await ok("parley archive create kept > /dev/null; parley archive update kept > /dev/null");
});

const lastOptions = (name: string): unknown => {
  const { db, close } = readArchive(path.join(home.folder, "work", name));
  const options = runsOf(db).at(-1)?.options;
  close();
  return options;
};

test("an update of a merged archive reads the channels and files that its parts did", async () => {
  await ok("parley channel create messaging:two > /dev/null");
  await ok("parley archive create kept messaging:ops --attachments download > /dev/null");
  await ok("parley archive merge both kept > /dev/null");
  expect(await ok("parley archive update both --json=channels")).toBe('{"channels":1}\n');
  expect(lastOptions("both")).toMatchObject({ channels: ["messaging:ops"], attachments: "download" });
  await ok("parley archive create all > /dev/null; parley archive merge both all > /dev/null");
  expect(await ok("parley archive update both --json=channels")).toBe('{"channels":2}\n');
});

test("messages erased at the provider stay in the archive, marked as gone", async () => {
  await ok("parley archive create kept > /dev/null");
  await ok("parley channel truncate messaging:ops --confirm messaging:ops > /dev/null");
  await ok("parley send messaging:ops fresh > /dev/null");
  expect(await ok("parley archive update kept --json=messages")).toBe('{"messages":6}\n');
  const { db, close } = readArchive(folder());
  const gone = db.prepare("SELECT text FROM messages WHERE gone_at IS NOT NULL ORDER BY at").all();
  close();
  expect(gone.map(({ text }) => text)).toEqual(["1", "2", "3", "4", "5"]);
});

test("an update takes over edits within its look-back and no older ones", async () => {
  await ok("parley archive create kept > /dev/null");
  await ok(`parley message edit ${await firstId()} changed > /dev/null`);
  await ok("parley archive update kept --look-back 1ms > /dev/null");
  expect(await ok("parley archive show kept messaging:ops --limit 1 --jq .text 2> /dev/null")).toBe("1\n");
  await ok("parley archive update kept --look-back 1d > /dev/null");
  expect(await ok("parley archive show kept messaging:ops --limit 1 --jq .text 2> /dev/null")).toBe(
    "changed\n",
  );
});

test("a second run on the same archive is refused with 6", async () => {
  await ok("parley archive create kept > /dev/null");
  const other = writeArchive(folder(), { create: false });
  try {
    const { code, err } = await home.sh("parley archive update kept");
    expect([code, err]).toEqual([
      6,
      "error: Another run is writing to kept\nhint: Wait until it has ended, then run this again.\n",
    ]);
    await ok("parley archive show kept messaging:ops > /dev/null");
  } finally {
    other.close();
  }
});

test("files with equal content are stored once, and verify detects changed, missing and unknown ones", async () => {
  const work = path.join(home.folder, "work");
  await ok("printf 'the same bytes' > a.txt; cp a.txt b.txt");
  await ok("parley upload a.txt b.txt -c messaging:ops --message > /dev/null");
  await ok("parley archive create kept --attachments download --json=files,gaps > counted");
  expect(readFileSync(path.join(work, "counted"), "utf8")).toBe('{"files":1,"gaps":0}\n');
  await ok("parley archive verify kept > /dev/null");
  // What an interrupted download leaves is overwritten by the next one.
  await ok("echo half > kept/files/fetching.part; parley archive verify kept > /dev/null");
  for (const [change, fault] of [
    ["echo more > kept/files/stray", "files/stray belongs to no message"],
    ["rm kept/files/stray; printf other > kept/files/$(ls kept/files | grep -v part)", "has changed"],
    ["rm kept/files/*", "is missing"],
  ] as const) {
    await ok(change);
    const { code, out } = await home.sh(
      "parley archive verify kept --jq 'select(.check == \"files\").reason'",
    );
    expect([code, out]).toEqual([7, expect.stringContaining(fault)]);
    expect(out.trim().split("\n")).toHaveLength(1);
  }
});

test("an update reads a reply of today to a message far older than its look-back", async () => {
  const at = (day: number): string => `2026-0${day}-01T10:00:00Z`;
  for (const [n, text] of ["old", "older", "oldest"].entries())
    await ok(`echo '{"channel":"past","user":"mira","text":"${text}","at":"${at(8 - n)}"}' >> past.ndjson`);
  await ok("parley local import past.ndjson > /dev/null; parley archive create kept > /dev/null");
  const [, older] = (await ok("parley message list -c messaging:past --jq .id")).split("\n");
  await ok(`parley thread reply ${older} 'of today' > /dev/null`);
  expect(await ok("parley archive update kept --look-back 1d --json=replies")).toBe('{"replies":1}\n');
  // The other old message was not read again, and the archive says so.
  expect(
    await ok("parley archive verify kept --jq 'select(.check == \"changes\") | [.result, .reason]'"),
  ).toMatch(
    /^\["older","1 message up to 2026-06-01T10:00:00\.000000000Z was last read before the last run, of .*"\]\n$/,
  );
});

test("verify names the messages that the last run did not read, but not those that are gone", async () => {
  await ok("parley archive create kept > /dev/null");
  const changes = "parley archive verify kept --jq 'select(.check == \"changes\") | [.result, .reason]'";
  expect(await ok(changes)).toBe('["good",null]\n');
  const { db, close } = writeArchive(folder(), { create: false });
  const [goes, stays] = db.prepare("SELECT id FROM messages ORDER BY at").all() as { id: string }[];
  for (const { id } of [goes!, stays!]) db.prepare("UPDATE messages SET run = 0 WHERE id = ?").run(id);
  db.prepare("UPDATE messages SET gone_at = ? WHERE id = ?").run("2026-11-22T12:00:00.000Z", goes!.id);
  close();
  // The file is another than the manifest says, which is a fault of its own.
  expect((await home.sh(changes)).out).toMatch(/^\["older","1 message up to /);
});

test("damaged rows are left out and named, and verify finds them", async () => {
  await ok("parley archive create kept > /dev/null");
  const { db, close } = writeArchive(folder(), { create: false });
  const ids = db.prepare("SELECT id FROM messages ORDER BY at").all() as { id: string }[];
  for (const [n, raw] of ["{x", "{}", "null"].entries())
    db.prepare("UPDATE messages SET raw = ? WHERE id = ?").run(raw, ids[n]!.id);
  close();
  const words = `3 rows of kept cannot be read and are left out: ${ids
    .slice(0, 3)
    .map(({ id }) => `messages ${id}`)
    .join(", ")}`;
  const shown = await home.sh("parley archive show kept messaging:ops --jq .text");
  expect(shown).toEqual({
    out: "4\n5\n",
    err: `error: ${words}\nhint: parley archive verify kept\n`,
    code: 9,
  });
  const thread = await home.sh(`parley archive show kept messaging:ops --thread ${ids[0]!.id}`);
  expect([thread.code, thread.err]).toEqual([9, expect.stringContaining("cannot be read")]);
  const exported = await home.sh("parley export --from kept --format txt");
  expect([exported.code, exported.err]).toEqual([
    9,
    expect.stringContaining(`messages ${ids[0]!.id} (damaged)`),
  ]);
  expect(exported.out).toContain("<mira> 5");
  const { code, out } = await home.sh("parley archive verify kept --jq .reason");
  expect([code, out]).toEqual([7, expect.stringContaining(`messages ${ids[0]!.id} is damaged`)]);
});

test("what the provider no longer has is marked in show, search and every form of an export", async () => {
  await ok("parley send messaging:ops 'a kettle' > /dev/null; parley archive create kept > /dev/null");
  await ok(
    "parley channel truncate messaging:ops --confirm messaging:ops > /dev/null; parley archive update kept > /dev/null",
  );
  expect(await ok("parley archive show kept messaging:ops --limit 1 2> /dev/null")).toContain("(gone) 1");
  expect(await ok("parley archive search kept kettle")).toContain("(gone) a kettle");
  expect(await ok("parley archive search kept kettle --jq .gone_at")).toMatch(/^2\d{3}-.*Z\n$/);
  for (const form of ["txt", "md", "html"])
    expect(await ok(`parley export --from kept --format ${form}`)).toContain(
      "gone at the provider, noticed 2",
    );
  for (const form of ["ndjson", "json"])
    expect(await ok(`parley export --from kept --format ${form}`)).toContain('"gone_at":"2');
  expect(await ok("parley export --from kept --format csv")).toMatch(/a kettle,.*,2\d{3}-[^,]*Z,*\n/);
  expect(await ok("parley export --from kept --format import")).toMatch(
    /"type":"deleted","text":"a kettle".*"deleted_at":"2/,
  );
  await ok("parley export --from kept --format sqlite --out gone.sqlite > /dev/null");
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path.join(home.folder, "work/gone.sqlite"));
  expect(db.prepare("SELECT count(*) n FROM messages WHERE gone_at IS NULL").get()).toEqual({ n: 0 });
  db.close();
});

test("an archive is not put into the folder of an export, nor an export into that of an archive", async () => {
  await ok("parley archive create kept > /dev/null; parley -q export --out sent/ messaging:ops > /dev/null");
  const manifests = (): string[] =>
    ["kept", "sent"].map((name) =>
      readFileSync(path.join(home.folder, "work", name, "manifest.json"), "utf8"),
    );
  const before = manifests();
  for (const line of [
    "archive create sent",
    "archive create sent --dry-run",
    "archive merge sent kept",
    "archive merge sent kept --dry-run",
    "export messaging:ops --archive sent --out all.ndjson",
    "export messaging:ops --out kept",
    "export messaging:ops --out kept --dry-run",
    "export messaging:ops --out kept/all.ndjson --attachments download",
    "export messaging:ops --out 'kept/{id}.{ext}' --force",
    "export --from kept --out kept/ --format slack --force",
    "export messaging:ops --archive new --out new/",
  ]) {
    const { code, out, err } = await home.sh(`parley ${line}`);
    expect([line, code, out]).toEqual([line, 6, ""]);
    expect(err).toMatch(/a folder of its own|Give --out another folder/);
  }
  expect(manifests()).toEqual(before);
  await ok("parley archive verify kept > /dev/null; parley -q export messaging:ops --out kept/all.ndjson");
});
