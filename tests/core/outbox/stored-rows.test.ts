/** Dropping unsent rows: those of a process that runs are left to it. */
import { expect, test } from "vitest";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import { dropUnsent, unsentRows } from "../../../src/core/outbox/outbox-rows.ts";

const row = (seq: number, owner: string): OutboxRow =>
  ({
    seq,
    owner,
    cid: "messaging:tea",
    messageId: "m1",
    state: "sending",
    tries: 1,
    createdAt: 0,
    action: { kind: "send", message: { text: "tea" } },
  }) as unknown as OutboxRow;

function world(rows: OutboxRow[], running: string[]) {
  const removed: number[] = [];
  const store = {
    outbox: () => rows,
    remove: (seq: number) => void removed.push(seq),
    alive: (owner: string) => running.includes(owner),
  };
  return { deps: { store, owner: "me" }, removed };
}

test.each([
  ["another process that runs", ["other"], false, []],
  ["another process that has ended", [], true, [1, 2]],
])("rows of %s", (_, running, dropped, gone) => {
  const { deps, removed } = world([row(1, "other"), row(2, "other")], running);
  expect(unsentRows(deps)[0]).toMatchObject({ busy: running.length > 0 });
  expect([dropUnsent(deps, "m1"), removed]).toEqual([dropped, gone]);
});

test("one row that another process sends keeps all rows of the message, and an unknown message has none", () => {
  const { deps, removed } = world([row(1, "me"), row(2, "other")], ["me", "other"]);
  expect([dropUnsent(deps, "m1"), dropUnsent(deps, "m2"), removed]).toEqual([false, undefined, []]);
});

test("rows of this process are dropped though it runs", () => {
  const { deps, removed } = world([row(1, "me")], ["me"]);
  expect([dropUnsent(deps, "m1"), removed]).toEqual([true, [1]]);
});
