/** A failing story is shortened as far as possible in bounded time; the result does not depend on random choices. */
import { expect, test } from "vitest";
import { CIDS, scriptOf, type Script, type Step } from "./script.ts";
import { shrink, describeShortest } from "./shrink.ts";

const needed: Step[] = [
  { by: "ben", wait: 30, do: "send", cid: CIDS[1]! },
  { by: "ada-desk", wait: 10, break: "crash" },
];
const long: Script = {
  ...scriptOf(7),
  trouble: 0.1,
  forgetful: true,
  steps: scriptOf(7).steps.flatMap((step, n) =>
    n === 9 || n === 31 ? [needed[n === 9 ? 0 : 1]!, step] : [step],
  ),
};
const happened: Script["calls"] = {
  "ben#1": { "sync 1": "replyLost", "sendMessage 2": "tooMany", "queryChannels 1": "refused" },
};
const sends = ({ steps }: Script): boolean => needed.every((step) => steps.includes(step));
let replays = 0;
const replay = async (script: Script) => {
  replays += 1;
  const lost = script.trouble > 0 || script.calls?.["ben#1"]?.["sync 1"] === "replyLost";
  const broken = sends(script) && lost ? ["x is lost (D1)"] : script.steps.length > 20 ? ["other (D8)"] : [];
  return { broken, happened: happened! };
};

test("shrinking leaves only what the failure needs: two steps and one fault of a call, by name", async () => {
  const short = await shrink(long, { replays: 500, ms: 20_000 }, replay);
  expect(short.steps).toEqual(needed);
  expect(short).toMatchObject({
    trouble: 0,
    forgetful: false,
    calls: { "ben#1": { "sync 1": "replyLost" } },
  });
  expect(Object.keys(short.calls!["ben#1"]!)).toEqual(["sync 1"]);
  expect(describeShortest(short, ["x is lost (D1)"])).toContain('ada-desk {"break":"crash"}, then 10 ms');
});

test("shrinking ends after the given number of replays, with the best story so far", async () => {
  replays = 0;
  const short = await shrink(long, { replays: 5, ms: 20_000 }, replay);
  expect(replays).toBeLessThanOrEqual(6);
  expect((await replay(short)).broken).toEqual(["x is lost (D1)"]);
  const none = await shrink(long, { replays: 500, ms: 0 }, replay);
  expect(none).toBe(long);
});

test("a story depends on its seed only and survives JSON", () => {
  expect(scriptOf(7)).toEqual(scriptOf(7));
  expect(JSON.parse(JSON.stringify(scriptOf(7)))).toEqual(scriptOf(7));
  expect(scriptOf(8)).not.toEqual(scriptOf(7));
});
