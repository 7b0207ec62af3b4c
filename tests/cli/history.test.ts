/** `parley history`: what earlier runs changed, newest first, each run once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(() => void (home = makeHome({ here: true })));
afterAll(() => home.end());

test("a run is told with its result, its changes and the first three things that it was about", async () => {
  for (const line of [
    "user upsert a1",
    "user upsert b1 b2 b3",
    "user upsert c1 c2 c3 c4",
    "user upsert d1 d2 d3 d4 d5",
    "user set nobody name=x",
    "user list",
  ])
    await home.sh(`parley ${line} > /dev/null`);
  const { out } = await home.sh("parley history --table");
  const [titles, ...rows] = out
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
  expect(titles!.slice(2)).toEqual(["COMMAND", "RESULT", "CHANGES", "ABOUT"]);
  expect(rows.map((cells) => cells.slice(2))).toEqual([
    ["user set", "not_found", "UpdateUsersPartial", "nobody"],
    ["user upsert", "done", "UpdateUsers", "d1, d2, d3 and 2 more"],
    ["user upsert", "done", "UpdateUsers", "c1, c2, c3 and 1 more"],
    ["user upsert", "done", "UpdateUsers", "b1, b2, b3"],
    ["user upsert", "done", "UpdateUsers", "a1"],
  ]);
});
