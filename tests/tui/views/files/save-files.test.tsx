/** Files of messages: o opens, O saves in a folder that is asked for once, and the result is reported. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { fakeDisk, fakeDownloads } from "../../../support/fake-disk.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const report = {
  type: "file",
  title: "../report.pdf",
  asset_url: "https://f.example/1",
  file_size: 2_300_000,
};
const cat = { type: "image", title: "cat.png", image_url: "https://f.example/2", file_size: 14_000 };
const card = { title: "Build 881", og_scrape_url: "https://ci.example/881" };

async function browsing(attachments: object[], options: MountOptions = {}): Promise<Mounted> {
  const held = message("m1", "ana", "see https://ci.example/881", { attachments });
  const m = await mount(new FakeCore(stateOf([channel("general", { messages: [held] })])), {
    theme: makeTheme(0),
    columns: 80,
    rows: 24,
    disk: fakeDisk({ "/home/me/Downloads/old.txt": 1, "/home/me/docs/x/y.txt": 1 }),
    ...options,
  });
  open.push(m);
  await m.press("esc");
  return m;
}
const notices = (m: Mounted): string[] =>
  m.core.calls("notify").map(([notice]) => (notice as { text: string }).text);
const picture = (m: Mounted): string =>
  m
    .text()
    .split("\n")
    .map((l) => l.trimEnd())
    .join("\n");

test("o asks which link or file to open if there are several, with names and each address once", async () => {
  const m = await browsing([report, cat, card]);
  await m.press("o");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work
     Inbox              │
     Threads            │
     Later              │
     Dr
        ╭─ Open ────────────────────────────────────────────────────── 1 of 3 ─╮
     ▾  │  ›                                                                   │
    ▌   ├──────────────────────────────────────────────────────────────────────┤
        │▌ https://ci.example/881                                              │
        │  ../report.pdf  pdf · 2.3 MB                                         │
        │  cat.png  picture · 14 kB                                            │
        ╰──────────────────────────────────────────────────────────────────────╯

                        │ ── Tue 17 Nov ───────────────────────────────────────────
                        │▌ana  09:00
                        │▌  see https://ci.example/881
                        │▌  ../report.pdf   pdf   2.3 MB
                        │▌  cat.png   picture   14 kB
                        │▌  ▎ Build 881
                        │▌  ▎ ci.example
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › message #general
     CHOOSE  ⏎ choose  Esc close  ↑↓ move  type to search"
  `);
  await m.press("down", "enter");
  expect(m.opened).toEqual(["https://f.example/1"]);
});

test("O asks for the folder once, and the saved file and its path are shown", async () => {
  const m = await browsing([report]);
  await m.press("O");
  expect(picture(m)).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                              ● online   work
     Inbox              │
     Threads            │
     La
     Dr ╭─ Save in which folder? · ~/Downloads ─────────────────────── 1 of 1 ─╮
        │  ›                                                                   │
     ▾  ├──────────────────────────────────────────────────────────────────────┤
    ▌   │▌   save in this folder                                               │
        │                                                                      │
        │                                                                      │
        │                                                                      │
        │                                                                      │
        │                                                                      │
        ╰─ ⏎ saves here or opens · ← folder above ─────────────────────────────╯

                        │
                        │ ── Tue 17 Nov ───────────────────────────────────────────
                        │▌ana  09:00
                        │▌  see https://ci.example/881
                        │▌  ../report.pdf   pdf   2.3 MB
                        │
    ────────────────────┴───────────────────────────────────────────────────────────
     › message #general
     CHOOSE  → open folder  ← folder above  Esc close  Tab complete"
  `);
  await m.press("enter");
  expect(notices(m)).toEqual(["saved as ~/Downloads/report.pdf"]);
  await m.press("O");
  expect(m.screen.popups).toEqual([]);
  expect(notices(m)).toHaveLength(2);
});

test("another folder can be typed, even if it does not exist yet", async () => {
  const m = await browsing([report]);
  await m.press("O");
  await m.type("~/new/place/");
  await m.press("enter");
  expect(notices(m)).toEqual(["saved as ~/new/place/report.pdf"]);
  const other = await browsing([report]);
  await other.press("O", "left");
  await other.type("do");
  await other.press("enter", "down", "enter", "enter");
  expect(notices(other)).toEqual(["saved as ~/docs/x/report.pdf"]);
});

test("one or all of several files are saved with progress, and a failure is shown", async () => {
  const gate = Promise.withResolvers<void>();
  const downloads = fakeDownloads({
    folder: () => "~/in",
    async save({ name }, into, progress) {
      if (name === "cat.png") throw new Error("HTTP 403");
      progress(42, 100);
      await gate.promise;
      return `${into}/${name}`;
    },
  });
  const m = await browsing([report, cat, card], { downloads });
  await m.press("O");
  expect(m.text()).toContain("all 2 files");
  await m.press("enter");
  expect(m.line(23)).toContain("saving 42 %");
  gate.resolve();
  await m.settle();
  expect(notices(m)).toEqual(["saved as ~/in/report.pdf", "cat.png was not saved: HTTP 403"]);
  expect(m.line(23)).not.toContain("saving");
});

test("a message without files has nothing to save, and one without links nothing to open", async () => {
  const m = await browsing([card]);
  await m.press("O");
  expect(notices(m)).toEqual(["That message has no file."]);
});
