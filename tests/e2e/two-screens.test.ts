/** Two people and a third on long-poll in one channel: each one's actions appear on the others' screens at once (R-TYPE, R-READ). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

/** "At once" on a busy machine with two cores: milliseconds. */
const AT_ONCE = 2500;

let home: Home;
let ana: Pty;
let bob: Pty;
let cy: Pty;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob", "cy"]);
  await home.channel("side", ["ana", "bob", "cy"]);
  await home.say("messaging:general", "bob", { text: "before anybody looked" });
  ana = home.screen(["chat", "messaging:general"]);
  bob = home.screen(["chat", "messaging:general", "--as", "bob"]);
  cy = home.screen(["chat", "messaging:general", "--as", "cy", "--transport", "longpoll"]);
  for (const screen of [ana, bob, cy]) {
    await screen.waitFor("before anybody looked");
    await screen.waitFor("● online");
  }
});
afterAll(() => home.end());

async function everywhere(what: string | RegExp | ((pty: Pty) => boolean)): Promise<void> {
  for (const screen of [ana, bob, cy]) await screen.waitFor(what, AT_ONCE);
}
const gone = (text: string) => (pty: Pty) => !pty.text().includes(text);

test("the third user is connected over long-polling", async () => {
  expect(cy.text()).toContain("online · long-poll");
  expect(ana.text()).toContain("● online   local");
  await everywhere("3 members · 3 watching");
});

test("a typing line appears while somebody writes, and disappears when the message arrives (R-TYPE-1, R-TYPE-6)", async () => {
  ana.type("good ");
  for (const other of [bob, cy]) await other.waitFor("ana is typing", AT_ONCE);
  expect(ana.text()).not.toContain("is typing");
  ana.type("morning");
  ana.key("enter");
  await everywhere("good morning");
  for (const other of [bob, cy]) await other.waitFor(gone("is typing"), AT_ONCE);
});

test("a typing line disappears seven seconds after the last key (R-TYPE-4, R-TYPE-5)", async () => {
  bob.type("hm");
  await ana.waitFor("bob is typing", AT_ONCE);
  const shown = await ana.waitFor(gone("is typing"), 9500);
  expect(shown).toBeGreaterThan(5500);
  expect(shown).toBeLessThan(9000);
  bob.key("C-u");
});

test("an edit appears on every screen, marked as edited", async () => {
  ana.key("up");
  await ana.waitFor("EDIT", AT_ONCE);
  ana.key("C-u");
  ana.type("good evening");
  ana.key("enter");
  await everywhere(/good evening.*edited/);
  await everywhere(gone("good morning"));
});

test("a reaction appears on every screen, and disappears when it is removed (R-SEND-14)", async () => {
  bob.key("esc");
  await bob.waitFor("BROWSE", AT_ONCE);
  bob.type("+");
  await bob.waitFor("React", AT_ONCE);
  await bob.pause();
  bob.type("tada");
  await bob.waitFor("🎉  tada", AT_ONCE);
  bob.key("enter");
  await everywhere("🎉 1");
  bob.type("==");
  await everywhere(gone("🎉"));
  bob.type("i");
  await bob.waitFor("WRITE", AT_ONCE);
  await bob.pause();
});

test("a message is marked as read once the others have seen it (R-READ-3, R-READ-5)", async () => {
  ana.type("who reads this?");
  ana.key("enter");
  await everywhere("who reads this?");
  await ana.waitFor(/who reads this\?.*✓✓ 2/, AT_ONCE);
});

test("the unread count of a channel that is not open grows, and disappears when it is opened (R-READ-2, R-READ-4)", async () => {
  bob.key("C-k");
  await bob.waitFor("Go to", AT_ONCE);
  bob.type("side");
  bob.key("enter");
  await bob.waitFor("message #side", AT_ONCE);
  bob.type("over here");
  bob.key("enter");
  await bob.waitFor("over here", AT_ONCE);
  for (const other of [ana, cy]) await other.waitFor(/#side +1 /, AT_ONCE);
  bob.type("and again");
  bob.key("enter");
  for (const other of [ana, cy]) await other.waitFor(/#side +2 /, AT_ONCE);
  ana.key("A-a");
  await ana.waitFor("message #side", AT_ONCE);
  await ana.waitFor("and again", AT_ONCE);
  await ana.waitFor((pty) => !/#side +2 /.test(pty.text()), AT_ONCE);
  await until("the provider to know that ana has read", async () => {
    const { read } = await home.call("POST", "/channels/messaging/side/query", { state: true });
    return read.find((r: { user: { id: string } }) => r.user.id === "ana").unread_messages === 0;
  });
});

test("a deletion is delayed so that it can be undone, and then appears on every screen", async () => {
  bob.key("esc");
  await bob.waitFor("BROWSE", AT_ONCE);
  bob.type("dd");
  await bob.waitFor("message deleted (deletion not sent yet)", AT_ONCE);
  expect(ana.text()).toContain("and again");
  await ana.waitFor("message deleted");
  await ana.waitFor(gone("and again"), AT_ONCE);
  await bob.waitFor(gone("not sent yet"), AT_ONCE);
  await cy.waitFor(/#side +1 /, AT_ONCE);
});

test("a second window of the same user shows the same messages, and a message sent by a script appears on all screens", async () => {
  const again = home.screen(["chat", "messaging:general"]);
  await again.waitFor("who reads this?");
  await again.waitFor("● online", AT_ONCE);
  // Three people watch, one of them on two screens.
  await again.waitFor("3 members · 3 watching", AT_ONCE);
  again.type("from the second window");
  again.key("enter");
  await again.waitFor(/from the second window ✓/, AT_ONCE);
  await cy.waitFor("from the second window", AT_ONCE);
  expect(await home.run(["send", "#general", "from a script"])).toMatchObject({ code: 0, err: "" });
  for (const screen of [again, cy]) await screen.waitFor("from a script", AT_ONCE);
  expect(again.text().match(/from a script/g)).toHaveLength(1);
  expect(again.text().match(/from the second window/g)).toHaveLength(1);
});
