/** Campaigns in the panel: chosen from a list, polled at the same pace as the shell, stopped and resumed after a confirmation. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { Journal, type JournalStart } from "../../../src/commands/campaign/receipts/journal.ts";
import type { Core } from "../../../src/core/core.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { campaignWatch } from "../../../src/tui/views/campaigns/watch.ts";
import { topPanel } from "../../../src/tui/screen/screen.ts";
import type { Ports } from "../../../src/tui/ports/ports.ts";
import type { Campaign } from "../../../src/wire/entities/campaign.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const campaign = (more: Partial<Campaign> = {}, sent = 0, of = 100): Campaign =>
  ({
    id: "spring",
    name: "Spring sale",
    status: "in_progress",
    sender_id: "shop",
    user_ids: ["ana", "bo"],
    segments: [],
    message_template: { text: "Hello {{name}}" },
    stats: {
      progress: sent / of,
      stats_messages_sent: sent,
      stats_users_sent: sent,
      stats_users_read: 0,
      stats_channels_created: 0,
      stats_started_at: null,
      stats_completed_at: null,
    },
    ...more,
  }) as Campaign;

/** A run by messages of this machine, for two people and one who is left out. */
const BEGUN: JournalStart = {
  kind: "begun",
  mode: "messages",
  hash: "h",
  file: "tea.yaml",
  by: "me",
  sender: "shop",
  sender_since: "2026",
  audience: ["ana", "bo", "cy"],
  left: { deactivated: ["dee"] },
  counts: { wrong: 0, duplicates: 0 },
  guards: {},
};

/** The message of the campaign that the provider finds. */
const toAna = {
  ...message("m2", "shop", "Hello Ana"),
  campaign_id: "spring",
  campaign_receiver: "ana",
};

/** A mounted screen whose server core answers with the campaign in `now`. */
interface App {
  m: Mounted;
  now: { campaign: Campaign };
  calls: unknown[][];
  second(): Promise<void>;
}
async function app(columns = 120, campaignFolder?: string): Promise<App> {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })]));
  const m = await mount(core, { columns, rows: 24 });
  open.push(m);
  const now = { campaign: campaign({}, 40) };
  const calls: unknown[][] = [];
  const call = async (name: string, args: { path?: { id: string } }): Promise<unknown> => {
    if (args.path?.id === "tea") throw new ApiError("There is none", { status: 404, code: 16 });
    calls.push([name, args]);
    if (name === "queryCampaigns") return { campaigns: [now.campaign] };
    if (name === "queryUsers") return { users: [{ id: "ana" }] };
    if (name === "queryChannels") return { channels: [] };
    if (name === "search") return { results: [{ message: toAna }] };
    return { campaign: now.campaign };
  };
  (m.ports as { server: Ports["server"] }).server = async () => ({ call }) as unknown as Core;
  (m.ports as { campaignFolder?: string | undefined }).campaignFolder = campaignFolder;
  let time = 0;
  const tick = campaignWatch({
    ...m.ports,
    store: m.ports.store,
    clock: { ...m.ports.clock, now: () => (time += 1000) },
  });
  const second = async (): Promise<void> => {
    await tick();
    await m.settle();
  };
  return { m, now, calls, second };
}

/** Waits until the list is there, which is read once its code is loaded. */
const listed = (m: Mounted): Promise<void> =>
  vi.waitFor(async () => {
    await m.settle();
    expect(m.text()).toContain("Spring sale");
  });

test("/campaigns lists them, and the chosen one shows progress, rate and time left", async () => {
  const { m, now, second } = await app();
  await m.type("/campaigns\r");
  await listed(m);
  await m.press("enter");
  await second();
  now.campaign = campaign({}, 50);
  await second();
  expect(m.text().replace(/ +$/gm, "")).toMatchInlineSnapshot(`
    " #general   3 members · 2 watching                                                                      ● online   work
     Inbox                  │                                                   │ Campaign · Spring sale              Esc ×
     Threads                │                                                   │ █████████████████░░░░░░░░░░░░░░░░ 50 %
     Later                  │                                                   │
     Drafts                 │                                                   │ state       in_progress
                            │                                                   │ messages    50
     ▾ Channels             │                                                   │ people      50
    ▌  #general             │                                                   │ rate        10 per second
                            │                                                   │ left        5 s
                            │                                                   │ text        Hello {{name}}
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │                                                   │
                            │ the beginning of this channel                     │
                            │                                                   │
                            │ ── Tue 17 Nov ─────────────────────────────────── │
                            │ ana  09:00                                        │
                            │   one                                             │
                            │                                                   │
    ────────────────────────┴───────────────────────────────────────────────────┴───────────────────────────────────────────
     › message #general
     CAMPAIGN  s stop  l list  Esc close  ? help"
  `);
});

