/** A provider that sends wrong events: they are skipped and logged, correct ones still count, and everything can still be drawn. */
import { NO_COUNTS } from "../../support/fake-core.ts";
import { afterEach, expect, test } from "vitest";
import type { ClientMessage } from "../../../src/model/state.ts";
import { plain } from "../../../src/text/width.ts";
import { headerRow } from "../../../src/tui/views/status/header-row.ts";
import type { Model } from "../../../src/tui/screen/store.ts";
import { membersPane } from "../../../src/tui/views/members/members.ts";
import { details } from "../../../src/tui/views/details/details.ts";
import { detailsPanel } from "../../../src/tui/screen/screen.ts";
import { sidebarRows } from "../../../src/tui/views/sidebar/rows.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { sidebarLines, sidebarWindow } from "../../../src/tui/views/sidebar/lines.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { EVENTS, EventEnvelope, type EventType } from "../../../src/wire/events.ts";
import { entity } from "../../../src/wire/entities/fields.ts";
import { helloFrame } from "../../support/fake-provider.ts";
import { jsonReply } from "../../support/fake-ports.ts";
import { corruptedTexts, rowsOf, sample } from "../../support/wrong-values.ts";
import { drawnSeed, runs } from "../../support/proof.ts";
import { dice } from "../../support/seeded.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";
import { channel, CID, msg, msgs, user } from "../state/world.ts";

const theme = makeTheme(0);
/** Malformed variants of each event. */
const TRIES = runs(300, 12);
const GARDEN = "messaging:garden";
const poll = sample(entity("Poll")) as { id: string };
const kitchen = () =>
  channel([...msgs(1, 8), msg(9, { poll: { ...poll, id: "p1" }, poll_id: "p1" } as never)], {
    members: [
      { user_id: "mira", user: user("mira"), created_at: "", updated_at: "" },
      { user_id: "bob", user: user("bob"), created_at: "", updated_at: "" },
    ] as never,
    read: [{ user: user("mira"), last_read: "2026-01-01T00:00:05Z", unread_messages: 4 }],
  });
const garden = () => channel([{ ...msg(1), id: "g1", cid: GARDEN }], { cid: GARDEN });

/** Mira's core with both channels on an open WebSocket, or on a long poll. */
async function opened(): Promise<VirtualCore> {
  const at = virtualCore(
    {},
    {},
    { "POST /channels": () => jsonReply({ channels: [kitchen(), garden()], duration: "" }) },
  );
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  await at.core.queryChannels({ filter_conditions: {} });
  await at.clock.advance(10);
  return at;
}

async function closeCore({ core, clock }: VirtualCore): Promise<void> {
  const closed = core.close();
  await clock.advance(10_000);
  await closed;
}

/** A correct event of this name about loaded data. */
function validEvent(type: string): Record<string, unknown> {
  const rows = rowsOf({ ...EventEnvelope, ...EVENTS[type as EventType] });
  const sampled = Object.fromEntries(rows.map(([key, field]) => [key, sample(field, 1)]));
  const { channel: about } = kitchen();
  const loadedParts: Record<string, unknown> = {
    cid: CID,
    channel_type: "messaging",
    channel_id: "kitchen",
    channel: about,
    user: user("bob"),
    message: msg(9, type === "message.new" ? { id: "m10", created_at: "2026-01-01T00:00:10Z" } : {}),
    message_id: "m9",
    poll: { ...poll, id: "p1" },
    created_at: "2026-01-01T00:01:00Z",
  };
  const { received_at: _, ...event } = sampled;
  return {
    type,
    ...event,
    ...Object.fromEntries(Object.entries(loadedParts).filter(([key]) => key in event)),
  };
}

/** Everything that a screen shows, as one text. */
function drawScreen({ core }: VirtualCore): string {
  const state = core.state();
  const now = core.providerNow();
  const context = { width: 84, theme, now, utc: true, me: { id: "mira" } };
  const lines = sidebarLines({
    state,
    open: CID,
    folded: new Set(),
    drafts: new Set(),
    counts: NO_COUNTS,
    now,
  });
  const rows = sidebarRows(sidebarWindow(lines, 40, 0, undefined), { theme, width: 24, cursor: undefined });
  for (const entry of state.channels.values()) {
    rows.push(headerRow({ theme, width: 110, entry, me: "mira", link: state.link, profile: "work", now }));
    const threads = [...entry.threads.values()].flatMap(({ sets }) => sets);
    const messages = [...entry.sets, ...threads].flatMap(({ messages: list }): ClientMessage[] => [...list]);
    for (const message of messages) rows.push(...messageRows(message, context));
    const { cid } = entry;
    rows.push(details.title({ state } as Model, detailsPanel(cid), "mira"));
    rows.push(...details.rows({ state, panel: detailsPanel(cid), entry, width: 40, context }));
    const panel = membersPane.pane.open(cid);
    const look = { theme, width: 40, height: 40, utc: true, focused: true, now: 0 };
    rows.push(membersPane.definition.title({ state } as Model, panel, "mira"));
    rows.push(...membersPane.rows(panel, membersPane.pane.items({ state } as Model, panel), look));
  }
  return rows.map(plain).join("\n");
}

