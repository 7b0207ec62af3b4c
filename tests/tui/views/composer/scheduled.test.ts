/** Scheduled messages, and the short time in which a sent message can be taken back. */
import { describe, expect, test } from "vitest";
import type { UnsentRow } from "../../../../src/core/base/api-types.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { CAPABLE, EPOCH, FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const NOW = EPOCH + 86_400_000;
const HOUR = 3_600_000;
const GENERAL = "messaging:general";

const screenWithDelay = (undoSend = 0): ScreenDriver =>
  new ScreenDriver(new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })])), {
    settings: { undoSend },
  });
const row = (more: Partial<UnsentRow> = {}): UnsentRow => ({
  id: "later-1",
  cid: GENERAL,
  kind: "send",
  text: "tea",
  state: "parked",
  tries: 0,
  created_at: new Date(EPOCH).toISOString(),
  send_at: new Date(NOW + HOUR).toISOString(),
  busy: false,
  ...more,
});

describe("/schedule", () => {
  test("sends the text at that time, and says which Parley will", async () => {
    const m = screenWithDelay();
    await m.type("/schedule 2h tea is ready\r");
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: GENERAL }, { text: "tea is ready", at: NOW + 2 * HOUR }],
    ]);
    expect(m.text()).toBe("");
    expect(m.told().at(-1)).toContain("by any Parley of this profile that is running then");
  });

  test.each([
    ["in 10 min tea is ready", 10 * 60_000],
    ["tomorrow at 1 pm tea is ready", 25 * HOUR - ((NOW / HOUR) % 24) * HOUR + 12 * HOUR],
  ])("accepts every form of time: %s", async (line, away) => {
    const m = screenWithDelay();
    await m.type(`/schedule ${line}\r`);
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: GENERAL }, { text: "tea is ready", at: NOW + away }],
    ]);
  });

  test("without a future time or without text keeps the line and says what is missing", async () => {
    for (const line of ["/schedule tea", "/schedule 2h", "/schedule yesterday tea"]) {
      const m = screenWithDelay();
      await m.type(`${line}\r`);
      expect([m.text(), m.core.calls("send")]).toEqual([line, []]);
      expect(m.told().at(-1)).toContain("/schedule 09:30 TEXT");
    }
  });

  test("alone lists scheduled messages, which can be edited in the box, moved, sent now or discarded", async () => {
    const m = screenWithDelay();
    m.core.waitingRows = [row(), row({ id: "m", send_at: undefined as never })];
    m.core.takenBack.set("later-1", { id: "later-1", text: "tea", quoted_message_id: "m1" });
    const choose = async (word: string): Promise<void> => {
      await m.type("/schedule\r\r");
      await m.type(`${word}\r`);
    };
    await choose("box");
    expect(m.ports.boxes.at()).toMatchObject({ editor: { text: "tea" }, quote: { id: "m1" } });
    await m.press("C-c");
    await choose("now");
    expect(m.asked("retry")).toEqual([["retry", "later-1"]]);
    await choose("discard");
    expect(m.told().at(-1)).toBe("discarded");
    await choose("reschedule");
    await m.type("3h\r");
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: GENERAL }, { text: "tea", quotedMessageId: "m1", at: NOW + 3 * HOUR }],
    ]);
  });

  test("the list has the next one first, in whatever order they were written", async () => {
    const m = screenWithDelay();
    m.core.waitingRows = [5, 1, 3, 2].map((hours) =>
      row({ id: `at-${hours}`, text: `in ${hours}`, send_at: new Date(NOW + hours * HOUR).toISOString() }),
    );
    await m.type("/schedule\r");
    const offered = choicesOf(topPopup(m.screen), m.model);
    expect(offered.map(({ label }) => label)).toEqual(["in 1", "in 2", "in 3", "in 5"]);
    await m.press("down", "enter");
    await m.type("now\r");
    expect(m.asked("retry")).toEqual([["retry", "at-2"]]);
  });

  test("one that is moved to another time keeps its place, its files, its mentions, who sees it and whether the channel shows it", async () => {
    const m = screenWithDelay();
    const attachments = [{ type: "file", title: "plan.pdf" }];
    m.core.waitingRows = [row()];
    m.core.takenBack.set("later-1", {
      id: "later-1",
      text: "@ana tea",
      parent_id: "m1",
      show_in_channel: true,
      attachments,
      mentioned_users: ["ana"],
      restricted_visibility: ["ana", "bo"],
      silent: true,
      mood: "calm",
    } as never);
    await m.type("/schedule\r\r");
    await m.type("reschedule\r");
    await m.type("3h\r");
    expect(m.core.calls("send")).toEqual([
      [
        { cid: GENERAL, parentId: "m1" },
        {
          text: "@ana tea",
          at: NOW + 3 * HOUR,
          showInChannel: true,
          attachments,
          mentionedUsers: ["ana"],
          audience: ["ana", "bo"],
          custom: { silent: true, mood: "calm", id: undefined },
        },
      ],
    ]);
  });

  test("one that is edited in the box is still for those who were to see it, with its files and mentions", async () => {
    const m = screenWithDelay();
    const attachments = [{ type: "file", title: "plan.pdf" }];
    const own_capabilities = [...CAPABLE, "send-restricted-visibility-message"];
    m.core.changeChannel(GENERAL, (e) => ({ ...e, channel: { ...e.channel, own_capabilities } }));
    m.core.waitingRows = [row()];
    m.core.takenBack.set("later-1", {
      id: "later-1",
      text: "@ana tea",
      attachments,
      mentioned_users: ["ana"],
      restricted_visibility: ["ana"],
    } as never);
    await m.type("/schedule\r\r");
    await m.type("box\r");
    await m.type("\r");
    expect(m.core.calls("send")).toMatchObject([
      [{ cid: GENERAL }, { text: "@ana tea", audience: ["ana", "me"], attachments, mentionedUsers: ["ana"] }],
    ]);
  });

  test("stray letters do not discard one", async () => {
    const m = screenWithDelay();
    m.core.waitingRows = [row()];
    m.core.takenBack.set("later-1", { id: "later-1", text: "tea" });
    await m.type("/schedule\r\r");
    await m.type("dscrd\r");
    expect(m.asked("unsend")).toEqual([]);
    expect(m.told()).not.toContain("discarded");
  });

  test("one whose quoted message was deleted is edited without the quote", async () => {
    const m = screenWithDelay();
    m.core.waitingRows = [row()];
    m.core.takenBack.set("later-1", { id: "later-1", text: "tea", quoted_message_id: "gone" });
    await m.type("/schedule\r\r");
    await m.type("box\r");
    await m.type("\r");
    expect(m.core.calls("send")).toEqual([[{ cid: GENERAL }, { text: "tea" }]]);
  });

  test("a message that cannot be rescheduled is reported, and the screen continues", async () => {
    const m = screenWithDelay();
    m.core.waitingRows = [row()];
    m.core.takenBack.set("later-1", { id: "later-1", text: "tea" });
    m.core.send = () => ({ id: "x", outcome: Promise.reject(new Error("the disk is full")) }) as never;
    await m.type("/schedule\r\r");
    await m.type("reschedule\r");
    await m.type("3h\r");
    await m.settle();
    expect(m.told()).toContain("the disk is full");
  });

  test("alone without scheduled messages explains how to write one, and those of another program stay", async () => {
    const m = screenWithDelay();
    await m.type("/schedule\r");
    expect(m.told().at(-1)).toContain("No scheduled messages");
    m.core.waitingRows = [row({ busy: true })];
    await m.type("/schedule\r\r\r");
    expect(m.told().at(-1)).toContain("another running Parley");
    expect(m.asked("unsend")).toEqual([]);
  });
});

