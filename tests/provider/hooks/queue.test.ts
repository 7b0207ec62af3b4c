/** The queue of hook calls: which is next, when to check again, and what is dropped when a receiver does not answer for long. */
import { expect, test } from "vitest";
import { enqueue, dueWebhooks, nextDue } from "../../../src/provider/hooks/queue.ts";
import { openDatabase } from "../domain/support.ts";

const A = "http://localhost:1/a";
const B = "http://localhost:1/b";

function queue(...rows: [url: string, due: number][]): ReturnType<typeof openDatabase> {
  const db = openDatabase();
  for (const [url, due] of rows)
    db.run(
      "INSERT INTO hook_queue (id, url, body, timeout, attempts, due) VALUES ('i', ?, '{}', 6, 0, ?)",
      url,
      due,
    );
  return db;
}

test.each<[string, [string, number][], number, number[]]>([
  ["nothing waits", [], 5, []],
  [
    "the first due call of each URL, oldest first",
    [
      [B, 1],
      [A, 1],
      [B, 1],
      [A, 1],
    ],
    5,
    [1, 2],
  ],
  [
    "a call is due at exactly its time",
    [
      [A, 5],
      [B, 6],
    ],
    5,
    [1],
  ],
  [
    "a call waiting for its next attempt lets a later one pass",
    [
      [A, 9],
      [A, 1],
      [B, 2],
    ],
    5,
    [2, 3],
  ],
])("dueWebhooks: %s", (_, rows, now, seqs) => {
  expect(dueWebhooks(queue(...rows), now).map(({ seq }) => seq)).toEqual(seqs);
});

test("nextDue is the earliest time of all waiting calls, and undefined if none waits", () => {
  expect(nextDue(queue())).toBeUndefined();
  expect(nextDue(queue([A, 9], [B, 3], [A, 7]))).toBe(3);
});

test("beyond ten thousand waiting calls the oldest are dropped, whatever their URL", () => {
  const db = queue([B, 1]);
  db.run("UPDATE hook_queue SET seq = 1");
  db.run(
    `INSERT OR REPLACE INTO app_setting (key, json) VALUES ('event_hooks', ?)`,
    JSON.stringify([{ hook_type: "webhook", enabled: true, event_types: ["message.new"], webhook_url: A }]),
  );
  const hookEvent = {
    event: { type: "message.new" } as never,
    time: 4,
    extras: () => ({}),
    request: undefined,
    serialize: JSON.stringify,
    onRemoteUrl: () => {},
  };
  expect(enqueue(db, hookEvent)).toBe(true);
  db.run(
    "INSERT INTO hook_queue (seq, id, url, body, timeout, attempts, due) VALUES (10000, 'i', ?, '{}', 6, 0, 1)",
    A,
  );
  expect(enqueue(db, hookEvent)).toBe(true);
  expect(db.all<{ seq: number }>("SELECT seq FROM hook_queue ORDER BY seq").map(({ seq }) => seq)).toEqual([
    2, 10_000, 10_001,
  ]);
});
