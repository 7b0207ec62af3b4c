/** The outbox: durable before shown, once at the provider, in order, and never without an end (D1–D5, R-SEND, specification/sending.md §2, §3). */
import { describe, expect, test, vi } from "vitest";
import type { Upload } from "../../../src/core/core.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { StoreFailure } from "../../../src/core/store/store.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import { at, channel, CID, msg, user } from "../state/world.ts";
import { outboxWorld, network, refusal, type OutboxWorld } from "./provider.ts";

const place = { cid: CID };
const shown = (b: OutboxWorld, cid = CID): ClientMessage[] => [
  ...b.machine.state().channels.get(cid)!.sets[0]!.messages,
];
const sentIds = (b: OutboxWorld): string[] =>
  b.provider.log.filter((l) => l.name === "sendMessage").map((l) => l.id);
const requestNames = (b: OutboxWorld): string[] => b.provider.log.map((l) => l.name);

describe("sending", () => {
  test("R-SEND-5, R-SEND-6: a message shows at once as sending, is received under the same id, and its row is removed", async () => {
    const b = outboxWorld();
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    expect(id).toMatch(/^ada-[0-9a-f-]{36}$/);
    expect(shown(b)).toMatchObject([{ id, status: "sending", text: "hi" }]);
    expect(b.store.outbox()).toMatchObject([{ messageId: id, state: "sending", tries: 1 }]);
    b.outbox.send(place, { text: "behind it" });
    expect(b.store.outbox()[1]).toMatchObject({ state: "queued", tries: 0 });
    b.outbox.drop(shown(b)[1]!.id);
    await b.clock.advance(10);
    expect(await outcome).toMatchObject({ state: "received", message: { id } });
    expect(shown(b)).toHaveLength(1);
    expect(shown(b)[0]!.status).toBeUndefined();
    expect(b.store.outbox()).toEqual([]);
    expect(b.machine.state().outbox).toBe(0);
  });
  test("with messages of four channels in flight, one in a fifth channel is stored as queued", async () => {
    const b = outboxWorld();
    for (const n of [1, 2, 3, 4]) b.outbox.send({ cid: `messaging:c${n}` }, { text: "hi" });
    await Promise.resolve();
    b.outbox.send({ cid: "messaging:c5" }, { text: "hi" });
    expect(b.store.outbox().map(({ state }) => state)).toEqual([
      "sending",
      "sending",
      "sending",
      "sending",
      "queued",
    ]);
  });
  test("D1: a disk that refuses the row shows no message, sends nothing, keeps the draft and is reported", async () => {
    const b = outboxWorld();
    b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
    b.store.enqueue = () => {
      throw new StoreFailure("full", "state.db cannot grow: the disk is full");
    };
    expect(() => b.outbox.send(place, { text: "hi" })).toThrow("the disk is full");
    await b.clock.advance(100);
    expect(shown(b)).toEqual([]);
    expect(requestNames(b)).toEqual([]);
    expect(b.store.draft(CID)!.text).toBe("hi");
    expect(b.machine.state().storage).toContain("full");
  });
  test("R-SEND-12, specification/drafts.md §4: the draft of the place is deleted with the enqueued row, unless keepDraft is set", () => {
    const b = outboxWorld();
    b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
    b.store.saveDraft({ cid: CID, parentId: "m1", text: "other", updatedAt: 1 });
    b.outbox.send(place, { text: "x" }, { keepDraft: true });
    expect(b.store.draft(CID)!.text).toBe("hi");
    b.outbox.send(place, { text: "hi" });
    expect(b.store.draft(CID)).toBeUndefined();
    expect(b.store.draft(CID, "m1")!.text).toBe("other");
  });
  test("R-SEND-2, R-SEND-3: a text that is too long or empty is refused before anything is stored; an attachment alone is allowed", () => {
    const b = outboxWorld();
    expect(() => b.outbox.send(place, { text: "x".repeat(5001) })).toThrow("too long: 5001 of at most 5000");
    expect(() => b.outbox.send(place, { text: " \n" })).toThrow("empty");
    expect(b.store.outbox()).toEqual([]);
    b.outbox.send(place, { text: "", attachments: [{ type: "file" } as never] });
    b.outbox.send(place, { text: "x".repeat(5000) });
    expect(b.store.outbox()).toHaveLength(2);
  });
  test("R-SEND-2: the user's own limit holds where it is less than the channel's", () => {
    const short = outboxWorld({ maximum: 10 });
    expect(() => short.outbox.send(place, { text: "x".repeat(11) })).toThrow("too long: 11 of at most 10");
    const long = outboxWorld({ maximum: 9000 });
    expect(() => long.outbox.send(place, { text: "x".repeat(5001) })).toThrow(
      "too long: 5001 of at most 5000",
    );
    expect([...short.store.outbox(), ...long.store.outbox()]).toEqual([]);
  });
  test("R-LOC-6: with locations switched off one is refused before anything is stored, and other messages are sent", () => {
    const b = outboxWorld({ locations: false });
    const shared_location = { latitude: 1, longitude: 2, created_by_device_id: "d" };
    expect(() => b.outbox.send(place, { text: "here", custom: { shared_location } })).toThrow("switched off");
    expect(b.store.outbox()).toEqual([]);
    b.outbox.send(place, { text: "here" });
    expect(b.store.outbox()).toHaveLength(1);
  });
  test("D5: one request at a time per channel, in order, and four channels at once", async () => {
    const cids = ["a", "b", "c", "d", "e", "f"].map((id) => `messaging:${id}`);
    const b = outboxWorld({ cids });
    const sent = cids.flatMap((cid) =>
      [1, 2, 3].map((n) => ({ cid, id: b.outbox.send({ cid }, { text: `${n}` }).id })),
    );
    await b.clock.advance(200);
    expect(b.provider.maxConcurrent).toBe(4);
    expect(b.provider.channelOverlap).toBe(false);
    for (const cid of cids)
      expect(b.provider.stored.filter((id) => b.provider.messages.get(id)!.cid === cid)).toEqual(
        sent.filter((each) => each.cid === cid).map((each) => each.id),
      );
  });
});

