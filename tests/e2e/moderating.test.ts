/** Moderation as a story: a refused text is edited and sent, a message is reported, its author muted, and both are undone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

let home: Home;
let ana: Pty;
let bob: Pty;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.call("POST", "/blocklists", { name: "rude", words: ["darn"] });
  await home.call("PUT", "/channeltypes/messaging", { blocklist: "rude", blocklist_behavior: "block" });
  await home.say("messaging:general", "bob", { text: "before anybody looked" });
  ana = home.screen(["chat", "messaging:general"]);
  bob = home.screen(["chat", "messaging:general", "--as", "bob"]);
  for (const screen of [ana, bob]) {
    await screen.waitFor("before anybody looked");
    await screen.waitFor("● online");
  }
});
afterAll(() => home.end());

test("a message held back by moderation shows why, and is edited and sent instead", async () => {
  bob.type("that darn build");
  bob.key("enter");
  await bob.waitFor("held back by moderation");
  await bob.waitFor("[e edit] [r send anyway] [x delete]");
  expect(ana.text()).not.toContain("darn");
  bob.key("esc");
  await bob.waitFor("r retry  e edit  x drop");
  bob.type("ee");
  await bob.waitFor((pty) => !pty.text().includes("held back"));
  await bob.waitFor("› that darn build");
  bob.key("C-u");
  bob.type("that stubborn build");
  bob.key("enter");
  await ana.waitFor("that stubborn build");
  await bob.waitFor("that stubborn build ✓");
});

test("the earlier text of an edited message is shown to somebody who had seen it", async () => {
  bob.key("up");
  await bob.waitFor("EDIT");
  bob.type("!");
  bob.key("enter");
  await ana.waitFor(/stubborn build!.*edited/);
  ana.key("esc");
  await ana.waitFor("BROWSE");
  ana.type("w");
  await ana.waitFor("Earlier versions");
  await ana.waitFor(/until .*\n[^\n]*that stubborn build *$/m);
  ana.key("esc");
  await ana.waitFor((pty) => !pty.text().includes("Earlier versions"));
});

test("a message is reported with a reason and its author muted, and both can be undone", async () => {
  ana.type("!");
  await ana.waitFor("Why report it?");
  await ana.pause();
  ana.type("hara");
  await ana.waitFor("Harassment");
  ana.key("enter");
  await ana.waitFor("reported to the moderators");
  await until("the report", async () => {
    const payload = encodeURIComponent(JSON.stringify({ filter_conditions: {} }));
    const { flags } = await home.call("GET", `/moderation/flags/message?payload=${payload}`);
    return (flags as { reason?: string }[]).some(({ reason }) => reason === "Harassment");
  });
  ana.type("@");
  await ana.waitFor("Mute for an hour");
  await ana.pause();
  ana.type("mute for an");
  ana.key("enter");
  await ana.waitFor("bob muted");
  ana.type("@");
  await ana.waitFor("Unmute");
  ana.key("esc");
  await ana.waitFor("BROWSE");
  ana.key("C-_");
  // The mute was undone: next in line is the report before it.
  await ana.waitFor("undo report");
});
