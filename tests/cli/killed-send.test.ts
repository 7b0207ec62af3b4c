/** A `send` that was killed: its message is listed as such, and sent only by `outbox retry` or the same line again (specification/sending.md §3). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";

let home: Home;
beforeAll(async () => {
  home = new Home({ user: "mira" });
  await home.up();
  await home.channel("ops", ["mira"]);
});
afterAll(() => home.end());

const run = (line: string) => home.sh(`parley ${line}`);
const texts = async (): Promise<string[]> =>
  (await run("message list -c '#ops' --jq .text")).out.split("\n").filter(Boolean);
const listed = async (): Promise<Record<string, unknown>[]> =>
  JSON.parse((await run("outbox list --json")).out) as [];

/** Kills a send while the provider holds its request back. */
async function killSend(args: string): Promise<void> {
  await run("local fault add 'POST */message' --delay 1m");
  const send = home.sh(
    `parley send '#ops' ${args} & pid=$!; while ! parley outbox list --jq .state | grep -q sending; do sleep 0.05; done; kill -9 $pid; wait $pid`,
  );
  await until("the killed send", async () => (await listed()).some(({ killed }) => killed === true));
  await send;
  await run("local fault clear");
}

test("it waits, is listed, and goes out by outbox retry alone", async () => {
  await killSend("killed");
  expect((await run("outbox list")).out).toContain("of a run that was killed");
  await run("send '#ops' another");
  const screen = home.screen(["chat", "#ops"]);
  await screen.waitFor("of a run that was killed");
  expect(await texts()).toEqual(["another"]);
  expect((await run("outbox retry")).code).toBe(0);
  expect(await texts()).toEqual(["another", "killed"]);
  await screen.close();
  expect(await listed()).toEqual([]);
});

test("the same line again with its key sends it and leaves nothing behind", async () => {
  await killSend("--idempotency-key job once");
  expect((await run("send '#ops' --idempotency-key job once")).code).toBe(0);
  expect([await listed(), (await texts()).filter((text) => text === "once")]).toEqual([[], ["once"]]);
});