describe("answers", () => {
  test("D2: a send without an answer that arrived is found by id and not sent twice", async () => {
    const b = outboxWorld();
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }];
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(2000);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(requestNames(b)).toEqual(["sendMessage", "getMessage"]);
    expect(b.provider.stored).toEqual([id]);
  });
  test("D2: a send without an answer that did not arrive is sent again with the same id", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(502, -1)];
    const { id } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(2000);
    expect(requestNames(b)).toEqual(["sendMessage", "getMessage", "sendMessage"]);
    expect(new Set(sentIds(b))).toEqual(new Set([id]));
    expect(b.provider.stored).toEqual([id]);
  });
  test("D2: a message dropped during its lookup is not sent again", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(502, -1)];
    const { id } = b.outbox.send(place, { text: "hi" });
    while (!requestNames(b).includes("getMessage")) await b.clock.advance(1);
    b.outbox.drop(id, true);
    await b.clock.advance(5000);
    expect([requestNames(b), b.provider.stored, b.store.outbox()]).toEqual([
      ["sendMessage", "getMessage"],
      [],
      [],
    ]);
  });
  test("D3: the message echoed by the socket acknowledges a send whose answer was lost", async () => {
    const b = outboxWorld();
    b.provider.faults = [{ after: network() }];
    const { outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(requestNames(b)).toEqual(["sendMessage"]);
  });
  test("D7: a reaction received in one batch with the echo of a send stays", async () => {
    const b = outboxWorld();
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }];
    const { id, outcome } = b.outbox.send(place, { text: "once" });
    await b.clock.advance(10);
    const message = b.provider.messages.get(id)!;
    const love = { type: "love", message_id: id, user: user("ben"), user_id: "ben", score: 1 };
    const loved = {
      ...message,
      reaction_groups: { love: { count: 1, sum_scores: 1 } },
      latest_reactions: [love],
    };
    const fields = { cid: CID, created_at: message.created_at };
    b.machine.dispatch([
      { ...fields, type: "message.new", message },
      { ...fields, type: "reaction.new", message: loved, reaction: love, user: user("ben") },
    ] as never);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(shown(b)[0]).toMatchObject({ reaction_groups: { love: { count: 1 } } });
  });
  test("D7: an echoed message ends the row and keeps changes that an answer has applied since", async () => {
    const b = outboxWorld();
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }];
    const { id, outcome } = b.outbox.send(place, { text: "once" });
    await b.clock.advance(10);
    const message = b.provider.messages.get(id)!;
    const wow = { type: "wow", message_id: id, user: user("ada"), user_id: "ada", score: 1 };
    const mine = {
      reaction_groups: { wow: { count: 1, sum_scores: 1 } },
      latest_reactions: [wow],
      own_reactions: [wow],
    };
    b.machine.apply({ kind: "message", message: { ...message, ...mine } as never });
    b.machine.dispatch([{ cid: CID, created_at: message.created_at, type: "message.new", message }] as never);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(shown(b)[0]).toMatchObject({
      own_reactions: [{ type: "wow" }],
      reaction_groups: { wow: { count: 1 } },
    });
  });
  test("R-SEND-9, specification/sending.md §2: code 4 after an earlier try is looked up; on a first try it is a refusal", async () => {
    const b = outboxWorld();
    const first = b.outbox.send(place, { text: "taken", id: "ada-1" });
    b.provider.faults = [refusal(400, 4)];
    await b.clock.advance(20);
    expect(await first.outcome).toMatchObject({ state: "failed" });
    expect(requestNames(b)).toEqual(["sendMessage"]);
    // The lookup does not find it; the second post is refused because it exists.
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }, refusal(404, 16)];
    const second = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(3000);
    expect(await second.outcome).toMatchObject({ state: "received" });
    expect(b.provider.stored).toEqual([second.id]);
  });
  test("D2: code 4 after an earlier try, but nothing under the id, means hard-deleted: the send counts as done and is not repeated", async () => {
    const b = outboxWorld();
    b.provider.deliver = undefined;
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    b.provider.faults = [{ after: network() }, refusal(404, 16), refusal(400, 4), refusal(404, 16)];
    await b.clock.advance(60_000);
    expect(await outcome).toMatchObject({ state: "received", message: { id } });
    expect(requestNames(b)).toEqual(["sendMessage", "getMessage", "sendMessage", "getMessage"]);
    expect(b.store.outbox()).toEqual([]);
    expect(shown(b)).toEqual([]);
  });
  test.each([400, 403, 413])(
    "specification/sending.md §2: a %i cut off before its code is looked up and repeated; the message behind it follows",
    async (status) => {
      const b = outboxWorld();
      b.provider.deliver = undefined;
      const cut = new ApiError("the reason was cut off", { status, isCut: true });
      b.provider.faults = [
        { after: network() },
        refusal(404, 16),
        cut,
        refusal(404, 16),
        refusal(400, 4),
        refusal(404, 16),
      ];
      const first = b.outbox.send(place, { text: "deleted elsewhere meanwhile" });
      const second = b.outbox.send(place, { text: "behind it" });
      await b.clock.advance(60_000);
      expect(await first.outcome).toMatchObject({ state: "received" });
      expect(await second.outcome).toMatchObject({ state: "received" });
      expect(shown(b).map(({ id }) => id)).toEqual([second.id]);
      expect(b.store.outbox()).toEqual([]);
    },
  );
  test("a delete whose 404 was cut off is done", async () => {
    const b = outboxWorld();
    b.provider.faults = [new ApiError("the reason was cut off", { status: 404, isCut: true })];
    const removed = b.outbox.remove(msg(1, { user: user("ada") }) as ClientMessage, { hard: true });
    await b.clock.advance(60_000);
    await removed;
    expect(b.store.outbox()).toEqual([]);
    expect(requestNames(b)).toEqual(["deleteMessage"]);
  });
  test("specification/sending.md §2: an id that belongs to another user is a refusal", async () => {
    const b = outboxWorld();
    b.provider.messages.set("ada-1", msg(1, { id: "ada-1", user: user("bob") }));
    b.provider.faults = [network()];
    const { outcome } = b.outbox.send(place, { text: "hi", id: "ada-1" });
    await b.clock.advance(2000);
    expect(await outcome).toMatchObject({ state: "failed" });
  });
  test("R-SEND-8, D4: a refused message stays as failed with its error, and a retry uses the same id", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(403, 17)];
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({ state: "failed", error: { code: 17 } });
    expect(shown(b)).toMatchObject([{ id, status: "failed", error: { code: 17 } }]);
    expect(b.store.outbox()).toMatchObject([{ state: "failed", error: { code: 17, status: 403 } }]);
    b.outbox.retry(id);
    await b.clock.advance(20);
    expect(sentIds(b)).toEqual([id, id]);
    expect(shown(b)[0]!.status).toBeUndefined();
  });
  test("a retry of what is being sent changes nothing, and it is sent once", async () => {
    const b = outboxWorld();
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(1);
    const before = structuredClone([shown(b), b.store.outbox()]);
    expect(b.outbox.retry(id)).toBe(true);
    expect([shown(b), b.store.outbox()]).toEqual(before);
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(sentIds(b)).toEqual([id]);
  });
  test("after a refusal later rows of the channel wait until the refused row is dropped", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(400, 20)];
    const first = b.outbox.send(place, { text: "a" });
    b.outbox.send(place, { text: "b" });
    await b.clock.advance(1000);
    expect(sentIds(b)).toHaveLength(1);
    b.outbox.drop(first.id);
    await b.clock.advance(100);
    expect(b.provider.stored).toHaveLength(1);
    expect(shown(b).map((m) => m.text)).toEqual(["b"]);
    expect(b.store.outbox()).toEqual([]);
  });
  test.each([
    ["nothing was behind it", () => {}],
    [
      "a scheduled message was behind it",
      (b: OutboxWorld) => b.outbox.send(place, { text: "later", at: b.clock.now() + 3_600_000 }),
    ],
    [
      "what was behind it was dropped",
      (b: OutboxWorld) => b.outbox.drop(b.outbox.send(place, { text: "b", afterMs: 60_000 }).id),
    ],
  ])(
    "what is done after a refusal when %s goes out at once, and the refused row stays",
    async (_, behind) => {
      const b = outboxWorld();
      const own = msg(1, { user: user("ada") });
      b.provider.messages.set("m1", own);
      b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(1), message: own } as never]);
      b.provider.fault = (name) => (name === "sendMessage" ? refusal(403, 17) : undefined);
      const refused = b.outbox.send(place, { text: "a" });
      behind(b);
      await b.clock.advance(1000);
      expect(b.provider.log.map(({ name }) => name)).toEqual(["sendMessage"]);
      const changes = [
        () => b.outbox.react(own, "like"),
        () => b.outbox.unreact(own, "like"),
        () => b.outbox.edit(own, { text: "x" }),
        () => b.outbox.remove(own),
      ];
      for (const change of changes) {
        const done = vi.fn();
        void change().then(done);
        await b.clock.advance(100);
        expect(done).toHaveBeenCalled();
      }
      expect(b.provider.log.slice(1).map(({ name }) => name)).toEqual([
        "sendReaction",
        "deleteReaction",
        "updateMessagePartial",
        "deleteMessage",
      ]);
      expect(b.outbox.unsent().find(({ id }) => id === refused.id)).toMatchObject({ state: "failed" });
    },
  );

  test("429: waits for the end of the rate limit, with one refusal for all channels (D14)", async () => {
    const cids = ["messaging:a", "messaging:b"];
    const b = outboxWorld({ cids });
    const reset = b.clock.now() / 1000 + 30;
    b.provider.fault = () =>
      b.clock.now() < reset * 1000
        ? refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } })
        : undefined;
    const { id } = b.outbox.send({ cid: cids[0]! }, { text: "a" });
    await b.clock.advance(50);
    b.outbox.send({ cid: cids[1]! }, { text: "b" });
    expect(shown(b, cids[0])[0]).toMatchObject({ waits: { for: "rateLimit", until: reset * 1000 } });
    await b.clock.advance(29_000);
    expect(sentIds(b)).toEqual([id]);
    await b.clock.advance(2000);
    expect(b.provider.stored).toHaveLength(2);
  });
  test("D4: a wall clock set back an hour delays no channel, neither after a lost answer nor after a refusal", async () => {
    const cids = ["messaging:a", "messaging:b"];
    const b = outboxWorld({ cids });
    const reset = b.clock.now() / 1000 + 5;
    b.provider.faults = [network(true), refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } })];
    b.outbox.send({ cid: cids[0]! }, { text: "a" });
    await b.clock.advance(10);
    b.outbox.send({ cid: cids[1]! }, { text: "b" });
    await b.clock.advance(10);
    expect(b.provider.stored).toEqual([]);
    b.clock.sleep(-3_600_000);
    await b.clock.advance(20_000);
    expect(b.provider.stored).toHaveLength(2);
    expect(b.store.outbox()).toEqual([]);
  });
  test.each([20, 31, 120, 600])(
    "code 60 waits for the channel's slow mode of %i s, with no try in between",
    async (cooldown) => {
      const b = outboxWorld();
      b.machine.dispatch([
        {
          type: "channel.updated",
          cid: CID,
          created_at: at(9),
          channel: { ...b.machine.state().channels.get(CID)!.channel, cooldown, updated_at: at(9) },
        } as never,
      ]);
      b.provider.faults = [refusal(403, 60)];
      b.outbox.send(place, { text: "a" });
      await b.clock.advance((cooldown - 1) * 1000);
      expect(shown(b)[0]).toMatchObject({ status: "sending", waits: { for: "slowMode" } });
      expect(requestNames(b)).toEqual(["sendMessage"]);
      await b.clock.advance(2000);
      expect(b.provider.stored).toHaveLength(1);
      expect(requestNames(b)).toEqual(["sendMessage", "sendMessage"]);
    },
  );
  test("code 40 waits for a sign-in, and drain continues", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(401, 40)];
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(60_000);
    expect(sentIds(b)).toHaveLength(1);
    expect(shown(b)[0]).toMatchObject({ waits: { for: "signIn" } });
    b.outbox.sendWaiting();
    await b.clock.advance(20);
    expect(b.provider.stored).toHaveLength(1);
  });
  test("R-SEND-11: an answer of type error leaves the message as failed with its text as reason", async () => {
    const b = outboxWorld();
    const call = b.provider.call;
    Object.assign(b.provider, {
      call: async (name: "sendMessage", args: never) => {
        const { message } = (await call(name, args)) as { message: ClientMessage };
        return { message: { ...message, type: "error", text: "no such command" } };
      },
    });
    b.provider.deliver = undefined;
    const { outcome } = b.outbox.send(place, { text: "/nope" });
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({
      state: "failed",
      error: { name: "AnswerError", message: "no such command" },
    });
    expect(shown(b)[0]).toMatchObject({ status: "failed" });
  });
  test("R-SEND-11: an ephemeral or system answer replaces the sending message and is neither cached nor kept after a crash", async () => {
    for (const type of ["ephemeral", "system"] as const) {
      const b = outboxWorld();
      const call = b.provider.call;
      Object.assign(b.provider, {
        call: async (name: "sendMessage", args: never) => {
          const { message } = (await call(name, args)) as { message: ClientMessage };
          return { message: { ...message, type } };
        },
      });
      b.provider.deliver = undefined;
      const copies: unknown[] = [];
      const settle = b.store.settle;
      b.store.settle = (seq, copy) => {
        copies.push(copy);
        settle(seq, copy);
      };
      const { id, outcome } = b.outbox.send(place, { text: "/giphy tea" });
      await b.clock.advance(20);
      expect(await outcome).toMatchObject({ state: "received", message: { id, type } });
      expect(shown(b)).toMatchObject([{ id, type, unstored: true }]);
      expect(shown(b)[0]!.status).toBeUndefined();
      expect(b.store.outbox()).toEqual([]);
      expect(copies).toEqual([undefined]);
      expect(b.machine.state().channels.get(CID)!.unread).toBe(0);
      const c = b.crash();
      await c.clock.advance(20);
      expect(shown(c)).toEqual([]);
    }
  });
  test("a system message that was sent as one is an ordinary message", async () => {
    const b = outboxWorld();
    const call = b.provider.call;
    Object.assign(b.provider, {
      call: async (name: "sendMessage", args: never) => {
        const { message } = (await call(name, args)) as { message: ClientMessage };
        return { message: { ...message, type: "system" } };
      },
    });
    b.outbox.send(place, { text: "doors open", custom: { type: "system" } });
    await b.clock.advance(20);
    expect(shown(b)[0]).toMatchObject({ type: "system" });
    expect(shown(b)[0]).not.toHaveProperty("unstored");
  });
  test("code 17 requests the channel's capabilities (specification/moderation.md §7)", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(400, 4), refusal(403, 17)];
    b.outbox.send(place, { text: "one" });
    await b.clock.advance(20);
    expect(b.machine.takeRefetches()).toEqual([]);
    b.outbox.drop(shown(b)[0]!.id);
    b.outbox.send(place, { text: "two" });
    await b.clock.advance(20);
    expect(shown(b)[0]).toMatchObject({ status: "failed", error: { code: 17 } });
    expect(b.machine.takeRefetches()).toEqual([{ kind: "capabilities", cid: CID }]);
  });
  test("nothing is sent while offline, and drain sends all in order", async () => {
    const b = outboxWorld();
    b.online.value = false;
    const sent = [1, 2, 3].map((n) => b.outbox.send(place, { text: `${n}` }).id);
    await b.clock.advance(60_000);
    expect(requestNames(b)).toEqual([]);
    expect(shown(b)[0]).toMatchObject({ waits: { for: "network" } });
    b.online.value = true;
    b.outbox.sendWaiting();
    await b.clock.advance(100);
    expect(b.provider.stored).toEqual(sent);
  });
  test("the back-off grows, so a row makes at most a dozen tries in a minute while the provider is down", async () => {
    const b = outboxWorld();
    b.provider.fault = () => network();
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(60_000);
    expect(b.provider.log.length).toBeGreaterThan(4);
    expect(b.provider.log.length).toBeLessThan(12);
  });
});

