/** Who receives the events of a campaign: servers its start and end (RUN-14), users only those of its messages and channels. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { hosted, World, type Json, type TestSocket, settle, eventTypes } from "./world.ts";

let world: World;
const lines = {} as Record<"ada" | "bob" | "cyd" | "dan", TestSocket>;
let servers: Json[] = [];
let stop: () => void;

beforeAll(async () => {
  world = await World.start();
  stop = world.onServerEvent((event) => servers.push(JSON.parse(JSON.stringify(event))));
  for (const who of ["ada", "bob", "cyd", "dan"] as const) lines[who] = await world.connect(who);
});
afterAll(async () => {
  stop();
  await world.stop();
});

async function receivedTypes(): Promise<Record<string, string[]>> {
  await settle(lines);
  return eventTypes(lines);
}

test("a campaign notifies members of new channels, sends message.new to watchers, and nothing to others; servers get its start and end (RUN-14)", async () => {
  await world.ok("server", "POST", `/channels/messaging/for-${world.run}cyd/query`, {
    body: { data: { members: ["cyd"], created_by_id: "ada" } },
  });
  await world.ok("cyd", "POST", `/channels/messaging/for-${world.run}cyd/query`, {
    query: { connection_id: lines.cyd.id },
    body: { watch: true },
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  servers = [];
  const { campaign } = await world.ok("server", "POST", "/campaigns", {
    body: {
      sender_id: "ada",
      message_template: { text: "hi" },
      channel_template: { type: "messaging", id: `for-${world.run}{{receiver.id}}` },
      create_channels: true,
      user_ids: ["bob", "cyd"],
    },
  });
  await world.ok("server", "POST", `/campaigns/${campaign.id}/start`, { body: {} });
  for (let status = ""; status !== "completed";)
    status = (await world.ok("server", "GET", `/campaigns/${campaign.id}`)).campaign.status as string;
  expect(await receivedTypes()).toEqual({
    // The sender is a member of the channels that the run creates, but watches none.
    ada: ["notification.added_to_channel", "notification.message_new"],
    bob: ["notification.added_to_channel", "notification.message_new"],
    cyd: ["message.new"],
    dan: [],
  });
  const news = lines.bob.frames.find((frame) => frame.type === "notification.message_new");
  expect(news).toMatchObject({
    cid: `messaging:for-${world.run}bob`,
    user: { id: "ada" },
    message: { text: "hi", campaign_id: campaign.id, own_reactions: [] },
    unread_count: 1,
    total_unread_count: 1,
    unread_channels: 1,
  });
  if (hosted) return;
  const campaignEvents = servers.filter((event) => event.type.startsWith("campaign."));
  expect(campaignEvents.map((event) => [event.type, event.campaign.id, event.campaign.status])).toEqual([
    ["campaign.started", campaign.id, "in_progress"],
    ["campaign.completed", campaign.id, "completed"],
  ]);
  for (const event of campaignEvents)
    expect(Object.keys(event).toSorted()).toEqual(["campaign", "created_at", "type"]);
});
