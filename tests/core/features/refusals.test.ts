/** Local checks before any request, their texts and order; the token of each call; the device of the handshake. */
import { describe, expect, test } from "vitest";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { Core } from "../../../src/core/core.ts";
import { readToken, signToken } from "../../../src/wire/token.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg } from "../state/world.ts";

function core(options: Partial<CoreOptions> = {}, on: VirtualCore["on"] = {}): VirtualCore {
  return virtualCore(options, {}, on);
}
/** With a secret and no user: a server. */
const server = (on: VirtualCore["on"] = {}): VirtualCore => core({ secret: "s" }, on);
const campaign = { id: "c1", sender_id: "ada", message_template: { text: "hi" } };
const answer = () => jsonReply({ campaign: { ...campaign, status: "draft" }, users: {}, duration: "" }, 201);

describe("campaigns", () => {
  const SERVER_SIDE = /^Campaigns is a server-side only feature$/;
  const campaignCalls = (client: Core, id: string): [string, () => Promise<unknown>][] => [
    ["getCampaign", () => client.call("getCampaign", { path: { id } })],
    ["updateCampaign", () => client.call("updateCampaign", { path: { id }, body: campaign })],
    ["deleteCampaign", () => client.call("deleteCampaign", { path: { id } })],
    ["startCampaign", () => client.call("startCampaign", { path: { id }, body: {} })],
    ["stopCampaign", () => client.call("stopCampaign", { path: { id }, body: {} })],
  ];
  test("R-CAMP-1: CA-1 campaign calls without a secret are refused before any request, whatever the id", async () => {
    const v = core();
    v.core.setUser({ id: "mira" }, miraToken());
    await expect(v.core.call("createCampaign", { body: campaign })).rejects.toThrow(SERVER_SIDE);
    for (const [name, run] of [...campaignCalls(v.core, "c1"), ...campaignCalls(v.core, "")])
      await expect(run(), name).rejects.toThrow(SERVER_SIDE);
    // The same for segments.
    await expect(v.core.call("querySegments", { body: {} })).rejects.toThrow(SERVER_SIDE);
    await expect(v.core.call("createSegment", { body: {} as never })).rejects.toThrow(SERVER_SIDE);
    expect(v.calls).toEqual([]);
  });
  test("R-CAMP-2: CA-2 a blank campaign id is refused before any request", async () => {
    const v = server();
    for (const id of ["", "  "])
      for (const [name, run] of campaignCalls(v.core, id))
        await expect(run(), name).rejects.toThrow(
          /^Campaign id is missing\. Create the campaign first or pass an id\.$/,
        );
    await expect(v.core.call("getSegment", { path: { id: " " } })).rejects.toThrow(
      /^Segment id is missing\. Create the segment first or pass an id\.$/,
    );
    expect(v.calls).toEqual([]);
  });
  test("R-CAMP-3: CA-3 the missing secret is reported before the missing id", async () => {
    const v = core();
    await expect(v.core.call("startCampaign", { path: { id: "" }, body: {} })).rejects.toThrow(SERVER_SIDE);
    await expect(v.core.call("deleteSegment", { path: { id: "" } })).rejects.toThrow(SERVER_SIDE);
  });
  test("with a secret and an id campaign calls use a server token, whether or not a user is set", async () => {
    const v = server({
      "POST /campaigns": answer,
      "GET /campaigns/c1": answer,
      "PUT /campaigns/c1": answer,
      "DELETE /campaigns/c1": () => jsonReply({ duration: "" }),
      "POST /campaigns/c1/start": answer,
      "POST /campaigns/c1/stop": answer,
    });
    v.core.setUser({ id: "mira" }, miraToken());
    const created = await v.core.call("createCampaign", { body: campaign });
    expect(created.campaign).toMatchObject({ id: "c1", status: "draft" });
    for (const [, run] of campaignCalls(v.core, "c1")) await run();
    expect(v.calls.map(({ what }) => what)).toEqual([
      "POST /campaigns",
      "GET /campaigns/c1",
      "PUT /campaigns/c1",
      "DELETE /campaigns/c1",
      "POST /campaigns/c1/start",
      "POST /campaigns/c1/stop",
    ]);
    for (const { request } of v.calls)
      expect(readToken(request.headers.Authorization!)?.claims).toMatchObject({ server: true });
  });
});

