/** The outbox: durable before shown, once at the provider, in order, and never without an end (D1–D5, R-SEND, specification/sending.md §2, §3). */
import { describe, expect, test } from "vitest";
import type { Upload } from "../../../src/core/core.ts";
import { StoreFailure } from "../../../src/core/store/store.ts";
import type { HeldMessage } from "../../../src/model/state.ts";
import { at, channel, CID, msg, user } from "../state/world.ts";
import { bench, network, refusal, type Bench } from "./provider.ts";

const place = { cid: CID };
const shown = (b: Bench, cid = CID): HeldMessage[] => [
  ...b.machine.state().channels.get(cid)!.sets[0]!.messages,
];
const posts = (b: Bench): string[] => b.provider.log.filter((l) => l.name === "sendMessage").map((l) => l.id);
const names = (b: Bench): string[] => b.provider.log.map((l) => l.name);

describe("sending", () => {
  test("R-SEND-5, R-SEND-6: shown at once as sending, then received under the same id, and the row is gone", async () => {
    const b = bench();
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
  test("a message in a fifth channel at once is written as waiting: four are on the wire", async () => {
    const b = bench();
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
  test("D1: a disk that refuses shows no echo, sends nothing, keeps the draft and says so", async () => {
    const b = bench();
    b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
    b.store.enqueue = () => {
      throw new StoreFailure("full", "state.db cannot grow: the disk is full");
    };
    expect(() => b.outbox.send(place, { text: "hi" })).toThrow("the disk is full");
    await b.clock.advance(100);
    expect(shown(b)).toEqual([]);
    expect(names(b)).toEqual([]);
    expect(b.store.draft(CID)!.text).toBe("hi");
    expect(b.machine.state().storage).toContain("full");
  });
  test("R-SEND-12, specification/drafts.md §4: the draft of that place goes with the row; keepDraft leaves it", () => {
    const b = bench();
    b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
    b.store.saveDraft({ cid: CID, parentId: "m1", text: "other", updatedAt: 1 });
    b.outbox.send(place, { text: "x" }, { keepDraft: true });
    expect(b.store.draft(CID)!.text).toBe("hi");
    b.outbox.send(place, { text: "hi" });
    expect(b.store.draft(CID)).toBeUndefined();
    expect(b.store.draft(CID, "m1")!.text).toBe("other");
  });
  test("R-SEND-2, R-SEND-3: too long or empty is refused before anything happens; an attachment is not empty", () => {
    const b = bench();
    expect(() => b.outbox.send(place, { text: "x".repeat(5001) })).toThrow("too long: 5001 of at most 5000");
    expect(() => b.outbox.send(place, { text: " \n" })).toThrow("empty");
    expect(b.store.outbox()).toEqual([]);
    b.outbox.send(place, { text: "", attachments: [{ type: "file" } as never] });
    b.outbox.send(place, { text: "x".repeat(5000) });
    expect(b.store.outbox()).toHaveLength(2);
  });
  test("D5: one at a time a channel, in order; four channels at once", async () => {
    const cids = ["a", "b", "c", "d", "e", "f"].map((id) => `messaging:${id}`);
    const b = bench({ cids });
    const sent = cids.flatMap((cid) =>
      [1, 2, 3].map((n) => ({ cid, id: b.outbox.send({ cid }, { text: `${n}` }).id })),
    );
    await b.clock.advance(200);
    expect(b.provider.mostAtOnce).toBe(4);
    expect(b.provider.laneOverlap).toBe(false);
    for (const cid of cids)
      expect(b.provider.stored.filter((id) => b.provider.messages.get(id)!.cid === cid)).toEqual(
        sent.filter((each) => each.cid === cid).map((each) => each.id),
      );
  });
});

describe("what answers lead to", () => {
  test("D2: no answer although it arrived → looked up by id, found, not sent twice", async () => {
    const b = bench();
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }];
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(2000);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(names(b)).toEqual(["sendMessage", "getMessage"]);
    expect(b.provider.stored).toEqual([id]);
  });
  test("D2: no answer and not there → sent again with the same id", async () => {
    const b = bench();
    b.provider.faults = [refusal(502, -1)];
    const { id } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(2000);
    expect(names(b)).toEqual(["sendMessage", "getMessage", "sendMessage"]);
    expect(new Set(posts(b))).toEqual(new Set([id]));
    expect(b.provider.stored).toEqual([id]);
  });
  test("D2: a message that is forgotten while it is looked for is not sent again", async () => {
    const b = bench();
    b.provider.faults = [refusal(502, -1)];
    const { id } = b.outbox.send(place, { text: "hi" });
    while (!names(b).includes("getMessage")) await b.clock.advance(1);
    b.outbox.drop(id, true);
    await b.clock.advance(5000);
    expect([names(b), b.provider.stored, b.store.outbox()]).toEqual([["sendMessage", "getMessage"], [], []]);
  });
  test("D3: the socket's copy acknowledges a send whose answer was lost", async () => {
    const b = bench();
    b.provider.faults = [{ after: network() }];
    const { outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(names(b)).toEqual(["sendMessage"]);
  });
  test("D7: a reaction that is told in one batch with the copy that acknowledges a send stays", async () => {
    const b = bench();
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
    const told = { cid: CID, created_at: message.created_at };
    b.machine.dispatch([
      { ...told, type: "message.new", message },
      { ...told, type: "reaction.new", message: loved, reaction: love, user: user("ben") },
    ] as never);
    expect(await outcome).toMatchObject({ state: "received" });
    expect(shown(b)[0]).toMatchObject({ reaction_groups: { love: { count: 1 } } });
  });
  test("D7: a copy that an event told ends the row, and what an answer has told of the message since stays", async () => {
    const b = bench();
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
  test("R-SEND-9, specification/sending.md §2: code 4 after a try is looked up; on a first try it is a refusal", async () => {
    const b = bench();
    const first = b.outbox.send(place, { text: "taken", id: "ada-1" });
    b.provider.faults = [refusal(400, 4)];
    await b.clock.advance(20);
    expect(await first.outcome).toMatchObject({ state: "failed" });
    expect(names(b)).toEqual(["sendMessage"]);
    // The lookup does not find it; the second post is refused because it exists.
    b.provider.deliver = undefined;
    b.provider.faults = [{ after: network() }, refusal(404, 16)];
    const second = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(3000);
    expect(await second.outcome).toMatchObject({ state: "received" });
    expect(b.provider.stored).toEqual([second.id]);
  });
  test("D2: code 4 after a try and nothing under the id: it was stored and deleted for good, so it is settled and not sent again", async () => {
    const b = bench();
    b.provider.deliver = undefined;
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    b.provider.faults = [{ after: network() }, refusal(404, 16), refusal(400, 4), refusal(404, 16)];
    await b.clock.advance(60_000);
    expect(await outcome).toMatchObject({ state: "received", message: { id } });
    expect(names(b)).toEqual(["sendMessage", "getMessage", "sendMessage", "getMessage"]);
    expect(b.store.outbox()).toEqual([]);
    expect(shown(b)).toEqual([]);
  });
  test("specification/sending.md §2: an id that belongs to somebody else is a refusal", async () => {
    const b = bench();
    b.provider.messages.set("ada-1", msg(1, { id: "ada-1", user: user("bob") }));
    b.provider.faults = [network()];
    const { outcome } = b.outbox.send(place, { text: "hi", id: "ada-1" });
    await b.clock.advance(2000);
    expect(await outcome).toMatchObject({ state: "failed" });
  });
  test("R-SEND-8, D4: a final refusal stays as failed with its reason; retry uses the same id", async () => {
    const b = bench();
    b.provider.faults = [refusal(403, 17)];
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    await b.clock.advance(20);
    expect(await outcome).toMatchObject({ state: "failed", error: { code: 17 } });
    expect(shown(b)).toMatchObject([{ id, status: "failed", error: { code: 17 } }]);
    expect(b.store.outbox()).toMatchObject([{ state: "failed", error: { code: 17, status: 403 } }]);
    b.outbox.retry(id);
    await b.clock.advance(20);
    expect(posts(b)).toEqual([id, id]);
    expect(shown(b)[0]!.status).toBeUndefined();
  });
  test("later rows of the channel wait for the user after a refusal; a new send or a drop lets them go", async () => {
    const b = bench();
    b.provider.faults = [refusal(400, 20)];
    const first = b.outbox.send(place, { text: "a" });
    b.outbox.send(place, { text: "b" });
    await b.clock.advance(1000);
    expect(posts(b)).toHaveLength(1);
    b.outbox.drop(first.id);
    await b.clock.advance(100);
    expect(b.provider.stored).toHaveLength(1);
    expect(shown(b).map((m) => m.text)).toEqual(["b"]);
    expect(b.store.outbox()).toEqual([]);
  });
  test("429: parked until the reset with one refusal a window over all channels (D14)", async () => {
    const cids = ["messaging:a", "messaging:b"];
    const b = bench({ cids });
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
    expect(posts(b)).toEqual([id]);
    await b.clock.advance(2000);
    expect(b.provider.stored).toHaveLength(2);
  });
  test("D4: a wall clock that goes back an hour holds no channel up, neither after a lost answer nor after a refusal", async () => {
    const cids = ["messaging:a", "messaging:b"];
    const b = bench({ cids });
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
  test("code 60: waits for the channel's slow mode", async () => {
    const b = bench();
    b.machine.dispatch([
      {
        type: "channel.updated",
        cid: CID,
        created_at: at(9),
        channel: { ...b.machine.state().channels.get(CID)!.channel, cooldown: 20, updated_at: at(9) },
      } as never,
    ]);
    b.provider.faults = [refusal(403, 60)];
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(19_000);
    expect(shown(b)[0]).toMatchObject({ status: "sending", waits: { for: "slowMode" } });
    await b.clock.advance(2000);
    expect(b.provider.stored).toHaveLength(1);
  });
  test("code 40 after the refresh parks and asks to sign in; drain goes on", async () => {
    const b = bench();
    b.provider.faults = [refusal(401, 40)];
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(60_000);
    expect(posts(b)).toHaveLength(1);
    expect(shown(b)[0]).toMatchObject({ waits: { for: "signIn" } });
    b.outbox.drain();
    await b.clock.advance(20);
    expect(b.provider.stored).toHaveLength(1);
  });
  test("R-SEND-11: an answer of type error keeps the text and shows why", async () => {
    const b = bench();
    const call = b.provider.call;
    Object.assign(b.provider, {
      call: async (name: "sendMessage", args: never) => {
        const { message } = (await call(name, args)) as { message: HeldMessage };
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
  test("R-SEND-11: an ephemeral or system answer stands in the place of the optimistic one, uncached and only here", async () => {
    for (const type of ["ephemeral", "system"] as const) {
      const b = bench();
      const call = b.provider.call;
      Object.assign(b.provider, {
        call: async (name: "sendMessage", args: never) => {
          const { message } = (await call(name, args)) as { message: HeldMessage };
          return { message: { ...message, type } };
        },
      });
      b.provider.deliver = undefined;
      const copies: unknown[] = [];
      const kept = b.store.settle;
      b.store.settle = (seq, copy) => {
        copies.push(copy);
        kept(seq, copy);
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
  test("a system message that was asked for is kept like any other", async () => {
    const b = bench();
    const call = b.provider.call;
    Object.assign(b.provider, {
      call: async (name: "sendMessage", args: never) => {
        const { message } = (await call(name, args)) as { message: HeldMessage };
        return { message: { ...message, type: "system" } };
      },
    });
    b.outbox.send(place, { text: "doors open", custom: { type: "system" } });
    await b.clock.advance(20);
    expect(shown(b)[0]).toMatchObject({ type: "system" });
    expect(shown(b)[0]).not.toHaveProperty("unstored");
  });
  test("a refusal of code 17 asks what may still be done in the channel (specification/moderation.md §7)", async () => {
    const b = bench();
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
  test("offline nothing is tried; drain sends all in order", async () => {
    const b = bench();
    b.online.value = false;
    const sent = [1, 2, 3].map((n) => b.outbox.send(place, { text: `${n}` }).id);
    await b.clock.advance(60_000);
    expect(names(b)).toEqual([]);
    expect(shown(b)[0]).toMatchObject({ waits: { for: "network" } });
    b.online.value = true;
    b.outbox.drain();
    await b.clock.advance(100);
    expect(b.provider.stored).toEqual(sent);
  });
  test("back-off grows, and a row never tries more often than every few seconds while the provider is down", async () => {
    const b = bench();
    b.provider.fault = () => network();
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(60_000);
    expect(b.provider.log.length).toBeGreaterThan(4);
    expect(b.provider.log.length).toBeLessThan(12);
  });
});

describe("edits, deletes and reactions", () => {
  const withMessage = (): Bench => {
    const b = bench();
    const message = msg(1, { user: user("ada") });
    b.provider.messages.set("m1", message);
    b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(1), message } as never]);
    return b;
  };
  test("R-SEND-14, D11: an edit made offline shows, is kept over a crash and applied", async () => {
    const b = withMessage();
    b.online.value = false;
    void b.outbox.edit(shown(b)[0]!, { text: "mine" });
    expect(shown(b)[0]).toMatchObject({ text: "mine", pendingChange: "edit" });
    const c = b.crash();
    await c.clock.advance(100);
    expect(c.provider.messages.get("m1")!.text).toBe("mine");
    expect(c.store.outbox()).toEqual([]);
  });
  test("D11: an edit whose base changed meanwhile asks first; retry overwrites", async () => {
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
    b.outbox.drain();
    const refused = expect(edit).rejects.toThrow("changed by somebody else");
    await b.clock.advance(100);
    await refused;
    expect(b.provider.messages.get("m1")!.text).toBe("theirs");
    b.outbox.retry("m1");
    await b.clock.advance(100);
    expect(b.provider.messages.get("m1")!.text).toBe("mine");
  });
  test("D11: of two own edits that both waited long, the first is no change by somebody else for the second", async () => {
    const b = withMessage();
    b.online.value = false;
    const first = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const second = b.outbox.edit(shown(b)[0]!, { text: "mine, better" });
    await b.clock.advance(60_000);
    b.online.value = true;
    b.outbox.drain();
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
    const lands = async (text: string): Promise<void> => {
      const done = b.provider.call("updateMessagePartial", { path: { id: "m1" }, body: { set: { text } } });
      await b.clock.advance(10);
      const { message } = await done;
      b.machine.dispatch([
        { type: "message.updated", cid: CID, created_at: message.updated_at, message } as never,
      ]);
      await b.clock.advance(100);
    };
    return { ...b, lands, text: () => b.provider.messages.get("m1")!.text };
  };
  test("D11: every try of an edit carries the same key, so that a provider that remembers does it once", async () => {
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
  test("D7: the answer of a repeat may be the first one's: what was told since stays", async () => {
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
  test("D11: an own older edit that lands after a newer accepted one is made good again, once", async () => {
    const b = await withLateEdit();
    await b.lands("older");
    expect(b.text()).toBe("newer");
    expect(b.store.outbox()).toEqual([]);
    // No other try can still arrive: an equal text is a new edit.
    await b.lands("older");
    expect(b.text()).toBe("older");
  });
  test("D11: so it is when the event of the newer came before its answer: that was nobody else's edit", async () => {
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
  test("D11: when somebody else has edited meanwhile, a late own edit takes nothing of that back", async () => {
    const b = await withLateEdit();
    await b.lands("theirs");
    await b.lands("older");
    expect(b.text()).toBe("older");
  });
  test("D11: an own older edit that landed late is no change by somebody else for an edit that waits", async () => {
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
    b.outbox.drain();
    await b.clock.advance(200);
    await third;
    expect(b.text()).toBe("third");
  });
  test("R-SEND-14: a refusal restores and tells; a lost answer repeats", async () => {
    const b = withMessage();
    b.provider.faults = [refusal(403, 17)];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const refused = expect(edit).rejects.toThrow("code 17");
    await b.clock.advance(20);
    await refused;
    expect(shown(b)[0]!.text).toBe("text 1");
    expect(b.machine.state().notices).toMatchObject([{ level: "error" }]);
    b.provider.faults = [{ after: network() }];
    const gone = b.outbox.remove(shown(b)[0]!);
    await b.clock.advance(3000);
    await gone;
    expect(shown(b)[0]).toMatchObject({ type: "deleted" });
    expect(b.store.outbox()).toEqual([]);
  });
  test("deleting what is gone already counts as done", async () => {
    const b = withMessage();
    b.provider.messages.delete("m1");
    const gone = b.outbox.remove(shown(b)[0]!, { hard: true });
    await b.clock.advance(20);
    await gone;
    expect(shown(b)).toEqual([]);
  });
  test("an own message that has not been sent yet is changed or dropped in the outbox", async () => {
    const b = bench();
    b.online.value = false;
    b.outbox.send(place, { text: "tpyo" });
    const second = b.outbox.send(place, { text: "never mind" });
    await b.outbox.edit(shown(b)[0]!, { text: "typo" });
    await b.outbox.remove(shown(b).find((m) => m.id === second.id)!);
    b.online.value = true;
    b.outbox.drain();
    await b.clock.advance(100);
    expect([...b.provider.messages.values()].map((m) => m.text)).toEqual(["typo"]);
    expect(names(b)).toEqual(["sendMessage"]);
  });
});

describe("a one-shot (specification/sending.md §3)", () => {
  test("never sent → taken back within the wait; nothing is left", async () => {
    const b = bench();
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
  test("sent without an answer → waiting, and the row stays", async () => {
    const b = bench();
    b.provider.fault = () => network();
    const { id, outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(3100);
    expect(await outcome).toMatchObject({ state: "waiting", message: { id } });
    expect(b.store.outbox()).toMatchObject([{ messageId: id }]);
  });
  test("sent without an answer, and the lookup refused for its token → waiting: it may have arrived", async () => {
    const b = bench();
    b.provider.fault = (name) => (name === "sendMessage" ? network() : refusal(401, 43));
    const { id, outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(3100);
    expect(await outcome).toMatchObject({ state: "waiting", message: { id } });
    expect(b.store.outbox()).toMatchObject([{ messageId: id, state: "unknown" }]);
    expect(posts(b)).toHaveLength(1);
  });
  test("a token that is refused → the refusal at once, because nobody can sign in meanwhile", async () => {
    const b = bench();
    b.provider.faults = [refusal(401, 43)];
    const { outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 60_000, withdraw: true });
    await b.clock.advance(50);
    expect(await outcome).toMatchObject({ state: "failed", error: { code: 43 } });
    expect(b.store.outbox()).toEqual([]);
    expect(posts(b)).toHaveLength(1);
  });
  test("refused → the row is removed", async () => {
    const b = bench();
    b.provider.faults = [refusal(400, 20)];
    const { outcome } = b.outbox.send(place, { text: "a" }, { waitMs: 3000, withdraw: true });
    await b.clock.advance(50);
    expect(await outcome).toMatchObject({ state: "failed" });
    expect(b.store.outbox()).toEqual([]);
  });
});

describe("a delete that can be taken back", () => {
  const TEN = 10_000;
  /** A message of the current user, at the provider and in the state. */
  const sent = async (b: Bench): Promise<HeldMessage> => {
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(10);
    return shown(b)[0]!;
  };
  const deletes = (b: Bench): string[] => names(b).filter((name) => name === "deleteMessage");

  test("shows at once, goes out when its time is over, and holds nothing else of its channel up", async () => {
    const b = bench();
    const message = await sent(b);
    const removed = b.outbox.remove(message, { afterMs: TEN });
    expect(shown(b)).toMatchObject([{ id: message.id, type: "deleted" }]);
    const { id } = b.outbox.send(place, { text: "b" });
    await b.clock.advance(TEN - 20);
    expect([b.provider.stored, deletes(b)]).toEqual([[message.id, id], []]);
    b.outbox.drain();
    await b.clock.advance(10);
    expect(deletes(b)).toEqual([]);
    await b.clock.advance(20);
    await removed;
    expect(deletes(b)).toHaveLength(1);
    expect([b.store.outbox(), b.provider.laneOverlap]).toEqual([[], false]);
  });
  test("is taken back within its time, and not later", async () => {
    const b = bench();
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
  test("each of one channel goes out when the program ends, one after the other; none after one that got no answer", async () => {
    const quits = bench();
    const messages: HeldMessage[] = [];
    for (let n = 0; n < 3; n++) {
      await sent(quits);
      messages.push(shown(quits).at(-1)!);
    }
    for (const message of messages) void quits.outbox.remove(message, { afterMs: TEN });
    const closed = quits.outbox.close();
    await quits.clock.advance(100);
    await closed;
    expect([deletes(quits).length, quits.store.outbox(), quits.provider.laneOverlap]).toEqual([3, [], false]);

    const cut = bench();
    void cut.outbox.remove(await sent(cut), { afterMs: TEN });
    await sent(cut);
    void cut.outbox.remove(shown(cut).at(-1)!, { afterMs: TEN });
    cut.provider.faults = [network()];
    const ended = cut.outbox.close();
    await cut.clock.advance(100);
    await ended;
    expect([deletes(cut).length, cut.store.outbox().length]).toEqual([1, 2]);
  });
  test("goes out when the program ends; without a link, or after a crash, with the next start", async () => {
    const quits = bench();
    void quits.outbox.remove(await sent(quits), { afterMs: TEN });
    const closed = quits.outbox.close();
    await quits.clock.advance(10);
    await closed;
    expect([deletes(quits), quits.store.outbox()]).toEqual([["deleteMessage"], []]);

    const offline = bench();
    void offline.outbox.remove(await sent(offline), { afterMs: TEN });
    offline.online.value = false;
    await offline.outbox.close();
    expect([deletes(offline), offline.store.outbox()]).toMatchObject([[], [{ action: { kind: "delete" } }]]);

    const dies = bench();
    void dies.outbox.remove(await sent(dies), { afterMs: TEN });
    const next = dies.crash();
    await next.clock.advance(20);
    expect([deletes(next), next.store.outbox()]).toEqual([["deleteMessage"], []]);
  });
});

describe("after a crash", () => {
  test("a row that was on the wire is looked up before it is sent again", async () => {
    const b = bench();
    b.provider.faults = [{ after: network() }];
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(c.provider.stored).toEqual([id]);
    expect(shown(c)).toMatchObject([{ id }]);
    expect(c.store.outbox()).toEqual([]);
  });
  test("a row whose channel is not held yet shows when the channel comes", async () => {
    const b = bench();
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
  test("rows of a living other process are left alone, those of a dead one are taken with the lease", async () => {
    const b = bench();
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
});

describe("files on their way", () => {
  const upload = (state: Upload["state"], n = 1): Upload => ({
    localId: `u${n}`,
    name: `${n}.png`,
    state,
    sent: 0,
    total: 1,
    attachment: { type: "image", image_url: `http://p/${n}.png` },
  });
  test.each(["pending", "uploading"] as const)(
    "R-SEND-1: one that is %s stops the send with the warning; nothing is queued or asked, the draft stays",
    async (state) => {
      const b = bench();
      b.store.saveDraft({ cid: CID, text: "hi", updatedAt: 1 });
      expect(() =>
        b.outbox.send(place, { text: "hi", uploads: [upload("finished"), upload(state, 2)] }),
      ).toThrow("Wait until all attachments have uploaded");
      await b.clock.advance(100);
      expect(b.machine.state().notices).toMatchObject([
        { level: "warning", text: "Wait until all attachments have uploaded" },
      ]);
      expect([names(b), b.store.outbox(), shown(b)]).toEqual([[], [], []]);
      expect(b.store.draft(CID)!.text).toBe("hi");
    },
  );
  test("R-SEND-4: uploads are looked at before the length, the length before emptiness, all before the echo", () => {
    const b = bench();
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
  test("R-ATT-7: finished files go along, failed and blocked ones do not", async () => {
    const b = bench();
    b.outbox.send(place, {
      text: "",
      uploads: [upload("finished"), upload("failed", 2), upload("blocked", 3)],
    });
    expect(shown(b)[0]!.attachments).toEqual([{ type: "image", image_url: "http://p/1.png" }]);
  });
});

describe("signing out with rows in the outbox", () => {
  test("close ends every wait with the message as its author left it", async () => {
    const b = bench({ cids: [] });
    b.online.value = false;
    const { id, outcome } = b.outbox.send(place, { text: "hi" });
    b.signOut();
    await b.outbox.close();
    expect(await outcome).toMatchObject({
      state: "waiting",
      message: { id, text: "hi", user: { id: "ada" } },
    });
  });
  test("a row refused after the sign-out is told as failed", async () => {
    const b = bench({ cids: [] });
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
  test("a channel that comes after the sign-out is shown without the rows of who has left", async () => {
    const b = bench({ cids: [] });
    b.online.value = false;
    b.outbox.send(place, { text: "hi" });
    b.signOut();
    b.machine.apply({ kind: "channels", states: [channel([])], messageLimit: 25, watched: true });
    await b.clock.advance(10);
    expect(b.machine.state().channels.has(CID)).toBe(true);
    await b.outbox.close();
  });
});