describe("edits, deletes and reactions", () => {
  const withMessage = (): OutboxWorld => {
    const b = outboxWorld();
    const message = msg(1, { user: user("ada") });
    b.provider.messages.set("m1", message);
    b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(1), message } as never]);
    return b;
  };
  test("R-SEND-14, D11: an edit made offline shows, survives a crash and is applied", async () => {
    const b = withMessage();
    b.online.value = false;
    void b.outbox.edit(shown(b)[0]!, { text: "mine" });
    expect(shown(b)[0]).toMatchObject({ text: "mine", pendingChange: "edit" });
    const c = b.crash();
    await c.clock.advance(100);
    expect(c.provider.messages.get("m1")!.text).toBe("mine");
    expect(c.store.outbox()).toEqual([]);
  });
  test("D11: an edit whose message was changed meanwhile fails, and a retry overwrites", async () => {
    const b = withMessage();
    b.online.value = false;
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    await b.clock.advance(60_000);
    b.provider.messages.set("m1", {
      ...b.provider.messages.get("m1")!,
      text: "theirs",
      updated_at: at(50),
      message_text_updated_at: at(50),
    });
    b.online.value = true;
    b.outbox.sendWaiting();
    const refused = expect(edit).rejects.toThrow("changed by somebody else");
    await b.clock.advance(100);
    await refused;
    expect(b.provider.messages.get("m1")!.text).toBe("theirs");
    b.outbox.retry("m1");
    await b.clock.advance(100);
    expect(b.provider.messages.get("m1")!.text).toBe("mine");
  });
  test("D11: of two delayed edits of the current user the first does not count as a change by others", async () => {
    const b = withMessage();
    b.online.value = false;
    const first = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const second = b.outbox.edit(shown(b)[0]!, { text: "mine, better" });
    await b.clock.advance(60_000);
    b.online.value = true;
    b.outbox.sendWaiting();
    await b.clock.advance(200);
    await Promise.all([first, second]);
    expect(b.provider.messages.get("m1")!.text).toBe("mine, better");
    expect(b.store.outbox()).toEqual([]);
  });
  /** Two edits of m1, "older" and then "newer", both accepted; the first try of the older one may still arrive. */
  const withLateEdit = async () => {
    const b = withMessage();
    b.provider.faults = [network()];
    const older = b.outbox.edit(shown(b)[0]!, { text: "older" });
    await b.clock.advance(3000);
    await older;
    const newer = b.outbox.edit(shown(b)[0]!, { text: "newer" });
    await b.clock.advance(100);
    await newer;
    /** An edit of another user reaches the provider, which sends the event. */
    const receiveEdit = async (text: string): Promise<void> => {
      const done = b.provider.call("updateMessagePartial", { path: { id: "m1" }, body: { set: { text } } });
      await b.clock.advance(10);
      const { message } = await done;
      b.machine.dispatch([
        { type: "message.updated", cid: CID, created_at: message.updated_at, message } as never,
      ]);
      await b.clock.advance(100);
    };
    return { ...b, receiveEdit, text: () => b.provider.messages.get("m1")!.text };
  };
  test("D11: every try of an edit has the same key, and another edit has another key", async () => {
    const b = withMessage();
    const keys: unknown[] = [];
    const { call } = b.provider;
    Object.assign(b.provider, {
      call: (name: string, args: { key?: string }) => {
        if (name === "updateMessagePartial") keys.push(args.key);
        return call(name as "getMessage", args as never);
      },
    });
    b.provider.faults = [network()];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    await b.clock.advance(3000);
    await edit;
    const other = b.outbox.edit(shown(b)[0]!, { text: "again" });
    await b.clock.advance(100);
    await other;
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
  test("D7: the answer of a repeated reaction may be old, so events received since stay", async () => {
    const b = withMessage();
    b.provider.faults = [network()];
    const done = b.outbox.react(shown(b)[0]!, "like");
    await b.clock.advance(50);
    const theirs = { type: "wow", user_id: "bob", user: user("bob"), message_id: "m1", score: 1 };
    const groups = { wow: { count: 1, sum_scores: 1, first_reaction_at: at(9), last_reaction_at: at(9) } };
    b.machine.dispatch([
      {
        type: "reaction.new",
        cid: CID,
        created_at: at(9),
        message: msg(1, { user: user("ada"), reaction_groups: groups }),
        reaction: theirs,
      } as never,
    ]);
    await b.clock.advance(3000);
    await done;
    expect(Object.keys(shown(b)[0]!.reaction_groups)).toContain("wow");
  });
  test("D11: an older edit that arrives after a newer one is corrected once", async () => {
    const b = await withLateEdit();
    await b.receiveEdit("older");
    expect(b.text()).toBe("newer");
    expect(b.store.outbox()).toEqual([]);
    // No other try can still arrive: an equal text is a new edit.
    await b.receiveEdit("older");
    expect(b.text()).toBe("older");
  });
  test("D11: it is corrected also if the event of the newer edit came before its answer", async () => {
    const b = withMessage();
    const { call } = b.provider;
    Object.assign(b.provider, {
      call: async (name: string, args: object) => {
        const reply = await call(name as "getMessage", args as never);
        const { message } = reply;
        if (name === "updateMessagePartial")
          b.machine.dispatch([
            { type: "message.updated", cid: CID, created_at: message.updated_at, message } as never,
          ]);
        return reply;
      },
    });
    b.provider.faults = [network()];
    const older = b.outbox.edit(shown(b)[0]!, { text: "older" });
    await b.clock.advance(3000);
    await older;
    const newer = b.outbox.edit(shown(b)[0]!, { text: "newer" });
    await b.clock.advance(100);
    await newer;
    const late = b.provider.call("updateMessagePartial", {
      path: { id: "m1" },
      body: { set: { text: "older" } },
    });
    await b.clock.advance(100);
    await late;
    expect(b.provider.messages.get("m1")!.text).toBe("newer");
    expect(b.store.outbox()).toEqual([]);
  });
  test("D11: after an edit of another user a late edit is not corrected", async () => {
    const b = await withLateEdit();
    await b.receiveEdit("theirs");
    await b.receiveEdit("older");
    expect(b.text()).toBe("older");
  });
  test("D11: a late edit of the current user does not count as a change by others for a waiting edit", async () => {
    const b = await withLateEdit();
    b.online.value = false;
    const third = b.outbox.edit(shown(b)[0]!, { text: "third" });
    await b.clock.advance(6000);
    const { message } = await (async () => {
      const done = b.provider.call("updateMessagePartial", {
        path: { id: "m1" },
        body: { set: { text: "older" } },
      });
      await b.clock.advance(10);
      return done;
    })();
    expect(message.text).toBe("older");
    b.online.value = true;
    b.outbox.sendWaiting();
    await b.clock.advance(200);
    await third;
    expect(b.text()).toBe("third");
  });
  test("R-SEND-14: a refused edit is restored with a notice; a delete without an answer is repeated", async () => {
    const b = withMessage();
    b.provider.faults = [refusal(403, 17)];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const refused = expect(edit).rejects.toThrow("code 17");
    await b.clock.advance(20);
    await refused;
    expect(shown(b)[0]!.text).toBe("text 1");
    expect(b.machine.state().notices).toMatchObject([{ level: "error" }]);
    b.provider.faults = [{ after: network() }];
    const removal = b.outbox.remove(shown(b)[0]!);
    await b.clock.advance(3000);
    await removal;
    expect(shown(b)[0]).toMatchObject({ type: "deleted" });
    expect(b.store.outbox()).toEqual([]);
  });
  test("deleting a message that is already gone counts as done", async () => {
    const b = withMessage();
    b.provider.messages.delete("m1");
    const removal = b.outbox.remove(shown(b)[0]!, { hard: true });
    await b.clock.advance(20);
    await removal;
    expect(shown(b)).toEqual([]);
  });
  test("an unsent message is edited and deleted in the outbox itself", async () => {
    const b = outboxWorld();
    b.online.value = false;
    b.outbox.send(place, { text: "tpyo" });
    const second = b.outbox.send(place, { text: "never mind" });
    await b.outbox.edit(shown(b)[0]!, { text: "typo" });
    await b.outbox.remove(shown(b).find((m) => m.id === second.id)!);
    b.online.value = true;
    b.outbox.sendWaiting();
    await b.clock.advance(100);
    expect([...b.provider.messages.values()].map((m) => m.text)).toEqual(["typo"]);
    expect(requestNames(b)).toEqual(["sendMessage"]);
  });
});

