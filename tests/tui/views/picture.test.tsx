/** Pictures among the messages and in the panel of an emulated terminal, which holds none of them afterwards. */
import { topPanelOf } from "../../../src/tui/screen/screen.ts";
import { PICTURE, type PicturePanel } from "../../../src/tui/screen/picture-panel.ts";
import { afterEach, expect, test } from "vitest";
import type { TerminalAnswers } from "../../../src/config/picture-route.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { HALF_BLOCKS, ITERM2, KITTY, FakePictures } from "../../support/fake-pictures.ts";
import { mount, type Mounted } from "../../support/mount.tsx";
import { png, sayingPng } from "../../support/picture-files.ts";
import { gifBytes, GIF_NAMES } from "../../../src/provider/files/gifs.ts";
import { PATIENCE } from "../../support/patience.ts";

const URLS = ["one", "two", "bomb"].map((name) => `https://cdn.example.com/${name}.png`);
const files = { [URLS[0]!]: png(80, 40), [URLS[1]!]: png(40, 40), [URLS[2]!]: sayingPng(20_000, 20_000) };

const withPicture = (id: string, minute: number, url: string, name: string) =>
  message(id, "ana", "", {
    minute,
    attachments: [{ type: "image", image_url: url, title: name, original_width: 80, original_height: 40 }],
  });

let screen: Mounted | undefined;
let pictures: FakePictures | undefined;
afterEach(() => {
  screen?.unmount();
  pictures?.close();
});

async function show(
  answers: TerminalAnswers,
  level: 0 | 3 = 3,
  more: { hosts?: string; kept?: Pick<FakeCore, "remember" | "keep"> } = {},
): Promise<Mounted> {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          withPicture("m1", 1, URLS[0]!, "one.png"),
          withPicture("m2", 2, URLS[1]!, "two.png"),
          message("m3", "ana", "no picture", { minute: 3 }),
        ],
      }),
    ]),
  );
  screen = await mount(core, {
    theme: makeTheme(level),
    pictures: (mounted) => {
      pictures = new FakePictures({
        files,
        answers,
        level,
        ...more,
        write: (bytes) => mounted.direct(bytes),
      });
      return pictures.pictures;
    },
  });
  return screen;
}

const until = async (m: Mounted, holds: () => boolean): Promise<void> => {
  await expect.poll(async () => (await m.settle(), holds()), { timeout: PATIENCE }).toBe(true);
};

