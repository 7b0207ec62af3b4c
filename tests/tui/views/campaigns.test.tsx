/** Campaigns in the panel: chosen from a list, polled at the same pace as the shell, stopped and resumed after a confirmation. */
import { afterEach, expect, test } from "vitest";
import type { Core } from "../../../src/core/core.ts";
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
async function app(columns = 120): Promise<App> {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "one")] })]));
  const m = await mount(core, { columns, rows: 24 });
  open.push(m);
  const now = { campaign: campaign({}, 40) };
  const calls: unknown[][] = [];
  const call = async (name: string, args: unknown): Promise<unknown> => {
    calls.push([name, args]);
    if (name === "queryCampaigns") return { campaigns: [now.campaign] };
    if (name === "queryUsers") return { users: [{ id: "ana" }] };
    if (name === "queryChannels") return { channels: [] };
    if (name === "search") return { results: [{ message: toAna }] };
    return { campaign: now.campaign };
  };
  (m.ports as { server: Ports["server"] }).server = async () => ({ call }) as unknown as Core;
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

test("/campaigns lists them, and the chosen one shows progress, rate and time left", async () => {
  const { m, now, second } = await app();
  await m.type("/campaigns\r");
  expect(m.text()).toContain("Spring sale");
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
