/** `--report` and `--resume`: a report belongs to one run, and is believed only if the provider shows what it calls done (specification/command-line.md §1). */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { v5 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Ran } from "../support/home.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);
const inHome = (name: string): string => path.join(home.folder, "work", name);
const read = (name: string): string => readFileSync(inHome(name), "utf8");
const texts = async (channel: string): Promise<string> =>
  (await run(`message list -c ${channel} --all --jq .text`)).out;

/** The line with a flag more, before the file that it reads. */
const having = (line: string, flag: string): Promise<Ran> =>
  home.sh(`parley ${/ < /.test(line) ? line.replace(" < ", ` ${flag} < `) : `${line} ${flag}`}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo cy");
  for (const id of ["ops", "two"]) await run(`channel create messaging:${id} --member ana`);
  await run("send messaging:ops --id root-1 root");
  await run("user upsert x3 x4 --yes");
  await run("user upsert ana --role admin --yes");
  await run("role create helper");
  for (const id of ["tea", "new"]) await run(`channel create messaging:${id} --member ana,x3,x4`);
  for (const id of ["p1", "p2"]) await run(`send messaging:tea --id ${id} post`);
  writeFileSync(inHome("left"), "x3\nx4\n");
  writeFileSync(inHome("posts"), "p1\np2\n");
  writeFileSync(inHome("tea"), "messaging:tea\n");
  writeFileSync(inHome("lines"), "one\ntwo\n");
  writeFileSync(inHome("people"), "bo\ncy\n");
});
afterAll(() => home.end());

test("a report that exists is neither overwritten nor sent again", async () => {
  const line = "parley send messaging:ops --lines --report sent.ndjson < lines";
  expect((await home.sh(line)).code).toBe(0);
  const before = [read("sent.ndjson"), await texts("messaging:ops")];
  const { code, err } = await home.sh(line);
  expect([code, err]).toEqual([
    6,
    expect.stringMatching(/^error: sent.ndjson already exists\nhint: --resume /),
  ]);
  expect((await run("user upsert --file people --report sent.ndjson")).code).toBe(6);
  expect([read("sent.ndjson"), await texts("messaging:ops")]).toEqual(before);
  writeFileSync(inHome("empty.ndjson"), "");
  expect((await run("user upsert --file people --report empty.ndjson --yes")).code).toBe(0);
});

test.each([
  ["channel", "send messaging:ops --lines < lines", "send messaging:two --lines < lines"],
  ["thread", "send messaging:ops --lines < lines", "send messaging:ops --thread root-1 --lines < lines"],
  ["user", "send messaging:ops --lines < lines", "send messaging:ops --as ana --lines < lines"],
  ["operation", "user upsert --file people --yes", "user deactivate --file people --yes"],
  ["channel", "member add -c messaging:ops --file people", "member add -c messaging:two --file people"],
  ["role", "user upsert --file people --yes --role admin", "user upsert --file people --yes --role user"],
  ["segment", "segment add first --file people", "segment add second --file people"],
  ["by", "user ban --by ana --file people --yes", "user ban --by mira --file people --yes"],
])("the report of a run with another %s is refused, and nothing is done", async (what, line, other) => {
  await run("segment create user --id first");
  await run("segment create user --id second");
  const report = `${line} ${what}`.replaceAll(/\W+/g, "-");
  const first = await having(line, `--report ${report}`);
  expect([first.code, first.err]).toEqual([0, expect.any(String)]);
  const before = read(report);
  for (const flags of ["", " -n"]) {
    const { code, err, out } = await having(other, `--resume ${report}${flags}`);
    expect([code, out, read(report)]).toEqual([6, "", before]);
    expect(err).toContain(`error: ${report} is the report of another run: its ${what} was `);
  }
  expect((await having(line, `--resume ${report}`)).code).toBe(0);
});

test("the report of a run at another provider is refused", async () => {
  expect((await run("user upsert --file people --yes --report here.ndjson")).code).toBe(0);
  const [first = "", ...rest] = read("here.ndjson").split("\n");
  const begun = JSON.parse(first) as object;
  for (const change of [{ key: "another" }, { address: "https://chat.example.org" }]) {
    writeFileSync(inHome("there.ndjson"), [JSON.stringify({ ...begun, ...change }), ...rest].join("\n"));
    const { code, err } = await run("user upsert --file people --yes --resume there.ndjson");
    expect([code, err]).toEqual([6, expect.stringContaining(`its ${Object.keys(change)[0]} was`)]);
  }
});

test.each([
  ["user upsert", "user upsert --file gone --yes", "user delete x1 x2 --hard --yes --confirm 2"],
  ["member add", "member add -c messaging:ops --file gone", "user delete x1 x2 --hard --yes --confirm 2"],
  ["segment add", "segment add first --file gone", "segment remove first x1 x2 --yes"],
  [
    "permission grant",
    "permission grant messaging guest --file grants --yes",
    "permission revoke messaging guest pin-message --yes",
  ],
  [
    "send",
    "send messaging:ops --lines < lines",
    "channel truncate messaging:ops --yes --confirm messaging:ops",
  ],
  ["user delete", "user delete --file gone --yes", "user restore x1 x2"],
])("a report of %s whose items the provider no longer shows is refused", async (name, line, undo) => {
  await run("segment create user --id first");
  await run("user upsert x1 x2 --yes");
  writeFileSync(inHome("gone"), "x1\nx2\n");
  writeFileSync(inHome("grants"), "pin-message\n");
  const report = `${name.replace(" ", "-")}.lost`;
  const first = await having(line, `--report ${report}`);
  expect([first.code, first.err]).toEqual([0, expect.any(String)]);
  expect((await having(line, `--resume ${report}`)).code).toBe(0);
  const undone = await run(undo);
  expect([undone.code, undone.err]).toEqual([0, expect.any(String)]);
  const { code, err } = await having(line, `--resume ${report}`);
  expect([code, err]).toEqual([6, expect.stringContaining("but the provider does not show it")]);
});

test.each([
  ["member add -c messaging:tea --file left", "member remove -c messaging:tea x3 x4 --yes"],
  ["member remove -c messaging:tea --file left --yes", "member add -c messaging:tea x3 x4"],
  ["member promote -c messaging:tea --file left --yes", "member demote -c messaging:tea x3 x4 --yes"],
  ["member demote -c messaging:tea --file left --yes", "member promote -c messaging:tea x3 x4 --yes"],
  [
    "member role helper -c messaging:tea --file left --yes",
    "member role channel_member -c messaging:tea x3 x4 --yes",
  ],
  ["channel invite messaging:new --file left", "member remove -c messaging:new x3 x4 --yes"],
  ["member ban -c messaging:tea --file left --as ana --yes", "member unban -c messaging:tea x3 x4 --as ana"],
  [
    "member shadow-ban -c messaging:tea --file left --as ana --yes",
    "member unban -c messaging:tea x3 x4 --as ana",
  ],
  ["member unban -c messaging:tea --file left --as ana", "member ban -c messaging:tea x3 x4 --as ana --yes"],
  ["user ban --by ana --file left --yes", "user unban x3 x4 --by ana"],
  ["user unban --by ana --file left", "user ban x3 x4 --by ana --yes"],
  ["user deactivate --file left --yes", "user reactivate x3 x4"],
  ["user reactivate --file left", "user deactivate x3 x4 --yes"],
  ["message pin --file posts --as ana", "message unpin p1 --as ana", "message unpin p2 --as ana"],
  ["message unpin --file posts --as ana", "message pin p1 --as ana", "message pin p2 --as ana"],
  [
    "message react like --file posts --as ana",
    "message unreact p1 like --as ana",
    "message unreact p2 like --as ana",
  ],
  [
    "message unreact like --file posts --as ana",
    "message react p1 like --as ana",
    "message react p2 like --as ana",
  ],
  ["channel freeze --file tea --as ana", "channel unfreeze messaging:tea --as ana"],
  ["channel unfreeze --file tea --as ana", "channel freeze messaging:tea --as ana"],
  ["channel pin --file tea --as ana", "channel unpin messaging:tea --as ana"],
  ["channel unpin --file tea --as ana", "channel pin messaging:tea --as ana"],
  ["channel archive --file tea --as ana", "channel unarchive messaging:tea --as ana"],
  ["channel unarchive --file tea --as ana", "channel archive messaging:tea --as ana"],
])("after '%s' was undone, its report is refused", async (line, ...undo) => {
  const report = `${line.replaceAll(/\W+/g, "-")}.undone`;
  // What a line undoes is done before it.
  if (/ un|remove|demote|reactivate/.test(line)) for (const one of undo) await run(one);
  const first = await having(line, `--report ${report}`);
  expect([first.code, first.err]).toEqual([0, expect.any(String)]);
  expect((await having(line, `--resume ${report}`)).code).toBe(0);
  for (const one of undo) {
    const undone = await run(one);
    expect([one, undone.code, undone.err]).toEqual([one, 0, expect.any(String)]);
  }
  const { code, err } = await having(line, `--resume ${report}`);
  expect([code, err]).toEqual([6, expect.stringContaining("but the provider does not show it")]);
});

test.each([
  [
    "member ban -c messaging:tea --file left --as ana --until 1h --yes",
    "member unban -c messaging:tea x3 x4 --as ana",
  ],
  [
    "member shadow-ban -c messaging:tea --file left --as ana --until 1h --yes",
    "member unban -c messaging:tea x3 x4 --as ana",
  ],
  ["user ban --by ana --file left --until 1h --yes", "user unban x3 x4 --by ana"],
  ["message pin --file posts --as ana --until 1h", "message unpin p1 --as ana", "message unpin p2 --as ana"],
])("what '%s' did ends by itself, and its report goes on afterwards", async (line, ...ends) => {
  const report = `${line.replaceAll(/\W+/g, "-")}.ended`;
  const first = await having(line, `--report ${report}`);
  expect([first.code, first.err]).toEqual([0, expect.any(String)]);
  for (const one of ends) expect((await run(one)).code).toBe(0);
  expect((await having(line, `--resume ${report}`)).code).toBe(0);
});

test("one item that somebody removed since does not make the report of the others wrong", async () => {
  writeFileSync(inHome("three"), "y1\ny2\ny3\n");
  expect((await run("user upsert --file three --yes --report three.ndjson")).code).toBe(0);
  await run("user delete y3 --hard --yes --confirm y3");
  expect((await run("user upsert --file three --yes --resume three.ndjson")).code).toBe(0);
});

test("a report of an earlier version goes on, and sends no line again", async () => {
  const idOf = (line: number, text: string): string =>
    v5(`old-run#${line}#${text}`, "2f0c1f0e-6d5b-5c62-9a53-4a5f2d1f7b11");
  await run("channel create messaging:old");
  for (const [n, text] of ["one", "two"].entries())
    await run(`send messaging:old --id ${idOf(n + 1, text)} ${text}`);
  // It was killed before the row of the second line was written.
  const done = { line: 1, id: idOf(1, "one"), result: "sent" };
  writeFileSync(inHome("old.ndjson"), `{"id":"old-run","result":"begun"}\n${JSON.stringify(done)}\n`);
  writeFileSync(inHome("three-lines"), "one\ntwo\nthree\n");
  const { code } = await home.sh("parley send messaging:old --lines --resume old.ndjson < three-lines");
  expect([code, await texts("messaging:old")]).toEqual([0, "one\ntwo\nthree\n"]);
  const other = await home.sh("parley send messaging:two --lines --resume old.ndjson < three-lines");
  expect(other.code).toBe(6);
});

test("lines that wait in the outbox are neither lost nor sent twice by --resume", async () => {
  await run("channel create messaging:later");
  await run("local fault add 'POST */message' --status 503");
  const line = "parley send messaging:later --lines --queue --max-wait 1s";
  expect((await home.sh(`${line} --report later.ndjson < lines`)).code).toBe(0);
  expect((await home.sh(`${line} --resume later.ndjson < lines`)).code).toBe(0);
  await run("local fault clear");
  expect((await run("outbox retry")).code).toBe(0);
  expect(await texts("messaging:later")).toBe("one\ntwo\n");
});
