/** Files of the released version open with this one: outbox, drafts, screen state and cache. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../src/core/store/open-store.ts";

let folder: string;
const placeOf = (name: "state" | "cache"): string => path.join(folder, `${name}.db`);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-released-"));
  for (const name of ["state", "cache"] as const) {
    const db = new DatabaseSync(placeOf(name));
    db.exec(readFileSync(path.join(import.meta.dirname, `released-${name}.sql`), "utf8"));
    db.close();
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Twice, because the first opening changes the files.
test.each([1, 2])("all data is there after opening %i time(s)", (times) => {
  for (let n = 1; n < times; n++)
    openStore({ state: placeOf("state"), cache: placeOf("cache"), userId: "alice" }).close();
  const store = openStore({ state: placeOf("state"), cache: placeOf("cache"), userId: "alice" });
  const id = "alice-cf870a4b-202a-4b3a-8d64-d6bbb3bf0cdd";
  expect(store.outbox()).toMatchObject([
    {
      messageId: id,
      cid: "messaging:old",
      state: "queued",
      action: { kind: "send", message: { text: "queued" } },
    },
  ]);
  expect(store.drafts()).toMatchObject([{ cid: "messaging:old", text: "typed but never sent" }]);
  expect(store.get("channel")).toBe("messaging:old");
  expect(store.get("sync.checkpoint")).toBe("2026-11-23T02:19:59.172000Z");
  expect(store.cache.me()).toMatchObject({ id: "alice", name: "Alice" });
  const [old, ...more] = store.cache.channels(30);
  expect(more).toEqual([]);
  expect(old!.channel).toMatchObject({ cid: "messaging:old", name: "Old room" });
  expect(old!.messages).toMatchObject([
    { text: "first", pinned: true, reaction_counts: { like: 1 }, reply_count: 1 },
    { text: "", poll: { name: "Lunch?" } },
    { text: "hello @alice", user: { name: "Bob" } },
  ]);
  store.close();
});
