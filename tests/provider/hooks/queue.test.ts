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
    "of each address the first that is due, oldest first",
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
    "due is due at its very moment",
    [
      [A, 5],
      [B, 6],
    ],
    5,
    [1],
  ],
  [
    "what waits for its next attempt lets the one behind it pass",
    [
      [A, 9],
      [A, 1],
      [B, 2],
    ],
    5,
    [2, 3],
  ],
])("%s", (_, rows, now, seqs) => {
  expect(dueWebhooks(queue(...rows), now).map(({ seq }) => seq)).toEqual(seqs);
});

test("the next look is at the earliest moment of all, and at none while nothing waits", () => {
  expect(nextDue(queue())).toBeUndefined();
  expect(nextDue(queue([A, 9], [B, 3], [A, 7]))).toBe(3);
});

test("of more than ten thousand the oldest are given up, whatever their address", () => {
  const db = queue([B, 1]);
  db.run("UPDATE hook_queue SET seq = 1");
  db.run(
    `INSERT OR REPLACE INTO app_setting (key, json) VALUES ('event_hooks', ?)`,
    JSON.stringify([{ hook_type: "webhook", enabled: true, event_types: ["message.new"], webhook_url: A }]),
  );
  const happened = {
    event: { type: "message.new" } as never,
    time: 4,
    extras: () => ({}),
    request: undefined,
    serialize: JSON.stringify,
    onRemoteUrl: () => {},
  };
  expect(enqueue(db, happened)).toBe(true);
  db.run(
    "INSERT INTO hook_queue (seq, id, url, body, timeout, attempts, due) VALUES (10000, 'i', ?, '{}', 6, 0, 1)",
    A,
  );
  expect(enqueue(db, happened)).toBe(true);
  expect(db.all<{ seq: number }>("SELECT seq FROM hook_queue ORDER BY seq").map(({ seq }) => seq)).toEqual([
    2, 10_000, 10_001,
  ]);
});
