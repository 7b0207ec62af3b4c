/** A story: a user in another window is notified of a mention, turns on do-not-disturb, also across a restart, and is notified again afterwards. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";

let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
});
afterAll(() => home.end());

const notices = (): { title: string; body: string; channel: string }[] => {
  const file = path.join(home.folder, "told.jsonl");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ReturnType<typeof notices>[number]);
};
const mention = (text: string) => home.say("messaging:general", "bob", { text, mentioned_users: ["ana"] });
const FOCUS_LOST = "\x1b[O";

/** The window loses focus; a letter typed after that shows that the screen has read it, before a message can overtake it. */
async function loseFocus(screen: ReturnType<Home["screen"]>): Promise<void> {
  screen.type(`${FOCUS_LOST}x`);
  await screen.waitFor("› x");
  screen.key("backspace");
}

test("mentions raise desktop notices, /dnd stops them also after a restart, and /dnd off resumes them", async () => {
  const env = { PARLEY_NOTIFICATIONS_COMMAND: `tee -a ${path.join(home.folder, "told.jsonl")}` };
  {
    await using screen = home.screen(["chat", "messaging:general"], { env });
    await screen.waitFor("online");
    await loseFocus(screen);
    await mention("the build is red @ana");
    await until("the first notice", () => notices().length === 1);
    expect(notices()[0]).toMatchObject({
      title: "bob · #general",
      body: "the build is red @ana",
      kind: "message",
      channel: "messaging:general",
    });

    screen.type("/dnd 2h\r");
    await screen.waitFor("quiet 2 h");
    await screen.waitFor("notifications paused until");
    await mention("and the tests @ana");
    await screen.waitFor("and the tests");
    screen.key("C-c");
    screen.key("C-c");
    await screen.end();
  }
  await using again = home.screen(["chat", "messaging:general"], { env });
  // The provider stores it: it also applies at the next start and on other devices.
  await again.waitFor("quiet ");
  // The saved frame of the last visit does not react to input yet.
  await again.waitFor("online");
  await loseFocus(again);
  await mention("still red @ana");
  await again.waitFor("still red");
  expect(notices()).toHaveLength(1);

  again.type("/dnd off\r");
  await again.waitFor("notifications resume");
  await mention("green now @ana");
  await until("the notice after it", () => notices().length === 2);
  expect(notices()[1]!.body).toBe("green now @ana");
});

test("a notification level set on another device is shown at the next start and can be changed", async () => {
  const setLevel = async (level: string): Promise<void> => {
    const preferences = [{ user_id: "ana", channel_cid: "messaging:general", chat_level: level }];
    await home.call("POST", "/push_preferences", { preferences });
  };
  await setLevel("none");
  await using screen = home.screen(["chat", "messaging:general"]);
  await screen.waitFor("online");
  screen.type("/notify\r");
  await screen.waitFor(/▌ *nothing +current/);
  screen.key("up");
  screen.key("enter");
  // Reported after the provider accepted it.
  await screen.waitFor("notifications for this channel: mentions");
  const { push_preferences: preferences } = (await home.call("POST", "/channels/messaging/general/query", {
    user_id: "ana",
    state: true,
  })) as { push_preferences?: unknown };
  expect(preferences).toEqual({ chat_level: "mentions" });
});