test("in half blocks a small picture is above its file's line, and the whole one in the panel", async () => {
  const m = await show(HALF_BLOCKS);
  await until(m, () => m.text().split("▀").length > 80);
  const rows = m.text().split("\n");
  const line = rows.findIndex((row) => row.includes("one.png"));
  expect(rows.slice(0, line).join("\n")).toMatch(/ ▀{20,}/);
  await m.press("esc", "k", "v");
  await until(m, () => /Picture · #general/.test(m.text()) && m.text().split("▀").length > 100);
  expect(m.text()).toContain("2 of 2 so far");
  await m.press("k");
  await until(m, () => m.text().includes("1 of 2"));
  await m.press("esc");
  expect(m.text()).not.toContain("Picture · #general");
});

test("the whole picture has the place of the messages, z gives it the window, and it makes room when the focus leaves it", async () => {
  const m = await show(HALF_BLOCKS);
  await m.resize(120, 40);
  await m.press("esc", "k", "v");
  await until(m, () => m.text().includes("Picture · #general"));
  const { sidebar, panel, main } = m.model.layout;
  expect([main, panel]).toEqual([
    undefined,
    { x: sidebar!.width + 1, y: 1, width: 119 - sidebar!.width, height: 36 },
  ]);
  expect(m.line(39)).toContain("z window");
  await m.press("z");
  expect(m.model.layout.panel).toEqual({ x: 0, y: 0, width: 120, height: 39 });
  expect(m.text()).not.toMatch(/Inbox|message #general/);
  expect(m.line(39)).toMatch(/^ PICTURE .*z window.*Esc close/);
  await m.press("k");
  await until(m, () => m.text().includes("1 of 2"));
  expect(m.model.layout.panel!.width).toBe(120);
  await m.press("z");
  expect(m.model.layout.panel!.width).toBe(panel!.width);
  await m.press("m");
  expect(m.model.layout.main).toBeDefined();
  expect(m.text()).toContain("Picture · #general");
  await m.press("tab");
  await m.press("esc");
  expect(m.text()).toContain("message #general");
});

/** Different pictures that are drawn within some seconds. */
async function picturesSeen(m: Mounted, ms: number): Promise<number> {
  const seen = new Set<string>();
  for (const end = Date.now() + ms; Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    await m.settle();
    m.writes
      .join("")
      .split("\x1b[?2026l")
      .forEach((frame) => frame.includes("▀") && seen.add(frame));
    m.count();
  }
  return seen.size;
}

test("an animation moves while it is selected or viewed, and at no other time", async () => {
  const address = "https://cdn.example.com/cheer.gif";
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("m1", "ana", "", {
            attachments: [{ type: "image", image_url: address, title: "cheer.gif" }],
          }),
          message("m2", "bo", "no picture", { minute: 1 }),
        ],
      }),
    ]),
  );
  screen = await mount(core, {
    theme: makeTheme(3),
    pictures: (mounted) => {
      const bytes = gifBytes(GIF_NAMES[0]!)!;
      pictures = new FakePictures({
        files: { [address]: bytes },
        answers: HALF_BLOCKS,
        level: 3,
        write: (text) => mounted.direct(text),
      });
      return pictures.pictures;
    },
  });
  const m = screen;
  await until(m, () => m.text().includes("▀"));
  expect(await picturesSeen(m, 600)).toBeLessThanOrEqual(1);
  await m.press("esc", "k");
  await until(m, () => m.selected()?.id === "m1");
  await expect.poll(() => picturesSeen(m, 400)).toBeGreaterThan(1);
  await m.press("j");
  await picturesSeen(m, 300);
  expect(await picturesSeen(m, 600)).toBe(0);
  await m.press("k", "v");
  await expect.poll(() => picturesSeen(m, 400)).toBeGreaterThan(1);
  await m.press("esc", "j");
  await picturesSeen(m, 300);
  expect(await picturesSeen(m, 600)).toBe(0);
});

test("a thumbnail grows to a third of the text, where there is room", async () => {
  const m = await show(HALF_BLOCKS);
  const widest = (): number => Math.max(...[...m.text().matchAll(/▀+/g)].map(([row]) => row.length), 0);
  await m.resize(80, 24);
  await until(m, () => widest() === 20);
  await m.resize(120, 40);
  await until(m, () => widest() === 28);
  await m.resize(200, 50);
  const text = (): number =>
    m
      .text()
      .split("\n")
      .find((row) => row.includes("── Tue 17 Nov"))!
      .match(/──.*─/)![0].length - 23;
  await until(m, () => widest() > 28);
  expect(widest()).toBe(Math.floor(text() / 3));
});

test("with kitty graphics the cells refer to their pictures, and quitting deletes every picture", async () => {
  const m = await show(KITTY);
  await until(m, () => m.writes.join("").split("\u{10eeee}").length > 20);
  const ids = (pattern: RegExp): string[] =>
    [...m.writes.join("").matchAll(pattern)].map(([, id]) => id!).toSorted();
  await until(m, () => ids(/a=T,U=1,f=100,i=(\d+)/g).length === 2);
  m.unmount();
  expect(ids(/a=d,d=I,i=(\d+)/g)).toEqual(ids(/a=T,U=1,f=100,i=(\d+)/g));
  const all = m.writes.join("");
  expect(all.lastIndexOf("a=d,d=I")).toBeLessThan(all.lastIndexOf("\x1b[?1049l"));
  screen = undefined;
});

