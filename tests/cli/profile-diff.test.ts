/** `profile diff`: the apps of two profiles, each at a provider of its own, are compared in all that an app file holds, and in their push templates. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let second: Home;
const run = (line: string) => home.sh(`parley ${line}`);
const rows = async (line: string): Promise<unknown> => JSON.parse((await run(line)).out);

beforeAll(async () => {
  [home, second] = [makeHome({ here: true }), makeHome({ here: true })];
  await second.sh("parley local start");
  const data = path.join(second.env.XDG_DATA_HOME!, "parley/local");
  const { url, api_key: key } = JSON.parse(readFileSync(path.join(data, "provider.json"), "utf8"));
  const signedIn = await home.sh(
    `parley login second --url ${url} --key ${key} --kind secret --secret-stdin < '${data}/secret'`,
  );
  expect(signedIn.code).toBe(0);
  await run("config set profile local");
});
afterAll(() => Promise.all([home.end(), second.end()]));

test("two apps that are the same differ in nothing, and one that is not there is 3", async () => {
  expect(await run("profile diff local second")).toMatchObject({ out: "", err: "", code: 0 });
  expect(await run("profile diff local local --json")).toMatchObject({ out: "[]\n", code: 0 });
  expect((await run("profile diff local nowhere")).code).toBe(3);
});

test("every kind of difference is named, from either side, with exit 14", async () => {
  await home.sh(`printf '{"firebase":1}' > t.json; printf '{"firebase_credentials_json":"{}"}' > p.json`);
  for (const line of [
    "app set image_moderation_enabled=true",
    "role create chef",
    "permission grant app guest create-poll",
    "command create tea 'make tea'",
    "blocklist create rude darn",
    "channel-type set messaging polls=false",
    "channel-type create kitchen",
    "push provider set firebase main --file p.json",
    "push template set firebase main message.new --file t.json",
  ])
    expect([line, (await run(`${line} --yes -p local`)).code]).toEqual([line, 0]);
  const found = (await rows("profile diff local second --json")) as Record<string, unknown>[];
  const named = new Map(found.map((row) => [row.setting, row]));
  for (const [setting, one, other] of [
    ["image_moderation_enabled", true, false],
    ["grants app grants of guest", expect.arrayContaining(["create-poll"]), expect.anything()],
    ["role chef", true, null],
    ["blocklist rude", { type: "word", words: ["darn"] }, null],
    ["channel type messaging polls", false, true],
    ["command tea", expect.objectContaining({ description: "make tea" }), null],
    ["channel type kitchen", expect.anything(), null],
    ["push service firebase/main", expect.anything(), null],
    ["push template firebase/main message.new", { enable_push: true, template: '{"firebase":1}' }, null],
  ])
    expect([setting, named.get(setting)]).toEqual([setting, { setting, one, other }]);
  const table = await run("profile diff local second");
  expect(table.code).toBe(14);
  expect(table.out).toMatch(/^image_moderation_enabled\s+true\s+false$/m);
  const back = (await rows("profile diff second local --json")) as Record<string, unknown>[];
  expect(back.map(({ setting, one, other }) => ({ setting, one: other, other: one }))).toEqual(found);
  const { code, err, out } = await run("profile diff local second --csv");
  expect([code, err]).toEqual([14, `error: ${found.length} differences\n`]);
  expect(out.split("\n")[0]).toBe("setting,one,other");
});
