/** Rows of files are exactly as wide as their area, whatever the file names are. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Upload } from "../../../../src/core/core.ts";
import { cellWidth, plain } from "../../../../src/text/width.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { EMPTY_BOX } from "../../../../src/tui/screen/composer.ts";
import type { FilesPopup } from "../../../../src/tui/screen/popup.ts";
import { attachmentChipRows } from "../../../../src/tui/views/composer/chips.ts";
import { words } from "../../../../src/text/words.ts";
import { filesPane } from "../../../../src/tui/views/channel-files/files.ts";
import { drawFiles } from "../../../../src/tui/views/files/rows.ts";

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.replaceAll("/", "-"));
const names = fc.array(name, { maxLength: 30 });
const width = fc.integer({ min: 20, max: 140 });

test("chips take at most three rows, others are counted, and clicks find the drawn chips", () => {
  const states = ["pending", "uploading", "finished", "failed", "blocked"] as const;
  fc.assert(
    fc.property(names, width, (list, cells) => {
      const uploads = list.map((one, i): Upload => ({
        localId: String(i),
        name: one,
        state: states[i % 5]!,
        reason: one,
        sent: i,
        total: 30,
        attachment: {},
      }));
      const rows = attachmentChipRows({ ...EMPTY_BOX, uploads }, cells);
      expect(rows.length).toBeLessThanOrEqual(3);
      for (const { text } of rows) expect(cellWidth(text)).toBeLessThanOrEqual(cells);
      const shown = rows.flatMap(({ chips }) => chips).length;
      if (shown < list.length) expect(rows.at(-1)!.text).toContain(`… ${list.length - shown} more`);
    }),
  );
});

test("the file list fits its frame at every size, with colours and without", () => {
  fc.assert(
    fc.property(
      names,
      width,
      fc.constantFrom(0, 3),
      fc.constantFrom("", "a", "*"),
      (list, columns, level, query) => {
        const entries = list.map(
          (one, i) => ({ name: one, kind: i % 3 ? "file" : "folder", size: i * 999 }) as const,
        );
        const popup: FilesPopup = {
          kind: "files",
          purpose: "attach",
          home: "/home/me",
          folder: `/${list.join("/")}`,
          query,
          selected: 2,
          marked: [],
        };
        const listing = { folder: popup.folder, entries };
        const { rect, rows } = drawFiles(
          { ...popup, listing },
          { theme: makeTheme(level as 0), columns, rows: 24 },
        );
        expect(rows.map((row) => cellWidth(plain(row)))).toEqual(rows.map(() => rect.width));
      },
    ),
  );
});

test("the files of a channel fit their panel", () => {
  fc.assert(
    fc.property(names, width, (list, cells) => {
      const lines = list.map((one, at) => ({ url: "", name: one, facts: one, from: one, at, id: one }));
      const panel = { ...filesPane.pane.open("x"), cursor: { key: "", index: 1 } };
      const look = { theme: makeTheme(0), width: cells, height: 12, utc: true, focused: true, now: 0 };
      const rows = filesPane.rows(
        panel,
        lines,
        look,
        lines.length > 0 ? {} : { footer: words.files.noneHere },
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(cells);
    }),
  );
});
