/** The results of a poll: shares of all votes, whoever leads, and what the asking user chose. */
import { expect, test } from "vitest";
import results from "../../src/commands/poll/results.ts";

const OPTIONS = ["a", "b", "c"].map((id) => ({ id, text: `option ${id}` }));

/** Of each option its votes, share, and whether it leads and is the user's. */
async function resultsOf(votes: Readonly<Record<string, number>>, own: readonly string[] = []) {
  const poll = {
    id: "p",
    name: "Tea?",
    options: OPTIONS,
    vote_count: Object.values(votes).reduce((sum, n) => sum + n, 0),
    vote_counts_by_option: votes,
    own_votes: own.map((option_id) => ({ option_id })),
  };
  const call = { args: { poll: "p" }, core: { userId: "ana", call: async () => ({ poll }) } };
  const { options } = (await results.run(call as never)) as {
    options: { votes: number; share: number; leading: boolean; mine: boolean }[];
  };
  return options.map(({ votes: n, share, leading, mine }) => [n, share, leading, mine]);
}

test("whoever has most votes leads, several with as many do, and nobody leads without votes", async () => {
  expect(await resultsOf({ a: 3, b: 1 })).toEqual([
    [3, 0.75, true, false],
    [1, 0.25, false, false],
    [0, 0, false, false],
  ]);
  expect((await resultsOf({ a: 2, b: 2 })).map(([, , leading]) => leading)).toEqual([true, true, false]);
  expect(await resultsOf({})).toEqual(OPTIONS.map(() => [0, 0, false, false]));
  expect(await resultsOf({ a: 0 })).toEqual(OPTIONS.map(() => [0, 0, false, false]));
});

test("every choice of the user is marked, and only theirs", async () => {
  expect((await resultsOf({ a: 1, b: 2, c: 1 }, ["a", "b"])).map(([, , , mine]) => mine)).toEqual([
    true,
    true,
    false,
  ]);
});
