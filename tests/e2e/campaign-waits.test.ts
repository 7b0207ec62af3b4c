/** A campaign by messages that waits for its hours, in the built program: what others see of it, Ctrl-C, a kill, and going on. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until, type Json, type Running } from "../support/home.ts";

let home: Home;
const parley = (line: string) => home.run(line.split(" "));
const json = async (line: string): Promise<Json> => JSON.parse((await parley(line)).out) as Json;
const hour = (offset: number): string =>
  `${String((new Date().getUTCHours() + offset) % 24).padStart(2, "0")}:00`;
/** Closed now, and for some hours. */
const WINDOW = `${hour(3)}-${hour(5)}`;
const START = `campaign start tea.yaml --window ${WINDOW} --tz UTC --pause-outside --confirm tea`;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await parley("user upsert mira ana bo --name Somebody --yes");
  writeFileSync(path.join(home.folder, "people.txt"), "ana\nbo\n");
  writeFileSync(
    path.join(home.folder, "tea.yaml"),
    "id: tea\nsender_id: mira\nmode: messages\nmessage_template: {text: hi}\naudience: {ids: people.txt}\n",
  );
});
afterAll(() => home.end());

const waits = (): Promise<string> =>
  until("a run that waits", async () => {
    const { code, out } = await parley("campaign report tea --json");
    return code === 0 ? ((JSON.parse(out) as Json).waiting_until as string | undefined) : undefined;
  });

/** Ends a waiting run with a signal; resolves to how it ended. */
async function endedBy(running: Running, signal: "SIGINT" | "SIGKILL") {
  const waiting = await waits();
  running.child.kill(signal);
  const code = await running.ended;
  return { waiting, code, err: running.err };
}

test("a run outside of its hours waits, others see until when, and Ctrl-C or a kill leave what goes on", async () => {
  const first = await endedBy(home.start(START.split(" ")), "SIGINT");
  expect(first.waiting).toMatch(new RegExp(`T${hour(3)}:00.000Z$`));
  expect([first.code, first.err]).toEqual([
    130,
    expect.stringContaining(`waiting until ${first.waiting.slice(0, 10)} ${hour(3)} UTC`),
  ]);
  expect(await json("campaign report tea --json")).toMatchObject({ status: "stopped", sent: 0, waiting: 2 });
  const again = home.start("campaign continue tea --confirm tea".split(" "));
  await waits();
  expect(await json("campaign get tea --json")).toMatchObject({
    status: "in_progress",
    waiting_until: first.waiting,
  });
  expect((await parley("campaign list")).out).toContain("waiting until");
  const busy = await parley(START);
  expect([busy.code, busy.err]).toEqual([6, "error: Another run is at work on campaign tea\n"]);
  await endedBy(again, "SIGKILL");
  const third = home.start("campaign start tea.yaml --confirm tea".split(" "));
  expect((await endedBy(third, "SIGINT")).waiting).toBe(first.waiting);
  const other = await parley(START.replace(WINDOW, "00:00-24:00"));
  expect([other.code, other.err]).toEqual([
    6,
    expect.stringContaining(`with another plan (${WINDOW} UTC, waits outside), which stays`),
  ]);
});

test("what the provider sends has no plan", async () => {
  writeFileSync(
    path.join(home.folder, "two.yaml"),
    "id: two\nsender_id: mira\nmessage_template: {text: hi}\nuser_ids: [ana]\n",
  );
  const refused = await parley(
    START.replace("tea.yaml", "two.yaml").replace("--confirm tea", "--confirm two"),
  );
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(
      "--pause-outside is for --mode messages: what the provider sends, it sends at once",
    ),
  ]);
  const byId = await parley("campaign start tea --pause-outside --confirm tea");
  expect([byId.code, byId.err]).toEqual([
    2,
    expect.stringContaining("--pause-outside goes with a campaign file and --mode messages"),
  ]);
});