test("a finished campaign is no longer polled, and names the receivers it missed", async () => {
  const { m, now, calls, second } = await app();
  await m.type("/campaigns spring\r");
  now.campaign = campaign({ status: "completed" }, 1, 1);
  await second();
  expect(m.text()).toContain("incomplete");
  expect(m.text()).toContain("bo: there is no such user");
  const before = calls.length;
  await second();
  expect(calls).toHaveLength(before);
});

test("s stops it after a confirmation, and a refusal is shown in the panel", async () => {
  const { m, calls, second } = await app();
  await m.type("/campaigns spring\r");
  await second();
  await m.press("s");
  expect(m.text()).toContain("Stop campaign spring?");
  await m.press("n");
  expect(calls.some(([name]) => name === "stopCampaign")).toBe(false);
  await m.press("s", "y");
  expect(calls.at(-1)).toEqual(["stopCampaign", { path: { id: "spring" }, body: {} }]);
  (m.ports as { server: Ports["server"] }).server = () =>
    Promise.reject(new Error("This is server side only"));
  await second();
  await m.press("r");
  expect(m.text()).toContain("Send campaign spring to everybody who has not received");
});

test.each([
  ["in_progress", true, false],
  ["scheduled", true, false],
  ["completed", false, false],
  ["stopped", false, true],
] as const)(
  "the hints of one that is %s offer to stop it: %s, to resume it: %s",
  async (status, stops, goesOn) => {
    const { m, now, second } = await app();
    await m.type("/campaigns spring\r");
    now.campaign = campaign({ status }, 40);
    await second();
    expect([m.text().includes("s stop"), m.text().includes("r resume")]).toEqual([stops, goesOn]);
  },
);

test("without the secret a notice says what is missing", async () => {
  const { m, second } = await app();
  delete (m.ports as { server?: unknown }).server;
  await m.type("/campaigns\r");
  expect(m.state.notices.at(-1)?.text).toBe("Campaigns need the app's secret; see parley help ops.");
  await m.type("/campaigns spring\r");
  await second();
  expect(topPanel(m.screen)).toMatchObject({ name: "campaign" });
});

test("a run of this machine is listed with its counts, and its panel says until when it waits and what comes next", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-campaigns-"));
  const { m, now, second } = await app(120, folder);
  const journal = new Journal({ folder }, "tea", () => m.ports.clock.now());
  journal.begin({ ...BEGUN, again: "parley campaign start tea.yaml --spread 1d" });
  journal.write({ kind: "sent", user: "ana", message: "m", cid: "c" });
  journal.write({ kind: "left", user: "cy", reason: "opted_out" });
  journal.write({ kind: "waiting", until: "2099-12-01T09:00:00.000Z" });
  now.campaign = campaign({}, 40);
  await m.type("/campaigns\r");
  await listed(m);
  expect(m.text()).toMatch(/tea +1 of 2 sent, 2 left out · 50 % · waiting until 2099-12-01/);
  await m.press("enter");
  await vi.waitFor(async () => {
    await second();
    expect(m.text()).toContain("1 of 2");
  });
  expect(m.text()).toMatch(/state +waiting until 2099-12-01/);
  expect(m.text()).toMatch(/left out +1 opted out, 1 deactivated/);
  expect(m.text()).toMatch(/next +Ctrl-C in the shell that/);
  expect(m.text()).not.toContain("s stop");
  journal.close();
  await second();
  expect(m.text()).toMatch(/state +stopped/);
  expect(m.text()).toMatch(/next +parley campaign start/);
  expect(m.text()).not.toContain("r resume");
  rmSync(folder, { recursive: true });
});
