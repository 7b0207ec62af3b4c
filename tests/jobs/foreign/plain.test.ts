/** Plain lines as an import: who is named where, the forms of times and channels, and where replies stand. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { convertSource, type Converted } from "../../support/foreign.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-plain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const convert = (...lines: object[]): Promise<Converted> => {
  const file = path.join(folder, `${++made}.ndjson`);
  const whole = lines.map((one) => ({ channel: "tea", user: "ana", text: "x", at: 1_700_000_000, ...one }));
  writeFileSync(file, whole.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return convertSource(file, { now: Date.UTC(2026, 0, 1) });
};

test("a person has the first name that a line gives, wherever it stands, and keeps it", async () => {
  const { of } = await convert(
    { name: "Ana" },
    { user: "bo" },
    {},
    { user: "bo", name: "Bo" },
    { user: "bo" },
    { name: "Other" },
    { user: "cy", name: "" },
  );
  expect(of("user")).toEqual([{ id: "ana", name: "Ana" }, { id: "bo", name: "Bo" }, { id: "cy" }]);
});

test.each([
  [1_700_000_000, "2023-11-14T22:13:20.000Z"],
  [1_700_000_000.5, "2023-11-14T22:13:20.500Z"],
  [1_700_000_000_500, "2023-11-14T22:13:20.500Z"],
  [999_999_999.99, "2001-09-09T01:46:39.990Z"],
  [100_000_000_000, "1973-03-03T09:46:40.000Z"],
  ["2023-11-14T22:13:20+01:00", "2023-11-14T22:13:20+01:00"],
])("the time %j is that of the message", async (at, created) => {
  const { of } = await convert({ at });
  expect(of("message")[0]!.created_at).toBe(created);
});

test("channels are named with and without a type or a #, have those who wrote as members, and the first as creator", async () => {
  const { of } = await convert(
    { user: "bo" },
    { channel: "#tea" },
    { channel: "messaging:tea", user: "cy" },
    { channel: "team:tea" },
    {},
  );
  expect(of("channel")).toEqual([
    { type: "messaging", id: "tea", created_by: "bo" },
    { type: "team", id: "tea", created_by: "ana" },
  ]);
  expect(of("member").map(({ channel_type: type, user_id: id }) => [type, id])).toEqual([
    ["messaging", "bo"],
    ["messaging", "ana"],
    ["messaging", "cy"],
    ["team", "ana"],
  ]);
});

test("a line with a parent is a reply, and equal lines are two messages with the same ids in every run", async () => {
  const lines = [{ id: "m1" }, { parent: "m1" }, { parent: "m1" }];
  const { of } = await convert(...lines);
  expect(of("message").map(({ type, parent_id: parent }) => [type, parent])).toEqual([
    ["regular", undefined],
    ["reply", "m1"],
    ["reply", "m1"],
  ]);
  const again = await convert(...lines);
  expect(again.of("message")).toEqual(of("message"));
});
