/** `outbox retry`: a scheduled message is sent only if it is named. */
import { expect, test } from "vitest";
import retry from "../../src/commands/outbox/retry.ts";

async function runRetry(messages: string[] = []): Promise<{ retriedIds: string[]; sent: string[] }> {
  let rows = [
    { id: "now-1", cid: "messaging:ops", kind: "send", state: "queued", tries: 0, busy: false },
    { id: "at-nine", cid: "messaging:ops", kind: "send", state: "parked", send_at: "2030-01-01T09:00:00Z" },
  ];
  const retriedIds: string[] = [];
  const call = {
    args: { messages },
    dry: false,
    signal: new AbortController().signal,
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    progress: () => {},
    machine: {},
    core: {
      unsent: () => rows,
      restore: () => {},
      retry(id: string) {
        retriedIds.push(id);
        rows = rows.filter((row) => row.id !== id);
        return true;
      },
    },
  };
  const sent: string[] = [];
  const run = retry.run as unknown as (call: unknown) => AsyncIterable<{ id: string }>;
  for await (const { id } of run(call)) sent.push(id);
  return { retriedIds, sent };
}

test("without ids all unsent messages except scheduled ones are retried", async () => {
  expect(await runRetry()).toEqual({ retriedIds: ["now-1"], sent: ["now-1"] });
});

test("a scheduled message is sent if it is named", async () => {
  expect(await runRetry(["at-nine"])).toEqual({ retriedIds: ["at-nine"], sent: ["at-nine"] });
});
