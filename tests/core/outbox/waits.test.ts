/** What an outbox row waits for, and until when: crashes, retries, refusals with a time, a disk that works again. */
import { describe, expect, test } from "vitest";
import { ApiError, LocalError, TransportError } from "../../../src/model/errors.ts";
import {
  classifyResponse,
  type ResponseClass,
  type ResponseContext,
} from "../../../src/core/outbox/classify-response.ts";
import { StoreFailure } from "../../../src/core/store/store.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import { at, CID, msg, user } from "../state/world.ts";
import { outboxWorld, network, refusal, type OutboxWorld } from "./provider.ts";

const place = { cid: CID };
const shown = (b: OutboxWorld): ClientMessage[] => [
  ...b.machine.state().channels.get(CID)!.sets[0]!.messages,
];
const names = (b: OutboxWorld): string[] => b.provider.log.map(({ name }) => name);

/** A message of the current user that the provider has too. */
function withMessage(): OutboxWorld {
  const b = outboxWorld();
  const message = msg(1, { user: user("ada") });
  b.provider.messages.set("m1", message);
  b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(1), message } as never]);
  return b;
}

describe("after a crash", () => {
  test("a row in flight that had arrived is found by its id and not sent again", async () => {
    const b = outboxWorld();
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    expect(b.store.outbox()).toMatchObject([{ messageId: id, state: "sending" }]);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage", "getMessage"]);
    expect(c.provider.stored).toEqual([id]);
    expect(c.store.outbox()).toEqual([]);
  });

  test("a row in flight that had not arrived is looked up first, then sent again", async () => {
    const b = outboxWorld();
    b.provider.faults = [network()];
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage", "getMessage", "sendMessage"]);
    expect(c.provider.stored).toEqual([id]);
  });

  test("a message of the same id in another channel is another message", async () => {
    const b = outboxWorld({ cids: [CID, "messaging:other"] });
    const elsewhere = msg(1, { id: "ada-1", user: user("ada"), cid: "messaging:other" });
    b.provider.messages.set("ada-1", elsewhere);
    b.provider.faults = [network()];
    const { outcome } = b.outbox.send(place, { text: "hi", id: "ada-1" });
    await b.clock.advance(2000);
    expect(await outcome).toMatchObject({
      state: "failed",
      error: { message: "Another message has the same id" },
    });
  });

  test("a row that was never sent is sent without a lookup", async () => {
    const b = outboxWorld();
    b.online.value = false;
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(100);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage"]);
  });
});

describe("an edit without an answer", () => {
  const editByOther = (b: OutboxWorld): void =>
    void b.provider.messages.set("m1", {
      ...b.provider.messages.get("m1")!,
      text: "theirs",
      updated_at: at(50),
      message_text_updated_at: at(50),
    });

  test("is compared with its base before it is repeated, however recent it is", async () => {
    const b = withMessage();
    b.provider.faults = [network()];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const refused = expect(edit).rejects.toThrow("changed by somebody else");
    await b.clock.advance(20);
    editByOther(b);
    await b.clock.advance(2000);
    await refused;
    expect(names(b)).toEqual(["updateMessagePartial", "getMessage"]);
    expect(b.provider.messages.get("m1")!.text).toBe("theirs");
  });

  test("that had arrived is found and not repeated", async () => {
    const b = withMessage();
    b.provider.faults = [{ after: network() }];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    await b.clock.advance(2000);
    await edit;
    expect(names(b)).toEqual(["updateMessagePartial", "getMessage"]);
  });
});