let validCount = 0;
/** A malformed frame followed by a correct one: the correct one counts, and everything can be drawn. */
async function sendThenCheck(at: VirtualCore, text: string): Promise<void> {
  const id = `g${++validCount + 10}`;
  const time = new Date(Date.UTC(2026, 1, 1) + validCount * 1000).toISOString();
  const message = { ...msg(1, { text: "good" }), id, cid: GARDEN, created_at: time, updated_at: time };
  at.sockets.last.frame(text);
  at.sockets.last.frame({ type: "message.new", cid: GARDEN, created_at: time, user: user("bob"), message });
  await at.clock.advance(1);
  const { link, channels } = at.core.state();
  expect(link.phase).toBe("open");
  expect(
    channels
      .get(GARDEN)
      ?.sets.find((set) => set.isLatest)
      ?.messages.indexOf(id),
  ).toBeGreaterThan(-1);
  const rows = drawScreen(at);
  expect(/NaN|undefined|\[object|Invalid|function/.exec(rows)?.input).toBeUndefined();
  expect(at.log.filter((line) => /^error|could not be applied|cache could not/.test(line))).toEqual([]);
}

const failures: unknown[] = [];
const recordFailure = (error: unknown): void => void failures.push(error);
process.on("unhandledRejection", recordFailure);
afterEach(() => {
  expect(failures.splice(0)).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { id?: string }).id).toBeUndefined();
});

const types = Object.keys(EVENTS).filter((type) => !/^(connection|transport|health)\./.test(type));

test("every correct event is applied, and none is logged as skipped", async () => {
  for (const type of types) {
    const at = await opened();
    await sendThenCheck(at, JSON.stringify(validEvent(type)));
    expect(at.log.filter((line) => line.includes("skipped"))).toEqual([]);
    expect(at.story).toContain(type);
    await closeCore(at);
  }
});

test.each(types)(
  "%s with missing or wrong parts: later events count, and everything can be drawn",
  async (type) => {
    const all = [...corruptedTexts(validEvent(type))];
    const drawing = dice(drawnSeed(type));
    let at = await opened();
    for (let n = 1; n <= TRIES; n++) {
      const [what, text] = all[drawing.below(all.length)]!;
      // Everything sent so far is drawn each time, so start with a new core now and then.
      if (n % 50 === 0) await closeCore(at);
      if (n % 50 === 0 || !at.core.state().channels.has(CID)) at = await opened();
      await sendThenCheck(at, text).catch((error: Error) => {
        throw new Error(`${type}: ${what}: ${error.stack}`);
      });
    }
    await closeCore(at);
  },
);

