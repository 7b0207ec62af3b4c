/** How the provider runs a campaign: RUN-1…RUN-15, templates, sender modes, stats (specification/campaigns.md). */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProvider, type Provider } from "../../../src/provider/provider.ts";
import { jwt, World, type Json } from "../../contract/world.ts";
import { cpuMilliseconds } from "../../support/cpu-time.ts";
import { removeFolder } from "../../support/remove-folder.ts";

let world: World;
let events: Json[] = [];
let stopListening: () => void;
beforeAll(async () => {
  world = await World.start();
  stopListening = world.provider.onServerEvent((event) => events.push(event));
});
afterAll(async () => {
  stopListening();
  await world.stop();
});
beforeEach(() => {
  events = [];
});

const post = (route: string, body: object = {}): Promise<Json> => world.ok("server", "POST", route, { body });
const get = (id: string): Promise<Json> =>
  world.ok("server", "GET", `/campaigns/${id}`).then((r) => r.campaign);

let names = 0;
async function createUsers(count: number, more: object = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `p${String(++names).padStart(5, "0")}`);
  for (let from = 0; from < count; from += 100)
    await post("/users", {
      users: Object.fromEntries(
        ids.slice(from, from + 100).map((id) => [id, { id, name: id.toUpperCase(), ...more }]),
      ),
    });
  return ids;
}

const TO_EACH = { type: "messaging", id: "c-{{receiver.id}}-{{ sender.id }}", custom: { kind: "promo" } };
async function createCampaign(more: object): Promise<string> {
  const made = await post("/campaigns", {
    sender_id: "ada",
    message_template: { text: "Hi {{ receiver.name }}" },
    channel_template: TO_EACH,
    create_channels: true,
    ...more,
  });
  return made.campaign.id as string;
}

async function untilEnd(id: string): Promise<Json> {
  for (;;) {
    const campaign = await get(id);
    if (campaign.status === "completed" || campaign.status === "stopped") return campaign;
    await turn();
  }
}

async function run(more: object): Promise<Json> {
  const id = await createCampaign(more);
  await post(`/campaigns/${id}/start`);
  return untilEnd(id);
}

const channel = (id: string, query: object = {}): Promise<Json> =>
  world.ok("server", "GET", `/channels/messaging/${id}`, { query: { ...query } });

