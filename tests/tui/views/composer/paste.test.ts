/** Pasted file paths stay text until a key attaches them, and a key pastes files from the clipboard; undo restores the text. */
import { describe, expect, test } from "vitest";
import { TooLongError } from "../../../../src/model/errors.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { fakeDisk } from "../../../support/fake-disk.ts";
import { ScreenDriver, type ScreenDriverOptions } from "../../../support/screen-driver.ts";

const disk = fakeDisk({ "/home/me/a.png": 1, "/home/me/my file.txt": 2, "/home/me/sub/x": 3 });

/** The files that were read, and those that were sent to the provider. */
let read: string[] = [];
let sent: string[] = [];

function screenWithDisk(options: ScreenDriverOptions = {}): ScreenDriver {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "me", "mine")] })]));
  read = [];
  sent = [];
  core.uploads.transfer = async (_, { name }) => {
    sent.push(name);
    return { file: "https://files.example/x", duration: "1ms" };
  };
  core.uploads.prepare = async (file) => {
    read.push(file);
    return {
      source: { name: file.split("/").at(-1)!, size: 1 } as never,
      attachment: { type: "file", title: file },
    };
  };
  return new ScreenDriver(core, { disk, ...options });
}
const names = (m: ScreenDriver): string[] => m.ports.boxes.at().uploads.map(({ name }) => name);

describe("a paste", () => {
  test.each([
    ["/home/me/a.png", ["a.png"]],
    ["'/home/me/a.png' '/home/me/my file.txt' ", ["a.png", "my file.txt"]],
    ["/home/me/my\\ file.txt", ["my file.txt"]],
    ["file:///home/me/my%20file.txt", ["my file.txt"]],
    ["~/a.png\n~/my file.txt\n", ["a.png", "my file.txt"]],
  ])(
    "of %j stays text; one key attaches the files, and nothing is read or sent before Enter",
    async (text, files) => {
      const m = screenWithDisk();
      await m.type("look: ");
      await m.paste(text);
      const pasted = text.replace(/\n$/, "\n");
      expect([m.text(), names(m)]).toEqual([`look: ${pasted}`, []]);
      expect(m.told().at(-1)).toBe(`Alt-H attaches ${files.length === 1 ? "the file" : "the 2 files"}`);
      await m.press("A-h");
      expect([m.text(), names(m)]).toEqual(["look: ", files]);
      expect(m.told().at(-1)).toContain("Ctrl-_ pastes the text");
      expect(m.ports.boxes.at().uploads.map(({ held, state }) => [held, state])).toEqual(
        files.map(() => [true, "pending"]),
      );
      expect([read, sent]).toEqual([[], []]);
      await m.press("enter");
      expect([read, sent].map((each) => each.length)).toEqual([files.length, files.length]);
    },
  );

  test.each([
    ["see ~/a.png", "see "],
    ["/home/me/a.png", ""],
  ])("in %j a typed path is attached by the same key", async (text, rest) => {
    const m = screenWithDisk();
    await m.type(text);
    await m.press("A-h");
    expect([m.text(), names(m)]).toEqual([rest, ["a.png"]]);
  });

  test("a text without a path has nothing to attach", async () => {
    const m = screenWithDisk();
    await m.type("see you");
    await m.press("A-h");
    expect([m.text(), names(m), m.told().length]).toEqual(["see you", [], 1]);
  });

  test.each([
    "/home/me/nothing.png",
    "/home/me/sub",
    "/home/me/a.png /home/me/none",
    "/home/me/none /home/me/a.png",
    "/home/me/a.png /home/me/sub",
    "see ~/a.png",
    "/etc",
  ])("of %j stays text, and no key is offered to attach a part of it", async (text) => {
    const m = screenWithDisk();
    await m.paste(text);
    expect([m.text(), names(m), m.told()]).toEqual([text, [], []]);
  });

  test("becomes text again by undo, and files again by redo", async () => {
    const m = screenWithDisk();
    await m.type("x ");
    await m.paste("/home/me/a.png");
    await m.press("A-h", "C-_");
    expect([m.text(), names(m)]).toEqual(["x /home/me/a.png", []]);
    await m.send("\x1b_");
    expect([m.text(), names(m)]).toEqual(["x ", ["a.png"]]);
    await m.press("C-_", "C-_");
    expect([m.text(), names(m)]).toEqual(["x ", []]);
  });

  test("into an edit stays text", async () => {
    const m = screenWithDisk();
    m.ports.boxes.edit(message("m1", "me", "mine"));
    await m.paste("/home/me/a.png");
    expect(m.told()).toEqual([]);
    await m.press("A-h");
    expect([m.text(), names(m)]).toEqual(["mine/home/me/a.png", []]);
  });

  test("what is typed before the disk answered is kept", async () => {
    const slow = Promise.withResolvers<void>();
    const m = screenWithDisk({
      disk: { ...disk, entryAt: (file) => slow.promise.then(() => disk.entryAt(file)) },
    });
    await m.paste("/home/me/a.png");
    await m.press("A-h");
    await m.type(" and this");
    slow.resolve();
    await m.settle();
    expect([m.text(), names(m)]).toEqual(["/home/me/a.png and this", []]);
    await m.press("A-h");
    expect([m.text(), names(m)]).toEqual([" and this", ["a.png"]]);
  });
});

