/** Two people, one of whom has two channels side by side: both halves live, in a real terminal, until the channel of one is deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
let ana: Pty;
let bob: Pty;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("left", ["ana", "bob"]);
  await home.channel("right", ["ana", "bob"]);
  await home.say("messaging:left", "bob", { text: "first at the left" });
  await home.say("messaging:right", "bob", { text: "first at the right" });
  ana = home.screen(["chat", "messaging:left"], { cols: 160 });
  bob = home.screen(["chat", "messaging:right", "--as", "bob"]);
  for (const screen of [ana, bob]) await screen.waitFor("● online");
  await ana.waitFor("first at the left");
  await bob.waitFor("first at the right");
});
afterAll(() => home.end());

/** A row in which one text is in the left half and the other in the right one. */
const beside = (left: string, right: string) => (pty: Pty) =>
  pty
    .text()
    .split("\n")
    .some((row) => {
      const at = row.lastIndexOf("│");
      return row.slice(0, at).includes(left) && row.slice(at).includes(right);
    });

const unreadOf = async (channel: string, user: string): Promise<number> => {
  const { read } = await home.call("POST", `/channels/messaging/${channel}/query`, { state: true });
  return read.find((each: { user: { id: string } }) => each.user.id === user).unread_messages;
};

test("Alt-\\ shows the second channel beside the first, each with its title and its box", async () => {
  ana.type("/split #right");
  ana.key("enter");
  await ana.waitFor("first at the right");
  await ana.waitFor(beside("#left", "#right"));
  await ana.waitFor(beside("› message #left", "› message #right"));
  ana.key("A-\\");
  await ana.waitFor((pty) => !pty.text().includes("first at the right"));
  ana.type("/split #right");
  ana.key("enter");
  await ana.waitFor(beside("› message #left", "› message #right"));
});

test("both halves are live: typing and messages arrive in each, and each box keeps its own text", async () => {
  ana.type("a draft at the left");
  ana.key("tab");
  ana.type("from ana to the right");
  await ana.waitFor(beside("› a draft at the left", "› from ana to the right"));
  await bob.waitFor("ana is typing");
  ana.key("enter");
  await bob.waitFor("from ana to the right");
  bob.type("from bob to the right");
  await ana.waitFor(/│[^│\n]*bob is typing[^│\n]*$/m);
  bob.key("enter");
  await ana.waitFor("from bob to the right");
  await home.say("messaging:left", "bob", { text: "from bob to the left" });
  await ana.waitFor("from bob to the left");
  await ana.waitFor(beside("› a draft at the left", "› message #right"));
});

test("only the half with the focus is read; Tab and Enter send the draft of the other one", async () => {
  await until("ana to have read the right half", async () => (await unreadOf("right", "ana")) === 0);
  expect(await unreadOf("left", "ana")).toBeGreaterThan(0);
  ana.key("tab");
  await until("ana to have read the left half", async () => (await unreadOf("left", "ana")) === 0);
  ana.key("enter");
  await until("the draft to be sent", async () =>
    (await home.messages("messaging:left")).some(({ text }) => text === "a draft at the left"),
  );
  await ana.waitFor(beside("› message #left", "› message #right"));
});

test("below 120 columns the half with the focus remains, and the other one comes back with the room", async () => {
  ana.resize(100, 30);
  await ana.waitFor((pty) => !pty.text().includes("from bob to the right"));
  expect(ana.text()).toContain("from bob to the left");
  ana.resize(160, 30);
  await ana.waitFor(beside("› message #left", "› message #right"));
});

test("the next start shows both halves, and the deletion of one channel leaves the other one", async () => {
  ana.type("/quit");
  ana.key("enter");
  await ana.end();
  ana = home.screen([], { cols: 160 });
  await ana.waitFor("● online");
  await ana.waitFor(beside("› message #left", "› message #right"));
  ana.type("kept");
  await home.call("DELETE", "/channels/messaging/right");
  await ana.waitFor("#right can no longer be read, so its half was closed.");
  await ana.waitFor((pty) => !pty.text().includes("from bob to the right"));
  expect(ana.text()).toContain("› kept");
});
