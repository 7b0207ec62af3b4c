/** A command of several steps whose last step is refused undoes the earlier ones. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: true });
  const { code, err } = await home.sh(`set -e
parley user upsert mira --role admin --yes > /dev/null
parley user upsert ana > /dev/null
parley channel create messaging:cold --member ana > /dev/null
parley channel create messaging:open --member ana > /dev/null
parley channel freeze messaging:cold > /dev/null
printf 'name: Lunch?\\noptions: [Soup, Rice]\\n' > lunch.yaml`);
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => home.end());

test.each([
  "poll create -c messaging:cold 'Lunch?' --option Soup",
  "message send -c messaging:cold --poll lunch.yaml 'Lunch?'",
])("no poll is left when its message is refused: %s", async (line) => {
  const { code, err } = await home.sh(`parley --as ana ${line}`);
  expect([code, err]).toEqual([5, expect.stringContaining("frozen")]);
  expect(await home.sh("parley --as ana poll list")).toMatchObject({ code: 0, out: "" });
});

test.each([
  "poll create -c messaging:open 'Lunch?' --option Soup",
  "send messaging:open --poll lunch.yaml Lunch?",
])("no poll is left when the provider is rate limiting: %s", async (line) => {
  await home.sh("parley local fault add 'POST */message' --status 429");
  const { code, err } = await home.sh(`parley --as ana ${line} --max-wait 300ms`);
  await home.sh("parley local fault clear");
  expect([code, err]).toEqual([10, expect.stringContaining("run the same command again")]);
  expect(err).not.toContain("poll delete");
  expect(await home.sh("parley --as ana poll list")).toMatchObject({ code: 0, out: "" });
});

test("no poll is left when its message is too long", async () => {
  const text = "x".repeat(30_000);
  const { code } = await home.sh(
    `parley --as ana poll create -c messaging:open 'Lunch?' --option Soup --text ${text}`,
  );
  expect(code).toBe(7);
  expect(await home.sh("parley --as ana poll list")).toMatchObject({ code: 0, out: "" });
});

test("a poll that could not be deleted again is named with the command that deletes it", async () => {
  await home.sh("parley local fault add 'POST */message' --status 429");
  await home.sh("parley local fault add 'DELETE */polls/*' --drop request");
  const { code, err } = await home.sh(
    "parley --as ana poll create -c messaging:open --id left 'Lunch?' --option Soup --max-wait 300ms",
  );
  await home.sh("parley local fault clear");
  expect([code, err]).toEqual([10, expect.stringContaining("parley poll delete left removes the poll")]);
  expect((await home.sh("parley --as ana poll delete left --yes")).code).toBe(0);
});

test("a poll whose message may have been sent is kept and named", async () => {
  await home.sh("parley local fault add 'POST */message' --drop answer");
  await home.sh("parley local fault add 'GET /messages/*' --status 503");
  const { code, err } = await home.sh(
    "parley --as ana poll create -c messaging:open --id kept 'Lunch?' --option Soup --max-wait 300ms",
  );
  await home.sh("parley local fault clear");
  expect([code, err]).toEqual([11, expect.stringContaining("parley poll delete kept removes its poll if")]);
  const { out } = await home.sh("parley --as ana message list -c messaging:open --json --jq '.[].poll_id'");
  expect(out).toBe("kept\n");
  expect((await home.sh("parley --as ana poll delete kept --yes")).code).toBe(0);
});

test("a poll whose message is queued is kept", async () => {
  await home.sh("parley --as ana send messaging:cold --queue --poll lunch.yaml 'Lunch?'");
  expect((await home.sh("parley --as ana poll list --json --jq '.[].name'")).out).toBe("Lunch?\n");
});