test("a popup erases pixels in the panel first, and they return after it", async () => {
  const m = await show(ITERM2);
  await m.press("esc", "k", "v");
  await until(m, () => m.writes.join("").includes("\x1b]1337;File="));
  m.count();
  await m.press("C-p");
  expect(m.writes.join("")).not.toContain("\x1b]1337;File=");
  expect(m.writes.join("")).toMatch(/\x1b7\x1b\[0m\x1b\[\d+;\d+H {5,}/);
  m.count();
  await m.press("esc");
  await until(m, () => m.writes.join("").includes("\x1b]1337;File="));
  m.count();
  await m.press("esc");
  expect(m.writes.join("")).toMatch(/\x1b7\x1b\[0m\x1b\[\d+;\d+H {5,}/);
});

test("without colours only the file's line is shown, and nothing is fetched", async () => {
  const m = await show(KITTY, 0);
  expect(m.text()).toContain("one.png   picture   80×40");
  await m.press("esc", "k", "v");
  expect(m.text()).not.toContain("Picture ·");
  expect(pictures!.fetched).toEqual([]);
});

test("a picture of another host is fetched when opened, and automatically once the host is allowed", async () => {
  const m = await show(HALF_BLOCKS, 3, { hosts: "" });
  await until(m, () => m.text().includes("loaded from cdn.example.com when opened"));
  expect(pictures!.fetched).toEqual([]);
  await m.press("esc", "k", "v");
  await until(m, () => m.text().split("▀").length > 80);
  // The question, then the picture.
  await m.press("esc", "esc");
  expect(pictures!.fetched).toEqual([URLS[1]]);
  pictures!.pictures.setHosts("other.example.com, cdn.example.com");
  await until(m, () => !m.text().includes("when opened"));
  expect(pictures!.fetched.toSorted()).toEqual(URLS.slice(0, 2));
});

test("opening a picture of another host asks once whether to show all of that host, and takes both answers for good", async () => {
  const saved = new Map<string, unknown>();
  const memory = {
    remember: <T,>(key: string): T | undefined => saved.get(key) as T | undefined,
    keep: (key: string, value: unknown) => void saved.set(key, value),
  };
  const question = "Show all pictures from cdn.example.com";
  let m = await show(HALF_BLOCKS, 3, { hosts: "", kept: memory });
  await m.press("esc", "k", "v");
  expect(m.text()).toContain(question);
  await m.press("n");
  await m.press("v", "v", "left");
  expect(m.text()).not.toContain(question);
  expect(saved).toEqual(new Map([["askedHosts", ["cdn.example.com"]]]));
  m.unmount();
  pictures!.close();
  m = await show(HALF_BLOCKS, 3, { hosts: "", kept: memory });
  await m.press("esc", "k", "v");
  expect(m.text()).not.toContain(question);
  saved.clear();
  m.unmount();
  pictures!.close();
  m = await show(HALF_BLOCKS, 3, { hosts: "", kept: memory });
  await m.press("esc", "k", "v", "y", "esc");
  await until(m, () => !m.text().includes("when opened"));
  expect([...new Set(pictures!.fetched)].toSorted()).toEqual(URLS.slice(0, 2));
  expect(saved.get("uploadHosts")).toEqual(["cdn.example.com"]);
});

test("pictures of the host where the provider stores own files are fetched automatically, also the next time", async () => {
  const saved = new Map<string, unknown>();
  const memory = {
    remember: <T,>(key: string): T | undefined => saved.get(key) as T | undefined,
    keep: (key: string, value: unknown) => void saved.set(key, value),
  };
  let m = await show(HALF_BLOCKS, 3, { hosts: "", kept: memory });
  await until(m, () => m.text().includes("when opened"));
  pictures!.pictures.uploaded({ type: "file", asset_url: "https://files.example.com/a.txt" });
  pictures!.pictures.uploaded({ type: "image", image_url: "https://cdn.example.com/own.png" });
  await until(m, () => m.text().split("▀").length > 80);
  m.unmount();
  pictures!.close();
  m = await show(HALF_BLOCKS, 3, { hosts: "", kept: memory });
  await until(m, () => m.text().split("▀").length > 80);
  expect(saved).toEqual(new Map([["uploadHosts", ["cdn.example.com"]]]));
});

test("the wheel over a picture shows the next and previous one of the channel", async () => {
  const m = await show(HALF_BLOCKS);
  await m.press("esc", "g", "v");
  const { x, y } = m.model.layout.panel!;
  const names: string[] = [];
  const look = (): void => {
    names.push(topPanelOf<PicturePanel>(m.screen, PICTURE)?.line.picture.name ?? "none");
  };
  look();
  for (const down of [true, false]) {
    await m.wheel(x + 2, y + 2, down);
    look();
  }
  expect(names).toEqual(["one.png", "two.png", "one.png"]);
});
