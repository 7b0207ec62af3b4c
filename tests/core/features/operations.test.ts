/** The named operations of core's face: their names, what they refuse before any request and with which words, what they send. */
import { describe, expect, test } from "vitest";
import type { ChannelKey } from "../../../src/core/features/channel.ts";
import { OPERATIONS } from "../../../src/core/features/operations.ts";
import type { CoreOptions } from "../../../src/core/client.ts";
import type { UploadSource } from "../../../src/core/base/ports.ts";
import { readToken, signToken } from "../../../src/wire/token.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { miraToken, virtualCore } from "../../support/virtual-core.ts";
import type { VirtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg } from "../state/world.ts";

const source: UploadSource = {
  name: "tea.png",
  size: 3,
  mimeType: "image/png",
  async *open() {
    yield new TextEncoder().encode("tea");
  },
  dimensions: async () => undefined,
};
function core(options: Partial<CoreOptions> = {}, on: VirtualCore["on"] = {}): VirtualCore {
  return virtualCore(options, { openFile: async () => source }, on);
}
/** With a secret and no user: a server. */
const server = (on: VirtualCore["on"] = {}): VirtualCore => core({ secret: "s" }, on);
const campaign = { id: "c1", sender_id: "ada", message_template: { text: "hi" } };
const answer = () => jsonReply({ campaign: { ...campaign, status: "draft" }, users: {}, duration: "" }, 201);

test("the operations, by exact name", () => {
  const { core: face } = core();
  expect([...OPERATIONS].toSorted()).toEqual([
    "channel",
    "connectUser",
    "createCampaign",
    "deleteCampaign",
    "deleteUsers",
    "disconnectUser",
    "enrichURL",
    "getAppSettings",
    "getCampaign",
    "revokeTokens",
    "setLocalDevice",
    "startCampaign",
    "stopCampaign",
    "updateCampaign",
  ]);
  for (const name of OPERATIONS) expect(typeof face[name], name).toBe("function");
  const handle = face.channel("messaging", "kitchen");
  expect(Object.keys(handle).toSorted()).toEqual(
    ["cid", "getReplies", "query", "sendFile", "sendImage", "type", "watch"].toSorted(),
  );
  for (const name of ["composer", "search", "members"] as const)
    expect(typeof face[name], name).toBe("function");
  for (const name of ["threads", "reminders", "locations"] as const) {
    expect(typeof face[name].state, name).toBe("function");
    expect(typeof face[name].subscribe, name).toBe("function");
  }
});

