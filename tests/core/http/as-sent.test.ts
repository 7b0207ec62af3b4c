import { expect, test } from "vitest";
import { isAsSent, isUnset } from "../../../src/core/http/as-sent.ts";

test("what is stored may have more than what was sent, and may write it otherwise", () => {
  const stored = {
    text: "hello",
    options: [{ id: "a", text: "Green" }],
    remind_at: "2026-03-04T05:06:07.000000Z",
    mentioned_users: [{ id: "ana", name: "Ana" }],
    pinned_at: "2026-03-04T05:06:07Z",
    colours: { dark: { red: 1, blue: 2 } },
  };
  expect(isAsSent(stored, { text: "hello", options: [{ text: "Green" }] })).toBe(true);
  expect(isAsSent(stored, { remind_at: "2026-03-04T07:06:07+02:00" })).toBe(true);
  expect(isAsSent(stored, { mentioned_users: ["ana"], pinned: true, frozen: false, note: null })).toBe(true);
  expect(isAsSent(stored, { "colours.dark.red": 1 })).toBe(true);
});

test.each([
  { text: "other" },
  { text: null },
  { options: [] },
  { options: [{ text: "Green" }, { text: "Black" }] },
  { remind_at: "2026-03-04T05:06:08Z" },
  { pinned: true },
  { "colours.dark": 1 },
])("%j is not stored where something else is", (sent) => {
  const stored = { text: "hello", options: [{ text: "Green" }], remind_at: "2026-03-04T05:06:07Z" };
  expect(isAsSent(stored, sent)).toBe(false);
});

test("an object without the value, or with an empty one, has it unset", () => {
  expect(isUnset({ note: null, list: [] }, "note")).toBe(true);
  expect(isUnset({ colours: {} }, "colours.dark")).toBe(true);
  expect(isUnset({ note: "x" }, "note")).toBe(false);
});
