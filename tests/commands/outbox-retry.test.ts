/** `outbox retry`: a scheduled message is sent only if it is named. */
import { expect, test } from "vitest";
import retry from "../../src/commands/outbox/retry.ts";

async function retried(messages: string[] = []): Promise<{ asked: string[]; sent: string[] }> {
  let rows = [
    { id: "now-1", cid: "messaging:ops", kind: "send", state: "queued", tries: 0, busy: false },
    { id: "at-nine", cid: "messaging:ops", kind: "send", state: "parked", send_at: "2030-01-01T09:00:00Z" },
  ];
  const asked: string[] = [];
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
        asked.push(id);
        rows = rows.filter((row) => row.id !== id);
      },
    },
  };
  const sent: string[] = [];
  const run = retry.run as unknown as (call: unknown) => AsyncIterable<{ id: string }>;
  for await (const { id } of run(call)) sent.push(id);
  return { asked, sent };
}

test("without a name all go but those that wait for their time", async () => {
  expect(await retried()).toEqual({ asked: ["now-1"], sent: ["now-1"] });
});

test("one that waits for its time goes when it is named", async () => {
  expect(await retried(["at-nine"])).toEqual({ asked: ["at-nine"], sent: ["at-nine"] });
});
