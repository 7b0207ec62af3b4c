/** A campaign started by its id, when messages of an earlier campaign with that id are there (WH-6). */
import { expect, test } from "vitest";
import { confirmById } from "../../../src/commands/campaign/flow/guard-by-id.ts";

const SHOP = { id: "shop", role: "user", created_at: "2026-01-01T00:00:00Z" };
const BO = { id: "bo", role: "user", created_at: "2026-01-01T00:00:00Z" };

/** Starts a campaign to bo; `messages`: the ids of campaigns whose message bo has; returns what was asked last, or the refusal. */
async function start(campaign: object, messages: readonly string[]): Promise<string> {
  const call = async (name: string): Promise<object> => {
    switch (name) {
      case "getCampaign":
        return { campaign };
      case "queryUsers":
        return { users: [SHOP, BO] };
      case "search":
        return {
          results: messages.map((id) => ({
            message: {
              id: `m-${id}`,
              cid: "messaging:x",
              text: "hi",
              user: SHOP,
              campaign_id: id,
              campaign_receiver: "bo",
            },
          })),
        };
      case "queryCampaigns":
        return { campaigns: [campaign] };
      default:
        return { channels: [], targets: [], users: [] };
    }
  };
  let asked = "";
  const machine = {
    folder: "/nowhere",
    requireAnswer: () => {},
    ask: async ({ question }: { question: string }) => void (asked = question),
  };
  const context = {
    core: { call },
    machine,
    now: () => Date.UTC(2026, 10, 22),
    signal: new AbortController().signal,
    progress: () => {},
  } as unknown as Parameters<typeof confirmById>[0];
  const flags = { quietDay: [] } as unknown as Parameters<typeof confirmById>[2];
  try {
    await confirmById(context, "s", flags, { level: "severe", question: "Send it?", word: "s" });
    return asked;
  } catch (error) {
    return (error as Error).message;
  }
}

const draft = {
  id: "s",
  status: "draft",
  sender_id: "shop",
  user_ids: ["bo"],
  segment_ids: [],
  segments: [],
  message_template: { text: "hi" },
  created_at: "2026-11-01T00:00:00Z",
  stats: { stats_users_sent: 0 },
};

test("a draft is refused when messages of a deleted campaign with its id are there", async () => {
  expect(await start(draft, ["s"])).toBe(
    "Messages of campaign s are there, and it was never started: an earlier one with its id was deleted.",
  );
});

test("a draft without messages is asked about and may be sent", async () => {
  expect(await start(draft, [])).toBe("Send it?");
});

test("a campaign that was stopped is asked about: its own messages are there", async () => {
  expect(
    await start(
      {
        ...draft,
        status: "stopped",
        stats: { stats_users_sent: 1, stats_started_at: "2026-11-02T00:00:00Z" },
      },
      ["s"],
    ),
  ).toBe("Send it?");
});
