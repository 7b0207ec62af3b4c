/** Checking an import file before upload reports the same faults as the provider. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkImport } from "../../src/jobs/check-import.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-check-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = { type: "user", data: { id: "ana" } };
const channel = (id: string): object => ({
  type: "channel",
  data: { type: "messaging", id, created_by: "ana" },
});
const message = (id: string, parent?: string, to = "ops"): object => ({
  type: "message",
  data: {
    id,
    channel_type: "messaging",
    channel_id: to,
    user: "ana",
    text: id,
    created_at: "2026-01-01T00:00:00Z",
    ...(parent && { parent_id: parent }),
  },
});

/** Item number and text of each fault. */
async function faultsOf(items: readonly (object | string)[], existing = false): Promise<[number, string][]> {
  const file = path.join(folder, "items.ndjson");
  writeFileSync(file, items.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"));
  const totals = { items: 0, users: 0, channels: 0, members: 0, messages: 0, reactions: 0 };
  const found: [number, string][] = [];
  const how = {
    now: Date.parse("2026-11-27T12:00:00Z"),
    existing,
    signal: new AbortController().signal,
    progress: () => {},
  };
  for await (const { item, error } of checkImport(file, how, totals)) found.push([item, error]);
  return found;
}
const parentFault = (parent: string): string =>
  `Validation error: message.parent_id ${parent} is no message of the same channel that may have replies`;

test("a reply may come before its parent", async () => {
  const items = [user, channel("ops"), message("b", "a"), message("a")];
  expect(await faultsOf(items)).toEqual([]);
});

test.each([false, true])(
  "a reply to a reply, to itself, in a circle or to another channel is refused (--existing %s)",
  async (existing) => {
    const items = [
      user,
      channel("ops"),
      channel("dev"),
      message("a"),
      message("b", "a"),
      message("c", "b"),
      message("d", "d"),
      message("e", "f"),
      message("f", "e"),
      message("g", "a", "dev"),
    ];
    expect((await faultsOf(items, existing)).toSorted(([a], [b]) => a - b)).toEqual([
      [6, parentFault("b")],
      [7, parentFault("d")],
      [8, parentFault("f")],
      [9, parentFault("e")],
      [10, parentFault("a")],
    ]);
  },
);

test("a parent outside the file is reported once, and accepted with --existing", async () => {
  const items = [user, channel("ops"), message("b", "gone")];
  expect(await faultsOf(items)).toEqual([
    [3, "Validation error: message refers to message gone, which the file does not hold"],
  ]);
  expect(await faultsOf(items, true)).toEqual([]);
});

test("an item nested a hundred thousand times is reported as a fault", async () => {
  const deep = `{"type":"user","data":{"id":"bo","x":${"[".repeat(1e5)}${"]".repeat(1e5)}}}`;
  expect(await faultsOf([deep, user])).toEqual([
    [1, "Parse error: the item is nested too deep or has too many values"],
  ]);
});
