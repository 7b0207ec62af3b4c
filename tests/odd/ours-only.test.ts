/** Rows of the protocol that no public documentation names: the client has a way round each that it uses. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { guard } from "../../src/cli/base/guard.ts";
import { createPlanner } from "../../src/cli/base/plan-writes.ts";
import { listPins } from "../../src/commands/message/pinned.ts";
import { lookUpChannel } from "../../src/model/look-up-channel.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { errorReply, jsonReply } from "../support/fake-ports.ts";
import { helloFrame } from "../support/fake-provider.ts";
import { miraToken, virtualCore, type VirtualCore } from "../support/virtual-core.ts";

const AT = "2026-03-04T05:06:07.000000Z";
const message = (id: string, more: object = {}) => ({
  id,
  cid: "team:a",
  type: "regular",
  text: id,
  user: { id: "otto" },
  created_at: AT,
  updated_at: AT,
  ...more,
});
const TEAM = {
  channel: { id: "a", type: "team", cid: "team:a", created_at: AT, updated_at: AT },
  messages: [message("m1")],
  pinned_messages: [],
  members: [],
  read: [],
};

async function connected(on: VirtualCore["on"]): Promise<VirtualCore> {
  const at = virtualCore({}, {}, { "POST /channels": () => jsonReply({ channels: [TEAM] }), ...on });
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  await at.core.queryChannels({ filter_conditions: {} });
  return at;
}

/** A core whose WebSockets all fail. */
async function withoutSockets(on: VirtualCore["on"]): Promise<VirtualCore> {
  const at = virtualCore({ transport: "auto" }, {}, on);
  void at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
  await at.clock.settle();
  at.sockets.last.handlers.close(1006, "");
  await at.clock.advance(2000);
  return at;
}

const hello = (): object => ({ event: helloFrame("mira"), events: [], duration: "" });

/** What the client does where a provider answers with this status instead of having the route. */
const WAYS: Partial<Record<EndpointName, (status: number) => Promise<void>>> = {
  async hi(status) {
    const at = await withoutSockets({
      "GET /hi": () => errorReply(status, 16),
      "GET /longpoll": ({ url }) => (url.searchParams.has("json") ? jsonReply(hello()) : "never"),
    });
    expect(at.core.state().link).toMatchObject({ phase: "open", transport: "longpoll" });
  },
  async longPoll(status) {
    const at = await withoutSockets({
      "GET /hi": () => jsonReply({ duration: "" }),
      "GET /longpoll": () => errorReply(status, 16),
    });
    for (let n = 0; n < 5; n++) {
      await at.clock.advance(60_000);
      at.sockets.last.handlers.close(1006, "");
    }
    expect(at.count("GET /longpoll")).toBe(1);
    at.core.reconnect();
    await at.clock.settle();
    at.sockets.last.frame(helloFrame("mira"));
    expect(at.core.state().link).toMatchObject({ phase: "open", transport: "websocket" });
  },
  async sync(status) {
    const at = await connected({ "POST /sync": () => errorReply(status, 16) });
    at.sockets.last.handlers.close(1006, "");
    await at.clock.advance(5000);
    at.sockets.last.frame(helloFrame("mira", "c2"));
    await at.clock.advance(5000);
    expect(at.count("POST /sync")).toBe(1);
    expect(at.story.at(-1)).toBe("connection.recovered");
    expect([...at.core.state().channels.get("team:a")!.sets[0]!.messages].map(({ id }) => id)).toEqual([
      "m1",
    ]);
  },
  async stopWatching(status) {
    const at = await connected({ "POST /channels/team/a/stop-watching": () => errorReply(status, 16) });
    await at.core.stopWatching("team:a");
    expect(at.core.state().channels.get("team:a")?.watched).not.toBe(true);
  },
  async getChannel(status) {
    const at = await connected({ "GET /channels/team/a": () => errorReply(status, 16) });
    expect((await lookUpChannel(at.core, "team:a")).channel.cid).toBe("team:a");
    const { plan } = await createPlanner(at.core)("hideChannel", { path: { type: "team", id: "a" } });
    expect(plan.path).toBe("/channels/team/a/hide");
    expect(at.count("GET /channels/team/a")).toBe(0);
  },
  async getPinnedMessages(status) {
    const pinned = (id: string, at: string) => ({ message: message(id, { pinned: true, pinned_at: at }) });
    const at = await connected({
      "GET /channels/team/a/pinned_messages": () => errorReply(status, 16),
      "GET /search": () =>
        jsonReply({ results: [pinned("m1", "2026-03-04T06:00:00Z"), pinned("m2", "2026-03-04T07:00:00Z")] }),
    });
    const pins = await Array.fromAsync(listPins(at.core, "team:a", { limit: 30 }));
    expect(pins.map(({ id }) => id)).toEqual(["m2", "m1"]);
  },
  async getPushTemplates(status) {
    const at = await connected({ "GET /push_templates": () => errorReply(status, 16) });
    guard(at.core, { isDryRun: () => false });
    await expect(
      at.core.call("getPushTemplates", { query: { push_provider_type: "apn" } }),
    ).rejects.toMatchObject({ hint: expect.stringContaining("may not have it") });
  },
  async upsertPushTemplate(status) {
    // A push provider holds templates, too, which "push provider set" stores.
    const at = await connected({ "POST /push_templates": () => errorReply(status, 16) });
    guard(at.core, { isDryRun: () => false });
    await expect(
      at.core.call("upsertPushTemplate", {
        body: { push_provider_type: "apn", event_type: "message.new", enable_push: true },
      }),
    ).rejects.toMatchObject({ hint: expect.stringContaining("may not have it") });
  },
  async setPushPreferences(status) {
    // Nothing else sets them, so the person is told.
    const at = await connected({ "POST /push_preferences": () => errorReply(status, 16) });
    guard(at.core, { isDryRun: () => false });
    await expect(
      at.core.call("setPushPreferences", { body: { preferences: [{ chat_level: "none" }] } }),
    ).rejects.toMatchObject({ hint: expect.stringContaining("may not have it") });
  },
};

