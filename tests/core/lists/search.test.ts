/** Search while one types: validation in order, a rest before each request, older answers void, more with next (R-SEARCH, SE-1…6). */
import { describe, expect, test } from "vitest";
import { validateCall, searchProblem } from "../../../src/core/base/validate-call.ts";
import { SearchSource, type SearchScope } from "../../../src/core/lists/search.ts";
import type { SearchPayload } from "../../../src/wire/search.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import { msg } from "../state/world.ts";

const IN = { filter_conditions: { members: { $in: ["ada"] } } };

describe("R-SEARCH-1: invalid searches are refused before any request, in this order", () => {
  const good = { ...IN, query: "tea" };
  test.each<[string, Partial<SearchPayload>, string]>([
    ["SE-1", { ...good, offset: 5, next: "n" }, "search cannot combine offset with next"],
    ["SE-2", { ...good, offset: 5, sort: [] }, "search cannot combine offset with sort"],
    [
      "SE-3",
      { ...good, message_filter_conditions: { pinned: true } },
      "search takes a query or message filters, not both",
    ],
    ["SE-4", { ...IN }, "search needs a query or message filters"],
    [
      "SE-4 blank",
      { ...IN, query: " ", message_filter_conditions: {} },
      "search needs a query or message filters",
    ],
    ["SE-5", { query: "tea" }, "search needs a channel filter"],
    ["SE-5 empty", { query: "tea", filter_conditions: {} }, "search needs a channel filter"],
    ["SE-6 limit", { ...good, limit: 0 }, "search limit or offset out of range"],
    ["SE-6 offset", { ...good, offset: 1001 }, "search limit or offset out of range"],
    ["SE-6 below", { ...good, offset: -1 }, "search limit or offset out of range"],
    ["SE-1 before SE-2", { offset: 5, next: "n", sort: [] }, "search cannot combine offset with next"],
    [
      "SE-2 before SE-3",
      { query: "a", offset: 5, sort: [], message_filter_conditions: { a: 1 } },
      "search cannot combine offset with sort",
    ],
    [
      "SE-3 before SE-5",
      { query: "a", message_filter_conditions: { a: 1 } },
      "search takes a query or message filters, not both",
    ],
    ["SE-4 before SE-5", { limit: 0 }, "search needs a query or message filters"],
    ["SE-5 before SE-6", { query: "a", limit: 0 }, "search needs a channel filter"],
  ])("%s", (_rule, payload, text) => {
    expect(searchProblem(payload)).toBe(text);
    expect(() => validateCall("search", { query: payload as SearchPayload })).toThrow(text);
  });
  test("an offset of 0 is allowed with next and sort, and a limit above 100 is valid", () => {
    expect(searchProblem({ ...good, offset: 0, next: "n", sort: [] })).toBeUndefined();
    expect(searchProblem({ ...good, limit: 5000 })).toBeUndefined();
    expect(searchProblem({ ...good, offset: 1000 })).toBeUndefined();
  });
});

function source(scope: SearchScope = IN, held: number[] = []) {
  const clock = new VirtualClock();
  const searches: {
    query: SearchPayload;
    signal: AbortSignal;
    resolve(answer: object): void;
    reject(e: Error): void;
  }[] = [];
  const search = new SearchSource(
    {
      me: () => "ada",
      join: (part) => part,
      call: ((name: string, args: { query: SearchPayload; signal: AbortSignal }) => {
        expect(name).toBe("search");
        const { promise, resolve, reject } = Promise.withResolvers<object>();
        searches.push({ ...args, resolve, reject });
        return promise;
      }) as never,
      clock,
      held: (question, limit, all) =>
        (all ? [...held, 99] : held)
          .map((id) => msg(id))
          .filter(question.fits)
          .slice(0, limit),
    },
    scope,
  );
  const answer = async (n: number, ids: number[], more: object = {}): Promise<void> => {
    searches[n]!.resolve({ results: ids.map((id) => ({ message: msg(id) })), ...more });
    await clock.settle();
  };
  const ids = (): string[] => search.state().results.map(({ id }) => id);
  return { search, clock, searches, answer, ids };
}