describe("a run", () => {
  test("RUN-4, RUN-5, RUN-10, RUN-13: creates the channels, sends, counts and completes", async () => {
    const ids = await createUsers(3, { tea: { kind: "oolong" } });
    const campaign = await run({
      user_ids: [...ids, ids[0]!],
      message_template: {
        text: "{{ RECEIVER.name }} likes {{receiver.tea.kind}}{{receiver.nothing}} says {{ sender.name }} in {{channel.kind}}",
        attachments: [{ type: "card", title: "for {{receiver.id}}" }],
        custom: { promo: true, who: "{{receiver.id}}" },
      },
    });
    expect(campaign).toMatchObject({
      status: "completed",
      stats: {
        progress: 1,
        stats_messages_sent: 3,
        stats_users_sent: 3,
        stats_users_read: 0,
        stats_channels_created: 3,
      },
    });
    const state = await channel(`c-${ids[0]}-ada`);
    expect(state.channel).toMatchObject({ kind: "promo", created_by: { id: "ada" } });
    expect(state.members.map((one: Json) => one.user_id).toSorted()).toEqual(["ada", ids[0]]);
    expect(state.messages).toMatchObject([
      {
        type: "regular",
        user: { id: "ada" },
        text: `${ids[0]!.toUpperCase()} likes oolong says ADA in promo`,
        attachments: [{ type: "card", title: `for ${ids[0]}` }],
        promo: true,
        who: ids[0],
        campaign_id: campaign.id,
      },
    ]);
    expect(state.read.find((one: Json) => one.user.id === ids[0]).unread_messages).toBe(1);
    expect(events.filter((event) => event.type.startsWith("campaign")).map((event) => event.type)).toEqual([
      "campaign.started",
      "campaign.completed",
    ]);
    expect(events.at(-1)).toMatchObject({ campaign: { id: campaign.id, status: "completed" } });
  });

  test("stats_users_read counts recipients who have read the message (specification/campaigns.md §7)", async () => {
    const [one] = await createUsers(2);
    const campaign = await run({ user_ids: [one] });
    await post(`/channels/messaging/c-${one}-ada/read`, { user_id: one });
    expect((await get(campaign.id)).stats.stats_users_read).toBe(1);
  });

  test("who has read up to the campaign's message has read it, and nobody else has", async () => {
    const [one, two, three] = await createUsers(3);
    const campaign = await run({ user_ids: [one, two, three] });
    const upTo = async (user: string): Promise<void> => {
      const { messages } = await channel(`c-${user}-ada`);
      await post(`/channels/messaging/c-${user}-ada/read`, { user_id: user, message_id: messages.at(-1).id });
    };
    const read = async (): Promise<number> => (await get(campaign.id)).stats.stats_users_read;
    await post(`/channels/messaging/c-${two}-ada/read`, { user_id: "ada" });
    expect(await read()).toBe(0);
    await upTo(one!);
    expect(await read()).toBe(1);
    await upTo(two!);
    expect(await read()).toBe(2);
  });

  test("a campaign that is made again under the id of a deleted one has no receivers and readers of that", async () => {
    const [one, two] = await createUsers(2);
    const id = `again-${one}`;
    await run({ id, user_ids: [one, two] });
    for (const user of [one, two]) await post(`/channels/messaging/c-${user}-ada/read`, { user_id: user });
    expect((await get(id)).stats).toMatchObject({ stats_users_sent: 2, stats_users_read: 2 });
    await world.ok("server", "DELETE", `/campaigns/${id}`);
    const again = await run({ id, user_ids: [one] });
    expect(again.stats).toMatchObject({ stats_users_sent: 1, stats_users_read: 0 });
    await post(`/channels/messaging/c-${one}-ada/read`, { user_id: one });
    expect((await get(id)).stats.stats_users_read).toBe(1);
  });

  test("RUN-2: the sender, deactivated and unknown users get nothing", async () => {
    const ids = await createUsers(2);
    await world.provider.transact((_emit, db) =>
      db.run("UPDATE users SET deactivated_at = 1 WHERE id = ?", ids[1]!),
    );
    const campaign = await run({ user_ids: [ids[0]!, ids[1]!, "ada", "never-there"] });
    expect(campaign.stats).toMatchObject({ progress: 1, stats_messages_sent: 1 });
  });

  test("RUN-2: of the people named in a segment the sender and deactivated ones get nothing either", async () => {
    const ids = await createUsers(2);
    const { segment } = await post("/segments", { type: "user" });
    await post(`/segments/${segment.id}/addtargets`, { target_ids: [...ids, "ada"] });
    await world.provider.transact((_emit, db) =>
      db.run("UPDATE users SET deactivated_at = 1 WHERE id = ?", ids[1]!),
    );
    const campaign = await run({ segment_ids: [segment.id], user_ids: [] });
    expect(campaign.stats).toMatchObject({ progress: 1, stats_messages_sent: 1 });
  });

  test("RUN-5, RUN-11: without create_channels a missing channel is skipped, and the other targets are served", async () => {
    const ids = await createUsers(2);
    await post(`/channels/messaging/c-${ids[1]}-ada/query`, {
      data: { members: [ids[1]], created_by_id: "ada" },
    });
    const campaign = await run({ user_ids: ids, create_channels: false });
    expect(campaign.stats).toMatchObject({
      progress: 1,
      stats_messages_sent: 1,
      stats_channels_created: 0,
    });
  });

  test("RUN-9: frozen channels and cooldowns do not stop it; a text that is too long skips the target and creates nothing", async () => {
    const ids = await createUsers(1);
    const at = `/channels/messaging/c-${ids[0]}-ada`;
    await post(`${at}/query`, {
      data: { members: [ids[0]], created_by_id: "ada", frozen: true, cooldown: 100 },
    });
    expect((await run({ user_ids: ids })).stats.stats_messages_sent).toBe(1);
    const [other] = await createUsers(1);
    const long = await run({ user_ids: [other], message_template: { text: "x".repeat(5001) } });
    expect(long.stats).toMatchObject({ stats_messages_sent: 0, stats_channels_created: 0, progress: 1 });
    expect((await world.call("server", "GET", `/channels/messaging/c-${other}-ada`)).status).toBe(404);
  });

  test("RUN-4: a template without an id means the distinct channel of both, no template the newest channel of exactly both", async () => {
    const ids = await createUsers(1);
    const made = await run({ user_ids: ids, channel_template: { type: "messaging" } });
    expect(made.stats.stats_channels_created).toBe(1);
    const distinct = await world.ok("ada", "POST", "/channels/messaging/query", {
      body: { data: { members: ["ada", ids[0]] } },
    });
    expect(distinct.messages).toHaveLength(1);
    await post("/channels/messaging/older/query", {
      data: { members: [ids[0], "ada"], created_by_id: "ada" },
    });
    await world.say("ada", `/channels/messaging/${distinct.channel.id}`, { text: "newest" });
    const again = await run({ user_ids: ids, channel_template: undefined, create_channels: false });
    expect(again.stats.stats_messages_sent).toBe(1);
    expect((await channel(distinct.channel.id)).messages.at(-1).campaign_id).toBe(again.id);
  });

  test("RUN-8: a channel target gets one message without a receiver, however many segments contain it", async () => {
    const room = await world.room();
    const one = await post("/segments", { type: "channel" });
    const two = await post("/segments", { type: "channel", filter: { cid: room.cid } });
    await post(`/segments/${one.segment.id}/addtargets`, { target_ids: [room.cid, "messaging:nowhere"] });
    const campaign = await run({
      segment_ids: [one.segment.id, two.segment.id],
      user_ids: [],
      message_template: { text: "to {{receiver.name}}all of {{channel.id}}" },
    });
    // Ada is the sender; bob and cyd are the recipients
    expect(campaign.stats).toMatchObject({ stats_messages_sent: 1, stats_users_sent: 2 });
    expect((await channel(room.id)).messages.at(-1).text).toBe(`to all of ${room.id}`);
  });

  test("SG-4: all_sender_channels covers the existing channels only", async () => {
    const [sender] = (await createUsers(1)) as [string];
    const [existing, deleted] = [
      await world.room({ members: [sender, "bob"] }),
      await world.room({ members: [sender] }),
    ];
    await world.ok("server", "DELETE", deleted.route);
    const { segment } = await post("/segments", { type: "channel", all_sender_channels: true });
    const campaign = await run({ sender_id: sender, segment_ids: [segment.id], user_ids: [] });
    expect(campaign.stats).toMatchObject({ stats_messages_sent: 1 });
    expect((await channel(existing.id)).messages.at(-1).user.id).toBe(sender);
    const targets = world.provider.transact((_emit, db) =>
      db.all<{ id: string }>(
        "SELECT target_id AS id FROM campaign_targets WHERE campaign_id = ?",
        campaign.id,
      ),
    );
    expect(targets).toEqual([{ id: existing.cid }]);
  });

  test("SG-4: a user filter is evaluated when the campaign starts", async () => {
    const { segment } = await post("/segments", { type: "user", filter: { tea: "sencha" } });
    expect(segment.size).toBe(0);
    const id = await createCampaign({ segment_ids: [segment.id], user_ids: [] });
    await createUsers(2, { tea: "sencha" });
    await post(`/campaigns/${id}/start`);
    expect((await untilEnd(id)).stats.stats_messages_sent).toBe(2);
  });

  test("all targets share one poll, which the sender need not own (V-11)", async () => {
    const ids = await createUsers(2);
    const { poll } = await world.ok("bob", "POST", "/polls", {
      body: { name: "tea?", options: [{ text: "yes" }] },
    });
    const campaign = await run({
      user_ids: ids,
      message_template: { text: "vote", poll_id: poll.id },
    });
    expect(campaign.stats.stats_messages_sent).toBe(2);
    for (const id of ids)
      expect((await channel(`c-${id}-ada`)).messages.at(-1)).toMatchObject({
        poll_id: poll.id,
        poll: { id: poll.id },
      });
  });
});

