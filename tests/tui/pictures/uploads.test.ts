/** Uploads to a kitty terminal: one picture after the other, few at a time, and each is deleted again. */
import { expect, test } from "vitest";
import { PictureUploads } from "../../../src/tui/pictures/uploads.ts";

/** A kitty terminal: its pictures by number, and the faults found in the commands it received. */
export class KittyTerminal {
  readonly pictures = new Map<number, Buffer>();
  readonly faults: string[] = [];
  #at: { id: number; data: string } | undefined;

  write(bytes: string): void {
    const plain = bytes.replace(/\x1bPtmux;((?:[^\x1b]|\x1b\x1b)*)\x1b\\/g, (_, inner: string) =>
      inner.replaceAll("\x1b\x1b", "\x1b"),
    );
    for (const [, keys = "", data = ""] of plain.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)) {
      const values = new Map(keys.split(",").map((pair) => pair.split("=") as [string, string]));
      if (values.get("a") === "d") {
        if (this.#at) this.faults.push("a delete between the pieces of a picture");
        this.pictures.delete(Number(values.get("i")));
      } else this.#piece(values, data);
    }
  }

  #piece(values: Map<string, string>, data: string): void {
    if (values.get("a") === "T") {
      if (this.#at) this.faults.push("a picture between the pieces of another one");
      this.#at = { id: Number(values.get("i")), data };
    } else if (this.#at) this.#at.data += data;
    if (!this.#at || values.get("m") === "1") return;
    this.pictures.set(this.#at.id, Buffer.from(this.#at.data, "base64"));
    this.#at = undefined;
  }
}

/** A terminal connection that drains when the test says so. */
function terminalPort() {
  const terminal = new KittyTerminal();
  const waiting: (() => void)[] = [];
  const sizes: number[] = [];
  return {
    terminal,
    waiting,
    sizes,
    port: {
      write: (bytes: string) => {
        sizes.push(bytes.length);
        terminal.write(bytes);
      },
      drained: (go: () => void) => void waiting.push(go),
    },
    /** Drains until nothing is left to write. */
    async run(): Promise<void> {
      do {
        await new Promise((resolve) => setTimeout(resolve, 1));
        waiting.shift()?.();
      } while (waiting.length > 0);
    },
  };
}

const CELLS = { cols: 10, rows: 5 };
const file = (n: number, bytes = 100): Buffer => Buffer.alloc(bytes, n);

test.each([false, true])("each picture is stored under its id (tmux: %s)", async (tmux) => {
  const to = terminalPort();
  const uploads = new PictureUploads(to.port, tmux, 5);
  const ids = [1, 2, 3].map((n) => uploads.idOf(`p${n}`, file(n), CELLS));
  expect(uploads.idOf("p2", file(2), CELLS)).toBe(ids[1]);
  await expect.poll(() => to.terminal.pictures.size).toBe(3);
  for (const [i, id] of ids.entries()) expect(to.terminal.pictures.get(id)).toEqual(file(i + 1));
});

test("a large picture is sent in pieces, each after the terminal accepted the one before", async () => {
  const to = terminalPort();
  const uploads = new PictureUploads(to.port, false, 5);
  const id = uploads.idOf("large", file(7, 200_000), CELLS);
  await expect.poll(() => to.waiting.length).toBe(1);
  expect(to.terminal.pictures.size).toBe(0);
  // A newer picture waits until the first is complete.
  uploads.idOf("small", file(8), CELLS);
  await to.run();
  expect(to.terminal.pictures.get(id)).toEqual(file(7, 200_000));
  expect(to.terminal.pictures.size).toBe(2);
  expect(to.terminal.faults).toEqual([]);
  expect(Math.max(...to.sizes)).toBeLessThan(40_000);
});

test("the terminal holds at most 64 pictures, and the removed ones are reported", async () => {
  const to = terminalPort();
  const uploads = new PictureUploads(to.port, false, 5);
  const gone: string[] = [];
  uploads.onRemoved = (key) => gone.push(key);
  for (let n = 0; n < 64; n++) uploads.idOf(`p${n}`, file(n), CELLS);
  await to.run();
  expect(to.terminal.pictures.size).toBe(64);
  for (let n = 64; n < 70; n++) uploads.idOf(`p${n}`, file(n), CELLS);
  await to.run();
  expect(gone).toEqual(["p0", "p1", "p2", "p3", "p4", "p5"]);
  await expect.poll(() => to.terminal.pictures.size).toBe(64);
  expect(to.terminal.faults).toEqual([]);
});

test("closing removes every picture, whatever was being sent", async () => {
  const to = terminalPort();
  const uploads = new PictureUploads(to.port, false, 5);
  uploads.idOf("whole", file(1), CELLS);
  await expect.poll(() => to.terminal.pictures.size).toBe(1);
  uploads.idOf("large", file(2, 300_000), CELLS);
  await expect.poll(() => to.waiting.length).toBe(1);
  uploads.idOf("never begun", file(3), CELLS);
  to.terminal.write(uploads.deleteAll());
  await to.run();
  expect([...to.terminal.pictures.keys()]).toEqual([]);
  expect(to.terminal.faults).toEqual([]);
  expect(uploads.deleteAll()).toBe("");
});
