/** The buttons of a preview: the provider's answer replaces it (R-SEND-11, specification/messages.md §5.1). */
import { describe, expect, test } from "vitest";
import { createActions } from "../../../src/core/features/actions.ts";
import { createPages } from "../../../src/core/features/pages.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { outboxWorld, refusal, type OutboxWorld } from "../outbox/provider.ts";
import { at, CID, msg, user } from "../state/world.ts";

const SEND = { name: "image_action", value: "send" };
const loadedMessages = (b: OutboxWorld): ClientMessage[] => [
  ...b.machine.state().channels.get(CID)!.sets[0]!.messages,
];

/** A channel with a message of bob and, newest, a preview of ada. */
async function previewWorld(answer: (form: unknown) => { message?: Message }) {
  const b = outboxWorld();
  const actionCalls: unknown[] = [];
  const call = b.provider.call;
  b.machine.dispatch([
    { type: "message.new", cid: CID, created_at: at(1), message: msg(1, { user: user("bob") }) } as never,
  ]);
  b.provider.deliver = undefined;
  Object.assign(b.provider, {
    call: async (name: "sendMessage", args: never) => {
      const { message } = (await call(name, args)) as { message: ClientMessage };
      return { message: { ...message, type: "ephemeral" } };
    },
  });
  b.outbox.send({ cid: CID }, { text: "/giphy tea" });
  await b.clock.advance(20);
  const actions = createActions({
    machine: b.machine,
    call: (async (name: string, args: { path: unknown; body: { form_data: unknown } }) => {
      actionCalls.push([name, args.path, args.body.form_data]);
      return answer(args.body.form_data);
    }) as never,
  });
  const preview = loadedMessages(b).at(-1)!;
  return { b, actions, actionCalls, preview };
}

/** The message as the provider answers it. */
function answered(preview: ClientMessage, more: Partial<Message>): Message {
  const { unstored: _, ...plain } = preview;
  return { ...plain, ...more };
}
const SENT: Partial<Message> = { type: "regular", created_at: at(30), updated_at: at(30) };

describe("a button of a preview message", () => {
  test("send makes it a regular message, and the event of the same message changes nothing", async () => {
    let preview!: ClientMessage;
    const w = await previewWorld(() => ({ message: answered(preview, SENT) }));
    ({ preview } = w);
    expect(preview).toMatchObject({ type: "ephemeral", unstored: true });
    await w.actions.act(preview, SEND);
    expect(w.actionCalls).toEqual([["runMessageAction", { id: preview.id }, { image_action: "send" }]]);
    expect(loadedMessages(w.b).map(({ id, type }) => [id, type])).toEqual([
      ["m1", "regular"],
      [preview.id, "regular"],
    ]);
    expect(loadedMessages(w.b)[1]).not.toHaveProperty("unstored");
    w.b.machine.dispatch([
      { type: "message.new", cid: CID, created_at: at(30), message: answered(preview, SENT) } as never,
    ]);
    expect(loadedMessages(w.b)).toHaveLength(2);
  });

  test("send whose event arrives before the answer shows one message, which is stored", async () => {
    let preview!: ClientMessage;
    const w = await previewWorld(() => {
      const message = answered(preview, SENT);
      w.b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(30), message } as never]);
      return { message };
    });
    ({ preview } = w);
    await w.actions.act(preview, SEND);
    expect(loadedMessages(w.b)).toMatchObject([{ id: "m1" }, { id: preview.id, type: "regular" }]);
    expect(loadedMessages(w.b)[1]).not.toHaveProperty("unstored");
  });

  test("shuffle replaces the preview by the new one", async () => {
    let preview!: ClientMessage;
    const w = await previewWorld(() => ({
      message: answered(preview, { attachments: [{ type: "giphy" }] }),
    }));
    ({ preview } = w);
    await w.actions.act(preview, { name: "image_action", value: "shuffle" });
    expect(loadedMessages(w.b)[1]).toMatchObject({
      id: preview.id,
      type: "ephemeral",
      unstored: true,
      attachments: [{ type: "giphy" }],
    });
  });

  test("cancel removes the preview", async () => {
    const w = await previewWorld(() => ({}));
    expect(await w.actions.act(w.preview, { name: "image_action", value: "cancel" })).toBeUndefined();
    expect(loadedMessages(w.b).map(({ id }) => id)).toEqual(["m1"]);
  });

  test("a refused button changes nothing", async () => {
    const w = await previewWorld(() => {
      throw refusal(403, 17);
    });
    await expect(w.actions.act(w.preview, SEND)).rejects.toThrow("code 17");
    expect(loadedMessages(w.b)[1]).toMatchObject({ type: "ephemeral", unstored: true });
  });
});

test("older pages are requested from a message the provider has, never from a preview", async () => {
  const w = await previewWorld(() => ({}));
  const queries: unknown[] = [];
  const pages = createPages({
    machine: w.b.machine,
    userId: () => "ada",
    call: (async (_name: string, args: { body: unknown }) => {
      queries.push(args.body);
      return { channel: w.b.machine.state().channels.get(CID)!.channel, messages: [], members: [], read: [] };
    }) as never,
  });
  // A jump has left a gap above, so the preview is the newest loaded message.
  w.b.machine.apply({
    kind: "page",
    cid: CID,
    messages: [msg(1, { user: user("bob") })],
    pagination: { limit: 1 },
  } as never);
  await pages.loadOlder({ cid: CID });
  expect(JSON.stringify(queries)).toContain('"id_lt":"m1"');
  expect(JSON.stringify(queries)).not.toContain(w.preview.id);
});

test("an answer is as old as its request: what happens meanwhile is newer than a pin and than a button's answer", async () => {
  let revision = 7;
  const applied: { kind: string; since?: number }[] = [];
  const actions = createActions({
    machine: { revision: () => revision, apply: (change: never) => void applied.push(change) } as never,
    call: (async () => {
      revision++;
      return { message: msg(1) };
    }) as never,
  });
  await actions.pin(msg(1), true);
  await actions.act(msg(1), SEND);
  expect(applied).toMatchObject([
    { kind: "message", since: 7 },
    { kind: "actionAnswered", since: 8 },
  ]);
});