describe("a refusal with a time", () => {
  const RESET = 1_800_000_030;
  const context = (more: Partial<ResponseContext> = {}): ResponseContext => ({
    kind: "send",
    tries: 1,
    now: 1_800_000_000_000,
    offset: 0,
    ...more,
  });
  const rateLimited = (reset = RESET): ApiError =>
    refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } });
  const waitsUntil = (verdict: ResponseClass): number | undefined =>
    verdict.kind === "parked" ? verdict.until : undefined;

  test.each([
    ["with equal clocks", 0, 30_000],
    ["with the provider's clock 20 s ahead", 20_000, 10_000],
    ["with the provider's clock 20 s behind", -20_000, 50_000],
  ])("of the provider's clock is converted to the local clock, %s", (_, offset, wait) => {
    expect(waitsUntil(classifyResponse(rateLimited(), context({ offset })))).toBe(context().now + wait);
  });

  test.each([
    ["a reset time in the past", RESET - 60, 1000],
    ["a reset time of now", RESET - 30, 1000],
    ["a reset time half a second away", RESET - 29.5, 1000],
    ["a reset time in a year", RESET + 31_536_000, 600_000],
    ["an invalid reset time", -1e15, 1000],
  ])("%s waits between one second and ten minutes", (_, reset, wait) => {
    expect(waitsUntil(classifyResponse(rateLimited(reset), context()))).toBe(context().now + wait);
  });

  test("without a reset time waits ten seconds; slow mode waits for the channel's cooldown, else ten seconds", () => {
    const { now } = context();
    expect(waitsUntil(classifyResponse(refusal(429, 9), context({ offset: 5000 })))).toBe(now + 10_000);
    expect(waitsUntil(classifyResponse(refusal(403, 60), context({ cooldown: 25, offset: 5000 })))).toBe(
      now + 25_000,
    );
    expect(waitsUntil(classifyResponse(refusal(403, 60), context()))).toBe(now + 10_000);
  });

  test("waits for Retry-After if that is shorter than the window", () => {
    const burst = refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset: RESET }, retryAfter: 2000 });
    expect(waitsUntil(classifyResponse(burst, context()))).toBe(context().now + 2000);
    expect(waitsUntil(classifyResponse(refusal(429, 9, { retryAfter: 0 }), context()))).toBe(
      context().now + 1000,
    );
  });

  test("delays a row by the local clock, whatever the provider's clock offset", async () => {
    const b = outboxWorld();
    b.machine.apply({ kind: "offset", ms: 3_600_000 });
    const reset = (b.clock.now() + 3_600_000) / 1000 + 20;
    b.provider.faults = [refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } })];
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(19_000);
    expect(b.provider.stored).toEqual([]);
    await b.clock.advance(2000);
    expect(b.provider.stored).toHaveLength(1);
  });

  test.each<[string, unknown, Partial<ResponseContext>, ResponseClass["kind"]]>([
    ["code 4 of a send tried before", refusal(400, 4), { tries: 2 }, "exists"],
    ["code 4 of a first send", refusal(400, 4), { tries: 1 }, "rejected"],
    ["code 4 of an edit tried before", refusal(400, 4), { kind: "edit", tries: 2 }, "rejected"],
    ["code 16 of a delete", refusal(404, 16), { kind: "delete" }, "acked"],
    ["code 16 of removing a reaction", refusal(404, 16), { kind: "unreact" }, "acked"],
    ["code 16 of a reaction", refusal(404, 16), { kind: "react" }, "rejected"],
    ["code 17", refusal(403, 17), {}, "rejected"],
    ["a missing token", refusal(401, 5), {}, "parked"],
    ["an expired token", refusal(401, 40), {}, "parked"],
    ["a token with another secret", refusal(401, 43), {}, "parked"],
    ["an error of the provider", refusal(500, -1), {}, "unknown"],
    ["a timeout at the provider", refusal(408, 23), {}, "unknown"],
    ["a network failure", new TransportError("ERR_NETWORK", "x"), {}, "unknown"],
    [
      "a network failure before anything was sent",
      new TransportError("ERR_NETWORK", "x", undefined, true),
      {},
      "unsent",
    ],
    ["a local check", new LocalError("x"), {}, "rejected"],
    ["an unknown error", new Error("x"), {}, "unknown"],
  ])("%s is classified", (_, error, more, kind) =>
    expect(classifyResponse(error, context(more)).kind).toBe(kind),
  );
});

describe("a manual retry", () => {
  test("ignores the rate limit's wait of its row and of all sends", async () => {
    const b = outboxWorld({ cids: [CID, "messaging:other"] });
    const reset = b.clock.now() / 1000 + 300;
    b.provider.faults = [refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } })];
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(100);
    b.outbox.send({ cid: "messaging:other" }, { text: "b" });
    await b.clock.advance(100);
    expect(names(b)).toEqual(["sendMessage"]);
    b.outbox.retry(id);
    await b.clock.advance(100);
    expect(b.provider.stored).toHaveLength(2);
  });

  test("of a refused message sends those behind it", async () => {
    const b = outboxWorld();
    b.provider.faults = [refusal(403, 17)];
    const first = b.outbox.send(place, { text: "a" });
    const second = b.outbox.send(place, { text: "b" });
    await b.clock.advance(1000);
    expect(b.provider.stored).toEqual([]);
    b.outbox.retry(first.id);
    await b.clock.advance(100);
    expect(b.provider.stored).toEqual([first.id, second.id]);
  });

  test("ignores the wait after failures", async () => {
    const b = outboxWorld();
    b.provider.faults = Array.from({ length: 8 }, () => network(true));
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(40_000);
    const before = names(b).length;
    b.outbox.retry(id);
    await b.clock.advance(10);
    expect(names(b).length).toBe(before + 1);
  });
});

describe("after a full disk", () => {
  const full = (): never => {
    throw new StoreFailure("full", "state.db cannot grow: the disk is full");
  };

  test("the fault is cleared once a message was stored", async () => {
    const b = outboxWorld();
    const { enqueue } = b.store;
    b.store.enqueue = full;
    expect(() => b.outbox.send(place, { text: "a" })).toThrow("full");
    expect(b.machine.state().storage).toContain("full");
    b.store.enqueue = enqueue;
    b.outbox.send(place, { text: "a" });
    expect(b.machine.state().storage).toBeUndefined();
  });

  test("the fault is cleared once a change of a row was stored", async () => {
    const b = outboxWorld();
    const { update } = b.store;
    b.store.update = full;
    b.provider.faults = [network(true)];
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(10);
    expect(b.machine.state().storage).toContain("full");
    b.store.update = update;
    await b.clock.advance(2000);
    expect(b.provider.stored).toHaveLength(1);
    expect(b.machine.state().storage).toBeUndefined();
  });
});