describe("a send with a time limit (specification/sending.md §3)", () => {
  test("never sent: it is withdrawn after the limit, and nothing is left", async () => {
    const b = outboxWorld();
    b.provider.fault = () => network(true);
    const { outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(3100);
    expect(await outcome).toMatchObject({
      state: "failed",
      error: { message: expect.stringContaining("taken back") },
    });
    expect(b.store.outbox()).toEqual([]);
    expect(shown(b)).toEqual([]);
  });
  test("sent without an answer: its outcome is waiting, and the row stays", async () => {
    const b = outboxWorld();
    b.provider.fault = () => network();
    const { id, outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(3100);
    expect(await outcome).toMatchObject({ state: "waiting", message: { id } });
    expect(b.store.outbox()).toMatchObject([{ messageId: id }]);
  });
  test("sent without an answer, and the lookup refused for its token: its outcome is waiting", async () => {
    const b = outboxWorld();
    b.provider.fault = (name) => (name === "sendMessage" ? network() : refusal(401, 43));
    const { id, outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(3100);
    expect(await outcome).toMatchObject({ state: "waiting", message: { id } });
    expect(b.store.outbox()).toMatchObject([{ messageId: id, state: "unknown" }]);
    expect(sentIds(b)).toHaveLength(1);
  });
  test("refused for its token: the refusal is reported at once", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(401, 43)];
    const { outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 60_000, withdraw: true });
    await b.clock.advance(50);
    expect(await outcome).toMatchObject({ state: "failed", error: { code: 43 } });
    expect(b.store.outbox()).toEqual([]);
    expect(sentIds(b)).toHaveLength(1);
  });
  test("refused: the row is removed", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(400, 20)];
    const { outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(50);
    expect(await outcome).toMatchObject({ state: "failed" });
    expect(b.store.outbox()).toEqual([]);
  });
});

