/** The journal of a campaign: after a killed run, one run at a time, and journals of another campaign with the same id. */
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Journal, readJournal, readReceived } from "../../../src/commands/campaign/receipts/journal.ts";
import { beginJournal } from "../../../src/commands/campaign/flow/start-file.ts";
import { withMissed } from "../../../src/commands/campaign/receipts/missed.ts";
import { ownCampaign } from "../../../src/commands/campaign/receipts/own-campaign.ts";
import { journalFile } from "../../../src/commands/campaign/receipts/campaign-folder.ts";

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "parley-journal-")), "campaigns");
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const now = (): number => Date.UTC(2026, 10, 22);
const open = (): Journal => new Journal({ folder }, "a/b", now);
const begun = {
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
} as const;

test("a line cut by a kill is ignored, and later lines are read", () => {
  const first = open();
  first.begin({ ...begun, audience: ["bo", "cy"] });
  first.write({ kind: "sent", user: "bo", message: "m", cid: "c" });
  first.close();
  const file = journalFile({ folder }, "a/b");
  appendFileSync(file, '{"kind":"sent","user":"c');
  expect([...readJournal({ folder }, "a/b").sent.keys()]).toEqual(["bo"]);
  const second = open();
  second.write({ kind: "failed", user: "cy", reason: "no" });
  second.close();
  const { sent, failed } = readJournal({ folder }, "a/b");
  expect([[...sent.keys()], [...failed]]).toEqual([
    ["bo"],
    [["cy", { reason: "no", at: "2026-11-22T00:00:00.000Z" }]],
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the users who received the campaign are listed without those whose send failed", () => {
  const journal = open();
  journal.begin({ ...begun, audience: ["bo", "cy"] });
  journal.write({ kind: "sent", user: "bo", message: "m", cid: "c" });
  journal.write({ kind: "failed", user: "cy", reason: "no" });
  journal.close();
  const { begun: read, received, started } = readReceived({ folder }, "a/b");
  expect([read?.audience, [...received], started]).toEqual([["bo", "cy"], ["bo"], undefined]);
  expect([...readReceived({ folder }, "another").received]).toEqual([]);
});

test("a send that failed first and succeeded later counts as sent", () => {
  const journal = open();
  journal.write({ kind: "failed", user: "cy", reason: "no" });
  journal.write({ kind: "sent", user: "cy", message: "m", cid: "c" });
  journal.close();
  const { sent, failed } = readJournal({ folder }, "a/b");
  expect([failed.size, sent.size]).toEqual([0, 1]);
});

test("two runs cannot use one journal at once, and the lock of a killed run is ignored", () => {
  const first = open();
  expect(open).toThrow("Another run is at work on campaign a/b.");
  first.close();
  writeFileSync(`${journalFile({ folder }, "a/b")}.lock`, "999999999:1");
  open().close();
  expect(readdirSync(folder)).toEqual(["a%2Fb.journal.ndjson"]);
});

test("beginning again moves the old journal aside", () => {
  const journal = open();
  journal.begin({ ...begun, audience: ["bo"] });
  journal.write({ kind: "started" });
  journal.begin({ ...begun, hash: "other", audience: ["cy"] });
  expect([journal.progress.started, journal.progress.begun?.audience]).toEqual([undefined, ["cy"]]);
  journal.close();
  const old = readdirSync(folder).find((name) => name.endsWith(".old"))!;
  expect(readFileSync(path.join(folder, old), "utf8")).toContain('"started"');
});

test("a journal begun again still knows who received the message, unless it came from another sender or provider", () => {
  const journal = open();
  journal.begin({ ...begun, audience: ["bo"] });
  journal.write({ kind: "sent", user: "bo", message: "m", cid: "c", at: "2026-11-21T00:00:00.000Z" });
  journal.write({ kind: "failed", user: "cy", reason: "no" });
  journal.begin({ ...begun, audience: ["dee"] });
  const { sent, failed } = readJournal({ folder }, "a/b");
  expect([[...sent], failed.size]).toEqual([
    [["bo", { message: "m", cid: "c", at: "2026-11-21T00:00:00.000Z" }]],
    0,
  ]);
  journal.begin({ ...begun, audience: ["bo"], sender_since: "2027" });
  expect([...readReceived({ folder }, "a/b").received]).toEqual([]);
  journal.close();
});

test("a spread that goes on with more people counts from its last message, one that begins anew does not", () => {
  const spread = { ...begun, audience: ["bo", "cy"], plan: { spread: { ms: 3_600_000, text: "1h" } } };
  const journal = open();
  journal.begin({ ...spread, since: "2026-11-20T00:00:00.000Z" });
  const at = "2026-11-21T00:00:00.000Z";
  journal.write({ kind: "sent", user: "bo", message: "m", cid: "c", at });
  for (const [since, last] of [
    ["2026-11-20T00:00:00.000Z", at],
    [undefined, undefined],
  ]) {
    journal.begin({ ...spread, audience: ["cy", "dee"], ...(since && { since }) });
    expect(journal.progress.last).toBe(last);
    expect(readJournal({ folder }, "a/b")).toMatchObject({ sent: new Map([["bo", { at }]]) });
    expect(readJournal({ folder }, "a/b").last).toBe(last);
  }
  journal.close();
});

test("a refused start is not recorded as started", () => {
  const journal = open();
  journal.write({ kind: "starting" }, true);
  expect(journal.progress.starting).toBeDefined();
  journal.write({ kind: "refused" }, true);
  expect(journal.progress.starting).toBeUndefined();
  journal.close();
});

test("a journal goes on for the same file, sender and way with nobody new, and begins again otherwise", () => {
  const start = {
    file: "a",
    since: "2026",
    mode: "messages" as "messages" | "campaign",
    people: ["bo", "cy"],
  };
  const beginsAgain = (change: Partial<typeof start>): boolean => {
    const journal = open();
    const begin = ({ file, since, mode, people }: typeof start): void =>
      beginJournal(
        journal,
        { name: "a.yaml", text: file, fields: { sender_id: "ana" } } as never,
        {
          sender: { id: "ana", created_at: since },
          receivers: people.map((id) => ({ id })),
          people: [],
          guards: {},
          checked: { audience: { wrong: 0, duplicates: 0 } },
        } as never,
        { mode, lines: { again: "" } } as never,
        "salt",
      );
    begin(start);
    journal.write({ kind: "starting" });
    begin({ ...start, ...change });
    const begun = journal.progress.starting === undefined;
    journal.close();
    rmSync(folder, { recursive: true, force: true });
    return begun;
  };
  expect([{}, { people: ["cy"] }, { people: [] }].map(beginsAgain)).toEqual([false, false, false]);
  const others = [{ people: ["cy", "dee"] }, { file: "b" }, { since: "2027" }, { mode: "campaign" as const }];
  expect(others.map(beginsAgain)).toEqual([true, true, true, true]);
});

test("who had received the campaign from another machine when the journal began stays known", () => {
  const journal = open();
  journal.begin({ ...begun, audience: [], left: { received: ["bo"], unknown: ["zed"] } });
  journal.close();
  expect([...readReceived({ folder }, "a/b").received]).toEqual(["bo"]);
});

test("a journal begun again keeps the secret of its ids, and one of before stays without", () => {
  const saltAfter = (first: object): string | undefined => {
    const journal = open();
    journal.begin({ ...begun, audience: [], ...first });
    journal.begin({ ...begun, audience: [], hash: "other", salt: "new" });
    journal.close();
    const { salt } = readJournal({ folder }, "a/b").begun!;
    rmSync(folder, { recursive: true, force: true });
    return salt;
  };
  expect([{ salt: "old" }, {}, { mode: "campaign" }].map(saltAfter)).toEqual(["old", undefined, "new"]);
});

test("a run that waits says so also when a message that was on its way is written after it, and not when the time is over", () => {
  const journal = open();
  journal.begin({ ...begun, audience: ["bo", "cy"] });
  journal.write({ kind: "waiting", until: "2026-11-22T09:00:00.000Z" });
  journal.write({ kind: "sent", user: "bo", message: "m", cid: "c" });
  const at = (time: string) =>
    ownCampaign({ machine: { folder } as never, now: () => Date.parse(time) }, "a/b");
  expect(at("2026-11-22T08:59:00Z")).toMatchObject({
    status: "in_progress",
    waiting_until: "2026-11-22T09:00:00.000Z",
  });
  expect(at("2026-11-22T09:00:00Z")).not.toHaveProperty("waiting_until");
  journal.close();
  expect(at("2026-11-22T08:59:00Z")).toMatchObject({ status: "stopped" });
  expect(at("2026-11-22T08:59:00Z")).not.toHaveProperty("waiting_until");
});

test("who is left out before and during a run is counted by reason, apart from those who are missed or waiting", () => {
  const journal = open();
  journal.begin({
    ...begun,
    audience: ["bo", "cy", "dee", "eli", "flo"],
    left: { received: ["ana"], opted_out: ["gus"], deactivated: ["hal"] },
    counts: { wrong: 1, duplicates: 2 },
  });
  journal.write({ kind: "left", user: "bo", reason: "opted_out" });
  journal.write({ kind: "failed", user: "cy", reason: "no" });
  journal.write({ kind: "failed", user: "dee", reason: "no" });
  journal.write({ kind: "sent", user: "dee", message: "m", cid: "c" });
  const shown = ownCampaign({ machine: { folder }, now }, "a/b")!;
  journal.close();
  expect(shown).toMatchObject({
    audience: 5,
    waiting: 2,
    missed: [{ id: "cy", reason: "no" }],
    left_out: { opted_out: 2, deactivated: 1, wrong_record: 1, duplicate: 2 },
    stats: { stats_messages_sent: 2, progress: 0.4 },
  });
});

test("the provider's campaign shows whom its journal left out, unless it was made anew under the same id", async () => {
  const journal = open();
  journal.begin({ ...begun, mode: "campaign", audience: ["bo", "cy"], left: { opted_out: ["gus"] } });
  journal.write({ kind: "created", created_at: "2026-11-22T09:00:00Z" });
  journal.close();
  const call = { machine: { folder }, core: {} } as unknown as Parameters<typeof withMissed>[0];
  const leftOut = async (created_at: string): Promise<object | undefined> => {
    const campaign = { id: "a/b", status: "in_progress", created_at } as Parameters<typeof withMissed>[1];
    return (await withMissed(call, campaign)).left_out;
  };
  expect(await leftOut("2026-11-22T09:00:00Z")).toEqual({ opted_out: 1 });
  expect(await leftOut("2026-11-22T10:00:00Z")).toBeUndefined();
});
