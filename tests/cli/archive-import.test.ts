/** Exports of other services become archives: with their files and all of their people, begun anew after a kill, and never over another archive. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runsOf } from "../../src/jobs/archive/meta.ts";
import { readArchive, writeArchive } from "../../src/jobs/archive/open.ts";
import { makeHome, type Home } from "../support/transcript.ts";
import { json, zipOf } from "../support/zip.ts";

let home: Home;
const work = (name: string): string => path.join(home.folder, "work", name);
const ok = async (line: string): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
};

const PICTURE = Buffer.from("89504e470d0a1a0a626c7565", "hex");

/** Ana and Bo wrote; Cy is in no channel. */
const EXPORT = zipOf([
  json("users.json", [
    { id: "U1", name: "ana", profile: { real_name: "Ana" } },
    { id: "U2", name: "bo", profile: { real_name: "Bo" } },
    { id: "U3", name: "cy", profile: { real_name: "Cy" } },
  ]),
  json("channels.json", [{ id: "C1", name: "general", created: 1_500_000_000, members: ["U1", "U2"] }]),
  json("general/2020-09-13.json", [
    {
      type: "message",
      user: "U1",
      ts: "1600000000.000100",
      text: "the cup",
      files: [
        { id: "F1", name: "cup.png", mimetype: "image/png", url_private: "https://files.example.org/F1" },
      ],
    },
    { type: "message", user: "U2", ts: "1600000060.000100", text: "blue", thread_ts: "1600000000.000100" },
  ]),
  { name: "__uploads/F1/cup.png", content: PICTURE },
]);

beforeEach(() => {
  home = makeHome({ here: true });
  writeFileSync(work("slack.zip"), EXPORT);
});
afterEach(() => home.end());

const COUNTS = '{"channels":1,"users":3,"messages":1,"replies":1,"files":1,"gaps":0}\n';
const imported = (folder: string): string =>
  `parley archive import ${folder} slack.zip --json=channels,users,messages,replies,files,gaps`;

test("an archive has the files of the export and everybody in it, and nobody else", async () => {
  expect(await ok(imported("kept"))).toBe(COUNTS);
  const hash = createHash("sha256").update(PICTURE).digest("hex");
  expect(readdirSync(work("kept/files"))).toEqual([hash]);
  expect(readFileSync(work(`kept/files/${hash}`))).toEqual(PICTURE);
  const { db, close } = readArchive(work("kept"));
  expect(
    db
      .prepare("SELECT id FROM users ORDER BY id")
      .all()
      .map(({ id }) => id),
  ).toEqual(["U1", "U2", "U3"]);
  close();
  expect(await ok("parley archive verify kept | cut -f2 | sort -u")).toBe("good\n");
});

test("neither the import nor its dry run leaves anything but the archive", async () => {
  await ok("mkdir temporary");
  const dry = await ok("TMPDIR=$PWD/temporary parley archive import kept slack.zip -n --json=messages,users");
  expect([dry, readdirSync(work(".")).toSorted()]).toEqual([
    '{"messages":2,"users":3}\n',
    ["slack.zip", "temporary"],
  ]);
  await ok(`TMPDIR=$PWD/temporary ${imported("kept")}`);
  expect([readdirSync(work(".")).toSorted(), readdirSync(work("temporary"))]).toEqual([
    ["kept", "slack.zip", "temporary"],
    [],
  ]);
});

test("the embedded provider of the profile gets nothing of an import", async () => {
  await ok(imported("kept"));
  expect(await ok("parley channel list --jq .name | grep -c general || true")).toBe("0\n");
});

test("an import that was killed is begun anew by the same line", async () => {
  await ok(imported("kept"));
  // As after a kill in the middle: the run has no end, and the manifest, which comes last, is missing.
  const { db, close } = writeArchive(work("kept"), { create: false });
  db.exec("UPDATE runs SET ended_at = NULL; DELETE FROM messages WHERE parent_id IS NULL");
  close();
  rmSync(work("kept/manifest.json"));
  expect(await ok(imported("kept"))).toBe(COUNTS);
  expect(await ok("parley archive verify kept | cut -f2 | sort -u")).toBe("good\n");
});

test("an archive of a provider is left alone, also one that was interrupted", async () => {
  await ok("parley channel create messaging:ops > /dev/null; parley send messaging:ops tea > /dev/null");
  await ok("parley archive create kept messaging:ops > /dev/null; rm kept/manifest.json");
  const { err, code } = await home.sh("parley archive import kept slack.zip");
  expect([code, err]).toEqual([
    6,
    "error: kept holds an archive already\nhint: Import into a folder of its own; parley archive merge joins archives.\n",
  ]);
  const { db, close } = readArchive(work("kept"));
  expect([
    runsOf(db).map(({ kind }) => kind),
    db
      .prepare("SELECT text FROM messages")
      .all()
      .map(({ text }) => text),
  ]).toEqual([["create"], ["tea"]]);
  close();
});

test("no provider brings an imported archive up to date, and its update says why", async () => {
  await ok(imported("kept"));
  const before = readFileSync(work("kept/archive.sqlite"));
  const { err, code } = await home.sh("parley archive update kept");
  expect([code, err]).toEqual([
    6,
    "error: kept was imported from slack.zip: no provider has what is newer\nhint: Import a newer export into a folder of its own; parley archive merge joins them.\n",
  ]);
  expect(readFileSync(work("kept/archive.sqlite"))).toEqual(before);
});

test("a newer export is joined with what was imported before", async () => {
  await ok(imported("old"));
  await ok("cp slack.zip newer.zip; parley archive import new newer.zip > /dev/null");
  await ok("parley archive merge all old new --force > /dev/null");
  expect(await ok("parley archive show all --json=name,messages,replies")).toBe(
    '[{"name":"general","messages":1,"replies":1}]\n',
  );
});

test.each([
  ["a file of items with a fault", `'{"type":"user","data":{}}'`, 7],
  ["a file of nothing", "'hello'", 7],
])("%s leaves no folder", async (_, line, code) => {
  await ok(`printf '%s\\n' ${line} > items.jsonl`);
  expect((await home.sh("parley archive import kept items.jsonl")).code).toBe(code);
  expect(readdirSync(work("."))).not.toContain("kept");
});
