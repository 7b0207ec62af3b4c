/** Writes with an Idempotency-Key happen once: late copies and repeats change nothing (D11). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { SYNC_AGE } from "../../../src/wire/constants.ts";
import { Harness, type Answer } from "../tiny.ts";

let h: Harness;
beforeEach(async () => {
  h = await Harness.start({});
});
afterEach(() => h.stop());

const send = (user: string, id: string, key?: string): Promise<Answer> =>
  h.call(
    user,
    "POST",
    "/channels/team/tea/message",
    { message: { id, text: "hi" } },
    {},
    key === undefined ? {} : { "Idempotency-Key": key },
  );

test("a copy of a completed write gets the first answer", async () => {
  const first = await send("mira", "m1", "k1");
  const again = await send("mira", "m1", "k1");
  expect(again.status).toBe(201);
  expect(again.json).toEqual(first.json);
  expect((await send("mira", "m1")).json.code).toBe(4);
});

test("refused writes are not stored, and another user's or operation's key is separate", async () => {
  await send("mira", "m1", "k1");
  expect((await send("mira", "m1", "k2")).json.code).toBe(4);
  expect((await send("mira", "m1", "k2")).json.code).toBe(4);
  expect((await send("otto", "m1", "k1")).json.code).toBe(4);
  expect((await send("otto", "m2", "k1")).status).toBe(201);
});

test("the same key on another path is another write", async () => {
  await send("mira", "m1", "k1");
  const other = await h.call(
    "mira",
    "POST",
    "/channels/team/milk/message",
    { message: { id: "m2", text: "hi" } },
    {},
    { "Idempotency-Key": "k1" },
  );
  expect([other.status, other.json.message.cid]).toEqual([201, "team:milk"]);
});

test("an invalid key is ignored", async () => {
  expect((await send("mira", "m1", "two words")).status).toBe(201);
  expect((await send("mira", "m1", "two words")).json.code).toBe(4);
});

test("answers are stored with the data, at most 20,000", async () => {
  await send("mira", "m1", "k1");
  const count = (): number =>
    h.provider.transact((_emit, db) => db.get<{ n: number }>("SELECT count(*) AS n FROM done_once")!.n);
  expect(count()).toBe(1);
  h.provider.transact((_emit, db) => {
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20998)
       INSERT INTO done_once (user_id, key, op, path, json, at) SELECT 'x', 'x' || i, 'op', '{}', '{}', ? FROM n`,
      Date.now() * 1000,
    );
  });
  await send("mira", "m2", "k2");
  expect(count()).toBe(20_000);
});

test("an answer is kept as long as a client may be away, and then dropped by a later write", async () => {
  const keys = (): string[] =>
    h.provider.transact((_emit, db) =>
      db.all<{ key: string }>("SELECT key FROM done_once ORDER BY seq").map(({ key }) => key),
    );
  const minute = 60_000;
  h.provider.transact((_emit, db) => {
    for (const [seq, key, age] of [
      [498, "too old", SYNC_AGE + minute],
      [499, "kept", SYNC_AGE - minute],
    ] as const)
      db.run(
        "INSERT INTO done_once (seq, user_id, key, op, path, json, at) VALUES (?, 'x', ?, 'op', '{}', '{}', ?)",
        seq,
        key,
        (Date.now() - age) * 1000,
      );
  });
  await send("mira", "m1", "k500");
  expect(keys()).toEqual(["kept", "k500"]);
});