describe("a delete with an undo delay", () => {
  const TEN = 10_000;
  /** A message of the current user, at the provider and in the state. */
  const sent = async (b: OutboxWorld): Promise<ClientMessage> => {
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(10);
    return shown(b)[0]!;
  };
  const deletes = (b: OutboxWorld): string[] => requestNames(b).filter((name) => name === "deleteMessage");

  test("shows at once, is sent after the delay, and delays nothing else of its channel", async () => {
    const b = outboxWorld();
    const message = await sent(b);
    const removed = b.outbox.remove(message, { afterMs: TEN });
    expect(shown(b)).toMatchObject([{ id: message.id, type: "deleted" }]);
    const { id } = b.outbox.send(place, { text: "b" });
    await b.clock.advance(TEN - 20);
    expect([b.provider.stored, deletes(b)]).toEqual([[message.id, id], []]);
    b.outbox.sendWaiting();
    await b.clock.advance(10);
    expect(deletes(b)).toEqual([]);
    await b.clock.advance(20);
    await removed;
    expect(deletes(b)).toHaveLength(1);
    expect([b.store.outbox(), b.provider.channelOverlap]).toEqual([[], false]);
  });
  test("can be undone during the delay, not after it", async () => {
    const b = outboxWorld();
    const message = await sent(b);
    const removed = b.outbox.remove(message, { afterMs: TEN });
    await b.clock.advance(TEN / 2);
    expect(b.outbox.cancelDelete(message.id)).toBe(true);
    await removed;
    await b.clock.advance(2 * TEN);
    expect([deletes(b), b.store.outbox(), b.machine.state().outbox]).toEqual([[], [], 0]);
    expect(shown(b)).toMatchObject([{ id: message.id, text: "a", type: "regular" }]);
    void b.outbox.remove(message, { afterMs: TEN });
    await b.clock.advance(TEN + 10);
    expect(b.outbox.cancelDelete(message.id)).toBe(false);
    expect(deletes(b)).toHaveLength(1);
  });
  test("is sent on close, each of a channel in turn; after one without an answer the others stay stored", async () => {
    const closing = outboxWorld();
    const messages: ClientMessage[] = [];
    for (let n = 0; n < 3; n++) {
      await sent(closing);
      messages.push(shown(closing).at(-1)!);
    }
    for (const message of messages) void closing.outbox.remove(message, { afterMs: TEN });
    const closed = closing.outbox.close();
    await closing.clock.advance(100);
    await closed;
    expect([deletes(closing).length, closing.store.outbox(), closing.provider.channelOverlap]).toEqual([
      3,
      [],
      false,
    ]);

    const failing = outboxWorld();
    void failing.outbox.remove(await sent(failing), { afterMs: TEN });
    await sent(failing);
    void failing.outbox.remove(shown(failing).at(-1)!, { afterMs: TEN });
    failing.provider.faults = [network()];
    const ended = failing.outbox.close();
    await failing.clock.advance(100);
    await ended;
    expect([deletes(failing).length, failing.store.outbox().length]).toEqual([1, 2]);
  });
  test("is sent on close; if offline or after a crash it is sent at the next start", async () => {
    const closing = outboxWorld();
    void closing.outbox.remove(await sent(closing), { afterMs: TEN });
    const closed = closing.outbox.close();
    await closing.clock.advance(10);
    await closed;
    expect([deletes(closing), closing.store.outbox()]).toEqual([["deleteMessage"], []]);

    const offline = outboxWorld();
    void offline.outbox.remove(await sent(offline), { afterMs: TEN });
    offline.online.value = false;
    await offline.outbox.close();
    expect([deletes(offline), offline.store.outbox()]).toMatchObject([[], [{ action: { kind: "delete" } }]]);

    const killed = outboxWorld();
    void killed.outbox.remove(await sent(killed), { afterMs: TEN });
    const next = killed.crash();
    await next.clock.advance(20);
    expect([deletes(next), next.store.outbox()]).toEqual([["deleteMessage"], []]);
  });
});

