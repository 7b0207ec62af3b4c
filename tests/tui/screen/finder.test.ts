/** Channels to join that are searched while a name is typed: only what the last word asked for is shown, and the cache has a limit. */
import { expect, test } from "vitest";
import { JoinableChannels } from "../../../src/tui/screen/finder.ts";
import { SUGGESTION_DEBOUNCE } from "../../../src/wire/constants.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** A search whose requests the test answers, in any order. */
function setUp() {
  const clock = new VirtualClock();
  const asked: { word: string; answer: (...ids: string[]) => Promise<void>; refuse: () => Promise<void> }[] =
    [];
  const core = {
    call: (
      _name: string,
      { body }: { body: { filter_conditions: { $or?: [unknown, { id: { $eq: string } }] } } },
    ) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      asked.push({
        word: body.filter_conditions.$or?.[1].id.$eq ?? "",
        answer: (...ids) => {
          resolve({ channels: ids.map((id) => ({ channel: { id, cid: `messaging:${id}` } })) });
          return clock.settle();
        },
        refuse: () => {
          reject(new Error("no"));
          return clock.settle();
        },
      });
      return promise;
    },
  };
  const channels = new JoinableChannels(core as never, clock as never);
  let told = 0;
  channels.subscribe(() => told++);
  return {
    channels,
    asked,
    told: () => told,
    pause: () => clock.advance(SUGGESTION_DEBOUNCE),
    found: (word: string) => channels.search(word).map(({ title }) => title),
  };
}

test("results of a word that was typed on meanwhile are not told, and the new word is asked for once and shown with its own", async () => {
  const t = setUp();
  t.found("ge");
  await t.pause();
  t.found("gear");
  await t.asked[0]!.answer("general", "gear");
  expect([t.told(), t.found("gear")]).toEqual([0, []]);
  await t.pause();
  expect(t.asked.map(({ word }) => word)).toEqual(["ge", "gear"]);
  await t.asked[1]!.answer("gear");
  expect([t.told(), t.found("gear"), t.found("ge")]).toEqual([1, ["#gear"], ["#general", "#gear"]]);
  await t.pause();
  expect(t.asked).toHaveLength(2);
});

test("an answer that comes after that of a later word changes nothing of it", async () => {
  const t = setUp();
  t.found("a");
  await t.pause();
  t.found("ab");
  await t.pause();
  await t.asked[1]!.answer("ab1");
  await t.asked[0]!.answer("a1");
  expect([t.told(), t.found("ab"), t.found("a")]).toEqual([1, ["#ab1"], ["#a1"]]);
});

test("a request that was cancelled before it began is not made, and one that is refused counts as nothing found", async () => {
  const t = setUp();
  t.found("a");
  t.channels.cancel();
  await t.pause();
  expect(t.asked).toEqual([]);
  t.found("a");
  await t.pause();
  await t.asked[0]!.refuse();
  expect([t.told(), t.found("a")]).toEqual([1, []]);
  await t.pause();
  expect(t.asked).toHaveLength(1);
});

test("the results of fifty words are kept; with the next one the search begins anew", async () => {
  const t = setUp();
  const search = async (word: string): Promise<void> => {
    t.found(word);
    await t.pause();
    await t.asked.find((one) => one.word === word)!.answer(word);
  };
  for (let n = 1; n <= 50; n++) await search(`w${n}`);
  expect([t.found("w1"), t.found("w50")]).toEqual([["#w1"], ["#w50"]]);
  await search("w51");
  expect([t.found("w51"), t.found("w1")]).toEqual([["#w51"], []]);
  await t.pause();
  expect(t.asked.at(-1)!.word).toBe("w1");
});