describe("sender_mode, RUN-6, RUN-7 (specification/campaigns.md §5)", () => {
  const members = async (id: string): Promise<string[]> =>
    (await channel(id)).members.map((one: Json) => one.user_id).toSorted();

  test.each([
    ["", true, false],
    ["include", true, true],
    ["exclude", false, false],
  ])(
    "mode '%s': the sender is a member of new channels: %s, of existing ones: %s",
    async (mode, inNew, inOld) => {
      const [fresh, old] = await createUsers(2);
      await post(`/channels/messaging/c-${old}-ada/query`, {
        data: { members: [old], created_by_id: "bob" },
      });
      await run({ user_ids: [fresh, old], sender_mode: mode });
      expect((await members(`c-${fresh}-ada`)).includes("ada")).toBe(inNew);
      expect((await members(`c-${old}-ada`)).includes("ada")).toBe(inOld);
      expect((await channel(`c-${old}-ada`)).messages.at(-1).user.id).toBe("ada");
    },
  );

  test("RUN-6: channels created by the run can be hidden or archived for the sender", async () => {
    const [one, two] = await createUsers(2);
    await run({ user_ids: [one], sender_visibility: "hidden" });
    await run({ user_ids: [two], sender_visibility: "archived" });
    const [hidden, archived] = await Promise.all(
      [one, two].map((id) => world.ok("ada", "GET", `/channels/messaging/c-${id}-ada`)),
    );
    expect(hidden.channel.hidden).toBe(true);
    expect(archived.membership.archived_at).toMatch(/^\d{4}-/);
    expect(archived.channel.hidden).toBe(false);
  });

  test("RUN-6: an existing channel that the sender has hidden is shown again by the message", async () => {
    const [id] = await createUsers(1);
    const at = `/channels/messaging/c-${id}-ada`;
    await post(`${at}/query`, { data: { members: [id, "ada"], created_by_id: "ada" } });
    await post(`${at}/hide`, { user_id: "ada" });
    await run({ user_ids: [id], sender_visibility: "hidden" });
    expect((await world.ok("ada", "GET", at)).channel.hidden).toBe(false);
  });

  test("a receiver named in members_template keeps the role given there", async () => {
    const [id] = await createUsers(1);
    const members_template = [{ user_id: id, channel_role: "channel_moderator" }];
    await run({ user_ids: [id], channel_template: { ...TO_EACH, members_template } });
    const { members: found } = await channel(`c-${id}-ada`);
    expect(found.find((one: Json) => one.user_id === id).channel_role).toBe("channel_moderator");
  });

  test("RUN-7: show_channels shows even a muted hidden channel; without it a mute keeps it hidden", async () => {
    const [id] = await createUsers(1);
    const at = `/channels/messaging/c-${id}-ada`;
    await post(`${at}/query`, { data: { members: [id], created_by_id: "ada" } });
    await post("/moderation/mute/channel", { user_id: id, channel_cid: `messaging:c-${id}-ada` });
    await post(`${at}/hide`, { user_id: id });
    const isHidden = async (): Promise<boolean> =>
      (await world.ok("server", "GET", at, { query: { user_id: id } })).channel.hidden as boolean;
    await run({ user_ids: [id] });
    expect(await isHidden()).toBe(true);
    await run({ user_ids: [id], show_channels: true });
    expect(await isHidden()).toBe(false);
  });
});