test("R-SEARCH-2: a request is made 300 ms after the last change for ten results; an empty query clears without one", async () => {
  const s = source();
  s.search.type("t");
  await s.clock.advance(299);
  s.search.type("te");
  await s.clock.advance(299);
  expect(s.searches).toEqual([]);
  expect(s.search.state().loading).toBe(true);
  await s.clock.advance(1);
  expect(s.searches[0]!.query).toEqual({ ...IN, query: "te", limit: 10 });
  await s.answer(0, [1, 2]);
  expect(s.ids()).toEqual(["m1", "m2"]);
  s.search.type(" ");
  expect(s.search.state()).toEqual({ query: " ", results: [], loading: false });
  await s.clock.advance(1000);
  expect(s.searches).toHaveLength(1);
});

test("R-SEARCH-3: the answer of an older query is ignored", async () => {
  const s = source();
  s.search.type("tea");
  await s.clock.advance(300);
  s.search.type("teap");
  expect(s.searches[0]!.signal.aborted).toBe(true);
  await s.answer(0, [1]);
  expect(s.ids()).toEqual([]);
  await s.clock.advance(300);
  await s.answer(1, [2]);
  expect(s.ids()).toEqual(["m2"]);
  // After a clear, late answers are ignored.
  s.search.type("teapot");
  await s.clock.advance(300);
  s.search.clear();
  await s.answer(2, [3]);
  expect(s.search.state()).toEqual({ query: "", results: [], loading: false });
  expect(s.clock.timers).toEqual([]);
});

test("R-SEARCH-3: more continues from next with the same query, and shows no message twice", async () => {
  const s = source();
  s.search.type("tea");
  s.search.run();
  await s.answer(0, [1, 2], { next: "c2", results_warning: { warning_code: 1, warning_description: "cut" } });
  expect(s.search.state()).toMatchObject({ next: "c2", warning: "cut" });
  expect(s.search.more()).toBe(true);
  expect(s.search.more()).toBe(false);
  expect(s.searches[1]!.query).toEqual({ ...IN, query: "tea", limit: 10, next: "c2" });
  await s.answer(1, [2, 3]);
  expect(s.ids()).toEqual(["m1", "m2", "m3"]);
  expect(s.search.more()).toBe(false);
});

test("R-SEARCH-1: a refused search makes no request and shows why; a failed one shows its error", async () => {
  const s = source({ filter_conditions: {} });
  s.search.type("tea");
  await s.clock.advance(300);
  expect(s.searches).toEqual([]);
  expect(s.search.state()).toMatchObject({ loading: false, error: "search needs a channel filter" });
  s.search.type("tea", { ...IN, limit: 500 });
  s.search.run();
  expect(s.searches[0]!.query.limit).toBe(100);
  s.searches[0]!.reject(new Error("no answer"));
  await s.clock.settle();
  expect(s.search.state()).toMatchObject({ loading: false, error: "no answer", results: [] });
});

test("message filters search without a text", () => {
  const s = source({ ...IN, message_filter_conditions: { pinned: true } });
  s.search.run();
  expect(s.searches[0]!.query).toEqual({ ...IN, message_filter_conditions: { pinned: true }, limit: 10 });
});

test("R-SEARCH-4: loaded messages are found at once and replaced by the provider's answer", async () => {
  const held = { words: [], parts: [], cids: [], fits: ({ id }: { id: string }) => id !== "m2" };
  const s = source(IN, [3, 2, 1]);
  s.search.type("tea", { ...IN, held });
  expect([s.ids(), s.search.state().held, s.search.state().loading]).toEqual([["m3", "m1"], true, true]);
  await s.clock.advance(300);
  expect(s.searches[0]!.query).toEqual({ ...IN, query: "tea", limit: 10 });
  await s.answer(0, [7]);
  expect([s.ids(), s.search.state().held]).toEqual([["m7"], undefined]);
  // The same text in another scope is a new search.
  s.search.type("tea", { filter_conditions: { cid: "messaging:ops" }, held });
  expect(s.ids()).toEqual(["m3", "m1"]);
  await s.clock.advance(300);
  expect(s.searches[1]!.query.filter_conditions).toEqual({ cid: "messaging:ops" });
});

