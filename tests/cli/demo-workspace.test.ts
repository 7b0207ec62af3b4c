/** The demo workspace from the command line: who joins it, a poll that is taken for its message, and its clock. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  delete home.env.PARLEY_LOCAL_SEED;
  expect((await run("local start")).code).toBe(0);
});
afterAll(() => home.end());

test("a new person joins the open channels, and one who was there before or has left stays where they are", async () => {
  await run("user upsert shop --name Shop --yes");
  for (const user of ["shop", "nina"]) expect((await run(`whoami --as ${user}`)).code).toBe(0);
  await run("channel list --as shop");
  await run("channel list --as nina");
  expect((await run("channel leave messaging:random --as nina --yes")).code).toBe(0);
  await run("local stop");
  await run("channel list --as nina");
  const members = async (channel: string) =>
    (await run(`member list ${channel} --jq .user_id`)).out.trimEnd().split("\n");
  expect(await members("messaging:general")).toContain("nina");
  expect(await members("messaging:general")).not.toContain("shop");
  expect(await members("messaging:random")).not.toContain("nina");
});

test("a robot's vote names the message of a poll, and says so for the poll's own id", async () => {
  const { code, err } = await run("local robot vote demo-lunch-poll 1");
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("demo-lunch-poll is a poll: name the message that contains it"),
  ]);
  expect((await run("local robot vote nothing 1")).code).toBe(3);
});

test("doctor says that the provider's clock was moved, and does not ask to set this machine's", async () => {
  await run("local clock advance 2h");
  const { out } = await run("doctor");
  expect(out).toContain("clock\tthe provider's is 2 h ahead, as parley local clock advance has set it");
  expect(out).not.toContain("set the clock");
});
