/** A day at the screen in separate stories: the morning's mentions, a thread, a poll, a location on the map, a search, another profile, a campaign. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const CHANNELS = 20;
const EACH = 15;
const KETTLE = "the kettle is in the cupboard";
const HALL = "messaging:hall";

let home: Home;
let ana: Pty;
let bob: Pty;

const waitUntilGone = (screen: Pty, text: string): Promise<number> =>
  screen.waitFor((pty) => !pty.text().includes(text));

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("hall", ["ana", "bob"]);
  await home.say(HALL, "bob", { text: "good morning" });
  await home.call("POST", `/channels/messaging/hall/read`, {}, "ana");
  for (let i = 0; i < CHANNELS; i++) {
    const cid = await home.channel(`team-${i}`, ["ana", "bob"]);
    for (let n = 0; n < EACH; n++)
      await home.say(cid, "bob", { text: i === 7 && n === 3 ? KETTLE : `news ${n} of team ${i}` });
  }
  ana = home.screen(["chat", HALL]);
  bob = home.screen(["chat", HALL, "--as", "bob"]);
  for (const screen of [ana, bob]) {
    await screen.waitFor("good morning");
    await screen.waitFor("● online");
  }
});
afterAll(() => home.end());

test("the Inbox lists 300 unread messages in 20 channels; marking all of them read can be undone", async () => {
  ana.type("\x1bi");
  await ana.waitFor("Inbox · 20 unread");
  await ana.waitFor("15 new");
  ana.key("enter");
  await ana.waitFor("15 new");
  // It is read after a second in sight.
  await ana.waitFor("Inbox           19");
  ana.key("esc");
  ana.type("\x1bi");
  await ana.waitFor("Inbox · 19 unread");
  ana.type("A");
  await ana.waitFor("19 channels marked read");
  await ana.waitFor("all caught up");
  ana.key("C-_");
  await ana.waitFor("Inbox · 19 unread");
  ana.type("A");
  await ana.waitFor("all caught up");
  ana.key("esc");
  await waitUntilGone(ana, "Inbox ·");
});

test("a thread is opened from the Threads list, answered, and no longer unread", async () => {
  const { message } = await home.say(HALL, "ana", { text: "deploy at ten?" });
  const parent_id = (message as { id: string }).id;
  await home.say(HALL, "bob", { text: "after the freeze", parent_id });
  ana.type("\x1bt");
  await ana.waitFor("Threads · 1 unread");
  ana.key("enter");
  await ana.waitFor("after the freeze");
  await ana.waitFor("Thread · 1 reply");
  ana.type("i");
  await ana.waitFor("WRITE");
  await ana.pause();
  ana.type("at eleven, then\r");
  await ana.waitFor("Thread · 2 replies");
  await bob.waitFor("2 replies");
  ana.key("esc");
  await ana.waitFor("BROWSE");
  ana.type("\x1bt");
  await ana.waitFor("Threads   ");
  await waitUntilGone(ana, "unread");
  ana.key("esc");
  await waitUntilGone(ana, "at eleven, then");
});

test("a poll is created with the form, voted on, and ended from the message menu", async () => {
  ana.type("\x0bhall\r");
  await ana.waitFor("› message #hall");
  ana.type("/poll\r");
  await ana.waitFor("New poll");
  ana.type("Lunch where?\r\rsoba\rtacos");
  ana.key("C-j");
  await bob.waitFor("Lunch where?");
  bob.key("esc");
  await bob.waitFor("BROWSE");
  bob.type("22");
  await ana.waitFor(/tacos\s+[━┄]+\s+1/);
  await waitUntilGone(ana, "New poll");
  ana.key("esc");
  await ana.waitFor("BROWSE");
  ana.type("m");
  await ana.waitFor("Reply in a thread");
  await ana.pause();
  ana.type("Poll: end");
  await ana.waitFor(/▌ *Poll: end it/);
  ana.key("enter");
  await ana.waitFor("End the poll");
  ana.type("y");
  await bob.waitFor("closed");
});

test("a live location is shared, shown on another user's map, and stopped with a key", async () => {
  ana.type("i");
  await ana.waitFor("WRITE");
  ana.type("/location\r");
  await ana.waitFor("Where are you?");
  ana.type("52.37,4.89");
  await ana.waitFor("52.37000");
  ana.key("enter");
  await ana.waitFor("For how long?");
  ana.key("enter");
  await bob.waitFor("min left");
  bob.type("G");
  bob.type("v");
  await bob.waitFor("Map · #hall");
  await bob.waitFor(/ana · .*left/);
  // The hint for the stop key appears after the provider's answer, which may come after the event to others.
  await ana.waitFor("Alt-. stops");
  ana.type("\x1b.");
  await ana.waitFor("location sharing stopped");
  await bob.waitFor("live location ended");
  bob.key("esc");
  await waitUntilGone(bob, "Map · #hall");
});

test("an old message is found by search, opened, and Backspace returns to the channel before it", async () => {
  ana.key("C-f");
  await ana.waitFor("Search");
  ana.type("kettle");
  await ana.waitFor("1 message");
  ana.key("enter");
  await ana.waitFor("#team-7   2 members");
  ana.key("backspace");
  await ana.waitFor("#hall   2 members");
  ana.key("esc");
  await waitUntilGone(ana, "SEARCH  ");
});

test("/profile switches to another profile and back", async () => {
  const { url, apiKey, secret } = home.provider()!;
  const token = signToken({ user_id: "bob" }, secret);
  const words = ["login", "work", "--url", url, "--key", apiKey, "--with-token", "--no-test"];
  expect(await home.run(words, token)).toMatchObject({ code: 0 });
  await using screen = home.screen(["--profile", "local", "chat", HALL]);
  await screen.waitFor("● online");
  await screen.waitFor("● online   local");
  screen.type("/profile work\r");
  await screen.waitFor("● online   work");
  screen.type("/profile local\r");
  await screen.waitFor("● online   local");
  await home.run(["profile", "use", "local"]);
});

test("the campaign panel shows the progress until all receivers have the message", async () => {
  const ids = ["p1", "p2", "p3"];
  await home.call("POST", "/users", { users: Object.fromEntries(ids.map((id) => [id, { id, name: id }])) });
  await home.call("POST", "/campaigns", {
    id: "spring",
    name: "Spring tea",
    sender_id: "ana",
    user_ids: ids,
    create_channels: true,
    channel_template: { type: "messaging", id: "spring-{{receiver.id}}" },
    message_template: { text: "Tea, {{receiver.name}}?" },
  });
  await home.call("POST", "/campaigns/spring/start", {});
  ana.key("C-p");
  await ana.waitFor("Actions and commands");
  ana.type("campaigns: watch");
  await ana.waitFor(/▌ *Campaigns: watch/);
  ana.key("enter");
  await ana.waitFor("Spring tea");
  ana.key("enter");
  await ana.waitFor("Campaign · Spring tea");
  await ana.waitFor("100 %");
  await ana.waitFor(/state +completed/);
});
