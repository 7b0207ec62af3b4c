/** Events of drafts: to every connection of their author and to nobody else (DR-3, DR-6, DR-7). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FULL_DRAFT } from "./entities.ts";
import { ENVELOPE, EventRoom, typesOf, type ReceivedEvents } from "./event-room.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Caller } from "./world.ts";

let h: EventRoom;
let room: Room;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.newRoom();
});

const ok = (who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const save = (message: object): Promise<Json> => ok("ada", "POST", `${room.route}/draft`, { message });
async function saveDraft(message: object): Promise<void> {
  await save(message);
  await h.eventsDuring(async () => {});
}

/** Checks that both of ada's connections received the event once, and nobody else did; events of other types are ignored. */
function expectOwnEvent(
  received: ReceivedEvents,
  type: "draft.updated" | "draft.deleted",
  more: Keys = {},
): Json {
  const events = received.ada.filter((event) => event.type === type);
  expect(received.ada2.filter((event) => event.type === type)).toEqual(events);
  expect(events).toHaveLength(1);
  for (const connection of ["bob", "cyd", "dan"] as const)
    expect(
      received[connection].map((event) => event.type as string).filter((name) => name.startsWith("draft.")),
    ).toEqual([]);
  expect(differences(events[0], { ...ENVELOPE, draft: FULL_DRAFT, ...more })).toEqual([]);
  expect(events[0]).toMatchObject({ cid: room.cid, draft: { channel_cid: room.cid } });
  return events[0];
}

test("DR-6: saving a draft sends an event to the user's own connections only", async () => {
  const received = await h.eventsDuring(() => save({ text: "maybe" }));
  expect(typesOf(received)).toEqual({ ada: ["draft.updated"], ada2: ["draft.updated"] });
  expect(expectOwnEvent(received, "draft.updated").draft.message.text).toBe("maybe");
  const thread = await h.eventsDuring(() => save({ text: "under it", parent_id: room.message }));
  expect(expectOwnEvent(thread, "draft.updated", { parent_id: "text" }).parent_id).toBe(room.message);
});

test("DR-2, DR-6: deleting a draft sends one event, and deleting none sends nothing", async () => {
  await saveDraft({ text: "maybe" });
  const received = await h.eventsDuring(() => ok("ada", "DELETE", `${room.route}/draft`));
  expect(typesOf(received)).toEqual({ ada: ["draft.deleted"], ada2: ["draft.deleted"] });
  expectOwnEvent(received, "draft.deleted");
  expect(typesOf(await h.eventsDuring(() => ok("ada", "DELETE", `${room.route}/draft`)))).toEqual({});
  expect(typesOf(await h.eventsDuring(() => save({ text: "" })))).toEqual({});
  await saveDraft({ text: "again" });
  expectOwnEvent(await h.eventsDuring(() => save({ text: "" })), "draft.deleted");
});

test("DR-3: sending deletes the draft of the same channel or thread only", async () => {
  await saveDraft({ text: "maybe" });
  await saveDraft({ text: "under it", parent_id: room.message });
  const reply = { message: { text: "re", parent_id: room.message } };
  const inThread = await h.eventsDuring(() => ok("ada", "POST", `${room.route}/message`, reply));
  expectOwnEvent(inThread, "draft.deleted", { parent_id: "text" });
  expect((await ok("ada", "GET", `${room.route}/draft`)).draft.message.text).toBe("maybe");
  await h.eventsDuring(() => ok("bob", "POST", `${room.route}/message`, { message: { text: "not mine" } }));
  expectOwnEvent(
    await h.eventsDuring(() => ok("ada", "POST", `${room.route}/message`, { message: { text: "so" } })),
    "draft.deleted",
  );
  expect((await h.world.call("ada", "GET", `${room.route}/draft`)).status).toBe(404);
});

test("DR-3: a refused send keeps the draft", async () => {
  await saveDraft({ text: "maybe" });
  const received = await h.eventsDuring(() =>
    h.world.call("ada", "POST", `${room.route}/message`, { body: { message: {} } }),
  );
  expect(typesOf(received)).toEqual({});
  expect((await ok("ada", "GET", `${room.route}/draft`)).draft.message.text).toBe("maybe");
});

test.each([false, true])(
  "DR-7: deleting the parent deletes the draft of its thread (hard: %s)",
  async (hard) => {
    await saveDraft({ text: "under it", parent_id: room.message });
    await saveDraft({ text: "maybe" });
    const received = await h.eventsDuring(() =>
      h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard } }),
    );
    expectOwnEvent(received, "draft.deleted", { parent_id: "text" });
    const { drafts } = await ok("ada", "POST", "/drafts/query", { filter: { channel_cid: room.cid } });
    expect(drafts.map((draft: Json) => draft.message.text)).toEqual(["maybe"]);
  },
);

test.each([false, true])(
  "DR-7: deleting a quoted message removes the quote and keeps the draft (hard: %s)",
  async (hard) => {
    await saveDraft({ text: "as you said", quoted_message_id: room.message });
    const received = await h.eventsDuring(() =>
      h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard } }),
    );
    const event = expectOwnEvent(received, "draft.updated");
    expect(event.draft.quoted_message).toBeUndefined();
    expect(event.draft.message).toMatchObject({ text: "as you said" });
    expect(event.draft.message.quoted_message_id).toBeUndefined();
  },
);

test("DR-2, DR-7: deleting the quoted message deletes a draft that has nothing else", async () => {
  await saveDraft({ quoted_message_id: room.message });
  expectOwnEvent(
    await h.eventsDuring(() => ok("ada", "DELETE", `/messages/${room.message}`)),
    "draft.deleted",
  );
});

test.each([false, true])("DR-7: deleting a channel deletes its drafts (hard: %s)", async (hard) => {
  await saveDraft({ text: "maybe" });
  const received = await h.eventsDuring(() =>
    h.world.ok("ada", "DELETE", room.route, { query: { hard_delete: hard } }),
  );
  expectOwnEvent(received, "draft.deleted");
  const { drafts } = await ok("ada", "POST", "/drafts/query", { filter: { channel_cid: room.cid } });
  expect(drafts).toEqual([]);
});

test("DR-5: the state of a channel and the parent of a thread contain the draft for its author only", async () => {
  await saveDraft({ text: "maybe" });
  await saveDraft({ text: "under it", parent_id: room.message });
  const mine = await ok("ada", "POST", `${room.route}/query`, {});
  expect(mine.draft).toMatchObject({ channel_cid: room.cid, message: { text: "maybe" } });
  expect(mine.messages[0].draft).toMatchObject({ parent_id: room.message, message: { text: "under it" } });
  expect((await ok("ada", "GET", `/messages/${room.message}`)).message.draft.message.text).toBe("under it");
  const listed = await ok("ada", "POST", "/channels", { filter_conditions: { cid: room.cid } });
  expect(listed.channels[0].draft.message.text).toBe("maybe");
  const theirs = await ok("bob", "POST", `${room.route}/query`, {});
  expect(theirs.draft).toBeUndefined();
  expect(theirs.messages[0].draft).toBeUndefined();
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `/messages/${room.message}`, { message: { text: "milk?" } }),
  );
  expect(received.bob[0].message.draft).toBeUndefined();
  expect(received.ada[0].message.draft).toBeUndefined();
});