describe("channels", () => {
  const TYPE_OR_CHANNEL = "Channel or channel type have to be provided to query a channel";
  const ID_OR_MEMBERS = "Channel ID or channel members array have to be provided to query a channel";
  const state = channel([msg(5)]);
  const on: VirtualCore["on"] = {
    "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
    "POST /channels/messaging/query": () => jsonReply({ ...state, duration: "" }, 201),
  };
  const coreWithUser = (): VirtualCore => {
    const v = core({}, on);
    v.core.setUser({ id: "mira" }, miraToken());
    return v;
  };
  test.each([
    ["R-ID-3", "", "a:b", TYPE_OR_CHANNEL],
    ["R-ID-1", "mess:aging", "a:b", "Invalid channel type mess:aging, it may not contain a colon"],
    ["R-ID-2", "messaging", "kit:chen", "Invalid channel id kit:chen, it may not contain a colon"],
    ["R-ID-4 blank", "messaging", "", ID_OR_MEMBERS],
  ])("%s is refused before any request, in the order of R-ID-12", async (_rule, type, id, text) => {
    const v = coreWithUser();
    await expect(v.core.call("queryChannel", { path: { type, id }, body: {} })).rejects.toMatchObject({
      message: text,
      name: "LocalError",
    });
    expect(v.calls).toEqual([]);
  });
  test.each([[{}], [{ data: { members: [] } }]])(
    "R-ID-4: a channel with neither id nor members is refused, %j",
    async (body) => {
      const v = coreWithUser();
      await expect(
        v.core.call("queryDistinctChannel", { path: { type: "messaging" }, body }),
      ).rejects.toMatchObject({ message: ID_OR_MEMBERS, name: "LocalError" });
      await expect(v.core.openDirect([])).rejects.toThrow(ID_OR_MEMBERS);
      expect(v.calls).toEqual([]);
    },
  );
  test("watch loads the channel into the state", async () => {
    const v = coreWithUser();
    await v.core.watch(CID, { name: "Kitchen" });
    expect(v.calls[0]!.body).toMatchObject({
      state: true,
      messages: { limit: 25 },
      data: { name: "Kitchen" },
    });
    expect(v.core.state().channels.get(CID)?.sets[0]?.messages.length).toBe(1);
  });
  test("R-CHAN-3: a channel opened by its members and by its id has one entry", async () => {
    const v = coreWithUser();
    expect(await v.core.openDirect(["bob"])).toBe(CID);
    expect(v.calls[0]).toMatchObject({
      what: "POST /channels/messaging/query",
      body: { data: { members: ["mira", "bob"] } },
    });
    await v.core.watch(CID);
    expect([...v.core.state().channels.keys()]).toEqual([CID]);
  });
});

test("the app's upload rules are requested once per user, and again after a failure", async () => {
  let fail = true;
  const v = virtualCore(
    {},
    {
      openFile: async () => ({
        name: "tea.txt",
        size: 3,
        mimeType: "text/plain",
        async *open() {
          yield new TextEncoder().encode("tea");
        },
        dimensions: async () => undefined,
      }),
    },
    {
      "GET /app": () => (fail ? errorReply(403, 17) : jsonReply({ app: { name: "Tea" }, duration: "" })),
      "POST /channels/messaging/kitchen/file": () => jsonReply({ file: "http://f/f", duration: "" }, 201),
    },
  );
  const upload = (): Promise<unknown> =>
    v.core.composer({ cid: CID }, { transient: true }).attachments.attach(["tea.txt"]);
  v.core.setUser({ id: "mira" }, miraToken());
  await upload();
  fail = false;
  await Promise.all([upload(), upload()]);
  await upload();
  expect(v.count("GET /app")).toBe(2);
  await v.core.disconnectUser();
  v.core.setUser({ id: "mira" }, miraToken());
  await upload();
  expect(v.count("GET /app")).toBe(3);
});

