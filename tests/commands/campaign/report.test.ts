/** The report of a campaign sent from this machine, beside the run that sends it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import command from "../../../src/commands/campaign/report.ts";
import { campaignReport } from "../../../src/commands/campaign/flow/report.ts";
import { Journal } from "../../../src/commands/campaign/receipts/journal.ts";

const NOW = Date.UTC(2026, 10, 22);

test("a person whom a run reaches while the provider is asked is reported as sent", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "parley-report-"));
  const machine = { folder: path.join(root, "campaigns") };
  const journal = new Journal(machine, "s", () => NOW);
  journal.begin({
    kind: "begun",
    mode: "messages",
    hash: "h",
    file: "a.yaml",
    by: "me",
    sender: "ana",
    sender_since: "2026",
    audience: ["bo", "cy"],
    left: {},
    counts: { wrong: 0, duplicates: 0 },
    guards: {},
  });
  const asked: string[] = [];
  const call = async (name: string): Promise<object> => {
    if (asked.push(name) === 1) journal.write({ kind: "sent", user: "bo", message: "m", cid: "messaging:x" });
    if (name === "queryUsers") return { users: [{ id: "ana", created_at: "2026" }] };
    return name === "search" ? { results: [] } : { channels: [] };
  };
  const report = await campaignReport(
    {
      core: { call },
      machine,
      now: () => NOW,
      signal: new AbortController().signal,
      progress: () => {},
    } as unknown as Parameters<typeof campaignReport>[0],
    "s",
  );
  expect(asked).toContain("search");
  expect(report).toMatchObject({ status: "in_progress", sent: 1, waiting: 1 });
  expect(report.people.map(({ user, result }) => [user, result])).toEqual([
    ["bo", "sent"],
    ["cy", "waiting"],
  ]);
  journal.close();
  rmSync(root, { recursive: true, force: true });
});

test.each([
  [{ status: "completed" }, undefined],
  [{ status: "in_progress", waiting: 3 }, undefined],
  [{ status: "stopped", waiting: 3 }, "Campaign tea was stopped: 3 of 9 have not got it"],
  [{ status: "stopped", waiting: 3, missed: 2 }, "Campaign tea was stopped: 5 of 9 have not got it"],
  [{ status: "stopped", missed: 2 }, "Campaign tea did not reach 2 of 9"],
  [
    { status: "completed", missed: 2, unproved: 1 },
    "Campaign tea did not reach 2 of 9, and of 1 it cannot be proved",
  ],
])("a report of %j ends with: %s", (counts, words) => {
  const report = {
    campaign: "tea",
    missed: 0,
    unproved: 0,
    waiting: 0,
    audience: 9,
    again: "parley campaign continue tea",
    ...counts,
  };
  const fault = command.fault?.(report as never);
  expect(fault?.message.replace(/\.$/, "")).toBe(words);
  if (fault)
    expect([fault.kind, fault.hint]).toEqual(["partial", "parley campaign continue tea sends it to them"]);
});
