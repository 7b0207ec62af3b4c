/** The embedded provider ends or stops answering between two steps of one command: the command continues, or ends with a listed code. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import { standIn, type StandIn } from "../support/stand-in.ts";

let home: Home;
let gone: StandIn | undefined;
beforeEach(() => {
  home = new Home();
});
afterEach(async () => {
  await gone?.close();
  await home.end();
});

test("a provider that was killed between being found and being entered is started anew, and nobody notices", async () => {
  gone = await standIn(home.data, (request) => {
    void gone!.close();
    request.socket.destroy();
  });
  const ran = await home.run(["channel", "list", "--json"]);
  expect(ran).toEqual({ code: 0, out: "[]\n", err: "" });
  expect(gone.seen).toEqual(["POST /_local/enter"]);
});

test.each([
  ["is only unavailable where it may be asked again", ["local", "seed"], 10, true],
  ["may have happened where it was a write", ["local", "robot", "say", "#ops", "hello"], 11, false],
])(
  "an order whose answer never came %s",
  async (_, words, exit, retryable) => {
    gone = await standIn(home.data, (request) => request.socket.destroy());
    const ran = await home.run([...words, "--json"]);
    expect(ran.code).toBe(exit);
    const { error } = JSON.parse(ran.err) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ exit, retryable, because: expect.stringContaining("got no answer") });
    expect(ran.err).not.toMatch(/127\.0\.0\.1|ECONN|socket hang up/);
  },
  30_000,
);