test("R-SEARCH-4: if the request fails, all local results stay with the error", async () => {
  const s = source(IN, [3]);
  s.search.type("tea", { ...IN, held: { words: [], parts: [], cids: [], fits: () => true } });
  await s.clock.advance(300);
  s.searches[0]!.reject(new Error("no network"));
  await s.clock.settle();
  expect(s.search.state()).toMatchObject({ held: true, loading: false, error: "no network" });
  expect(s.ids()).toEqual(["m3", "m99"]);
});

test("the local search alone covers all channels without a request", async () => {
  const scope = {
    ...IN,
    held: { words: [], parts: [], cids: [], fits: ({ id }: { id: string }) => id !== "m2" },
  };
  const s = source(scope, [3, 2, 1]);
  expect(s.search.held(10).map(({ id }) => id)).toEqual(["m3", "m1", "m99"]);
  expect(s.search.held(1).map(({ id }) => id)).toEqual(["m3"]);
  expect(source(IN, [3]).search.held(10)).toEqual([]);
  await s.clock.advance(1000);
  expect(s.searches).toEqual([]);
});

const T = "2030-01-01T00:00:00.000Z";
const event = (type: string, more: object): AnyEvent =>
  ({ type, created_at: T, cid: msg(1).cid, ...more }) as unknown as AnyEvent;
const texts = ({ search }: ReturnType<typeof source>): string[] =>
  search.state().results.map(({ id, type, text }) => `${id} ${type === "deleted" ? "deleted" : text}`);

describe("R-SEARCH-7: what was found follows what happens to it", () => {
  const found = async () => {
    const s = source();
    s.search.type("tea");
    await s.clock.advance(300);
    s.searches[0]!.resolve({
      results: [
        msg(1, { text: "one" }),
        msg(2, { text: "two", parent_id: "m1" }),
        msg(3, { text: "three" }),
      ].map((message) => ({ message })),
    });
    await s.clock.settle();
    return s;
  };
  test("an edited message has its present text, and an older version changes nothing", async () => {
    const s = await found();
    s.search.onEvent(event("message.updated", { message: msg(3, { text: "new", updated_at: T }) }));
    s.search.onEvent(event("message.updated", { message: msg(3, { text: "older" }) }));
    expect(texts(s)).toEqual(["m1 one", "m2 two", "m3 new"]);
  });
  test("a softly deleted one has no text any more, until it is restored", async () => {
    const s = await found();
    s.search.onEvent(event("message.deleted", { message: msg(3, { type: "deleted", updated_at: T }) }));
    expect(texts(s)).toEqual(["m1 one", "m2 two", "m3 deleted"]);
    expect(JSON.stringify(s.search.state())).not.toContain("three");
    s.search.onEvent(event("message.undeleted", { message: msg(3, { text: "three", updated_at: T }) }));
    expect(texts(s)).toEqual(["m1 one", "m2 two", "m3 three"]);
  });
  test("one deleted for good goes with its replies, and a quote of it", async () => {
    const s = await found();
    s.search.onEvent(event("message.deleted", { hard_delete: true, message: msg(1, { type: "deleted" }) }));
    expect(texts(s)).toEqual(["m3 three"]);
  });
  test.each<[string, AnyEvent, string[]]>([
    [
      "an author's messages are deleted",
      event("user.messages.deleted", { user: msg(1).user, cid: undefined }),
      ["m1 deleted", "m2 deleted", "m3 deleted"],
    ],
    ["their author is erased", event("user.deleted", { user: msg(1).user, hard_delete: true }), []],
    ["the channel is emptied", event("channel.truncated", { channel: { truncated_at: T } }), []],
    ["the channel is deleted", event("channel.deleted", {}), []],
    ["the user leaves the channel", event("member.removed", { member: { user_id: "ada" } }), []],
    [
      "another channel is emptied",
      event("channel.truncated", { cid: "messaging:other", channel: { truncated_at: T } }),
      ["m1 one", "m2 two", "m3 three"],
    ],
  ])("they are as they are after %s", async (_, happened, left) => {
    const s = await found();
    s.search.onEvent(happened);
    expect(texts(s)).toEqual(left);
  });
  test("an answer on its way when a message was deleted does not bring it back", async () => {
    const s = source();
    s.search.type("tea");
    await s.clock.advance(300);
    s.search.onEvent(event("message.deleted", { hard_delete: true, message: msg(1, { type: "deleted" }) }));
    await s.answer(0, [1, 3], { next: "n" });
    expect(s.ids()).toEqual(["m3"]);
    s.search.more();
    await s.clock.settle();
    s.search.onEvent(event("message.deleted", { hard_delete: true, message: msg(4, { type: "deleted" }) }));
    await s.answer(1, [4, 5]);
    expect(s.ids()).toEqual(["m3", "m5"]);
  });
  test("nothing that says nothing of a result is announced", async () => {
    const s = await found();
    let changes = 0;
    s.search.subscribe(() => changes++);
    s.search.onEvent(event("message.updated", { message: msg(9, { updated_at: T }) }));
    s.search.onEvent(event("typing.start", {}));
    expect(changes).toBe(0);
  });
});

