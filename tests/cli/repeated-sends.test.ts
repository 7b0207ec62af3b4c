/** The same key or id again: the same message is sent once, another one is refused, and what cannot be told is said (specification/sending.md §3). */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { v5 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
/** Exit code and first line of the results. */
async function send(line: string): Promise<{ code: number | null; id: string }> {
  const { code, out } = await home.sh(`parley send ${line}`);
  return { code, id: out.trim() };
}
const texts = async (channel: string): Promise<string[]> =>
  (await home.sh(`parley message list -c ${channel} --all --jq .text`)).out.split("\n").filter(Boolean);

/** Removes the records of first sends, as on another machine. */
function forget(): void {
  const state = path.join(home.folder, "state");
  for (const file of readdirSync(state, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith("state.db")) continue;
    const db = new DatabaseSync(path.join(state, file));
    db.exec("DELETE FROM first_sent");
    db.close();
  }
}

beforeAll(async () => {
  home = makeHome({ here: true });
  await home.sh("parley user upsert ana");
  for (const id of ["tea", "two"]) {
    await home.sh(`parley channel create messaging:${id} --member ana`);
    await home.sh(`parley send messaging:${id} --id ${id}-1 first`);
  }
  const work = path.join(home.folder, "work");
  mkdirSync(path.join(work, "longer"));
  for (const [name, text] of [
    ["a.txt", "one"],
    ["b.txt", "one"],
    ["longer/a.txt", "one more"],
  ])
    writeFileSync(path.join(work, name!), text!);
});
afterAll(() => home.end());

test("a key counts for one person, place and thread", async () => {
  const places = [
    "messaging:tea",
    "messaging:two",
    "messaging:tea --thread tea-1",
    "messaging:two --thread two-1",
    "messaging:tea --as ana",
    "@ana",
  ];
  const ids = new Map<string, string>();
  for (const place of [...places, ...places]) {
    const { code, id } = await send(`${place} hello --idempotency-key elsewhere`);
    expect([place, code]).toEqual([place, 0]);
    expect(ids.get(place) ?? id).toBe(id);
    ids.set(place, id);
  }
  expect(new Set(ids.values()).size).toBe(places.length);
  expect((await texts("messaging:tea")).filter((text) => text === "hello")).toHaveLength(2);
  // The same thread by another command.
  const reply = await home.sh("parley thread reply tea-1 hello --idempotency-key elsewhere");
  expect(reply.out.trim()).toBe(ids.get("messaging:tea --thread tea-1"));
});

test.each([
  ["a text", "one", "two"],
  ["the name of a file", "-f a.txt with", "-f b.txt with"],
  ["the size of a file", "-f a.txt with", "-f longer/a.txt with"],
  ["a file more", "plain", "-f a.txt plain"],
  ["a quote", "quoting", "--quote tea-1 quoting"],
  ["a position", "--location 52.1,4.8 here", "--location 53.1,4.8 here"],
])("%s makes another message, which is refused; the same one is not sent again", async (what, one, other) => {
  for (const flag of ["--idempotency-key", "--id"]) {
    const chosen = `${flag} '${what.replaceAll(" ", "-")}'`;
    for (const records of ["kept", "lost"]) {
      const first = await send(`messaging:tea ${chosen} ${one}`);
      expect([records, first.code]).toEqual([records, 0]);
      if (records === "lost") forget();
      const before = await texts("messaging:tea");
      expect(await send(`messaging:tea ${chosen} ${one}`)).toEqual(first);
      expect((await send(`messaging:tea ${chosen} ${other}`)).code).toBe(6);
      // A file would be uploaded before the message is found to be there.
      const upload = one.startsWith("-f ")
        ? '\nwould send UploadFile: POST /channels/messaging/tea/file\n"a.txt"\nnothing was sent'
        : "";
      expect((await send(`messaging:tea ${chosen} ${one} -n`)).id).toBe(`${first.id}${upload}`);
      expect((await send(`messaging:tea ${chosen} ${other} -n`)).code).toBe(6);
      expect(await texts("messaging:tea")).toEqual(before);
    }
  }
});

test("an id of another place is another message", async () => {
  expect((await send("messaging:tea --id placed hello")).code).toBe(0);
  for (const elsewhere of ["messaging:two", "messaging:tea --thread tea-1", "messaging:tea --as ana"])
    for (const records of ["kept", "lost"]) {
      if (records === "lost") forget();
      expect([elsewhere, (await send(`${elsewhere} --id placed hello`)).code]).toEqual([elsewhere, 6]);
    }
});

test("after an edit the text that was first sent counts: by the record, else by the history", async () => {
  const { id } = await send("messaging:tea before --idempotency-key edited");
  await home.sh(`parley message edit ${id} after`);
  for (const records of ["kept", "lost"]) {
    if (records === "lost") forget();
    expect(await send("messaging:tea before --idempotency-key edited")).toEqual({ code: 0, id });
    expect((await send("messaging:tea after --idempotency-key edited")).code).toBe(6);
  }
});

test("without record and history it cannot be told: exit 11, and nothing is sent", async () => {
  const { out } = await home.sh("parley local status -o env");
  const value = (name: string): string => new RegExp(`${name}='?([^'\n]+)`).exec(out)![1]!;
  const token = (await home.sh("parley local token mira")).out.trim();
  const add = await home.sh(
    `parley profile add far --url ${value("PARLEY_LOCAL_URL")} --key ${value("PARLEY_LOCAL_KEY")} --user mira`,
  );
  expect(add.code).toBe(0);
  home.env.PARLEY_TOKEN = token;
  try {
    const { id, code } = await send("-p far messaging:two before --idempotency-key unclear");
    expect(code).toBe(0);
    await home.sh(`parley -p far message edit ${id} after`);
    expect((await send("-p far messaging:two before --idempotency-key unclear")).code).toBe(0);
    forget();
    const before = await texts("messaging:two");
    for (const text of ["before", "after"])
      expect((await send(`-p far messaging:two ${text} --idempotency-key unclear`)).code).toBe(11);
    expect(await texts("messaging:two")).toEqual(before);
    // A reaction is no change of the text.
    const plain = await send("-p far messaging:two plain --idempotency-key clear");
    await home.sh(`parley -p far message react ${plain.id} like`);
    forget();
    expect(await send("-p far messaging:two plain --idempotency-key clear")).toEqual(plain);
    expect((await send("-p far messaging:two other --idempotency-key clear")).code).toBe(6);
  } finally {
    delete home.env.PARLEY_TOKEN;
  }
});

test("a message that an earlier version sent under a key is not sent again", async () => {
  const old = v5("before-the-upgrade", "2f0c1f0e-6d5b-5c62-9a53-4a5f2d1f7b11");
  expect((await send(`messaging:tea --id ${old} hello`)).code).toBe(0);
  for (const records of ["kept", "lost"]) {
    if (records === "lost") forget();
    const again = await send("messaging:tea --idempotency-key before-the-upgrade hello");
    expect(again).toEqual({ code: 0, id: old });
    expect((await send("messaging:tea --idempotency-key before-the-upgrade hi")).code).toBe(6);
  }
  // Elsewhere it was never sent.
  for (const elsewhere of ["messaging:two", "messaging:tea --thread tea-1", "messaging:tea --as ana"]) {
    const { code, id } = await send(`${elsewhere} --idempotency-key before-the-upgrade hello`);
    expect([elsewhere, code]).toEqual([elsewhere, 0]);
    expect(id).not.toBe(old);
  }
});

test("lines with a key are sent once to each channel, and a changed line is refused alone", async () => {
  const lines = (channel: string, ...all: string[]) =>
    home.sh(`printf '${all.join("\\n")}' | parley send ${channel} --lines --idempotency-key stream -`);
  const first = await lines("messaging:tea", "red", "green");
  expect((await lines("messaging:tea", "red", "green")).out).toBe(first.out);
  const elsewhere = await lines("messaging:two", "red", "green");
  expect(elsewhere.code).toBe(0);
  expect(await texts("messaging:two")).toEqual(expect.arrayContaining(["red", "green"]));
  const changed = await lines("messaging:tea", "red", "blue", "yellow");
  expect(changed.code).toBe(9);
  expect(changed.out.trim().split("\n")).toHaveLength(2);
  expect((await texts("messaging:tea")).slice(-3)).toEqual(["red", "green", "yellow"]);
});

test("a message found after a lost answer is compared too", async () => {
  const key = "--idempotency-key lost";
  const { id } = await send(`messaging:tea first ${key}`);
  for (const [text, expected] of [
    ["second", { code: 6, id: "" }],
    ["first", { code: 0, id }],
  ] as const) {
    await home.sh("parley local fault add 'POST */message' --drop answer --times 1");
    expect(await send(`messaging:tea ${text} ${key}`)).toEqual(expected);
  }
  await home.sh("parley local fault clear");
});