describe("users and tokens", () => {
  test.each([
    ["user", { user: "gone" }, "invalid delete user options: user must be one of soft, hard, pruning"],
    [
      "conversations",
      { conversations: "pruning" },
      "invalid delete user options: conversations must be one of soft, hard",
    ],
    [
      "messages",
      { messages: "" },
      "invalid delete user options: messages must be one of soft, hard, pruning",
    ],
    [
      "the first of several",
      { messages: "x", user: "y" },
      "invalid delete user options: user must be one of soft, hard, pruning",
    ],
  ])("R-ID-10: %s: an invalid value is refused before any request", async (_key, options, text) => {
    const v = server();
    await expect(
      v.core.call("deleteUsers", { body: { user_ids: ["bob"], ...(options as object) } }),
    ).rejects.toMatchObject({
      message: text,
      name: "LocalError",
    });
    expect(v.calls).toEqual([]);
  });
  test("R-ID-10: allowed options are sent and return the task", async () => {
    const v = server({ "POST /users/delete": () => jsonReply({ task_id: "t1", duration: "" }, 201) });
    const body = { user_ids: ["bob"], user: "hard", conversations: "hard", messages: "hard" } as const;
    expect(await v.core.call("deleteUsers", { body: { ...body, user_ids: ["bob"] } })).toMatchObject({
      task_id: "t1",
    });
    expect(v.calls[0]!.body).toEqual(body);
  });
  test("R-ID-11: a blank date for revoking tokens is refused before any request", async () => {
    const v = server();
    for (const revoke_tokens_issued_before of ["", " \t"]) {
      const set = { revoke_tokens_issued_before };
      await expect(v.core.call("updateApp", { body: set })).rejects.toThrow(
        /^The since date cannot be blank$/,
      );
      await expect(
        v.core.call("updateUsersPartial", { body: { users: [{ id: "bob", set }] }, server: true }),
      ).rejects.toThrow(/^The since date cannot be blank$/);
    }
    expect(v.calls).toEqual([]);
  });
  test("revoking tokens uses a server token whether or not a user is set; null undoes it", async () => {
    const done = () => jsonReply({ users: {}, duration: "" });
    const v = server({ "PATCH /app": done, "PATCH /users": done });
    v.core.setUser({ id: "mira" }, miraToken());
    await v.core.call("updateApp", { body: { revoke_tokens_issued_before: null } });
    const set = { revoke_tokens_issued_before: "2026-03-04T00:00:00Z" };
    await v.core.call("updateUsersPartial", { body: { users: [{ id: "bob", set }] }, server: true });
    expect(v.calls.map(({ what }) => what)).toEqual(["PATCH /app", "PATCH /users"]);
    for (const { request } of v.calls)
      expect(readToken(request.headers.Authorization!)?.claims).toMatchObject({ server: true });
  });
});

describe("setLocalDevice", () => {
  const device = { id: "tok-1", push_provider: "firebase", push_provider_name: "main" };
  const TOO_LATE = "you can only set device before opening a websocket connection";
  test("is sent in the handshake, also of a long poll, and is refused while a connection is open or opening", async () => {
    const v = core();
    v.core.setLocalDevice(device);
    const connecting = v.core.connectUser({ id: "mira" }, miraToken());
    expect(() => v.core.setLocalDevice(device)).toThrow(new RegExp(`^${TOO_LATE}$`));
    await v.clock.settle();
    const handshake = JSON.parse(new URL(v.sockets.last.url).searchParams.get("json")!) as { device: object };
    expect(handshake.device).toEqual(device);
    v.sockets.last.frame({
      type: "health.check",
      connection_id: "c1",
      created_at: at(0),
      me: { ...me(), id: "mira" },
    });
    await connecting;
    expect(() => v.core.setLocalDevice(device)).toThrow(TOO_LATE);
    const disconnecting = v.core.disconnectUser();
    await v.clock.advance(2000);
    await disconnecting;
    expect(() => v.core.setLocalDevice({ ...device, id: "tok-2" })).not.toThrow();

    const poll = core({ transport: "longpoll" }, { "GET /longpoll": () => "never" });
    poll.core.setLocalDevice(device);
    void poll.core.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, "s")).catch(() => undefined);
    await poll.clock.settle();
    const handshakeOfPoll = JSON.parse(poll.calls[0]!.url.searchParams.get("json")!) as { device: object };
    expect(handshakeOfPoll.device).toEqual(device);
    const closing = poll.core.close();
    await poll.clock.advance(2000);
    await closing;
  });
});