/** Where such a row is named: each place goes another way without it, or says what is missing. A new place is looked at, then added. */
const PLACES: Partial<Record<EndpointName, readonly string[]>> = {
  hi: ["cli/shell-commands/doctor.ts", "core/live/reach.ts"],
  longPoll: ["core/http/caller.ts", "core/live/longpoll.ts"],
  sync: [
    "cli/shell-commands/profile/check/steps.ts",
    "commands/gdpr/proof.ts",
    "commands/gdpr/search.ts",
    "core/live/recovery.ts",
  ],
  setPushPreferences: ["commands/push/preferences.ts", "tui/views/preferences/do-not-disturb.ts"],
  getChannel: ["cli/base/plan-writes.ts"],
  stopWatching: ["core/features/pages.ts"],
  getPinnedMessages: ["commands/message/pinned.ts"],
  getPushTemplates: ["commands/push/template/stored.ts"],
  upsertPushTemplate: ["commands/push/template/stored.ts"],
};

/** The files of the client that name rows without a public source. */
function usedRows(): Record<string, string[]> {
  const root = path.join(import.meta.dirname, "../../src");
  const client = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/^(?:provider|wire)\//.test(file))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
  return Object.fromEntries(
    Object.entries(endpoints as Record<string, EndpointRow>)
      .filter(([, row]) => row.source !== undefined)
      .map(([name]) => [name, client.flatMap(({ file, text }) => (text.includes(`"${name}"`) ? [file] : []))])
      .filter(([, files]) => files!.length > 0),
  ) as Record<string, string[]>;
}

test("every such row that the client uses has a way round below, and is used where it is known", () => {
  const used = usedRows();
  expect(Object.keys(used).toSorted()).toEqual(Object.keys(WAYS).toSorted());
  expect(used).toEqual(PLACES);
});

describe.each([404, 405, 501])("answered with %i", (status) => {
  test.each(Object.entries(WAYS))("%s: the client goes another way", (_, way) => way(status));
});
