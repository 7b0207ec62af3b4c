/** Waiting for an event: what is read again after the connection broke, and from which message on. */
import { expect, test } from "vitest";
import wait from "../../src/commands/wait.ts";
import type { AnyEvent } from "../../src/wire/events.ts";
import type { Message } from "../../src/wire/entities/message.ts";

const at = (minute: number): string => `2026-03-04T05:0${minute}:00.000000Z`;
const message = (minute: number, text: string): Message =>
  ({ id: `m${minute}`, cid: "messaging:ops", text, user: { id: "ana" }, created_at: at(minute) }) as Message;

/** A run of `wait messaging:ops --match done`; `missedMessages` holds the messages the provider returns at its next query. */
function startWait(
  more: { live?: () => Promise<unknown>; within?: string; providerNow?: number; now?: () => number } = {},
) {
  let notify: (event: object) => void;
  const missedMessages: Message[] = [];
  const requestedPages: unknown[] = [];
  const call = {
    args: { channel: "messaging:ops", match: "done", within: more.within, user: [] },
    channelType: "messaging",
    signal: new AbortController().signal,
    now: more.now ?? (() => Date.parse(at(0))),
    machine: { live: more.live ?? (async () => ({ stopped: new Promise(() => {}) })) },
    core: {
      userId: "mira",
      providerNow: () => more.providerNow ?? Date.parse(at(0)),
      on: (_: string, listener: (event: object) => void) => {
        notify = listener;
        return () => {};
      },
      watch: async () => {},
      call: async (name: string, how: { body?: { messages: object } }) => {
        if (name === "queryChannels") return { channels: [{ channel: { cid: "messaging:ops" } }] };
        requestedPages.push(how.body!.messages);
        return { messages: missedMessages.splice(0) };
      },
    },
  };
  const found = (wait.run as (call: unknown) => Promise<Message>)(call).then(({ id }) => id);
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const emit = async (event: Partial<AnyEvent>): Promise<void> => {
    notify(event);
    await settle();
  };
  return { found, missedMessages, requestedPages, settle, emit };
}
const newMessage = (given: Message): Partial<AnyEvent> => ({
  type: "message.new",
  cid: "messaging:ops",
  message: given,
});

test("messages missed while disconnected are searched after the reconnect", async () => {
  const run = startWait();
  await run.settle();
  run.missedMessages.push(message(3, "deploy done"));
  await run.emit({ type: "connection.recovered" });
  expect(await run.found).toBe("m3");
});

test("after a reconnect messages are requested from the last received one on", async () => {
  const run = startWait();
  await run.settle();
  await run.emit(newMessage(message(4, "deploy begun")));
  expect(run.requestedPages).toHaveLength(1);
  await run.emit({ type: "connection.recovered" });
  expect(run.requestedPages.map((one) => Object.values(one as object).includes(at(4)))).toEqual([
    false,
    true,
  ]);
  await run.emit(newMessage(message(6, "deploy done")));
  expect(await run.found).toBe("m6");
});

test("a message that arrives with the reconnect hides none that was missed before it", async () => {
  const run = startWait();
  await run.settle();
  await run.emit(newMessage(message(2, "deploy begun")));
  run.missedMessages.push(message(3, "deploy done"));
  const recovered = run.emit({ type: "connection.recovered" });
  await run.emit(newMessage(message(5, "tea?")));
  await recovered;
  expect(run.requestedPages.map((one) => Object.values(one as object).includes(at(2)))).toEqual([
    false,
    true,
  ]);
  expect(await run.found).toBe("m3");
});

test("--within also limits the time to connect, and ends as a failure then: nobody knows that nothing happened", async () => {
  const within = new Date(Date.parse(at(0)) + 30).toISOString();
  const run = startWait({ live: () => new Promise(() => {}), within });
  await expect(run.found).rejects.toMatchObject({ name: "TransportError", neverSent: true });
});

test("what counts as new is decided by the provider's clock, whatever this machine's says", async () => {
  const run = startWait({ providerNow: Date.parse(at(7)) });
  await run.settle();
  const [page] = run.requestedPages as [Record<string, string>];
  const since = Object.values(page).find((value) => String(value).startsWith("2026-03-04"))!;
  expect(Date.parse(at(7)) - Date.parse(since)).toBeLessThan(1000);
  await run.emit(newMessage(message(8, "deploy done")));
  expect(await run.found).toBe("m8");
});

test("a clock that is set while waiting does not change when --within ends", async () => {
  let wall = Date.parse(at(0));
  const live = async (): Promise<unknown> => {
    wall -= 3_600_000;
    return { stopped: new Promise(() => {}) };
  };
  const run = startWait({ live, within: new Date(wall + 300).toISOString(), now: () => wall });
  await expect(run.found).rejects.toMatchObject({ kind: "pending" });
});
