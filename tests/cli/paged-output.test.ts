/** Which help pages go to a pager: those that are taller than the terminal, if there is a terminal and a pager. */
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { showLong } from "../../src/cli/run/paged-output.ts";

/** A page of so many lines with a newline after each, as help is printed. */
const page = (lines: number): string => "line\n".repeat(lines);

/** Whether the page is printed; a pager that swallows everything gets it otherwise. */
async function isPrinted(
  text: string,
  {
    rows = 10,
    isTTY = true,
    isAllowed = true,
  }: { rows?: number | undefined; isTTY?: boolean; isAllowed?: boolean },
): Promise<boolean> {
  let printed = "";
  const out = Object.assign(new PassThrough(), { isTTY, rows });
  out.setEncoding("utf8").on("data", (piece: string) => (printed += piece));
  const env = { PATH: process.env.PATH, PARLEY_PAGER: "true", HOME: "/nonexistent" };
  await showLong(text, { out: out as never, env, isAllowed, lendInterrupt: () => () => {} });
  expect(["", text]).toContain(printed);
  return printed === text;
}

test.each([
  [1, 10, true],
  [9, 10, true],
  // The row of the prompt is one of the terminal's.
  [10, 10, false],
  [11, 10, false],
  [23, 0, true],
  [24, 0, false],
])("a page of %i lines in a terminal of %i rows is printed at once: %s", async (lines, rows, isAtOnce) => {
  expect(await isPrinted(page(lines), { rows })).toBe(isAtOnce);
});

test("a page of any length is printed into a pipe, and without a pager", async () => {
  expect(await isPrinted(page(1000), { isTTY: false })).toBe(true);
  expect(await isPrinted(page(1000), { isAllowed: false })).toBe(true);
});