const NONSENSE: Readonly<Record<string, string>> = {
  "invalid JSON": "hello",
  nothing: "",
  "a number": "7",
  "a list": "[]",
  "no type": "{}",
  "a type that is no string": '{"type":{"toString":1}}',
  "the name of an object method": '{"type":"constructor","cid":"messaging:kitchen"}',
  "the name of the prototype": '{"type":"__proto__","cid":"messaging:kitchen"}',
  "50,000 open brackets": `{"type":"message.new","message":${"[".repeat(50_000)}`,
  "50,000 nested brackets": `{"type":"x","a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  "a message that is a list": '{"type":"message.new","cid":"messaging:kitchen","message":[1,2]}',
  "a long text": `{"type":"message.new","cid":"messaging:kitchen","message":${JSON.stringify(msg(20, { text: "x".repeat(1_000_000) }))}}`,
};

test("other invalid frames are logged at a falling rate, and the connection stays open", async () => {
  const at = await opened();
  for (const text of Object.values(NONSENSE)) await sendThenCheck(at, text);
  for (let n = 0; n < 5000; n++) at.sockets.last.frame("{}");
  await sendThenCheck(at, "[]");
  expect(at.log.filter((line) => line.includes("skipped")).length).toBeLessThan(20);
  expect(at.log.some((line) => line.includes('"count":4096'))).toBe(true);
  await closeCore(at);
});

test("a frame of 10 MB closes the connection, which reconnects after a pause", async () => {
  const at = await opened();
  at.sockets.last.frame(`{"type":"x","text":"${"x".repeat(10 * 2 ** 20)}"}`);
  expect(at.sockets.last.closed).toBe(1009);
  await at.clock.advance(100);
  expect(at.sockets.all).toHaveLength(1);
  await at.clock.advance(10_000);
  expect(at.sockets.all.length).toBe(2);
  await closeCore(at);
});

const ME = sample(entity("OwnUser"), 0, true) as Record<string, unknown>;
ME.id = "mira";
const ODD_FIRST: Readonly<Record<string, unknown>> = {
  "mutes that are no list": { ...helloFrame("mira"), me: { ...ME, mutes: 5 } },
  "a current user without an id": { ...helloFrame("mira"), me: { mutes: [] } },
  "a mute without a target": { ...helloFrame("mira"), me: { ...ME, mutes: [{ user: ME }] } },
  "a channel mute without a channel": {
    ...helloFrame("mira"),
    me: { ...ME, channel_mutes: [{ user: ME, channel: null }] },
  },
  "a device without a user": {
    ...helloFrame("mira"),
    me: { ...ME, devices: [{ id: "d", push_provider: "apn", created_at: ME.created_at }] },
  },
  "a current user that is a list": { ...helloFrame("mira"), me: [] },
  "a connection id that is a number": { ...helloFrame("mira"), connection_id: 5 },
  "a time that is a number": { ...helloFrame("mira"), created_at: 5 },
};

test.each(Object.keys(ODD_FIRST))(
  "a first frame with %s connects, and what is odd is counted",
  async (what) => {
    const at = virtualCore();
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    at.sockets.last.frame(ODD_FIRST[what]);
    expect((await done).id).toBe("mira");
    expect(at.core.state()).toMatchObject({ me: { id: "mira" }, link: { phase: "open" } });
    expect(at.core.oddities()).not.toEqual([]);
    await closeCore(at);
  },
);

const FIRST: Readonly<Record<string, unknown>> = {
  "the type of another event": { ...helloFrame("mira"), type: "custom.x" },
  "a connection id that is a list": { ...helloFrame("mira"), connection_id: [] },
  "an empty error": { error: {} },
  "an error with wrong types": { error: { code: "constructor", message: 5, StatusCode: [] } },
};

test.each(Object.keys(FIRST))(
  "a first frame with %s: reconnected at growing intervals, and nothing of it is stored",
  async (what) => {
    const at = virtualCore();
    at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
    let answered = 0;
    for (let second = 0; second < 60; second++) {
      while (answered < at.sockets.all.length) at.sockets.all[answered++]!.frame(FIRST[what]);
      await at.clock.advance(1000);
    }
    expect(answered).toBeGreaterThan(1);
    expect(answered).toBeLessThan(20);
    expect(at.core.state().me).toBeUndefined();
    expect(at.core.state().link.phase).not.toBe("open");
    await closeCore(at);
  },
);

test("1001 events before the first frame end the attempt", async () => {
  const at = virtualCore();
  at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
  await at.clock.settle();
  for (let n = 0; n <= 1000; n++) at.sockets.last.frame({ type: "x" });
  expect(at.sockets.last.closed).toBe("terminated");
  await closeCore(at);
});

const event = (n: number): object => ({ type: "custom.x", created_at: "2026-03-04T05:06:08Z", n });
const BATCHES: Readonly<Record<string, (n: number) => unknown>> = {
  "events that are no list": () => ({ events: "all of them", last: 1 }),
  "invalid events only": () => ({ events: [null, 5, "x", [], {}, { type: 7 }], last: 1 }),
  "the same events again and again": () => ({ events: [event(1), event(2)], last: 2 }),
  "numbers that go backwards": (n) => ({ events: [event(1)], last: 1000 - n }),
  "an invalid event number": () => ({ events: [event(1)], last: "x" }),
  "an infinite event number": () => `{"events":[],"last":1e999}`,
  "an endless stream of events": (n) => ({ events: Array.from({ length: 50 }, (_, i) => event(n * 50 + i)) }),
};

test.each(Object.keys(BATCHES))("long polls answered at once with %s are paced", async (what) => {
  let n = 0;
  const at = virtualCore(
    { transport: "longpoll" },
    { unchecked: undefined as never },
    {
      // A storm would never end on this clock.
      "GET /longpoll": ({ url }) =>
        n > 1000
          ? "never"
          : jsonReply(
              url.searchParams.has("json")
                ? { event: helloFrame("mira"), events: [], duration: "" }
                : BATCHES[what]!(++n),
            ),
    },
  );
  at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
  await at.clock.advance(3000);
  expect(n).toBeGreaterThan(0);
  expect(n).toBeLessThan(160);
  await closeCore(at);
});

test("valid events after invalid ones of the same poll count", async () => {
  const message = { ...msg(1), id: "late", cid: GARDEN, created_at: "2026-02-01T00:00:00Z" };
  const news = { type: "message.new", cid: GARDEN, created_at: "2026-02-01T00:00:00Z", message };
  const wrong = { type: "message.new", cid: GARDEN, message: { id: 7 } };
  const receivedIds: string[] = [];
  let polled = false;
  const at = virtualCore(
    { transport: "longpoll" },
    {},
    {
      "POST /channels": () => jsonReply({ channels: [kitchen(), garden()], duration: "" }),
      "GET /longpoll": ({ url }) => {
        if (url.searchParams.has("json")) return jsonReply({ event: helloFrame("mira"), events: [] });
        if (polled) return "never";
        polled = true;
        return jsonReply({ events: [wrong, null, news] });
      },
    },
  );
  at.core.on("message.new", (told) => void receivedIds.push((told.message as { id: string }).id));
  at.core.connectUser({ id: "mira" }, miraToken()).catch(() => undefined);
  await at.core.queryChannels({ filter_conditions: {} });
  await at.clock.advance(2000);
  expect(receivedIds).toEqual(["late"]);
  await closeCore(at);
});
