/** Waiting for an event: what is read again after the connection broke, and from which message on. */
import { expect, test } from "vitest";
import wait from "../../src/commands/wait.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/entities/message.ts";

const at = (minute: number): string => `2026-03-04T05:0${minute}:00.000000Z`;
const message = (minute: number, text: string): Message =>
  ({ id: `m${minute}`, cid: "messaging:ops", text, user: { id: "ana" }, created_at: at(minute) }) as Message;

/** A run of `wait messaging:ops --match done`; `said` holds the messages the provider returns at its next query. */
function waiting(more: { live?: () => Promise<unknown>; within?: string } = {}) {
  let hear: (event: object) => void;
  const said: Message[] = [];
  const asked: unknown[] = [];
  const call = {
    args: { channel: "messaging:ops", match: "done", within: more.within, user: [] },
    channelType: "messaging",
    signal: new AbortController().signal,
    now: () => Date.parse(at(0)),
    machine: { live: more.live ?? (async () => ({ stopped: new Promise(() => {}) })) },
    core: {
      userId: "mira",
      on: (_: string, listener: (event: object) => void) => {
        hear = listener;
        return () => {};
      },
      watch: async () => {},
      call: async (name: string, how: { body?: { messages: object } }) => {
        if (name !== "queryChannel") return {};
        asked.push(how.body!.messages);
        return { messages: said.splice(0) };
      },
    },
  };
  const found = (wait.run as (call: unknown) => Promise<Message>)(call).then(({ id }) => id);
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  const tell = async (event: Partial<AnyEvent>): Promise<void> => {
    hear(event);
    await settle();
  };
  return { found, said, asked, settle, tell };
}
const live = (given: Message): Partial<AnyEvent> => ({
  type: "message.new",
  cid: "messaging:ops",
  message: given,
});

test("what came while the connection was away is looked for when it is back", async () => {
  const run = waiting();
  await run.settle();
  run.said.push(message(3, "deploy done"));
  await run.tell({ type: "connection.recovered" });
  expect(await run.found).toBe("m3");
});

test("after a break is asked from the message on that was heard last", async () => {
  const run = waiting();
  await run.settle();
  await run.tell(live(message(4, "deploy begun")));
  expect(run.asked).toHaveLength(1);
  await run.tell({ type: "connection.recovered" });
  expect(run.asked.map((one) => Object.values(one as object).includes(at(4)))).toEqual([false, true]);
  await run.tell(live(message(6, "deploy done")));
  expect(await run.found).toBe("m6");
});

test("a connection that is never made does not outlive --within", async () => {
  const within = new Date(Date.parse(at(0)) + 30).toISOString();
  const run = waiting({ live: () => new Promise(() => {}), within });
  await expect(run.found).rejects.toMatchObject({ kind: "pending" });
});
