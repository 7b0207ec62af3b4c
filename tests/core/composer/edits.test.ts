/** A running edit beside a draft: neither loses the other, whatever comes from elsewhere meanwhile (R-DRAFT-7, R-DRAFT-8, D10). */
import { afterEach, expect, test } from "vitest";
import type { Draft } from "../../../src/wire/entities/draft.ts";
import { jsonReply } from "../../support/fake-ports.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg, user } from "../state/world.ts";
import { draftOf } from "../../support/drafts.ts";

const place = { cid: CID };
const DRAFT = "/channels/messaging/kitchen/draft";
const open: VirtualCore[] = [];
afterEach(async () => {
  for (const v of open.splice(0)) {
    const closing = v.core.close();
    await v.clock.advance(2000);
    await closing;
  }
});

const copyOf = (text: string, second: number, quoted_message_id?: string): Draft => ({
  channel_cid: CID,
  created_at: at(second),
  message: { id: "mira-9", text, ...(quoted_message_id && { quoted_message_id }) },
});

/** A connected core whose provider keeps copies of drafts, and whose channel came with one or without. */
async function core(draft?: Draft): Promise<VirtualCore> {
  const state = channel([msg(5), msg(7)], draft && { draft });
  const v = virtualCore(
    { drafts: true },
    {},
    {
      "POST /channels/messaging/kitchen/query": () => jsonReply({ ...state, duration: "" }, 201),
      "GET /users/live_locations": () => jsonReply({ active_live_locations: [], duration: "" }),
      [`POST ${DRAFT}`]: ({ body }) =>
        jsonReply(
          { draft: { channel_cid: CID, created_at: at(800), message: body.message }, duration: "" },
          201,
        ),
      [`DELETE ${DRAFT}`]: () => jsonReply({ duration: "" }),
    },
  );
  open.push(v);
  const connecting = v.core.connectUser({ id: "mira" }, miraToken());
  await v.clock.settle();
  v.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(0),
    me: { ...me(), ...user("mira") },
  });
  await connecting;
  await v.core.watch(CID);
  return v;
}

/** Another device's draft arrives. */
async function elsewhere(v: VirtualCore, draft: Draft): Promise<void> {
  v.sockets.last.frame({ type: "draft.updated", cid: CID, created_at: draft.created_at, draft });
  await v.clock.advance(50);
}

test("a draft of another device leaves a running edit alone, on screen and on disk", async () => {
  const v = await core(copyOf("hello", 50));
  const composer = v.core.composer(place);
  composer.open();
  composer.edit(msg(5));
  composer.typed("text 5, better", 14);
  await elsewhere(v, copyOf("from the phone", 200));
  await v.clock.advance(500);
  expect(composer.state()).toMatchObject({ text: "text 5, better", editing: { id: "m5" } });
  expect(draftOf(v.core, place)).toMatchObject({ text: "text 5, better", editingId: "m5" });
});

test("and stands in the box when the edit ends", async () => {
  const v = await core(copyOf("hello", 50));
  const composer = v.core.composer(place);
  composer.open();
  composer.edit(msg(5));
  await elsewhere(v, copyOf("from the phone", 200, "m7"));
  composer.edit(undefined);
  expect(composer.state()).toMatchObject({ text: "from the phone", quotedMessageId: "m7" });
  expect(composer.state().editing).toBeUndefined();
});

test("an edit that follows another one brings back what was written before the first", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  composer.typed("half a thought", 14);
  composer.quote("m7");
  composer.edit(msg(5));
  composer.typed("text 5, better", 14);
  composer.edit(msg(7));
  expect(composer.state()).toMatchObject({ text: "text 7", editing: { id: "m7" } });
  composer.edit(undefined);
  expect(composer.state()).toMatchObject({ text: "half a thought", quotedMessageId: "m7" });
  await v.clock.advance(500);
  expect(draftOf(v.core, place)).toMatchObject({ text: "half a thought", quotedMessageId: "m7" });
});

test("a quote alone is a draft: chosen, changed and taken away it is kept, here and at the provider", async () => {
  const v = await core();
  const composer = v.core.composer(place);
  composer.quote("m5");
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toMatchObject({ quotedMessageId: "m5" });
  composer.quote("m7");
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toMatchObject({ quotedMessageId: "m7" });
  composer.quote(undefined);
  await v.clock.advance(1200);
  expect(draftOf(v.core, place)).toBeUndefined();
  expect(
    v.calls
      .filter(({ what }) => what.endsWith(DRAFT))
      .map(({ body }) => (body?.message as { quoted_message_id?: string })?.quoted_message_id ?? "none"),
  ).toEqual(["m5", "m7", "none"]);
});
