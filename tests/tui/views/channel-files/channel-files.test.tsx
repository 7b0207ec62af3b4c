/** The files of a channel in the right panel: the list, moving in it, and what the keys do with an entry. */
import { afterEach, describe, expect, test } from "vitest";
import type { Attachment } from "../../../../src/wire/entities/attachment.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { fileLines } from "../../../../src/tui/views/channel-files/lines.ts";
import { FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { fakeDownloads } from "../../../support/fake-disk.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const file = (title: string, more: Attachment = {}): Attachment => ({
  type: "file",
  title,
  asset_url: `https://f.example/${title}`,
  file_size: 2_300_000,
  ...more,
});

const entry = () =>
  channel("general", {
    messages: [
      message("m1", "ana", "see https://ci.example/881", { minute: 1 }),
      message("m2", "bo", "", { minute: 2, attachments: [file("report.pdf")] }),
      message("m3", "bo", "gone", { minute: 3, type: "deleted", attachments: [file("gone.pdf")] }),
      message("m4", "me", "nothing here", { minute: 4 }),
    ],
    threads: new Map([
      ["m1", thread("m1", [message("r1", "cy", "", { minute: 5, attachments: [file("in-thread.txt")] })])],
    ]),
  });

/** A core whose search returns a page of two messages, then a page of one. */
class Room extends FakeCore {
  fails = false;
  override async call(name: string, args?: unknown): Promise<never> {
    await super.call(name, args);
    if (name !== "search") return {} as never;
    if (this.fails) throw new Error("no search here");
    const { next } = (args as { query: { next?: string } }).query;
    const found = next
      ? [message("old", "ana", "", { minute: -60, attachments: [file("oldest.zip")] })]
      : [
          message("m2", "bo", "", { minute: 2, attachments: [file("report.pdf")] }),
          message("p", "ana", "", {
            minute: -30,
            attachments: [
              { type: "image", title: "cat.png", image_url: "https://f.example/cat", file_size: 14_000 },
              { og_scrape_url: "https://ci.example/9", title: "Build 9" },
            ],
          }),
        ];
    return { results: found.map((one) => ({ message: one })), ...(next ? {} : { next: "page 2" }) } as never;
  }
}

async function screen(options: MountOptions = {}, core = new Room(stateOf([entry()]))): Promise<Mounted> {
  const m = await mount(core, { theme: makeTheme(0), ...options });
  open.push(m);
  return m;
}

test("lists what messages link or attach, newest first, from loaded messages where available, and not from deleted ones", () => {
  const changed = message("m2", "bo", "", { minute: 2, attachments: [file("older name.pdf")] });
  const lines = fileLines(entry(), [changed]);
  expect(lines.map(({ name, facts, from }) => [name, facts, from])).toEqual([
    ["in-thread.txt", "txt · 2.3 MB", "cy"],
    ["report.pdf", "pdf · 2.3 MB", "bo"],
    ["https://ci.example/881", "link · ci.example", "ana"],
  ]);
  expect(lines.map((line) => [line.file?.name, line.parentId])).toEqual([
    ["in-thread.txt", "m1"],
    ["report.pdf", undefined],
    [undefined, undefined],
  ]);
});

