/** CSV output: chat text never becomes a formula in a spreadsheet, and every value stays in its cell. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { openResults } from "../../src/cli/output/results.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import { rowOf, type View } from "../../src/commands/base/define-command.ts";
import { DEFAULTS } from "../../src/config/settings.ts";
import type { Message } from "../../src/wire/entities/message.ts";

/** The results as printed with --csv. */
async function csv(list: boolean, ...items: [unknown, View | undefined][]): Promise<string> {
  const out = new PassThrough();
  const shell = {
    flags: { csv: true },
    settings: DEFAULTS,
    out,
    err: new PassThrough(),
    tty: { in: false, out: false, err: false, columns: 80 },
    color: { out: false, err: false },
    counts: { requests: 0, items: 0, writes: 0 },
  } as unknown as Shell;
  const results = openResults(shell, list);
  for (const [value, view] of items) await results.item(value, view);
  await results.end();
  out.end();
  return text(out);
}

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "\t=1", "\r=1", "＝1"];
const cells = (written: string): string[][] => parse(written, { relax_column_count: true }) as string[][];

test.each(FORMULAS)(
  "a cell that begins with %j is escaped with an apostrophe in every kind of result",
  async (cell) => {
    const message = {
      id: "m",
      text: cell,
      user: { id: "ana", name: cell },
      cid: "messaging:ops",
      created_at: "2026-01-01T00:00:00Z",
    };
    const shown = await Promise.all([
      csv(true, [{}, { kind: "table", columns: ["text"], rows: [[cell]] }]),
      csv(true, [message, { kind: "messages", messages: [message as unknown as Message] }]),
      csv(false, [{}, { kind: "fields", fields: [["text", cell]] }]),
      csv(false, [{}, { kind: "line", text: cell }]),
      csv(false, [{ text: cell }, undefined]),
    ]);
    for (const written of shown) {
      const [, ...rows] = cells(written);
      expect(rows.flat().some((value) => value.includes(cell.trim()))).toBe(true);
      for (const value of rows.flat()) expect(value).not.toMatch(/^[=+\-@\t\r＝]/);
    }
  },
);

test("quotes, commas and line ends stay inside their cell", async () => {
  const cell = 'says "tea, please"\nand waits';
  const written = await csv(true, [{}, { kind: "table", columns: ["a", "b"], rows: [[cell, 7]] }]);
  expect(cells(written)).toEqual([
    ["a", "b"],
    [cell, "7"],
  ]);
});

test("a list has one header, and a negative number stays a number", async () => {
  const row = (n: number): [unknown, View] => [{}, { kind: "table", columns: ["n"], rows: [[n]] }];
  expect(cells(await csv(true, row(1), row(-2)))).toEqual([["n"], ["1"], ["-2"]]);
});

test("a long list written in several chunks has one header", async () => {
  const rows = Array.from({ length: 1200 }, (_, n): [unknown, View] => [
    {},
    { kind: "table", columns: ["n"], rows: [[n]] },
  ]);
  const written = cells(await csv(true, ...rows));
  expect(written).toHaveLength(1201);
  expect(written.filter(([cell]) => cell === "n")).toEqual([["n"]]);
});

test("a column that shows a field is named like the field and contains its raw value", async () => {
  const user = { id: "ana", online: true, last_active: undefined, role: "admin" };
  const row = rowOf(user, {
    user: { field: "id", cell: "@ana" },
    online: { field: "online", cell: "online" },
    "last active": { field: "last_active", cell: "long ago" },
    "has rights": { cell: "yes" },
    role: "role",
  });
  const written = await csv(true, [user, row]);
  expect(cells(written)).toEqual([
    ["id", "online", "last_active", "has_rights", "role"],
    ["ana", "true", "", "yes", "admin"],
  ]);
});