describe("after a crash", () => {
  test("a row that was in flight is looked up before it is sent again", async () => {
    const b = outboxWorld();
    b.provider.faults = [{ after: network() }];
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(c.provider.stored).toEqual([id]);
    expect(shown(c)).toMatchObject([{ id }]);
    expect(c.store.outbox()).toEqual([]);
  });
  test("a row whose channel is not loaded shows when the channel arrives", async () => {
    const b = outboxWorld();
    b.online.value = false;
    const { id } = b.outbox.send({ cid: "messaging:later" }, { text: "a" });
    b.machine.apply({
      kind: "channels",
      states: [channel([], { cid: "messaging:later" })],
      messageLimit: 25,
      watched: true,
    });
    await b.clock.settle();
    expect(shown(b, "messaging:later")).toMatchObject([{ id, status: "sending" }]);
  });
  test("rows of a living process are left alone, those of a dead one are taken over with the lease", async () => {
    const b = outboxWorld();
    const row = (id: string, owner: string) =>
      b.store.enqueue({
        messageId: id,
        cid: CID,
        action: { kind: "send", message: { id, text: id }, options: {} },
        state: "queued",
        tries: 0,
        owner,
        createdAt: b.clock.now(),
      });
    row("ada-dead", "999999999:1");
    row("ada-living", "1:");
    b.outbox.resume();
    await b.clock.advance(100);
    expect(b.provider.stored).toEqual(["ada-dead"]);
    await b.outbox.close();
  });
  test("rows of a dead process are left to the living one that holds the lease", async () => {
    const b = outboxWorld();
    expect(b.store.lease("1:")).toBe(true);
    b.store.enqueue({
      messageId: "ada-dead",
      cid: CID,
      action: { kind: "send", message: { id: "ada-dead", text: "a" }, options: {} },
      state: "queued",
      tries: 0,
      owner: "999999999:1",
      createdAt: b.clock.now(),
    });
    b.outbox.resume();
    await b.clock.advance(20_000);
    expect([b.provider.stored, b.store.outbox().map(({ owner }) => owner)]).toEqual([[], ["999999999:1"]]);
    await b.outbox.close();
  });
});

