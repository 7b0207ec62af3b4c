/** What --partition takes: a span of time, a number of messages or a size. */
import { expect, test } from "vitest";
import { readPartition } from "../../../src/commands/export/options.ts";

test.each([
  ["day", { kind: "day" }],
  ["month", { kind: "month" }],
  ["1", { kind: "messages", limit: 1 }],
  ["1.5k", { kind: "messages", limit: 1500 }],
  ["2k", { kind: "messages", limit: 2000 }],
  ["5K", { kind: "messages", limit: 5000 }],
  ["1kb", { kind: "bytes", limit: 1000 }],
  ["20mb", { kind: "bytes", limit: 20_000_000 }],
])("--partition %s", (text, partition) => {
  expect(readPartition(text)).toEqual(partition);
});

test.each(["0", "-1", "week", "1.5", "0.0004k", "0.4b", "0.01kbit", "k", ""])(
  "--partition '%s' is refused",
  (text) => {
    expect(() => readPartition(text)).toThrow(/--partition must be/);
  },
);
