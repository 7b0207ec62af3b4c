/** Text that arrives in pieces: lines come out whole, and input without an end is refused instead of filling the memory. */
import { expect, test } from "vitest";
import { readRecords } from "../../src/commands/base/bulk/records.ts";
import { textLines, textOf, wholeText } from "../../src/commands/base/text.ts";
import { cpuMilliseconds } from "../support/cpu-time.ts";

async function* pieces(...list: string[]): AsyncIterable<string> {
  yield* list;
}

/** Never ends. */
async function* endless(piece: string): AsyncIterable<string> {
  for (;;) yield piece;
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of source) out.push(item);
  return out;
}

const MIB = "x".repeat(2 ** 20);

test.each([[["a\nb\n\nc"]], [["a", "\nb\n", "\nc"]], [["", "a\n", "", "b", "\n\nc\n"]]])(
  "%j is the same four lines",
  async (list) => expect(await all(textLines(pieces(...list)))).toEqual(["a", "b", "", "c"]),
);
test("a line that never ends is refused by its number", async () => {
  const source = async function* (): AsyncIterable<string> {
    yield "one\ntwo\nthr";
    yield* endless(MIB);
  };
  const read: string[] = [];
  await expect(
    (async () => {
      for await (const line of textLines(source())) read.push(line);
    })(),
  ).rejects.toMatchObject({ kind: "rejected", message: "Line 3 is longer than 16 MiB." });
  expect(read).toEqual(["one", "two"]);
});
test("16 MiB in small pieces are one line, read in a second", async () => {
  const source = async function* (): AsyncIterable<string> {
    for (let n = 0; n < 16 * 64; n++) yield MIB.slice(0, 2 ** 14);
    yield "\n";
  };
  expect((await all(textLines(source()))).map((line) => line.length)).toEqual([2 ** 24]);
});
test.each([
  ["-", () => textOf({ input: () => endless("y\n".repeat(2 ** 19)) }, "-")],
  ["a secret", () => wholeText(endless(MIB))],
  ["a JSON array", () => all(readRecords({ input: () => endless(`[${MIB}`) }, "-"))],
])("%s without an end is refused", async (_, read) => {
  await expect(read()).rejects.toMatchObject({
    kind: "rejected",
    message: "The input is longer than 256 MiB.",
  });
});
test.each([["{"], ["id,"], ["@"], [" "]])(
  "records that begin with %j and never end a line are refused",
  async (start) => {
    await expect(
      all(readRecords({ input: () => endless(start + MIB) }, "-", { ids: ["id"] })),
    ).rejects.toMatchObject({ kind: "rejected", message: "Line 1 is longer than 16 MiB." });
  },
);

test("a CSV of four times as many columns takes some four times as long to read", async () => {
  const read = async (columns: number): Promise<number> => {
    const names = Array.from({ length: columns }, (_, n) => `column${n}`);
    const text = `id,${names.join(",")}\nbo${",1".repeat(columns)}\n`;
    const begun = cpuMilliseconds();
    const records = await all(
      readRecords({ input: () => pieces(text) }, "-", { ids: ["id"], known: ["name"] }),
    );
    expect(records).toEqual([expect.objectContaining({ number: 1, cells: expect.anything() as unknown })]);
    return cpuMilliseconds() - begun;
  };
  await read(1000);
  const few = await read(30_000);
  expect(await read(120_000)).toBeLessThan(10 * few);
});