describe("files being uploaded", () => {
  const upload = (state: Upload["state"], n = 1): Upload => ({
    localId: `u${n}`,
    name: `${n}.png`,
    state,
    sent: 0,
    total: 1,
    attachment: { type: "image", image_url: `http://p/${n}.png` },
  });
  test.each(["pending", "uploading"] as const)(
    "R-SEND-1: a %s file refuses the send with a warning; nothing is stored or requested, and the draft stays",
    async (state) => {
      const b = outboxWorld();
      b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
      expect(() =>
        b.outbox.send(place, { text: "hi", uploads: [upload("finished"), upload(state, 2)] }),
      ).toThrow("Wait until all attachments have uploaded");
      await b.clock.advance(100);
      expect(b.machine.state().notices).toMatchObject([
        { level: "warning", text: "Wait until all attachments have uploaded" },
      ]);
      expect([requestNames(b), b.store.outbox(), shown(b)]).toEqual([[], [], []]);
      expect(b.store.draft(CID)!.text).toBe("hi");
    },
  );
  test("R-SEND-4: uploads are checked before the length, the length before emptiness, all before the message shows", () => {
    const b = outboxWorld();
    const tooLong = "x".repeat(5001);
    expect(() => b.outbox.send(place, { text: tooLong, uploads: [upload("uploading")] })).toThrow(
      "Wait until",
    );
    expect(() => b.outbox.send(place, { text: " ".repeat(5001) })).toThrow("too long: 5001 of at most 5000");
    expect(() => b.outbox.send(place, { text: " ", uploads: [upload("failed"), upload("blocked")] })).toThrow(
      "empty",
    );
    expect(shown(b)).toEqual([]);
  });
  test("R-ATT-7: finished files are sent, failed and blocked ones are not", async () => {
    const b = outboxWorld();
    b.outbox.send(place, {
      text: "",
      uploads: [upload("finished"), upload("failed", 2), upload("blocked", 3)],
    });
    expect(shown(b)[0]!.attachments).toEqual([{ type: "image", image_url: "http://p/1.png" }]);
  });
});

describe("signing out with rows in the outbox", () => {
  test("close ends the outcome as waiting, with the message as its author wrote it", async () => {
    const b = outboxWorld({ cids: [] });
    b.online.value = false;
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    b.signOut();
    await b.outbox.close();
    expect(await outcome).toMatchObject({
      state: "waiting",
      message: { id, text: "hi", user: { id: "ada" } },
    });
  });
  test("a row refused after the sign-out is reported as failed", async () => {
    const b = outboxWorld({ cids: [] });
    b.provider.faults = [refusal(403, 17)];
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    b.signOut();
    await b.clock.advance(100);
    expect(await outcome).toMatchObject({
      state: "failed",
      message: { id, status: "failed", user: { id: "ada" } },
    });
    await b.outbox.close();
  });
  test("a channel loaded after the sign-out shows no rows of the former user", async () => {
    const b = outboxWorld({ cids: [] });
    b.online.value = false;
    b.outbox.send(place, { text: "hi" });
    b.signOut();
    b.machine.apply({ kind: "channels", states: [channel([])], messageLimit: 25, watched: true });
    await b.clock.advance(10);
    expect(b.machine.state().channels.has(CID)).toBe(true);
    await b.outbox.close();
  });
});
