/** The picture in the panel and its caption: whole, wrapped, and directly under the picture. */
import { expect, test } from "vitest";
import { cellWidth, plain } from "../../../src/text/width.ts";
import { pictureRows } from "../../../src/tui/views/picture/rows.ts";
import { pictureBox, pictureRect } from "../../../src/tui/views/picture/place.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";

const NAME = "the whole harbour after four minutes of rain seen from the upper deck.png";
const line = {
  picture: { url: "https://f.example/a.png", thumb: "https://f.example/a.png", name: NAME, file: "a.png" },
  facts: "picture · 720×432 · 38 kB",
  from: "Ana",
  at: Date.UTC(2026, 10, 17, 9),
  id: "m1",
};

test.each([
  [60, 20],
  [30, 12],
  [22, 8],
])("at %i × %i no part of it is cut, and no row is between it and the picture", (width, height) => {
  const body = { x: 0, y: 0, width, height };
  const cells = { cols: 10, rows: pictureBox(body, line).rows };
  const drawn = { kind: "rows", rows: Array.from({ length: cells.rows }, () => "#"), cells } as const;
  const rows = pictureRows({ line, place: "3 of 12", drawn, body, theme: makeTheme(0), utc: true }).map(
    plain,
  );
  const caption = rows.slice(cells.rows);
  expect(rows.length).toBeLessThanOrEqual(height);
  expect(caption[0]).toMatch(/^ the whole/);
  for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(width);
  if (height < 12) return;
  expect(caption.join(" ").replace(/\s+/g, " ").trim()).toBe(
    `${NAME} 3 of 12 · picture · 720×432 · 38 kB Ana · 17 Nov 2026 09:00`,
  );
});

test.each([0, 31])(
  "a picture of characters is where one of pixels would be, in a panel from column %i",
  (x) => {
    const body = { x, y: 1, width: 60, height: 20 };
    const cells = { cols: 10, rows: pictureBox(body, line).rows };
    const drawn = { kind: "rows", rows: Array.from({ length: cells.rows }, () => "#"), cells } as const;
    const rows = pictureRows({ line, place: "3 of 12", drawn, body, theme: makeTheme(0), utc: true });
    for (const row of rows.slice(0, cells.rows))
      expect(x + row.indexOf("#")).toBe(pictureRect(body, cells).x);
  },
);
