/** The built picture worker draws each file format in each terminal graphics mode. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DecodeTask } from "../../src/tui/pictures/decoder.ts";
import type { Decoded, PictureForm, Refused } from "../../src/tui/pictures/decoding.ts";
import { ensureBuilt } from "../support/home.ts";
import { gif, jpeg, png, webp } from "../support/picture-files.ts";

const KINDS = { PNG: png(80, 40), JPEG: jpeg(80, 40), WebP: webp(80, 40), GIF: gif(80, 40) };
const FORMS: readonly PictureForm[] = ["pixels", "png", "file", "sixel"];

let folder: string;
let thread: Worker;
beforeAll(() => {
  ensureBuilt();
  folder = mkdtempSync(path.join(tmpdir(), "parley-built-pictures-"));
  thread = new Worker(path.resolve(import.meta.dirname, "../../dist/pictures.js"));
});
afterAll(async () => {
  await thread.terminate();
  rmSync(folder, { recursive: true, force: true });
});

async function answerTo(task: DecodeTask): Promise<Decoded | Refused> {
  thread.postMessage(task);
  const [answer] = (await once(thread, "message")) as [Decoded | Refused];
  return answer;
}

test.each(Object.entries(KINDS))("a %s is drawn as pixels, PNG, file and sixel", async (kind, bytes) => {
  const file = path.join(folder, kind);
  writeFileSync(file, bytes);
  const drawn: unknown[] = [];
  for (const form of FORMS) {
    const request = { file, form, box: { cols: 8, rows: 2 }, cell: { width: 10, height: 20 } };
    const answer = await answerTo({ request });
    drawn.push(answer.kind === "decoded" ? [answer.form, answer.data.length > 40] : answer);
  }
  expect(drawn).toEqual(FORMS.map((form) => [form, true]));
});
