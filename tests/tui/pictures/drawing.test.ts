/** A picture waits until it is decoded, then has the form of its route, within the largest size of that; a failed one says why. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PictureRoute } from "../../../src/config/picture-route.ts";
import { Drawing, type DrawnPicture } from "../../../src/tui/pictures/drawing.ts";
import { png } from "../../support/picture-files.ts";

const URL_OF = { good: "https://a.example/1.png", gone: "https://a.example/gone.png" };
const BOX = { cols: 100, rows: 40 };

let folder: string;
let drawing: Drawing | undefined;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), "parley-drawing-"))));
afterEach(() => {
  drawing?.close();
  rmSync(folder, { recursive: true, force: true });
});

function draws(route: Pick<PictureRoute, "stream" | "panel">): Drawing {
  return (drawing = new Drawing({
    route: { ...route, tmux: false, reason: "" },
    level: 3,
    folder,
    cell: () => ({ width: 10, height: 20 }),
    output: { write: () => {}, drained: (go) => go() },
    async fetch(url, file) {
      if (url === URL_OF.gone) throw new Error("gone");
      const bytes = png(1200, 1200);
      writeFileSync(file, bytes);
      return createHash("sha256").update(bytes).digest("hex");
    },
    changed: () => {},
  }));
}

/** The picture once it does not wait any more; its first state is that it waits. */
async function drawn(one: Drawing, url: string, where: "stream" | "panel"): Promise<DrawnPicture> {
  expect(one.draw(url, where, BOX)).toEqual({ kind: "waiting" });
  await expect.poll(() => one.draw(url, where, BOX).kind).not.toBe("waiting");
  return one.draw(url, where, BOX);
}

test.each<[PictureRoute["panel"], string, RegExp, number]>([
  ["half-blocks", "rows", /^\x1b\[38;2;/, 40],
  ["kitty", "rows", /\u{10eeee}/u, 40],
  ["iterm2", "bytes", /^\x1b\]1337;File=/, 40],
  ["sixel", "bytes", /^\x1bP/, 40],
])("by %s it is %s", async (panel, kind, beginning, rows) => {
  const picture = await drawn(draws({ stream: "off", panel }), URL_OF.good, "panel");
  expect(picture).toMatchObject({ kind, cells: { rows } });
  const text = picture.kind === "rows" ? picture.rows[0]! : picture.kind === "bytes" ? picture.bytes : "";
  expect(text).toMatch(beginning);
});

test("in half blocks a picture has 48 rows at most, to bound the bytes of a frame", async () => {
  const one = draws({ stream: "off", panel: "half-blocks" });
  const box = { cols: 400, rows: 100 };
  one.draw(URL_OF.good, "panel", box);
  await expect.poll(() => one.draw(URL_OF.good, "panel", box)).toMatchObject({ cells: { rows: 48 } });
});

test("each place has its own route, and one that is off shows nothing and fetches nothing", async () => {
  const one = draws({ stream: "half-blocks", panel: "off" });
  expect((await drawn(one, URL_OF.good, "stream")).kind).toBe("rows");
  expect(one.draw(URL_OF.gone, "panel", BOX)).toEqual({ kind: "waiting" });
  expect(one.loader.version(URL_OF.gone)).toBe(0);
});

test("one that cannot be fetched is refused with the reason", async () => {
  const one = draws({ stream: "half-blocks", panel: "iterm2" });
  expect(await drawn(one, URL_OF.gone, "stream")).toEqual({
    kind: "refused",
    refused: { kind: "refused", why: "fetch" },
  });
});

test("a picture of kitty that was removed from the terminal is drawn again under a new number", async () => {
  const one = draws({ stream: "off", panel: "kitty" });
  const first = await drawn(one, URL_OF.good, "panel");
  expect(one.draw(URL_OF.good, "panel", BOX)).toEqual(first);
  one.removeAll();
  const again = one.draw(URL_OF.good, "panel", BOX);
  expect(again).toMatchObject({ kind: "rows", cells: { rows: 40 } });
  expect(again).not.toEqual(first);
});