describe("campaigns", () => {
  const all = (face: VirtualCore["core"], id: string | undefined): [string, () => Promise<unknown>][] => [
    ["getCampaign", () => face.getCampaign(id)],
    ["updateCampaign", () => face.updateCampaign(id, campaign)],
    ["deleteCampaign", () => face.deleteCampaign(id)],
    ["startCampaign", () => face.startCampaign(id)],
    ["stopCampaign", () => face.stopCampaign(id)],
  ];
  test("R-CAMP-1: CA-1 without a secret, before any request, whatever the id", async () => {
    const v = core();
    v.core.setUser({ id: "mira" }, miraToken());
    await expect(v.core.createCampaign(campaign)).rejects.toThrow(
      /^Campaigns is a server-side only feature$/,
    );
    for (const [name, run] of [...all(v.core, "c1"), ...all(v.core, "")])
      await expect(run(), name).rejects.toThrow(/^Campaigns is a server-side only feature$/);
    // Segments too, in the same words.
    await expect(v.core.call("querySegments", { body: {} })).rejects.toThrow(
      "Campaigns is a server-side only feature",
    );
    await expect(v.core.call("createSegment", { body: {} as never })).rejects.toThrow(
      "Campaigns is a server-side only feature",
    );
    expect(v.calls).toEqual([]);
  });
  test("R-CAMP-2: CA-2 without an id, before any request", async () => {
    const v = server();
    for (const id of [undefined, "", "  "])
      for (const [name, run] of all(v.core, id))
        await expect(run(), name).rejects.toThrow(
          /^Campaign id is missing\. Create the campaign first or pass an id\.$/,
        );
    await expect(v.core.call("getSegment", { path: { id: " " } })).rejects.toThrow(
      /^Segment id is missing\. Create the segment first or pass an id\.$/,
    );
    expect(v.calls).toEqual([]);
  });
  test("R-CAMP-3: CA-3, the secret is asked for first", async () => {
    const v = core();
    await expect(v.core.startCampaign(undefined)).rejects.toThrow("Campaigns is a server-side only feature");
    await expect(v.core.call("deleteSegment", { path: { id: "" } })).rejects.toThrow(
      "Campaigns is a server-side only feature",
    );
  });
  test("with both they go out with a server token, a user set or not", async () => {
    const v = server({
      "POST /campaigns": answer,
      "GET /campaigns/c1": answer,
      "PUT /campaigns/c1": answer,
      "DELETE /campaigns/c1": () => jsonReply({ duration: "" }),
      "POST /campaigns/c1/start": answer,
      "POST /campaigns/c1/stop": answer,
    });
    v.core.setUser({ id: "mira" }, miraToken());
    expect(await v.core.createCampaign(campaign)).toMatchObject({ id: "c1", status: "draft" });
    expect(await v.core.getCampaign("c1")).toMatchObject({ campaign: { id: "c1" }, users: {} });
    expect(await v.core.updateCampaign("c1", campaign)).toMatchObject({ id: "c1" });
    expect(await v.core.startCampaign("c1", { stop_at: at(9) })).toMatchObject({ id: "c1" });
    expect(await v.core.stopCampaign("c1")).toMatchObject({ id: "c1" });
    await v.core.deleteCampaign("c1");
    expect(v.calls.map(({ what }) => what)).toEqual([
      "POST /campaigns",
      "GET /campaigns/c1",
      "PUT /campaigns/c1",
      "POST /campaigns/c1/start",
      "POST /campaigns/c1/stop",
      "DELETE /campaigns/c1",
    ]);
    expect(v.calls[3]!.body).toEqual({ stop_at: at(9) });
    for (const { request } of v.calls)
      expect(readToken(request.headers.Authorization!)?.claims).toMatchObject({ server: true });
  });
});

