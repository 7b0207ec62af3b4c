/** The cache of rendered rows: one entry per message and width, renewed when its inputs change, bounded in size. */
import { expect, test } from "vitest";
import { RowCache } from "../../../src/tui/render/cache.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { fullCells } from "../../../src/tui/render/poll.ts";
import { authorColor, makeTheme } from "../../../src/tui/render/theme.ts";
import { context, message, NOW } from "./messages.ts";

test("the same message and context give the same array", () => {
  const cache = new RowCache();
  const m = message();
  const rows = cache.rows(m, context());
  expect(rows).toEqual(messageRows(m, context()));
  expect(cache.rows(m, context())).toBe(rows);
  expect(cache.rendered).toBe(1);
});

test("a new version, flag, theme or reader count is rendered again; another width is cached separately", () => {
  const cache = new RowCache();
  const m = message({ user: { id: "me" } });
  cache.rows(m, context());
  cache.rows({ ...m, text: "edited" }, context());
  expect(cache.rows({ ...m, text: "edited twice" }, context())[0]).toContain("edited twice");
  for (const over of [
    { grouped: true },
    { readBy: 1 },
    { theme: makeTheme(1) },
    { hyperlinks: true },
    { expanded: true },
    { revealed: true },
    { glyphs: { dropJoiner: true } },
  ]) {
    const before = cache.rendered;
    cache.rows(m, context(over));
    expect(cache.rendered).toBe(before + 1);
  }
  expect(cache.length).toBe(1);
  cache.rows(m, context({ width: 40 }));
  cache.rows(m, context({ inThread: true }));
  expect(cache.length).toBe(3);
});

test("a live location and a reminder are rendered again each minute, and nothing else because of the time", () => {
  const cache = new RowCache();
  const live = message({ shared_location: { latitude: 1, longitude: 2, end_at: "2026-11-17T10:00:00Z" } });
  cache.rows(live, context());
  cache.rows(live, context({ now: NOW + 1 }));
  expect(cache.rendered).toBe(1);
  cache.rows(live, context({ now: NOW + 60_000 }));
  expect(cache.rendered).toBe(2);
  const reminder = {
    channel_cid: "",
    message_id: "r",
    user_id: "me",
    remind_at: "2026-11-17T10:00:00Z",
    created_at: "",
    updated_at: "",
  };
  const later = new RowCache();
  const reminded = message({ id: "r", reminder });
  later.rows(reminded, context());
  later.rows(reminded, context({ now: NOW + 1 }));
  expect(later.rendered).toBe(1);
  expect(later.rows(reminded, context({ now: NOW + 60_000 }))[0]).toContain("19 min");
  cache.rows(message(), context());
  cache.rows(message({ id: "m2" }), context({ now: NOW + 3_600_000 }));
  expect(cache.rendered).toBe(4);
});

test("an expired pin is noticed", () => {
  const cache = new RowCache();
  const m = message({ pinned: true, pin_expires: "2026-11-17T09:41:00Z" });
  expect(cache.rows(m, context())[0]).toContain("pinned");
  expect(cache.rows(m, context({ now: NOW + 60_000 }))[0]).not.toContain("pinned");
});

test("the cache holds a limited number of messages, and drops the least recently used", () => {
  const cache = new RowCache(3);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((id) => message({ id }));
  for (const m of [a!, b!, c!, a!, d!]) cache.rows(m, context());
  expect([cache.length, cache.rendered]).toEqual([3, 4]);
  cache.rows(a!, context());
  expect(cache.rendered).toBe(4);
  cache.rows(b!, context());
  expect(cache.rendered).toBe(5);
});

test("the cache holds a limited number of rows, and never a giant message", () => {
  const cache = new RowCache(1000, 20_000);
  for (let i = 0; i < 50; i++) cache.rows(message({ id: `m${i}`, text: "x ".repeat(400) }), context());
  expect(cache.length).toBeLessThan(25);
  const giant = new RowCache();
  giant.rows(message({ text: "👩🏽‍💻".repeat(20_000) }), context({ expanded: true, width: 8 }));
  expect(giant.length).toBe(0);
});

test("a bar shows a single vote, and is full only for all votes", () => {
  expect([
    fullCells(0, 0, 8),
    fullCells(1, 1000, 8),
    fullCells(999, 1000, 8),
    fullCells(3, 3, 8),
    fullCells(1, 2, 8),
    fullCells(-1, 5, 4),
    fullCells(9, 5, 4),
  ]).toEqual([0, 1, 7, 8, 4, 0, 4]);
});

test("a nested style returns to the outer one", () => {
  const theme = makeTheme(1);
  expect(theme.dim(`a ${theme.bold("b")} c`)).toBe("\x1b[2ma \x1b[1mb\x1b[22m\x1b[2m c\x1b[22m");
  expect(makeTheme(0).bold("x")).toBe("x");
  expect(authorColor(theme, 0)("")).toBe("");
});

test("400 messages are rendered once, however often they are drawn", () => {
  const m = Array.from({ length: 400 }, (_, i) =>
    message({ id: `m${i}`, text: `${i} `.padEnd(80, "the deploy is at ten and nobody is late today ") }),
  );
  const ctx = context({ theme: makeTheme(1), width: 96 });
  const cache = new RowCache();
  const first = m.map((one) => cache.rows(one, ctx));
  for (let round = 0; round < 8; round++)
    for (const [i, one] of m.entries()) expect(cache.rows(one, ctx)).toBe(first[i]);
  expect(cache.rendered).toBe(400);
});