describe("the panel", () => {
  test("shows name, size, sender and time beside the messages", async () => {
    const m = await screen();
    await m.type("/files\r");
    expect(picture(m)).toMatchInlineSnapshot(`
      " #general   3 members · 2 watching                                                                      ● online   work
       Inbox                  │                                                   │ Files · #general           1 of 5+  Esc ×
       Threads                │                                                   │▌ in-thread.txt               txt · 2.3 MB
       Later                  │                                                   │▌   cy · 17 Nov 2026 09:05
       Drafts                 │                                                   │  report.pdf                  pdf · 2.3 MB
                              │                                                   │    bo · 17 Nov 2026 09:02
       ▾ Channels             │                                                   │  https://ci.example/8…  link · ci.example
      ▌  #general             │                                                   │    ana · 17 Nov 2026 09:01
                              │                                                   │  cat.png                  picture · 14 kB
                              │                                                   │    ana · 17 Nov 2026 08:30
                              │                                                   │  Build 9                link · ci.example
                              │                                                   │    ana · 17 Nov 2026 08:30
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │                                                   │
                              │ the beginning of this channel                     │
                              │                                                   │
                              │ ── Tue 17 Nov ─────────────────────────────────── │
                              │ ana  09:01                                        │
                              │   see https://ci.example/881                      │
                              │                                                   │
                              │ bo  09:02                                         │
                              │   report.pdf   pdf   2.3 MB                       │
                              │                                                   │
                              │ bo  09:03                                         │
                              │   message deleted                                 │
                              │                                                   │
                              │ ›me  09:04                                        │
                              │   nothing here ✓                                  │
                              │                                                   │
      ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
       › message #general
       FILES  ⏎ open  O save  m message  Esc close  ? help"
    `);
  });

  test.each([
    [80, 24],
    [50, 20],
  ])("covers the messages at %i × %i, in colours too", async (columns, rows) => {
    const m = await screen({ columns, rows, theme: makeTheme(3) });
    await m.press("C-p");
    await m.type("files of this channel");
    await m.press("enter");
    expect(picture(m)).toMatchSnapshot();
  });

  test("loads older files near its end, each page once", async () => {
    const m = await screen();
    await m.type("/files\r");
    expect(m.text()).not.toContain("oldest.zip");
    await m.press("j");
    expect(m.text()).toContain("oldest.zip");
    await m.press("G", "j", "j");
    const searches = m.core.calls("call").filter(([name]) => name === "search");
    expect(searches).toMatchObject([
      [
        "search",
        {
          query: {
            filter_conditions: { cid: "messaging:general" },
            message_filter_conditions: { attachments: { $exists: true } },
          },
        },
      ],
      ["search", { query: { next: "page 2" } }],
    ]);
  });

  test("opens and saves the file, and jumps to the message under the cursor", async () => {
    const downloads = fakeDownloads({ folder: () => "~/in" });
    const m = await screen({ downloads });
    await m.type("/files\r");
    await m.press("j", "o", "O");
    expect(m.opened).toEqual(["https://f.example/report.pdf"]);
    expect(m.text()).toContain("saved as ~/in/report.pdf");
    await m.press("m");
    expect([m.selected()?.id, m.screen.focus]).toEqual(["m2", "messages"]);
    await m.press("tab", "j", "O");
    expect(m.text()).toContain("That message has no file.");
    await m.press("k", "k", "m");
    expect(m.screen.panels.at(-1)).toMatchObject({ name: "thread", key: "m1" });
    expect(m.selected()?.id).toBe("r1");
  });

  test("has no file of a message that is erased or deleted meanwhile, also of one found by a search", async () => {
    const m = await screen();
    await m.type("/files\r");
    await m.settle();
    expect(m.text()).toContain("cat.png");
    const gone = { ...message("p", "ana", ""), type: "deleted" };
    m.core.hear({ type: "message.deleted", cid: "messaging:general", hard_delete: true, message: gone });
    await m.settle();
    expect(m.text()).not.toMatch(/cat\.png|Build 9/);
    expect(m.text()).toContain("report.pdf");
  });

  test("follows the mouse, and Esc closes it", async () => {
    const m = await screen();
    await m.type("/files\r");
    const y = m
      .text()
      .split("\n")
      .findIndex((line) => line.indexOf("report.pdf", 76) > 0);
    const x = m.line(y).indexOf("report.pdf", 76);
    await m.click(x, y);
    expect(m.opened).toEqual([]);
    await m.click(x, y + 1);
    expect(m.opened).toEqual(["https://f.example/report.pdf"]);
    await m.wheel(x, y, true);
    expect(m.screen.panels.at(-1)).toMatchObject({ cursor: { index: 2 } });
    await m.press("esc");
    expect(m.screen.panels).toEqual([]);
  });

  test("shows the loaded files if the search fails, and the reason", async () => {
    const core = new Room(stateOf([entry()]));
    core.fails = true;
    const m = await screen({}, core);
    await m.type("/files\r");
    expect(m.text()).toContain("no search here");
    expect(m.text()).toContain("in-thread.txt");
    const none = await screen({}, new FakeCore(stateOf([channel("general")])) as Room);
    await none.type("/files\r");
    expect(none.text()).toContain("No files or links here.");
  });

  test("loads a failed page again when the cursor moves near the end", async () => {
    const core = new Room(stateOf([entry()]));
    const m = await screen({}, core);
    await m.type("/files\r");
    core.fails = true;
    await m.press("j");
    expect(m.text()).toContain("no search here");
    core.fails = false;
    await m.press("j");
    expect(m.text()).toContain("oldest.zip");
  });

  test.each(["vim", "emacs"] as const)("is walked in the %s profile", async (keys) => {
    const m = await screen({ keys });
    await m.type("/files\r");
    await m.press("j", "j", ...(keys === "vim" ? ["g", "g"] : ["g"]));
    expect(m.screen.panels.at(-1)).toMatchObject({ cursor: { index: 0 } });
  });
});