describe("channel", () => {
  const state = channel([msg(5)]);
  const on: VirtualCore["on"] = {
    "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
    "POST /channels/messaging/query": () => jsonReply({ ...state, duration: "" }, 201),
    "GET /messages/m5/replies": () => jsonReply({ messages: [msg(6, { parent_id: "m5" })], duration: "" }),
    "GET /app": () => jsonReply({ app: {}, duration: "" }),
    "POST /channels/messaging/kitchen/image": () => jsonReply({ file: "http://f/i", duration: "" }, 201),
    "POST /channels/messaging/kitchen/file": () => jsonReply({ file: "http://f/f", duration: "" }, 201),
  };
  const user = (): VirtualCore => {
    const v = core({}, on);
    v.core.setUser({ id: "mira" }, miraToken());
    return v;
  };
  test.each<[string, [string, ChannelKey?], string]>([
    ["R-ID-3", ["", "a:b"], "Channel or channel type have to be provided to query a channel"],
    ["R-ID-1", ["mess:aging", "a:b"], "Invalid channel type mess:aging, it may not contain a colon"],
    ["R-ID-2", ["messaging", "kit:chen"], "Invalid channel id kit:chen, it may not contain a colon"],
    ["R-ID-4", ["messaging"], "Channel ID or channel members array have to be provided to query a channel"],
    [
      "R-ID-4 blank",
      ["messaging", ""],
      "Channel ID or channel members array have to be provided to query a channel",
    ],
    [
      "R-ID-4 no members",
      ["messaging", { members: [] }],
      "Channel ID or channel members array have to be provided to query a channel",
    ],
  ])("%s before any request, in the order of R-ID-12", async (_rule, key, text) => {
    const v = user();
    const handle = v.core.channel(key[0], key[1]);
    for (const run of [
      () => handle.watch(),
      () => handle.query(),
      () => handle.getReplies("m5"),
      () => handle.sendImage("tea.png"),
      () => handle.sendFile("tea.png"),
    ])
      await expect(run()).rejects.toMatchObject({ message: text, name: "LocalError" });
    expect(v.calls).toEqual([]);
  });
  test("watch and query hold what comes; replies are a page of their thread", async () => {
    const v = user();
    const handle = v.core.channel("messaging", "kitchen");
    expect(handle.cid).toBe(CID);
    expect(await handle.watch({ name: "Kitchen" })).toBe(CID);
    expect(v.calls[0]!.body).toMatchObject({
      state: true,
      messages: { limit: 25 },
      data: { name: "Kitchen" },
    });
    expect(v.core.state().channels.get(CID)?.sets[0]?.messages.length).toBe(1);
    expect((await handle.query({ state: true, members: { limit: 3 } })).channel.cid).toBe(CID);
    expect((await handle.getReplies("m5", { limit: 5 })).map(({ id }) => id)).toEqual(["m6"]);
    expect(v.calls.at(-1)!.url.search).toContain("limit=5");
    expect(v.core.state().channels.get(CID)?.threads.get("m5")?.sets[0]?.messages.length).toBe(1);
    await expect(handle.getReplies(" ")).rejects.toThrow("message id is needed");
  });
  test("R-CHAN-3: one object a channel; a distinct one is known by its id once that has come", async () => {
    const v = user();
    const handle = v.core.channel("messaging", { members: ["mira", "bob"] });
    expect(v.core.channel("messaging", { members: ["bob", "mira"] })).toBe(handle);
    expect(handle.cid).toBeUndefined();
    expect(await handle.watch()).toBe(CID);
    expect(v.calls[0]).toMatchObject({
      what: "POST /channels/messaging/query",
      body: { data: { members: ["mira", "bob"] } },
    });
    expect(handle.cid).toBe(CID);
    expect(v.core.channel("messaging", "kitchen")).toBe(handle);
    await handle.query();
    expect(v.calls[1]!.what).toBe("POST /channels/messaging/kitchen/query");
    expect(v.core.channel("messaging", "other")).not.toBe(handle);
  });
  test("sendImage and sendFile go where they say, after the check", async () => {
    const v = user();
    const handle = v.core.channel("messaging", "kitchen");
    expect(await handle.sendImage("tea.png")).toMatchObject({ file: "http://f/i" });
    expect(await handle.sendFile("tea.png")).toMatchObject({ file: "http://f/f" });
    await expect(handle.sendFile(" ")).rejects.toThrow(/^File is required for upload attachment$/);
    const blocked = core(
      {},
      {
        ...on,
        "GET /app": () => jsonReply({ app: { image_upload_config: { size_limit: 1 } }, duration: "" }),
      },
    );
    blocked.core.setUser({ id: "mira" }, miraToken());
    await expect(blocked.core.channel("messaging", "kitchen").sendImage("tea.png")).rejects.toThrow(
      "The attachment upload was blocked: size_limit",
    );
    expect(blocked.core.state().notices).toMatchObject([
      { level: "error", text: "The attachment upload was blocked", reason: "size_limit" },
    ]);
    expect(blocked.count("POST /channels/messaging/kitchen/image")).toBe(0);
  });
});

