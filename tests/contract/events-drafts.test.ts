/** Events of drafts: to every connection of their author and to nobody else (DR-3, DR-6, DR-7). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FULL_DRAFT } from "./entities.ts";
import { ENVELOPE, Hearing, namesOf, type Heard } from "./hearing.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Who } from "./world.ts";

let h: Hearing;
let room: Room;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.enter();
});

const ok = (who: Who, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const save = (message: object): Promise<Json> => ok("ada", "POST", `${room.route}/draft`, { message });
async function saved(message: object): Promise<void> {
  await save(message);
  await h.hear(async () => {});
}

/** Checks that both of ada's connections received the event once, and nobody else did; events of other types are ignored. */
function own(heard: Heard, type: "draft.updated" | "draft.deleted", more: Keys = {}): Json {
  const events = heard.ada.filter((event) => event.type === type);
  expect(heard.ada2.filter((event) => event.type === type)).toEqual(events);
  expect(events).toHaveLength(1);
  for (const ear of ["bob", "cyd", "dan"] as const)
    expect(
      heard[ear].map((event) => event.type as string).filter((name) => name.startsWith("draft.")),
    ).toEqual([]);
  expect(differences(events[0], { ...ENVELOPE, draft: FULL_DRAFT, ...more })).toEqual([]);
  expect(events[0]).toMatchObject({ cid: room.cid, draft: { channel_cid: room.cid } });
  return events[0];
}

test("DR-6: saving tells the own connections only", async () => {
  const heard = await h.hear(() => save({ text: "maybe" }));
  expect(namesOf(heard)).toEqual({ ada: ["draft.updated"], ada2: ["draft.updated"] });
  expect(own(heard, "draft.updated").draft.message.text).toBe("maybe");
  const thread = await h.hear(() => save({ text: "under it", parent_id: room.message }));
  expect(own(thread, "draft.updated", { parent_id: "text" }).parent_id).toBe(room.message);
});

test("DR-2, DR-6: deleting tells them once, deleting nothing tells nobody", async () => {
  await saved({ text: "maybe" });
  const heard = await h.hear(() => ok("ada", "DELETE", `${room.route}/draft`));
  expect(namesOf(heard)).toEqual({ ada: ["draft.deleted"], ada2: ["draft.deleted"] });
  own(heard, "draft.deleted");
  expect(namesOf(await h.hear(() => ok("ada", "DELETE", `${room.route}/draft`)))).toEqual({});
  expect(namesOf(await h.hear(() => save({ text: "" })))).toEqual({});
  await saved({ text: "again" });
  own(await h.hear(() => save({ text: "" })), "draft.deleted");
});

test("DR-3: sending deletes the draft of the same channel or thread, and no other", async () => {
  await saved({ text: "maybe" });
  await saved({ text: "under it", parent_id: room.message });
  const reply = { message: { text: "re", parent_id: room.message } };
  const inThread = await h.hear(() => ok("ada", "POST", `${room.route}/message`, reply));
  own(inThread, "draft.deleted", { parent_id: "text" });
  expect((await ok("ada", "GET", `${room.route}/draft`)).draft.message.text).toBe("maybe");
  await h.hear(() => ok("bob", "POST", `${room.route}/message`, { message: { text: "not mine" } }));
  own(
    await h.hear(() => ok("ada", "POST", `${room.route}/message`, { message: { text: "so" } })),
    "draft.deleted",
  );
  expect((await h.world.call("ada", "GET", `${room.route}/draft`)).status).toBe(404);
});

test("DR-3: a refused send leaves the draft", async () => {
  await saved({ text: "maybe" });
  const heard = await h.hear(() =>
    h.world.call("ada", "POST", `${room.route}/message`, { body: { message: {} } }),
  );
  expect(namesOf(heard)).toEqual({});
  expect((await ok("ada", "GET", `${room.route}/draft`)).draft.message.text).toBe("maybe");
});

test.each([false, true])(
  "DR-7: a deleted parent takes the thread's draft with it (hard: %s)",
  async (hard) => {
    await saved({ text: "under it", parent_id: room.message });
    await saved({ text: "maybe" });
    const heard = await h.hear(() =>
      h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard } }),
    );
    own(heard, "draft.deleted", { parent_id: "text" });
    const { drafts } = await ok("ada", "POST", "/drafts/query", { filter: { channel_cid: room.cid } });
    expect(drafts.map((draft: Json) => draft.message.text)).toEqual(["maybe"]);
  },
);

test.each([false, true])("DR-7: a deleted quoted message leaves the draft (hard: %s)", async (hard) => {
  await saved({ text: "as you said", quoted_message_id: room.message });
  const heard = await h.hear(() =>
    h.world.ok("ada", "DELETE", `/messages/${room.message}`, { query: { hard } }),
  );
  const event = own(heard, "draft.updated");
  expect(event.draft.quoted_message).toBeUndefined();
  expect(event.draft.message).toMatchObject({ text: "as you said" });
  expect(event.draft.message.quoted_message_id).toBeUndefined();
});

test("DR-2, DR-7: a draft that was nothing but the quote goes with it", async () => {
  await saved({ quoted_message_id: room.message });
  own(await h.hear(() => ok("ada", "DELETE", `/messages/${room.message}`)), "draft.deleted");
});

test.each([false, true])("DR-7: a deleted channel takes its drafts with it (hard: %s)", async (hard) => {
  await saved({ text: "maybe" });
  const heard = await h.hear(() => h.world.ok("ada", "DELETE", room.route, { query: { hard_delete: hard } }));
  own(heard, "draft.deleted");
  const { drafts } = await ok("ada", "POST", "/drafts/query", { filter: { channel_cid: room.cid } });
  expect(drafts).toEqual([]);
});

test("DR-5: the draft rides on the channel's state and on the thread's parent, for its author alone", async () => {
  await saved({ text: "maybe" });
  await saved({ text: "under it", parent_id: room.message });
  const mine = await ok("ada", "POST", `${room.route}/query`, {});
  expect(mine.draft).toMatchObject({ channel_cid: room.cid, message: { text: "maybe" } });
  expect(mine.messages[0].draft).toMatchObject({ parent_id: room.message, message: { text: "under it" } });
  expect((await ok("ada", "GET", `/messages/${room.message}`)).message.draft.message.text).toBe("under it");
  const listed = await ok("ada", "POST", "/channels", { filter_conditions: { cid: room.cid } });
  expect(listed.channels[0].draft.message.text).toBe("maybe");
  const theirs = await ok("bob", "POST", `${room.route}/query`, {});
  expect(theirs.draft).toBeUndefined();
  expect(theirs.messages[0].draft).toBeUndefined();
  const heard = await h.hear(() =>
    ok("ada", "POST", `/messages/${room.message}`, { message: { text: "milk?" } }),
  );
  expect(heard.bob[0].message.draft).toBeUndefined();
  expect(heard.ada[0].message.draft).toBeUndefined();
});