describe("a search whose hits must fit what no filter can say", () => {
  const odd = (): ReturnType<typeof source> =>
    source({ ...IN, message_filter_conditions: { a: 1 }, narrow: ({ id }) => Number(id.slice(1)) % 2 === 1 });

  test("reads on until a page has one that fits, and asks for more from there", async () => {
    const s = odd();
    s.search.run();
    await s.clock.advance(0);
    expect(s.searches[0]!.query).not.toHaveProperty("narrow");
    await s.answer(0, [2, 4], { next: "p2" });
    expect([s.ids(), s.search.state().loading]).toEqual([[], true]);
    await s.answer(1, [6, 7, 9], { next: "p3" });
    expect([s.ids(), s.search.state().loading, s.search.state().next]).toEqual([["m7", "m9"], false, "p3"]);
    expect(s.search.more()).toBe(true);
    await s.clock.advance(0);
    expect(s.searches.map(({ query }) => query.next)).toEqual([undefined, "p2", "p3"]);
    await s.answer(2, [10]);
    expect([s.ids(), s.search.state().next]).toEqual([["m7", "m9"], undefined]);
  });

  test("stops on the screen after ten pages without one, and goes on when more is asked for", async () => {
    const s = odd();
    s.search.run();
    await s.clock.advance(0);
    for (let n = 0; n < 10; n++) await s.answer(n, [2 * n + 2], { next: `p${n}` });
    expect([s.searches.length, s.search.state().loading, s.search.state().next]).toEqual([10, false, "p9"]);
    s.search.more();
    await s.clock.advance(0);
    await s.answer(10, [3]);
    expect(s.ids()).toEqual(["m3"]);
  });

  test("a page for the shell reads on to the end, also past more than ten pages, but never the same cursor twice", async () => {
    const s = odd();
    const page = s.search.page("", { limit: 5 });
    for (let n = 0; n < 12; n++) await s.answer(n, [2 * n + 2], { next: `p${n}` });
    await s.answer(12, [5], { next: "p12" });
    expect(await page).toMatchObject({ items: [{ id: "m5" }], next: "p12" });
    const stuck = s.search.page("", { next: "p12" });
    stuck.catch(() => undefined);
    await s.answer(13, [2], { next: "p12" });
    await expect(stuck).rejects.toThrow("the same page again and again");
  });
});
