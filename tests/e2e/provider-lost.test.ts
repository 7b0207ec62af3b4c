/** The embedded provider ends or stops answering between two steps of one command: the command continues, or ends with a listed code. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import { standIn, type StandIn } from "../support/stand-in.ts";

let home: Home;
let standInProvider: StandIn | undefined;
beforeEach(() => {
  home = new Home();
});
afterEach(async () => {
  await standInProvider?.close();
  await home.end();
});

test("a provider killed after it was found but before the request is started again, without any output about it", async () => {
  standInProvider = await standIn(home.data, (request) => {
    void standInProvider!.close();
    request.socket.destroy();
  });
  const ran = await home.run(["channel", "list", "--json"]);
  expect(ran).toEqual({ code: 0, out: "[]\n", err: "" });
  expect(standInProvider.seen).toEqual(["POST /_local/enter"]);
});

test.each([
  ["ends with 10 if it can be repeated", ["local", "seed"], 10, true],
  ["ends with 11 if it was a write", ["local", "robot", "say", "#ops", "hello"], 11, false],
])("a request without an answer %s", async (_, words, exit, retryable) => {
  standInProvider = await standIn(home.data, (request) => request.socket.destroy());
  const ran = await home.run([...words, "--json"]);
  expect(ran.code).toBe(exit);
  const { error } = JSON.parse(ran.err) as { error: Record<string, unknown> };
  expect(error).toMatchObject({ exit, retryable, because: expect.stringContaining("got no answer") });
  expect(ran.err).not.toMatch(/127\.0\.0\.1|ECONN|socket hang up/);
});
