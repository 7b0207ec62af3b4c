/** The `beforeWrite` hook sees every change before anything is stored, read or sent (specification/command-line.md §5). */
import { afterEach, describe, expect, test } from "vitest";
import type { CallReport, Core } from "../../../src/core/core.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import type { HttpRequest } from "../../../src/core/base/ports.ts";
import { signToken } from "../../../src/wire/token.ts";
import { coreOn } from "../../support/core-on.ts";

const PLACE = { cid: "messaging:ops" };
const MESSAGE = { id: "m1", cid: PLACE.cid, updated_at: "2026-01-01T00:00:00Z" } as Message;
const SECRET = "s".repeat(32);

let core: Core;
afterEach(() => core.close());

/** Mira's core, and what it stored and sent. */
function hookWorld() {
  const store = createMemoryStore("mira");
  const sent: HttpRequest[] = [];
  core = coreOn(
    "http://provider",
    { calls: { timeout: 700, retries: 1 } },
    {
      store,
      unchecked: true,
      async request(request) {
        sent.push(request);
        return {
          status: 200,
          headers: {},
          text: JSON.stringify({ app: {}, message: { ...MESSAGE, text: "hi" } }),
        };
      },
      openFile: async (name) => ({
        name,
        size: 3,
        mimeType: "text/plain",
        async *open() {
          yield new Uint8Array(3);
        },
        dimensions: async () => undefined,
      }),
    },
  );
  core.setUser({ id: "mira" }, signToken({ user_id: "mira" }, SECRET));
  return { store, sent };
}

const WRITES: Record<string, [run: () => Promise<unknown>, name: string, args: object]> = {
  send: [
    () => core.send(PLACE, { text: "hi", options: { skip_push: true } }).outcome,
    "sendMessage",
    { path: { type: "messaging", id: "ops" }, body: { message: { text: "hi" }, skip_push: true } },
  ],
  edit: [
    () => core.edit(MESSAGE, { text: "ho" }),
    "updateMessagePartial",
    { path: { id: "m1" }, body: { set: { text: "ho" } } },
  ],
  remove: [
    () => core.remove(MESSAGE, { hard: true }),
    "deleteMessage",
    { path: { id: "m1" }, query: { hard: true } },
  ],
  react: [
    () => core.react(MESSAGE, "like", { score: 2 }),
    "sendReaction",
    { path: { id: "m1" }, body: { reaction: { type: "like", score: 2 } } },
  ],
  unreact: [
    () => core.unreact(MESSAGE, "like"),
    "deleteReaction",
    { path: { id: "m1", reaction_type: "like" } },
  ],
  act: [
    () => core.act(MESSAGE, { name: "image_action", value: "send" }),
    "runMessageAction",
    { path: { id: "m1" }, body: { form_data: { image_action: "send" } } },
  ],
  openDirect: [() => core.openDirect(["bo"]), "queryDistinctChannel", { path: { type: "messaging" } }],
  pin: [() => core.pin(MESSAGE, true), "updateMessagePartial", { path: { id: "m1" } }],
  markRead: [() => core.markRead(PLACE.cid), "markRead", { path: { type: "messaging", id: "ops" } }],
  call: [() => core.call("createPoll", { body: { name: "?" } as never }), "createPoll", {}],
};

describe.each(Object.keys(WRITES))("%s", (which) => {
  test("is passed to the hook with its arguments, and a rejecting hook leaves nothing stored or sent", async () => {
    const { store, sent } = hookWorld();
    const [run, name, args] = WRITES[which]!;
    const seen: unknown[] = [];
    core.use({
      beforeWrite(each, args) {
        seen.push([each, args]);
        return Promise.reject(new Error("no"));
      },
    });
    await expect(run()).rejects.toThrow("no");
    expect(seen).toEqual([[name, expect.objectContaining(args)]]);
    expect(store.outbox()).toEqual([]);
    expect(sent).toEqual([]);
  });
});

test("an upload is passed to the hook before any byte is sent, after the app's upload rules were checked", async () => {
  const { sent } = hookWorld();
  const seen: unknown[] = [];
  core.use({
    beforeWrite(name, { path, body }) {
      seen.push({ name, path, body });
      return Promise.reject(new Error("no"));
    },
  });
  const { attachments } = core.composer(PLACE, { transient: true });
  await expect(attachments.attach(["a.txt"])).rejects.toThrow("no");
  expect(seen).toEqual([
    { name: "uploadChannelFile", path: { type: "messaging", id: "ops" }, body: "a.txt" },
  ]);
  expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/app"]);
});

test("a send that the hook allows has its chosen or generated id", async () => {
  const { store } = hookWorld();
  core.use({ beforeWrite: () => Promise.resolve() });
  const one = core.send(PLACE, { text: "hi" });
  const other = core.send(PLACE, { text: "ho", id: "mira-2" });
  expect(store.outbox()).toEqual([]);
  expect((await one.outcome).message.id).toBe(MESSAGE.id);
  await other.outcome;
  expect(one.id).toMatch(/^mira-/);
  expect(other.id).toBe("mira-2");
});

test("without a beforeWrite hook a send is stored at once", () => {
  const { store } = hookWorld();
  core.use({});
  const { id } = core.send(PLACE, { text: "hi" });
  expect(store.outbox()).toMatchObject([{ messageId: id }]);
});

test("the settle hook decides the outcome of a send", async () => {
  hookWorld();
  const settled: string[] = [];
  core.use({
    async settle(id, outcome) {
      settled.push(id);
      await outcome;
      throw new Error("settled otherwise");
    },
  });
  const { id, outcome } = core.send(PLACE, { text: "hi" });
  await expect(outcome).rejects.toThrow("settled otherwise");
  expect(settled).toEqual([id]);
});

test("the called hook is told of every finished call; calls start from the client's default options", async () => {
  const { sent } = hookWorld();
  const reports: CallReport[] = [];
  core.use({ called: (report) => void reports.push(report) });
  await core.call("getMessage", { path: { id: "m1" } });
  await core.call("getMessage", { path: { id: "m1" }, timeout: 9 });
  await expect(core.call("deleteReaction", { path: { id: "m1", reaction_type: "" } })).rejects.toThrow(
    "message id and reaction type are required",
  );
  expect(sent.map(({ timeout }) => timeout)).toEqual([700, 9]);
  expect(reports.map(({ name, error }) => [name, error instanceof Error])).toEqual([
    ["getMessage", false],
    ["getMessage", false],
    ["deleteReaction", true],
  ]);
  expect(reports[0]!.reply).toMatchObject({ message: { id: "m1" } });
  expect(reports[0]!.ms).toBeGreaterThanOrEqual(0);
});
