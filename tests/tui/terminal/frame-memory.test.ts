/** Ink patched by the build to remember the previous frame: the same output, and only changed rows are split into cells. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { rememberCleaned, rememberFrames } from "../../../scripts/patches/ink.ts";

interface Frame {
  write(x: number, y: number, text: string, options: { transformers: never[] }): void;
  clip(clip: Record<string, number>): void;
  unclip(): void;
  get(): { output: string; height: number };
  caches: { getWidestLine(text: string): number };
}
type FrameMaker = new (size: { width: number; height: number }) => Frame;

const BUILT = path.resolve(import.meta.dirname, "../../../node_modules/ink/build");

/** The default export of a file of Ink: unchanged, and patched as the build does. */
async function both<T>(
  name: string,
  change: (source: string) => string,
): Promise<[stock: T, remembering: T]> {
  const file = path.join(BUILT, name);
  const bundle = await build({
    stdin: { contents: change(readFileSync(file, "utf8")), resolveDir: BUILT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const made = `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0]!.text).toString("base64")}`;
  const [stock, remembering] = (await Promise.all([import(pathToFileURL(file).href), import(made)])) as {
    default: T;
  }[];
  return [stock!.default, remembering!.default];
}

const [Stock, Remembering] = await both<FrameMaker>("output.js", rememberFrames);
const [clean, rememberingClean] = await both<(text: string) => string>("sanitize-ansi.js", rememberCleaned);

interface Row {
  x: number;
  y: number;
  text: string;
}

function draw(Maker: FrameMaker, rows: readonly Row[], clipped = false): string {
  const frame = new Maker({ width: 40, height: 8 });
  if (clipped) frame.clip({ x1: 3, x2: 30, y1: 1, y2: 7 });
  for (const { x, y, text } of rows) frame.write(x, y, text, { transformers: [] });
  if (clipped) frame.unclip();
  return frame.get().output;
}

const styled = fc
  .array(
    fc.constantFrom(
      "plain",
      " ",
      "日本",
      "👍🏽",
      "é",
      "\x1b[1m",
      "\x1b[22m",
      "\x1b[2m",
      "\x1b[31m",
      "\x1b[39m",
      "│",
      "\n",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "");
const frames = fc.array(
  fc.record({
    clipped: fc.boolean(),
    rows: fc.array(
      fc.record({ x: fc.integer({ min: -3, max: 38 }), y: fc.integer({ min: -1, max: 8 }), text: styled }),
      { maxLength: 8 },
    ),
  }),
  { minLength: 2, maxLength: 5 },
);

test("every frame equals that of stock Ink, whatever the frames before it were", () => {
  fc.assert(
    fc.property(frames, (list) => {
      // Repeat each row in the next frame, so that the remembered row is used.
      for (const [i, { rows, clipped }] of list.entries()) {
        const all = [...(list[i - 1]?.rows ?? []), ...rows];
        expect(draw(Remembering, all, clipped)).toBe(draw(Stock, all, clipped));
      }
    }),
    { numRuns: 300 },
  );
});

test("of eight rows only the changed one is split again", () => {
  const rows = Array.from({ length: 8 }, (_, y) => ({
    x: 0,
    y,
    text: `\x1b[2m10:0${y}\x1b[22m a row of words`,
  }));
  const typed = (text: string): Row[] => [...rows.slice(0, 7), { x: 0, y: 7, text: ` › ${text}` }];
  const splits = (Maker: FrameMaker): number => {
    draw(Maker, typed("a"));
    const spy = vi.spyOn(Intl.Segmenter.prototype, "segment");
    draw(Maker, typed("ab"));
    const texts = spy.mock.calls.filter(([text]) => text.length > 2).length;
    spy.mockRestore();
    return texts;
  };
  expect(splits(Stock)).toBeGreaterThanOrEqual(8);
  expect(splits(Remembering)).toBe(1);
});

test("a row is cleaned as by stock Ink, the first time, again, and after a thousand others", () => {
  const rows = Array.from(
    { length: 1000 },
    (_, n) => `\x1b[38:5:${n % 256}m${n}\x07\x1b[2J\x1b[39m│ 日本\x9b1m`,
  );
  for (const text of ["", ...rows, ...rows.slice(-20), ...rows, ""])
    expect(rememberingClean(text)).toBe(clean(text));
});

test("a text has the same width in the frame caches as in the library", async () => {
  const library = path.resolve(BUILT, "../../widest-line/index.js");
  const { default: widestLine } = (await import(pathToFileURL(library).href)) as {
    default: (text: string) => number;
  };
  const { caches } = new Remembering({ width: 80, height: 3 });
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\n", "\t", "日本", "👩‍🚀", "\x1b[31m"),
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join("")),
      (text) => {
        expect(caches.getWidestLine(text)).toBe(widestLine(text));
      },
    ),
    { numRuns: 300 },
  );
});

test("a changed file of Ink stops the build", () => {
  expect(() => rememberFrames("class OutputCaches {")).toThrow(/has changed/);
  expect(() => rememberCleaned("export default sanitise;")).toThrow(/has changed/);
});
