/** A command of several steps whose last one is refused leaves nothing of the first ones behind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana > /dev/null
parley channel create messaging:cold --member ana > /dev/null
parley channel freeze messaging:cold > /dev/null
printf 'name: Lunch?\\noptions: [Soup, Rice]\\n' > lunch.yaml`);
  expect([code, err]).toEqual([0, ""]);
}, 60_000);
afterAll(() => home.end());

test.each([
  "poll create -c messaging:cold 'Lunch?' --option Soup",
  "message send -c messaging:cold --poll lunch.yaml 'Lunch?'",
])("no poll stays behind when its message is refused: %s", async (line) => {
  const { code, err } = await home.sh(`parley --as ana ${line}`);
  expect([code, err]).toEqual([5, expect.stringContaining("frozen")]);
  expect(await home.sh("parley --as ana poll list")).toMatchObject({ code: 0, out: "" });
});

test("a poll whose message waits to be sent again is kept for it", async () => {
  await home.sh("parley --as ana send messaging:cold --queue --poll lunch.yaml 'Lunch?'");
  expect((await home.sh("parley --as ana poll list --json --jq '.[].name'")).out).toBe("Lunch?\n");
});
