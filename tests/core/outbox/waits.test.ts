/** What an outbox row waits for, and until when: crashes, retries, refusals with a time, a disk that works again. */
import { describe, expect, test } from "vitest";
import { ApiError, LocalError, TransportError } from "../../../src/model/errors.ts";
import {
  classifyResponse,
  type ResponseClass,
  type ResponseContext,
} from "../../../src/core/outbox/classify-response.ts";
import { StoreFailure } from "../../../src/core/store/store.ts";
import type { HeldMessage } from "../../../src/model/state.ts";
import { at, CID, msg, user } from "../state/world.ts";
import { bench, network, refusal, type Bench } from "./provider.ts";

const place = { cid: CID };
const shown = (b: Bench): HeldMessage[] => [...b.machine.state().channels.get(CID)!.sets[0]!.messages];
const names = (b: Bench): string[] => b.provider.log.map(({ name }) => name);

/** A message of the current user that the provider has too. */
function withMessage(): Bench {
  const b = bench();
  const message = msg(1, { user: user("ada") });
  b.provider.messages.set("m1", message);
  b.machine.dispatch([{ type: "message.new", cid: CID, created_at: at(1), message } as never]);
  return b;
}

describe("after a crash", () => {
  test("a row that was on the wire is asked for by its id, and not sent again when it had arrived", async () => {
    const b = bench();
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    expect(b.store.outbox()).toMatchObject([{ messageId: id, state: "sending" }]);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage", "getMessage"]);
    expect(c.provider.stored).toEqual([id]);
    expect(c.store.outbox()).toEqual([]);
  });

  test("a row that was on the wire and had not arrived is looked for first, then sent again", async () => {
    const b = bench();
    b.provider.faults = [network()];
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(2);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage", "getMessage", "sendMessage"]);
    expect(c.provider.stored).toEqual([id]);
  });

  test("an own message of the same id in another channel is another message, not this one", async () => {
    const b = bench({ cids: [CID, "messaging:other"] });
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

  test("a row that never left is sent without a question", async () => {
    const b = bench();
    b.online.value = false;
    b.outbox.send(place, { text: "a" });
    await b.clock.advance(100);
    const c = b.crash();
    await c.clock.advance(3000);
    expect(names(c)).toEqual(["sendMessage"]);
  });
});

describe("an edit whose answer was lost", () => {
  const theirs = (b: Bench): void =>
    void b.provider.messages.set("m1", {
      ...b.provider.messages.get("m1")!,
      text: "theirs",
      updated_at: at(50),
      message_text_updated_at: at(50),
    });

  test("is compared with its base before it is made again, however young it is", async () => {
    const b = withMessage();
    b.provider.faults = [network()];
    const edit = b.outbox.edit(shown(b)[0]!, { text: "mine" });
    const refused = expect(edit).rejects.toThrow("changed by somebody else");
    await b.clock.advance(20);
    theirs(b);
    await b.clock.advance(2000);
    await refused;
    expect(names(b)).toEqual(["updateMessagePartial", "getMessage"]);
    expect(b.provider.messages.get("m1")!.text).toBe("theirs");
  });

  test("and had arrived is found done, and not made a second time", async () => {
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
  const facts = (more: Partial<ResponseContext> = {}): ResponseContext => ({
    kind: "send",
    tries: 1,
    now: 1_800_000_000_000,
    offset: 0,
    ...more,
  });
  const limited = (reset = RESET): ApiError =>
    refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset } });
  const until = (verdict: ResponseClass): number | undefined =>
    verdict.kind === "parked" ? verdict.until : undefined;

  test.each([
    ["with equal clocks", 0, 30_000],
    ["where the provider's clock is 20 s ahead", 20_000, 10_000],
    ["where the provider's clock is 20 s behind", -20_000, 50_000],
  ])("of the provider's clock is waited for by the own one, %s", (_, offset, wait) => {
    expect(until(classifyResponse(limited(), facts({ offset })))).toBe(facts().now + wait);
  });

  test.each([
    ["that is over already", RESET - 60, 1000],
    ["that is over in this moment", RESET - 30, 1000],
    ["half a second away", RESET - 29.5, 1000],
    ["in a year", RESET + 31_536_000, 600_000],
    ["that is no time", -1e15, 1000],
  ])("%s is believed within a second and ten minutes", (_, reset, wait) => {
    expect(until(classifyResponse(limited(reset), facts()))).toBe(facts().now + wait);
  });

  test("but without one waits ten seconds; slow mode as long as the channel says, else ten seconds", () => {
    const { now } = facts();
    expect(until(classifyResponse(refusal(429, 9), facts({ offset: 5000 })))).toBe(now + 10_000);
    expect(until(classifyResponse(refusal(403, 60), facts({ cooldown: 25, offset: 5000 })))).toBe(
      now + 25_000,
    );
    expect(until(classifyResponse(refusal(403, 60), facts()))).toBe(now + 10_000);
  });

  test("is shorter than its window where Retry-After says so", () => {
    const burst = refusal(429, 9, { rateLimit: { limit: 1, remaining: 0, reset: RESET }, retryAfter: 2000 });
    expect(until(classifyResponse(burst, facts()))).toBe(facts().now + 2000);
    expect(until(classifyResponse(refusal(429, 9, { retryAfter: 0 }), facts()))).toBe(facts().now + 1000);
  });

  test("holds a row by the machine's clock whatever the offset of the provider's", async () => {
    const b = bench();
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
    ["code 16 of taking a reaction back", refusal(404, 16), { kind: "unreact" }, "acked"],
    ["code 16 of a reaction", refusal(404, 16), { kind: "react" }, "rejected"],
    ["code 17", refusal(403, 17), {}, "rejected"],
    ["a token that is missing", refusal(401, 5), {}, "parked"],
    ["a token that is over", refusal(401, 40), {}, "parked"],
    ["a token of another secret", refusal(401, 43), {}, "parked"],
    ["a fault of the provider", refusal(500, -1), {}, "unknown"],
    ["a timeout at the provider", refusal(408, 23), {}, "unknown"],
    ["a break", new TransportError("ERR_NETWORK", "x"), {}, "unknown"],
    [
      "a break before anything was sent",
      new TransportError("ERR_NETWORK", "x", undefined, true),
      {},
      "unsent",
    ],
    ["a check of our own", new LocalError("x"), {}, "rejected"],
    ["what nobody knows", new Error("x"), {}, "unknown"],
  ])("%s", (_, error, more, kind) => expect(classifyResponse(error, facts(more)).kind).toBe(kind));
});

describe("a retry by hand", () => {
  test("does not wait for the end of a rate limit's window, its own and that of all sends", async () => {
    const b = bench({ cids: [CID, "messaging:other"] });
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

  test("of a refused message lets those behind it go", async () => {
    const b = bench();
    b.provider.faults = [refusal(403, 17)];
    const first = b.outbox.send(place, { text: "a" });
    const second = b.outbox.send(place, { text: "b" });
    await b.clock.advance(1000);
    expect(b.provider.stored).toEqual([]);
    b.outbox.retry(first.id);
    await b.clock.advance(100);
    expect(b.provider.stored).toEqual([first.id, second.id]);
  });

  test("goes at once although the wait after a break was not over", async () => {
    const b = bench();
    b.provider.faults = Array.from({ length: 8 }, () => network(true));
    const { id } = b.outbox.send(place, { text: "a" });
    await b.clock.advance(40_000);
    const before = names(b).length;
    b.outbox.retry(id);
    await b.clock.advance(10);
    expect(names(b).length).toBe(before + 1);
  });
});

describe("a disk that refused", () => {
  const full = (): never => {
    throw new StoreFailure("full", "state.db cannot grow: the disk is full");
  };

  test("a message is no trouble any more once it has taken one", async () => {
    const b = bench();
    const { enqueue } = b.store;
    b.store.enqueue = full;
    expect(() => b.outbox.send(place, { text: "a" })).toThrow("full");
    expect(b.machine.state().storage).toContain("full");
    b.store.enqueue = enqueue;
    b.outbox.send(place, { text: "a" });
    expect(b.machine.state().storage).toBeUndefined();
  });

  test("a change of a row is no trouble any more once it has taken the next one", async () => {
    const b = bench();
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
