/** An open screen is found by its user's scripts and takes commands from them (specification/screen.md). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
let ana: Pty;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana"]);
  await home.say("messaging:general", "ana", { text: "tea at ten" });
  ana = home.screen(["chat", "messaging:general"]);
  await ana.waitFor("● online");
});
afterAll(() => home.end());

test("parley screen list shows an open screen with its channel", async () => {
  const { code, out } = await home.run(["screen", "list", "--jq", "[.profile, .channel] | @tsv"]);
  expect([code, out]).toEqual([0, "local\tmessaging:general\n"]);
});

test("parley screen run opens the search on it and leaves the text in the box unchanged", async () => {
  ana.type("half a thought");
  await ana.waitFor("› half a thought");
  const { code } = await home.run(["screen", "run", "/search", "tea"]);
  expect(code).toBe(0);
  await ana.waitFor("1 message");
  expect(ana.text()).toContain("› half a thought");
});

test("a line that is not a command is refused with 2 and not sent as a message", async () => {
  const { code, err } = await home.run(["screen", "run", "hello", "everybody"]);
  expect([code, err]).toEqual([2, expect.stringContaining("parley send sends a message")]);
});

test("a closed screen is no longer listed", async () => {
  expect((await home.run(["screen", "run", "/quit"])).code).toBe(0);
  expect((await ana.exited).exitCode).toBe(0);
  expect((await home.run(["screen", "list"])).out).toBe("");
});
