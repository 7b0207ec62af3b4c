/** The local checks of R-ID with their literal texts, before any request and without any change. */
import { describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { LocalError } from "../../src/model/errors.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import { jsonReply } from "../support/fake-ports.ts";
import { miraToken, virtualCore } from "../support/virtual-core.ts";
import { channel } from "./state/world.ts";

const blankMessage = { id: " ", cid: "messaging:tea", text: "x" } as Message;
const message = { ...blankMessage, id: "m1" };

/** Runs it on a core that is signed in and holds a channel; what it throws, and that nothing else happened. */
async function refusalOf(run: (core: Core) => unknown): Promise<string> {
  const store = createMemoryStore("mira");
  const at = virtualCore({}, { store }, { "POST /channels": () => jsonReply({ channels: [channel([])] }) });
  at.core.setUser({ id: "mira" }, miraToken());
  await at.core.queryChannels({ watch: false });
  const before = JSON.stringify([...at.core.state().channels]);
  const state = at.core.state();
  const callsBefore = at.calls.length;
  let thrown: unknown;
  try {
    await run(at.core);
  } catch (error) {
    thrown = error;
  }
  await at.clock.advance(5000);
  expect(at.calls.slice(callsBefore).map(({ what }) => what)).toEqual([]);
  expect(JSON.stringify([...at.core.state().channels])).toBe(before);
  expect(at.core.state()).toBe(state);
  expect(at.core.userId).toBe("mira");
  expect(store.outbox()).toEqual([]);
  await at.core.close();
  expect(thrown).toBeInstanceOf(LocalError);
  return (thrown as Error).message;
}

const TYPE = "Invalid channel type mess:aging, it may not contain a colon";
const ID = "Invalid channel id te:a, it may not contain a colon";
const CHANNEL = "Channel or channel type have to be provided to query a channel";
const MEMBERS = "Channel ID or channel members array have to be provided to query a channel";
const path = (type: string, id: string) => ({ type, id });
const body = {};

describe("channels", () => {
  test.each<[string, (core: Core) => unknown]>([
    ["R-ID-1 in a query", (core) => core.call("queryChannel", { path: path("mess:aging", "tea"), body })],
    [
      "R-ID-1 in any route of a channel",
      (core) => core.call("hideChannel", { path: path("mess:aging", "tea"), body }),
    ],
    ["R-ID-1 for a direct channel", (core) => core.openDirect(["otto"], "mess:aging")],
  ])("%s", async (_name, run) => expect(await refusalOf(run)).toBe(TYPE));

  test.each<[string, (core: Core) => unknown]>([
    ["R-ID-2 in a query", (core) => core.call("queryChannel", { path: path("messaging", "te:a"), body })],
    ["R-ID-2 when watching", (core) => core.watch("messaging:te:a")],
    ["R-ID-2 when ending a watch", (core) => core.stopWatching("messaging:te:a")],
    ["R-ID-2 when marking read", (core) => core.markRead("messaging:te:a")],
    ["R-ID-2 when sending", (core) => core.send({ cid: "messaging:te:a" }, { text: "x" })],
  ])("%s", async (_name, run) => expect(await refusalOf(run)).toBe(ID));

  test.each<[string, (core: Core) => unknown]>([
    ["R-ID-3: no type", (core) => core.call("queryChannel", { path: path("", "tea"), body })],
    ["R-ID-3: no channel", (core) => core.watch("")],
  ])("%s", async (_name, run) => expect(await refusalOf(run)).toBe(CHANNEL));

  test.each<[string, (core: Core) => unknown]>([
    [
      "R-ID-4: neither id nor members",
      (core) => core.call("queryChannel", { path: path("messaging", ""), body }),
    ],
    [
      "R-ID-4: an empty list of members",
      (core) =>
        core.call("queryDistinctChannel", { path: { type: "messaging" }, body: { data: { members: [] } } }),
    ],
    ["R-ID-4: nobody to open a direct channel with", (core) => core.openDirect([])],
  ])("%s", async (_name, run) => expect(await refusalOf(run)).toBe(MEMBERS));

  test.each<[string, (core: Core) => unknown]>([
    ["a cid without a colon", (core) => core.watch("tea")],
    ["a cid with an empty half", (core) => core.send({ cid: "messaging:" }, { text: "x" })],
  ])("specification/wire.md §8: %s", async (_name, run) =>
    expect(await refusalOf(run)).toBe("Cid must look like type:id"),
  );

  test("R-ID-12: a missing type is reported first, then the type's colon, the id's colon and the missing members", async () => {
    const query = (type: string, id: string) =>
      refusalOf((core) => core.call("queryChannel", { path: path(type, id), body }));
    expect(await query("", "te:a")).toBe(CHANNEL);
    expect(await query("mess:aging", "te:a")).toBe(TYPE);
    expect(await query("messaging", "te:a")).toBe(ID);
    expect(await query("mess:aging", "")).toBe(TYPE);
    expect(await query("messaging", " ")).toBe(MEMBERS);
  });
});

describe("users, messages, reactions, members", () => {
  test("R-ID-5: connecting needs a user id, and the current user stays set", async () => {
    const text = "The id field on the user is missing";
    expect(await refusalOf((core) => core.connectUser({ id: "" }, miraToken()))).toBe(text);
    expect(await refusalOf((core) => core.setUser({ id: "" }, miraToken()))).toBe(text);
  });

  test.each<[string, (core: Core) => unknown]>([
    [
      "an upsert",
      (core) => core.call("upsertUsers", { body: { users: { otto: { name: "Otto" } as never } } }),
    ],
    [
      "a partial update",
      (core) => core.call("updateUsersPartial", { body: { users: [{ id: "", set: { name: "x" } }] } }),
    ],
  ])("R-ID-6: %s needs an id", async (_name, run) =>
    expect(await refusalOf(run)).toBe("User ID is required when updating a user"),
  );

  test.each<[string, (core: Core) => unknown]>([
    [
      "an update",
      (core) => core.call("updateMessage", { path: { id: "" }, body: { message: { text: "x" } } }),
    ],
    [
      "a partial update",
      (core) => core.call("updateMessagePartial", { path: { id: " " }, body: { set: { text: "x" } } }),
    ],
    ["an edit of the outbox", (core) => core.edit(blankMessage, { text: "x" })],
    ["a pin", (core) => core.pin(blankMessage, true)],
  ])("R-ID-7: %s needs a message id", async (_name, run) =>
    expect(await refusalOf(run)).toBe("a message id is required for an update"),
  );

  test.each<[string, (core: Core) => unknown]>([
    [
      "sending without an id",
      (core) => core.call("sendReaction", { path: { id: "" }, body: { reaction: { type: "love" } } }),
    ],
    [
      "sending without a type",
      (core) => core.call("sendReaction", { path: { id: "m1" }, body: { reaction: { type: "" } } }),
    ],
    [
      "deleting without a type",
      (core) => core.call("deleteReaction", { path: { id: "m1", reaction_type: "" } }),
    ],
    ["reacting through the outbox without an id", (core) => core.react(blankMessage, "love")],
    ["taking back through the outbox without a type", (core) => core.unreact(message, "")],
  ])("R-ID-8: %s", async (_name, run) =>
    expect(await refusalOf(run)).toBe("message id and reaction type are required"),
  );

  test("R-ID-9: a member update needs a user id", async () =>
    expect(
      await refusalOf((core) =>
        core.call("updateMemberPartial", {
          path: { ...path("messaging", "tea"), user_id: "" },
          body: { set: { pinned: true } },
        }),
      ),
    ).toBe("user id is required to update a member"));

  test.each(["", " \t"])("R-ID-11: the blank since date %j is rejected", async (since) =>
    expect(
      await refusalOf((core) =>
        core.call("sync", { body: { channel_cids: ["messaging:tea"], last_sync_at: since } }),
      ),
    ).toBe("The since date cannot be blank"),
  );
});

test("R-ID-13: a message id is the author's id and a UUID v4; path parameters are percent-encoded", async () => {
  const at = virtualCore();
  at.core.setUser({ id: "mira" }, miraToken());
  at.core.call("getMessage", { path: { id: "a/b?c d#é" } }).catch(() => {});
  const { id } = at.core.send({ cid: "messaging:tea" }, { text: "x" });
  expect(id).toMatch(/^mira-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  await at.clock.advance(10);
  expect(at.calls.find(({ request }) => request.method === "GET")!.url.pathname).toBe(
    "/messages/a%2Fb%3Fc%20d%23%C3%A9",
  );
  await at.core.close();
});