describe("scheduling", () => {
  const soon = (ms: number): string => new Date(world.provider.clock.now() / 1000 + ms).toISOString();
  const HOUR = 3_600_000;

  test("a campaign waits for scheduled_for, another start moves it, and a month ahead works (RUN-15)", async () => {
    const ids = await createUsers(1);
    const id = await createCampaign({ user_ids: ids });
    await post(`/campaigns/${id}/start`, { scheduled_for: soon(HOUR) });
    await post(`/campaigns/${id}/start`, { scheduled_for: soon(30 * 24 * HOUR) });
    expect(await get(id)).toMatchObject({ status: "scheduled" });
    world.provider.advance(2 * HOUR);
    expect((await get(id)).status).toBe("scheduled");
    world.provider.advance(31 * 24 * HOUR);
    expect(await get(id)).toMatchObject({ status: "completed", stats: { stats_messages_sent: 1 } });
  });

  test("a scheduled_for in the past starts it now", async () => {
    const id = await createCampaign({ user_ids: await createUsers(1) });
    const { campaign } = await post(`/campaigns/${id}/start`, { scheduled_for: soon(-HOUR) });
    expect(campaign.status).toBe("in_progress");
    expect((await untilEnd(id)).status).toBe("completed");
  });

  test("RUN-15: a campaign due while the provider was down is stopped if its stop_at has passed too", async () => {
    const id = await createCampaign({ user_ids: await createUsers(1) });
    await post(`/campaigns/${id}/start`, { scheduled_for: soon(HOUR), stop_at: soon(2 * HOUR) });
    // Moves the times into the past, as if the provider had been down when they passed.
    world.provider.transact((_emit, db) =>
      db.run(
        `UPDATE campaigns SET scheduled_for = scheduled_for - ?1, stop_at = stop_at - ?1, due_at = due_at - ?1
         WHERE id = ?2`,
        3 * HOUR * 1000,
        id,
      ),
    );
    expect((await untilEnd(id)).status).toBe("stopped");
    expect((await get(id)).stats.stats_messages_sent).toBe(0);
  });

  test("RUN-12: stop_at ends a run between two targets", async () => {
    const id = await createCampaign({ user_ids: await createUsers(60) });
    await post(`/campaigns/${id}/start`, { stop_at: soon(HOUR) });
    world.provider.transact((_emit, db) =>
      db.run("UPDATE campaigns SET stop_at = ? WHERE id = ?", world.provider.clock.now(), id),
    );
    const end = await untilEnd(id);
    expect(end.status).toBe("stopped");
    expect(end.stats.stats_messages_sent).toBeLessThan(60);
  });

  test("RUN-12: a stopped campaign continues with the targets not served yet (specification/campaigns.md §6)", async () => {
    const ids = await createUsers(400);
    const id = await createCampaign({ user_ids: ids });
    await post(`/campaigns/${id}/start`);
    // Some have been served, or continuing would prove nothing about them.
    while ((await get(id)).stats.stats_messages_sent === 0) await turn();
    const { campaign } = await post(`/campaigns/${id}/stop`);
    expect(campaign.status).toBe("stopped");
    const { stats_started_at: started } = campaign.stats;
    const sent = campaign.stats.stats_messages_sent as number;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(400);
    for (let n = 0; n < 20; n++) await turn();
    expect((await get(id)).stats.stats_messages_sent).toBe(sent);
    await post(`/campaigns/${id}/start`);
    const end = await untilEnd(id);
    expect(end.stats).toMatchObject({ stats_messages_sent: 400, stats_users_sent: 400, progress: 1 });
    expect(end.stats.stats_started_at).toBe(started);
    const states = await Promise.all(ids.map((one) => channel(`c-${one}-ada`)));
    expect(states.map((state) => state.messages.length)).toEqual(ids.map(() => 1));
  });

  test("RUN-3: a thousand users are served while other calls are answered within a second", async () => {
    const ids = await createUsers(1000);
    const id = await createCampaign({ user_ids: ids });
    const room = await world.room();
    await post(`/campaigns/${id}/start`);
    let during = 0;
    for (;;) {
      const started = cpuMilliseconds();
      await world.say("ada", room.route, { text: "meanwhile" });
      const took = cpuMilliseconds() - started;
      const { status } = await get(id);
      if (status === "completed") break;
      during++;
      expect(took).toBeLessThan(1000);
    }
    expect(during).toBeGreaterThan(3);
    expect((await get(id)).stats).toMatchObject({ stats_messages_sent: 1000, stats_channels_created: 1000 });
  });
});

