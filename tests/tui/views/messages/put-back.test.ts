/** A message that was not sent goes back into its box whole: nothing of it is lost, and nothing in the box is replaced. */
import { expect, test } from "vitest";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { threadPanel } from "../../../../src/tui/screen/screen.ts";
import { panelPushed, withFocus } from "../../../../src/tui/screen/transitions.ts";
import { FakeCore, channel, message, stateOf, thread, user } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const GENERAL = "messaging:general";
const attachments = [{ type: "file", title: "plan.pdf", asset_url: "https://a.example/plan.pdf" }];
const failed = (more: Partial<ClientMessage>): ClientMessage =>
  message("x", "me", "@ana tea", {
    minute: 5,
    status: "failed",
    attachments,
    mentioned_users: [user("ana")],
    ...more,
  });

/** The channel with the message, or its thread with it, and the cursor on it. */
async function browsing(mine: ClientMessage): Promise<ScreenDriver> {
  const parent = message("m1", "ana", "tea?");
  const threads = new Map([["m1", thread("m1", mine.parent_id === undefined ? [] : [mine])]]);
  const messages = mine.parent_id === undefined ? [parent, mine] : [parent];
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages, threads })])));
  if (mine.parent_id !== undefined)
    m.change((s) => panelPushed(s, threadPanel({ cid: GENERAL, parentId: "m1" })));
  await m.press("esc", "G");
  expect(m.selected()?.id).toBe("x");
  m.core.asked.length = 0;
  return m;
}

test.each<[string, Partial<ClientMessage>, object, object]>([
  ["of the channel", { quoted_message_id: "m1" }, { cid: GENERAL }, { quotedMessageId: "m1" }],
  ["of a thread", { parent_id: "m1" }, { cid: GENERAL, parentId: "m1" }, {}],
  [
    "of a thread that the channel shows, too",
    { parent_id: "m1", show_in_channel: true },
    { cid: GENERAL, parentId: "m1" },
    { showInChannel: true },
  ],
])("one %s comes back with its files, mentions and what it answers", async (_, more, place, sent) => {
  const m = await browsing(failed(more));
  await m.press("e");
  expect([m.text(), m.screen.focus, m.asked("drop")]).toEqual(["@ana tea", "composer", [["drop", "x"]]]);
  await m.type("\r");
  expect(m.core.calls("send")).toEqual([
    [place, { text: "@ana tea", attachments, mentionedUsers: ["ana"], ...sent }],
  ]);
});

test.each<[string, Partial<ClientMessage>, object]>([
  ["of the channel, while a thread is open beside it", {}, { cid: GENERAL }],
  [
    "of a thread, chosen where the channel shows it",
    { parent_id: "m1", show_in_channel: true },
    { cid: GENERAL, parentId: "m1" },
  ],
])("one %s comes back into the box that it was written in", async (_, more, place) => {
  const mine = failed(more);
  const messages = [message("m1", "ana", "tea?"), mine];
  const threads = new Map([["m1", thread("m1", mine.parent_id === undefined ? [] : [mine])]]);
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages, threads })])));
  if (mine.parent_id === undefined)
    m.change((s) => withFocus(panelPushed(s, threadPanel({ cid: GENERAL, parentId: "m1" })), "messages"));
  else await m.press("esc");
  await m.press("G", "e");
  expect([m.ports.boxes.place, m.text(), m.screen.focus]).toEqual([place, "@ana tea", "composer"]);
  await m.type("\r");
  expect(m.core.calls("send").map(([to]) => to)).toEqual([place]);
});

test("it waits while the box has another text", async () => {
  const m = await browsing(failed({}));
  await m.press("i");
  await m.type("begun");
  await m.press("esc", "e");
  expect([m.text(), m.asked("drop"), m.told().length]).toEqual(["begun", [], 1]);
});
