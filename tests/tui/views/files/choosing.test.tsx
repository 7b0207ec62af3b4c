/** Choosing files on the screen: Ctrl-O and its list, chips above the box, and paths in an /attach line. */
import { afterEach, describe, expect, test } from "vitest";
import type { UploadedFile } from "../../../../src/wire/entities/attachment.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { fakeDisk } from "../../../support/fake-disk.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const FILES = {
  "/home/me/report.pdf": 2_300_000,
  "/home/me/.profile": 10,
  "/home/me/pictures/cat.png": 14_000,
  "/home/me/pictures/dog.png": 9_000,
  "/home/me/pictures/long day.jpg": 812,
};

/** Uploads stay pending until a test finishes or fails them. */
class UploadCore extends FakeCore {
  readonly added: string[] = [];
  readonly #going = new Map<string, PromiseWithResolvers<UploadedFile>>();
  constructor() {
    super(stateOf([channel("general", { messages: [message("m1", "ana", "which one?")] })]));
    this.uploads.prepare = async (file) => {
      this.added.push(file);
      const name = file.split("/").at(-1)!;
      const size = (FILES as Record<string, number>)[file] ?? 1;
      return { source: { name, size } as never, attachment: { type: "file", title: name } };
    };
    this.uploads.transfer = (_cid, source, how) => {
      how?.started?.();
      how?.progress?.(source.size / 4, source.size);
      const going = Promise.withResolvers<UploadedFile>();
      this.#going.set(source.name, going);
      return going.promise;
    };
  }
  finish(name: string): void {
    this.#going.get(name)!.resolve({ file: `https://files.example/${name}`, duration: "1ms" });
  }
  fail(name: string): void {
    this.#going.get(name)!.reject(new Error("the line broke"));
  }
}

async function screen(options: MountOptions = {}): Promise<Mounted & { core: UploadCore }> {
  const m = await mount(new UploadCore(), { disk: fakeDisk(FILES), theme: makeTheme(0), ...options });
  open.push(m);
  return m as Mounted & { core: UploadCore };
}
const picture = (m: Mounted): string =>
  m
    .text()
    .split("\n")
    .map((l) => l.trimEnd())
    .join("\n");
const foot = (m: Mounted, rows: number): string => picture(m).split("\n").slice(-rows).join("\n");

