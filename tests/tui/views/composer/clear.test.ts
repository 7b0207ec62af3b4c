/** Cleared content is restored whole, a failed upload is reported before sending, and leaving asks if something is unsent. */
import { describe, expect, test } from "vitest";
import { drawNotices } from "../../../../src/tui/views/status/notice-rows.ts";
import { KEY_TABLES } from "../../../../src/tui/bindings/key-tables.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { attachmentChipRows } from "../../../../src/tui/views/composer/chips.ts";
import type { UnsentRow } from "../../../../src/core/base/api-types.ts";
import { EPOCH, FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

const theirs = message("m1", "ana", "one");

function screenWithUploads(): ScreenDriver {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general", { messages: [theirs] })])));
  m.core.uploads.transfer = async (_cid, _source, how) => {
    how?.started?.();
    return { file: "https://files.example/x", duration: "1ms" };
  };
  return m;
}

describe("Ctrl-C", () => {
  test("and Ctrl-Y restore text, files and quote together", async () => {
    const m = screenWithUploads();
    m.ports.boxes.quote(theirs);
    await m.type("/attach a.txt\r");
    m.ports.boxes.quote(theirs);
    await m.type("look");
    await m.press("C-c");
    expect(m.ports.boxes.at()).toMatchObject({ editor: { text: "" }, uploads: [], carried: [] });
    expect(m.told().at(-1)).toBe("1 file removed with the text; Ctrl-Y brings it back");
    await m.press("C-y");
    expect(m.ports.boxes.at()).toMatchObject({
      editor: { text: "look" },
      quote: { id: "m1" },
      carried: [{ title: "a.txt", asset_url: "https://files.example/x" }],
    });
  });

  test("and undo restore files without a text", async () => {
    const m = screenWithUploads();
    await m.type("/attach a.txt\r");
    await m.press("C-c", "C-y");
    expect(m.ports.boxes.at()).toMatchObject({ editor: { text: "" }, carried: [{ title: "a.txt" }] });
    await m.press("C-c");
    expect(m.ports.boxes.at().carried).toEqual([]);
    await m.press("C-_");
    expect(m.ports.boxes.at().carried).toMatchObject([{ title: "a.txt" }]);
  });
});

describe("a file that could not be uploaded", () => {
  test("keeps the message in the box, and is named with the keys that help", async () => {
    const m = screenWithUploads();
    m.core.uploads.findBlock = async () => "size_limit";
    await m.type("/attach film.mkv\r");
    await m.type("look");
    await m.press("enter");
    expect(m.core.calls("send")).toEqual([]);
    expect(m.text()).toBe("look");
    expect(m.told().at(-1)).toBe("Nothing was sent · film.mkv not allowed: Alt-X removes it");
    await m.press("A-x", "enter");
    expect(m.core.calls("send")).toMatchObject([[{}, { text: "look" }]]);
  });

  test("is explained in words, not by the code of the rule", async () => {
    const m = screenWithUploads();
    m.core.uploads.findBlock = async () => "size_limit";
    await m.type("/attach film.mkv\r");
    const chips = attachmentChipRows(m.ports.boxes.at(), 100).map(({ text }) => text);
    const [notice] = m.core.calls("notify").at(-1) as [{ text: string; reason: string }];
    const notices = drawNotices([{ id: "n", level: "error", until: 0, ...notice }], {
      theme: makeTheme(0),
      pane: { x: 1, y: 1, width: 118, height: 36 },
      table: KEY_TABLES.default,
    });
    for (const shown of [chips.join(" "), notices!.rows.join(" ")]) {
      expect(shown).toContain("larger than");
      expect(shown).not.toContain("size_limit");
    }
  });
});

describe("quitting", () => {
  const row = (more: Partial<UnsentRow> = {}): UnsentRow => ({
    id: "m",
    cid: "messaging:general",
    kind: "send",
    state: "queued",
    tries: 0,
    created_at: new Date(EPOCH).toISOString(),
    busy: false,
    ...more,
  });

  test("asks while messages are unsent, says that they are saved, and quits on yes", async () => {
    const m = screenWithUploads();
    m.core.waitingRows = [row(), row({ state: "failed" }), row({ busy: true }), row({ kind: "react" })];
    await m.type("/quit\r");
    expect(m.left).toBe(false);
    expect(topPopup(m.screen)).toMatchObject({
      kind: "confirm",
      question: {
        question: "3 messages are not sent yet and will be kept until you come back: quit anyway?",
      },
    });
    await m.press("esc");
    expect(m.left).toBe(false);
    await m.press("C-c", "C-c");
    await m.press("y");
    expect(m.left).toBe(true);
  });

  test("asks while a file is being saved", async () => {
    const m = screenWithUploads();
    m.change((s) => ({ ...s, saves: { "https://files.example/x": 12 } }));
    await m.type("/quit\r");
    expect(topPopup(m.screen)).toMatchObject({
      question: { question: "1 file is still being saved and would be lost: quit anyway?" },
    });
  });

  test("does not ask about messages sent a moment ago or delayed for undo", async () => {
    const m = screenWithUploads();
    const now = new Date(EPOCH + 86_400_000).toISOString();
    m.core.waitingRows = [row({ created_at: now }), row({ kind: "delete", state: "parked" })];
    await m.type("/quit\r");
    expect(m.left).toBe(true);
  });
});