describe("Ctrl-V", () => {
  test("attaches the picture or files of the clipboard, and inserts its text", async () => {
    const picture = screenWithDisk({ clipboard: { kind: "picture", file: "/tmp/pasted-1.png" } });
    await picture.press("C-v");
    expect(names(picture)).toEqual(["pasted-1.png"]);
    expect([read, sent]).toEqual([[], []]);
    const files = screenWithDisk({ clipboard: { kind: "files", text: "file:///home/me/a.png\r\n" } });
    await files.press("C-v");
    expect(names(files)).toEqual(["a.png"]);
    const text = screenWithDisk({ clipboard: { kind: "text", text: "words" } });
    await text.press("C-v");
    expect([text.text(), names(text)]).toEqual(["words", []]);
  });

  test("says why nothing was pasted", async () => {
    const m = screenWithDisk({ clipboard: { kind: "none", why: "There is no desktop." } });
    await m.press("C-v");
    const gone = screenWithDisk({ clipboard: { kind: "files", text: "file:///gone.png" } });
    await gone.press("C-v");
    expect([m.told(), gone.told()]).toEqual([
      ["There is no desktop."],
      ["The files on the clipboard no longer exist."],
    ]);
  });

  test("has another key in the emacs profile", async () => {
    const m = screenWithDisk({ keys: "emacs", clipboard: { kind: "text", text: "words" } });
    await m.press("C-x", "C-v");
    expect(m.text()).toBe("words");
  });
});

test("a text that is too long is offered as a file; its text can be recalled, and it stays on no", async () => {
  const m = screenWithDisk({ disk: fakeDisk() });
  m.core.send = (_, { text }) => {
    throw new TooLongError(text.length, 5000);
  };
  await m.type("x".repeat(5001));
  await m.press("enter");
  expect(topPopup(m.screen)).toMatchObject({
    question: {
      question: "The message has 5,001 characters; the limit is 5,000. Send it as the file message.txt?",
    },
  });
  await m.press("n");
  expect([m.text().length, names(m)]).toEqual([5001, []]);
  await m.press("enter", "y");
  expect([m.text(), names(m), m.told()]).toEqual(["", ["message.txt"], []]);
  await m.press("C-_");
  expect(m.text()).toHaveLength(5001);
});

test("text with terminal sequences is pasted without them", async () => {
  const m = screenWithDisk();
  await m.paste(
    "\x1b[1;31mred\x1b[0m \x1b]0;title\x07and \x1b]8;;https://a.example\x1b\\here\x1b]8;;\x1b\\\n\tend",
  );
  expect(m.text()).toBe("red and here\n\tend");
});