describe("Ctrl-O", () => {
  test("shows the files of the folder with size and kind", async () => {
    const m = await screen({ columns: 80, rows: 24 });
    await m.press("C-o");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                              ● online   work
       Inbox              │
       Threads            │
       La
       Dr ╭─ Attach files · ~ ────────────────────────────────────────── 1 of 2 ─╮
          │  ›                                                                   │
       ▾  ├──────────────────────────────────────────────────────────────────────┤
      ▌   │▌   pictures/                                                 folder  │
          │    report.pdf                                           pdf  2.3 MB  │
          │                                                                      │
          │                                                                      │
          │                                                                      │
          │                                                                      │
          ╰─ Space marks · ← folder above ───────────────────────────────────────╯

                          │ the beginning of this channel
                          │
                          │ ── Tue 17 Nov ───────────────────────────────────────────
                          │ ana  09:00
                          │   which one?
                          │
      ────────────────────┴───────────────────────────────────────────────────────────
       › message #general
       CHOOSE  ⏎ attach  Space mark  Esc close  Tab complete  ← folder above"
    `);
    await m.type("pic");
    await m.press("tab");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                              ● online   work
       Inbox              │
       Threads            │
       La
       Dr ╭─ Attach files · ~/pictures ───────────────────────────────── 1 of 3 ─╮
          │  ›                                                                   │
       ▾  ├──────────────────────────────────────────────────────────────────────┤
      ▌   │▌   cat.png                                              png   14 kB  │
          │    dog.png                                              png    9 kB  │
          │    long day.jpg                                         jpg   812 B  │
          │                                                                      │
          │                                                                      │
          │                                                                      │
          ╰─ Space marks · ← folder above ───────────────────────────────────────╯

                          │ the beginning of this channel
                          │
                          │ ── Tue 17 Nov ───────────────────────────────────────────
                          │ ana  09:00
                          │   which one?
                          │
      ────────────────────┴───────────────────────────────────────────────────────────
       › message #general
       CHOOSE  ⏎ attach  Space mark  Esc close  Tab complete  ← folder above"
    `);
  });

  test("fits 50 columns", async () => {
    const m = await screen({ columns: 50, rows: 20 });
    await m.press("C-o");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members             ● online   work


       ╭─ Attach files · ~ ────────────────── 1 of 2 ─╮
       │  ›                                           │
       ├──────────────────────────────────────────────┤
       │▌   pictures/                         folder  │
       │    report.pdf                   pdf  2.3 MB  │
       │                                              │
       │                                              │
       │                                              │
       │                                              │
       ╰─ Space marks · ← folder above ───────────────╯

       ana  09:00
         which one?

      ──────────────────────────────────────────────────
       › message #general
       CHOOSE  ⏎ attach  Space mark  Esc close"
    `);
  });

  test("shows the end of a long path", async () => {
    const deep = `/home/me/${"a long folder/".repeat(5)}the last one`;
    const m = await screen({ columns: 50, rows: 20, disk: fakeDisk({ [`${deep}/x.txt`]: 1 }) });
    await m.press("C-o");
    await m.type(`${deep}/`);
    expect(m.text()).toMatch(/Attach files · ….*the last one ─/);
  });

  test("attaches files marked with Space in several folders", async () => {
    const m = await screen();
    await m.press("C-o", "down", " ");
    expect(picture(m)).toContain("1 marked");
    await m.type("pictures/");
    await m.type("*.png");
    expect(picture(m)).toContain("cat.png");
    await m.press(" ");
    expect(picture(m)).toContain("3 marked");
    await m.press("enter");
    expect(m.screen.popups).toEqual([]);
    expect(m.core.added).toEqual([
      "/home/me/report.pdf",
      "/home/me/pictures/cat.png",
      "/home/me/pictures/dog.png",
    ]);
  });

  test("attaches all files of a pattern, and opens again in the last folder", async () => {
    const m = await screen();
    await m.press("C-o");
    await m.type("~/pictures/*.png");
    expect(picture(m)).toContain("2 match");
    await m.press("enter");
    expect(m.core.added).toEqual(["/home/me/pictures/cat.png", "/home/me/pictures/dog.png"]);
    await m.press("C-o");
    expect(picture(m)).toContain("long day.jpg");
  });

  test("handles an Enter pressed before the folder was read", async () => {
    const read = Promise.withResolvers<void>();
    const fast = fakeDisk(FILES);
    const m = await screen({
      disk: { ...fast, list: (folder) => read.promise.then(() => fast.list(folder)) },
    });
    await m.press("C-o");
    await m.type("report");
    await m.press("enter", "enter");
    expect(picture(m)).toContain("reading…");
    read.resolve();
    await m.settle();
    expect([m.core.added, m.screen.popups]).toEqual([["/home/me/report.pdf"], []]);
  });

  test("changes folders with arrows and Backspace, and reports a missing folder", async () => {
    const m = await screen();
    await m.press("C-o", "right");
    expect(picture(m)).toContain("cat.png");
    await m.press("left");
    expect(picture(m)).toContain("report.pdf");
    await m.press("right", "backspace");
    expect(picture(m)).toContain("report.pdf");
    await m.type("nothing/");
    expect(picture(m)).toContain("No such folder.");
    await m.press("C-u");
    await m.type("zzz");
    expect(picture(m)).toContain("No such file.");
    await m.press("enter");
    expect(m.screen.popups).toHaveLength(1);
  });

  test("accepts a blank after a backslash, and Esc keeps the text in the box", async () => {
    const m = await screen();
    await m.type("look at ");
    await m.press("C-o");
    await m.type("pictures/long\\ d");
    expect(picture(m)).toContain("long day.jpg");
    expect(picture(m)).not.toContain("cat.png");
    await m.press("esc");
    expect(m.screen.popups).toEqual([]);
    expect(m.ports.boxes.at().editor.text).toBe("look at ");
    expect(m.core.added).toEqual([]);
  });

  test("works while browsing and from the palette, but not during an edit", async () => {
    const m = await screen();
    await m.press("esc", "C-o");
    expect(m.screen.popups).toMatchObject([{ kind: "files" }]);
    await m.press("esc", "C-p");
    await m.type("upload");
    await m.press("enter");
    expect(m.screen.popups).toMatchObject([{ kind: "files" }]);
    await m.press("esc");
    m.ports.boxes.edit(message("m9", "me", "mine"));
    await m.press("C-o", "down", "enter");
    expect(m.core.calls("notify")).toMatchObject([
      [{ text: "You can't attach files to an edit: save it first." }],
    ]);
  });

  test.each(["vim", "emacs"] as const)("has a key in the %s profile", async (keys) => {
    const m = await screen({ keys });
    if (keys === "emacs") await m.press("C-x", "C-f");
    else await m.press("C-o");
    expect(m.screen.popups).toMatchObject([{ kind: "files" }]);
  });
});

describe("chips", () => {
  test("show name, size and progress of a file, and its result", async () => {
    const m = await screen({ columns: 80, rows: 24 });
    await m.type("/attach report.pdf pictures/*.png\r");
    expect(foot(m, 4)).toMatchInlineSnapshot(`
      " files · [report.pdf · 1 B · 25 % ✕] [cat.png · 14 kB · 25 % ✕]
               [dog.png · 9 kB · 25 % ✕]
       › message #general
       WRITE  ⏎ send  Alt-X detach  Esc browse  ^K go  Alt-A unread  F1 help"
    `);
    m.core.finish("report.pdf");
    m.core.fail("dog.png");
    await m.settle();
    expect(foot(m, 5)).toMatchInlineSnapshot(`
      "────────────────────┴───────────────────────────────────────────────────────────
       files · [report.pdf · 1 B ✕] [cat.png · 14 kB · 25 % ✕]
               [dog.png · 9 kB · failed: the line broke · retry ✕]
       › message #general
       WRITE  ⏎ send  Alt-U retry  Alt-X detach  Esc browse  ^K go  F1 help"
    `);
    const narrow = await screen({ columns: 50, rows: 20 });
    await narrow.type("/attach report.pdf pictures/*.png\r");
    expect(foot(narrow, 6)).toMatchInlineSnapshot(`
      "──────────────────────────────────────────────────
       files · [report.pdf · 1 B · 25 % ✕]
               [cat.png · 14 kB · 25 % ✕]
               [dog.png · 9 kB · 25 % ✕]
       › message #general
       WRITE  ⏎ send  Alt-X detach  Esc browse  F1 help"
    `);
    narrow.core.fail("dog.png");
    await narrow.settle();
    expect(foot(narrow, 3).split("\n")[0]).toBe("         [dog.png · 9 kB · failed: th… · retry ✕]");
  });

  test("retry several failed files together, or one of them", async () => {
    const m = await screen({ columns: 80, rows: 24 });
    await m.type("/attach report.pdf pictures/cat.png\r");
    const states = (): string[] => m.ports.boxes.at().uploads.map(({ state }) => state);
    const failBoth = async (): Promise<void> => {
      m.core.fail("report.pdf");
      m.core.fail("cat.png");
      await m.settle();
    };
    await failBoth();
    await m.press("A-u");
    expect(picture(m)).toContain("all 2 that failed");
    await m.press("enter");
    expect(states()).toEqual(["uploading", "uploading"]);
    await failBoth();
    await m.press("A-u", "down", "enter");
    expect(states()).toEqual(["uploading", "failed"]);
  });

  test("are removed one by one by a key, and a failed one is retried", async () => {
    const m = await screen({ columns: 80, rows: 24 });
    await m.type("/attach report.pdf\r");
    m.core.fail("report.pdf");
    await m.settle();
    expect(foot(m, 1)).toContain("Alt-U retry  Alt-X detach");
    await m.press("A-u");
    expect(m.ports.boxes.at().uploads).toMatchObject([{ state: "uploading" }]);
    await m.type("/attach pictures/cat.png\r");
    await m.press("A-x");
    expect(picture(m)).toContain("Remove what?");
    await m.press("up", "enter");
    expect(m.ports.boxes.at().uploads).toMatchObject([{ name: "cat.png" }]);
    await m.press("A-x", "A-x");
    expect(m.ports.boxes.at().uploads).toEqual([]);
    expect(picture(m)).toContain("No file is attached.");
  });

  test("can be clicked: the cross removes, and a failed one is retried", async () => {
    const m = await screen({ columns: 80, rows: 24 });
    await m.type("/attach report.pdf pictures/cat.png\r");
    m.core.fail("cat.png");
    await m.settle();
    /** Clicks the first `sign` at or after the chip's name. */
    const click = async (name: string, sign = name): Promise<void> => {
      const y = m
        .text()
        .split("\n")
        .findIndex((line) => line.includes(`[${name}`));
      await m.click(m.line(y).indexOf(sign, m.line(y).indexOf(name)), y);
    };
    await click("cat.png");
    expect(m.ports.boxes.at().uploads).toMatchObject([{ state: "uploading" }, { state: "uploading" }]);
    await click("report.pdf", "✕");
    expect(m.ports.boxes.at().uploads).toMatchObject([{ name: "cat.png" }]);
    await click("cat.png");
    expect(m.ports.boxes.at().uploads).toHaveLength(1);
  });
});

describe("Tab in an /attach line", () => {
  test("completes the only match, enters folders and lists several matches", async () => {
    const m = await screen();
    const text = (): string => m.ports.boxes.at().editor.text;
    await m.type("/attach rep");
    await m.press("tab");
    expect(text()).toBe("/attach report.pdf ");
    await m.type("~/pi");
    await m.press("tab");
    expect(text()).toBe("/attach report.pdf ~/pictures/");
    await m.press("tab");
    expect(m.screen.completion?.items.map(({ label, detail }) => [label, detail])).toEqual([
      ["cat.png", "14 kB"],
      ["dog.png", "9 kB"],
      ["long day.jpg", "812 B"],
    ]);
    await m.press("up", "enter");
    expect(text()).toBe("/attach report.pdf ~/pictures/long\\ day.jpg ");
    await m.press("enter");
    expect(m.core.added).toEqual(["report.pdf", "/home/me/pictures/long day.jpg"]);
  });

  test("offers hidden files after a dot only, and says if there is nothing", async () => {
    const m = await screen();
    await m.type("/attach .");
    await m.press("tab");
    expect(m.ports.boxes.at().editor.text).toBe("/attach .profile ");
    await m.type("zzz");
    await m.press("tab");
    expect(m.core.calls("notify")).toMatchObject([[{ text: "No such file." }]]);
  });
});