test("a key asks for the time of the text in the box, and needs a text", async () => {
  const m = screenWithDelay();
  await m.press("A-g");
  expect(topPopup(m.screen)).toBeUndefined();
  await m.type("tea");
  await m.press("A-g");
  expect(topPopup(m.screen)).toMatchObject({ kind: "picker", title: "Send it when?" });
  await m.type("1h\r");
  expect(m.core.calls("send")).toMatchObject([[{}, { text: "tea", at: NOW + HOUR }]]);
});

test("while a message is edited, nothing is sent later or silently: the edit and its text stay", async () => {
  for (const chord of ["A-g", "A-n"]) {
    const m = screenWithDelay();
    m.ports.boxes.edit(message("m1", "me", "mine"));
    await m.type("!");
    await m.press(chord);
    expect([topPopup(m.screen), m.text(), m.ports.boxes.at().editing?.message.id]).toEqual([
      undefined,
      "mine!",
      "m1",
    ]);
    expect([m.core.calls("send"), m.asked("edit"), m.told().length]).toEqual([[], [], 1]);
  }
});

describe("a message that can be unsent", () => {
  test("is delayed, and Ctrl-_ returns it to the box", async () => {
    const m = screenWithDelay(5000);
    await m.type("oops\r");
    expect(m.core.calls("send")).toMatchObject([[{}, { text: "oops", afterMs: 5000 }]]);
    expect(m.told().at(-1)).toBe("sent · Ctrl-_ to undo");
    m.core.takenBack.set("me-sent-1", { id: "me-sent-1", text: "oops" });
    await m.press("C-_");
    expect([m.text(), m.asked("unsend")]).toEqual(["oops", [["unsend", "me-sent-1"]]]);
  });

  test("says so if it was already sent", async () => {
    const m = screenWithDelay(5000);
    await m.type("oops\r");
    await m.press("C-_");
    expect([m.text(), m.told().at(-1)]).toEqual(["", "It was already sent."]);
  });
});