describe("what is kept and what is asked", () => {
  test("getAppSettings is asked for once, a failure is not kept, the next user asks again", async () => {
    let fail = true;
    const v = core(
      {},
      { "GET /app": () => (fail ? errorReply(403, 17) : jsonReply({ app: { name: "Tea" }, duration: "" })) },
    );
    v.core.setUser({ id: "mira" }, miraToken());
    await expect(v.core.getAppSettings()).rejects.toThrow();
    fail = false;
    const [one, two] = await Promise.all([v.core.getAppSettings(), v.core.getAppSettings()]);
    expect(one).toEqual({ name: "Tea" });
    expect(two).toBe(one);
    await v.core.getAppSettings();
    expect(v.count("GET /app")).toBe(2);
    await v.core.disconnectUser();
    v.core.setUser({ id: "mira" }, miraToken());
    await v.core.getAppSettings();
    expect(v.count("GET /app")).toBe(3);
  });
  test("enrichURL gives an attachment without the request's time", async () => {
    const v = core(
      {},
      {
        "GET /og": () => jsonReply({ og_scrape_url: "https://tea.example", title: "Tea", duration: "80ms" }),
      },
    );
    v.core.setUser({ id: "mira" }, miraToken());
    expect(await v.core.enrichURL("https://tea.example")).toEqual({
      og_scrape_url: "https://tea.example",
      title: "Tea",
    });
    expect(v.calls[0]!.url.searchParams.get("url")).toBe("https://tea.example");
  });
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
  ])("R-ID-10: %s, before any request", async (_key, options, text) => {
    const v = server();
    await expect(v.core.deleteUsers(["bob"], options as never)).rejects.toMatchObject({
      message: text,
      name: "LocalError",
    });
    expect(v.calls).toEqual([]);
  });
  test("R-ID-10: what is allowed goes out and gives the task", async () => {
    const v = server({ "POST /users/delete": () => jsonReply({ task_id: "t1", duration: "" }, 201) });
    expect(await v.core.deleteUsers(["bob"], { user: "hard", conversations: "hard", messages: "hard" })).toBe(
      "t1",
    );
    expect(await v.core.deleteUsers(["bob"])).toBe("t1");
    expect(v.calls[0]!.body).toEqual({
      user_ids: ["bob"],
      user: "hard",
      conversations: "hard",
      messages: "hard",
    });
  });
  test("R-ID-11: a blank date revokes nothing, before any request", async () => {
    const v = server();
    for (const blank of ["", " \t"]) {
      await expect(v.core.revokeTokens(blank)).rejects.toThrow(/^The since date cannot be blank$/);
      await expect(v.core.revokeTokens(blank, ["bob"])).rejects.toThrow(/^The since date cannot be blank$/);
    }
    await expect(v.core.revokeTokens(new Date(Number.NaN))).rejects.toThrow("The since date cannot be blank");
    expect(v.calls).toEqual([]);
  });
  test("revokeTokens: of all or of some, a Date as RFC 3339, null undoes it; with a server token", async () => {
    const done = () => jsonReply({ users: {}, duration: "" });
    const v = server({ "PATCH /app": done, "PATCH /users": done });
    v.core.setUser({ id: "mira" }, miraToken());
    await v.core.revokeTokens(new Date(Date.UTC(2026, 2, 4)));
    await v.core.revokeTokens(null);
    await v.core.revokeTokens("2026-03-04T00:00:00Z", ["bob", "cy"]);
    expect(v.calls.map(({ what, body }) => [what, body])).toEqual([
      ["PATCH /app", { revoke_tokens_issued_before: "2026-03-04T00:00:00.000Z" }],
      ["PATCH /app", { revoke_tokens_issued_before: null }],
      [
        "PATCH /users",
        {
          users: ["bob", "cy"].map((id) => ({
            id,
            set: { revoke_tokens_issued_before: "2026-03-04T00:00:00Z" },
          })),
        },
      ],
    ]);
    for (const { request } of v.calls)
      expect(readToken(request.headers.Authorization!)?.claims).toMatchObject({ server: true });
  });
});

describe("setLocalDevice", () => {
  const device = { id: "tok-1", push_provider: "firebase", push_provider_name: "main" };
  const TOO_LATE = "you can only set device before opening a websocket connection";
  test("travels in the handshake, also of a long poll, and is refused while a connection is open or opening", async () => {
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
    const gone = v.core.disconnectUser();
    await v.clock.advance(2000);
    await gone;
    expect(() => v.core.setLocalDevice({ ...device, id: "tok-2" })).not.toThrow();

    const poll = core({ transport: "longpoll" }, { "GET /longpoll": () => "never" });
    poll.core.setLocalDevice(device);
    void poll.core.connectUser({ id: "mira" }, signToken({ user_id: "mira" }, "s")).catch(() => undefined);
    await poll.clock.settle();
    const asked = JSON.parse(poll.calls[0]!.url.searchParams.get("json")!) as { device: object };
    expect(asked.device).toEqual(device);
    const closing = poll.core.close();
    await poll.clock.advance(2000);
    await closing;
  });
});