describe("RUN-1: a restart during a run", () => {
  let folder: string;
  let provider: Provider;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "parley-campaign-"));
  });
  afterEach(async () => {
    await provider.close();
    removeFolder(folder);
  });

  async function open(): Promise<(method: string, route: string, body?: object) => Promise<Json>> {
    provider = createProvider({ data: folder, stay: true });
    await provider.listen();
    return async (method, route, body) => {
      const response = await fetch(`${provider.url}${route}?api_key=${provider.apiKey}`, {
        method,
        headers: {
          "stream-auth-type": "jwt",
          Authorization: jwt({ server: true }, provider.secret),
          "Content-Type": "application/json",
          // The next provider uses the same port, so connections to the first must not be reused.
          Connection: "close",
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return response.json();
    };
  }

  test("continues after the last served target and serves nobody twice", async () => {
    const before = await open();
    const ids = Array.from({ length: 150 }, (_, n) => `u${String(n).padStart(3, "0")}`);
    await before("POST", "/users", { users: { ada: { id: "ada" } } });
    for (const from of [0, 100])
      await before("POST", "/users", {
        users: Object.fromEntries(ids.slice(from, from + 100).map((id) => [id, { id }])),
      });
    const { campaign } = await before("POST", "/campaigns", {
      sender_id: "ada",
      message_template: { text: "hi" },
      channel_template: { type: "messaging", id: "c-{{receiver.id}}" },
      create_channels: true,
      user_ids: ids,
    });
    await before("POST", `/campaigns/${campaign.id}/start`, {});
    await provider.close();
    const after = await open();
    let state: Json;
    do {
      state = (await after("GET", `/campaigns/${campaign.id}`)).campaign;
      await turn();
    } while (state.status === "in_progress");
    expect(state).toMatchObject({ status: "completed", stats: { stats_messages_sent: 150, progress: 1 } });
    for (const id of ["u000", "u049", "u050", "u149"])
      expect((await after("GET", `/channels/messaging/c-${id}`)).messages).toHaveLength(1);
  });
});
