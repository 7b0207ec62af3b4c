/** Sharing the user's own location: choosing the position and duration, the status line, and stopping. */
import { afterEach, expect, test } from "vitest";
import { loadAtlas } from "../../../../src/atlas/load.ts";
import { redrawOnTick } from "../../../../src/tui/effects/clock.ts";
import { scrollOf } from "../../../../src/tui/screen/screen.ts";
import { withScroll } from "../../../../src/tui/screen/transitions.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import type { SharedLocation } from "../../../../src/wire/entities/location.ts";
import { EPOCH, FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const NOW = EPOCH + 86_400_000;
const soon = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const mine = (id: string, minutes: number) => ({
  message_id: id,
  channel_cid: "messaging:general",
  user_id: "me",
  latitude: 52.37,
  longitude: 4.89,
  end_at: soon(minutes),
  updated_at: soon(0),
  created_by_device_id: "device",
});

async function show(size: { columns?: number; rows?: number } = {}): Promise<{ m: Mounted; core: FakeCore }> {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: [message("l1", "me", "", { shared_location: mine("l1", 14) }), message("m2", "ana", "hi")],
      }),
    ]),
  );
  const m = await mount(core, { maps: "braille", ...size });
  open.push(m);
  return { m, core };
}

/** Delivers an event that makes the user's own message a live location. */
async function sharing(m: Mounted, core: FakeCore, id = "l1", minutes = 14): Promise<void> {
  core.hear({
    type: "message.updated",
    cid: "messaging:general",
    created_at: soon(0),
    message: { ...message(id, "me", ""), shared_location: mine(id, minutes) },
  });
  await m.settle();
}

test("/location asks where and for how long, and shares the location live", async () => {
  const { m, core } = await show();
  await loadAtlas();
  await m.type("/location");
  await m.press("enter");
  expect(m.text()).toContain("Where are you?");
  while (!m.model.look.maps?.atlas) await m.settle();
  await m.type("utrecht");
  expect(m.text()).toContain("Utrecht");
  expect(m.text()).toContain("Netherlands");
  await m.press("enter");
  expect(m.text()).toContain("For how long?");
  expect(m.text()).toContain("Live for 15 min");
  const askedAt = m.pace.at;
  m.pace.at += 60_000;
  await m.type("45m");
  await m.press("enter");
  const [[place, sent]] = core.calls("send") as [[object, { custom: { shared_location: SharedLocation } }]];
  expect(place).toEqual({ cid: "messaging:general" });
  const { end_at, ...where } = sent.custom.shared_location;
  expect(where).toEqual({ latitude: 52.091, longitude: 5.122, created_by_device_id: "device" });
  // The duration is counted from the send: the minute spent in the form is not lost.
  expect(Date.parse(end_at!)).toBeGreaterThan(askedAt + 60_000 + 45 * 60_000 - 1);
  expect(Date.parse(end_at!)).toBeLessThanOrEqual(m.pace.at + 45 * 60_000);
  expect(m.screen.popups).toEqual([]);
});

test("a static location has no end", async () => {
  const { m, core } = await show();
  await m.type("/location");
  await m.press("enter");
  await m.type("52.3702, 4.8952");
  expect(m.text()).toContain("52.37020°N 4.89520°E");
  await m.press("enter");
  await m.type("only");
  await m.press("enter");
  const [[, sent]] = core.calls("send") as [[object, { custom: { shared_location: object } }]];
  expect(sent.custom.shared_location).toEqual({
    latitude: 52.3702,
    longitude: 4.8952,
    created_by_device_id: "device",
  });
});

test("what was just shared is shown: a list that was scrolled up goes to its end, and the line of new messages is gone", async () => {
  const { m, core } = await show();
  m.change((s) => withScroll(s, { cid: "messaging:general" }, { anchor: { id: "l1", row: 0 } }));
  await m.type("/location");
  await m.press("enter");
  await m.type("52.3702, 4.8952");
  await m.press("enter");
  await m.type("only");
  await m.press("enter");
  expect(core.calls("send")).toHaveLength(1);
  expect(scrollOf(m.screen, { cid: "messaging:general" }).anchor).toBeUndefined();
  expect(core.calls("endLine").at(-1)).toEqual(["messaging:general"]);
});

test("places and durations are offered only for valid input", async () => {
  const { m } = await show();
  const offered = async (typed: string): Promise<string[]> => {
    await m.press("C-u");
    await m.type(typed);
    return choicesOf(topPopup(m.screen), m.model).map(({ label }) => label);
  };
  await m.type("/location");
  await m.press("enter");
  await loadAtlas();
  while (!m.model.look.maps?.atlas) await m.settle();
  expect(await offered("utrecht")).toContain("Utrecht");
  expect(await offered("91,0")).toEqual([]);
  expect(await offered("")).toEqual([]);
  await offered("52.37,4.89");
  await m.press("enter");
  expect(await offered("")).toEqual([
    "Live for 15 min",
    "Live for 1 h",
    "Live for 8 h",
    "Only this place, without updates",
  ]);
  // L-3: less than a minute is refused.
  expect(await offered("30s")).toEqual([]);
  expect(await offered("1m")).toEqual(["Live for 1 min"]);
  expect(await offered("rubbish")).toEqual([]);
});

test("the status line says that the location is shared, the time left and the key that stops it", async () => {
  const { m, core } = await show();
  expect(m.text()).not.toContain("sharing your location");
  await sharing(m, core);
  expect(m.text()).toContain("sharing your location · 14 min left · Alt-. stops");
  m.pace.at += 60_000;
  redrawOnTick(m.ports, m.pace.at);
  await m.settle();
  expect(m.text()).toContain("sharing your location · 13 min left");
  core.answers.set("updateLiveLocation", ({ body }: { body: { end_at: string } }) => ({
    ...mine("l1", 0),
    end_at: body.end_at,
    updated_at: soon(1),
  }));
  await m.press("A-.");
  await m.settle();
  expect(core.calls("call").filter(([name]) => name === "updateLiveLocation")).toHaveLength(1);
  expect(m.text()).not.toContain("sharing your location");
  expect(m.text()).toContain("location sharing stopped");
  await m.press("A-.");
  expect(m.text()).toContain("You are not sharing your location.");
});

test("the status line counts what another device of the user shares, too, and the key stops it", async () => {
  const { m, core } = await show({ columns: 160 });
  core.answers.set("updateLiveLocation", () => ({ ...mine("far", -1), updated_at: soon(1) }));
  core.hear({
    type: "message.updated",
    cid: "messaging:general",
    created_at: soon(0),
    message: {
      ...message("far", "me", ""),
      shared_location: { ...mine("far", 30), created_by_device_id: "phone" },
    },
  });
  await m.settle();
  expect(m.text()).toContain("sharing your location · 30 min left");
  await sharing(m, core);
  expect(m.text()).toContain("sharing your location in 2 places · 30 min left");
  await m.press("i", "A-.");
  await m.settle();
  expect(endsAsked(core).toSorted()).toEqual(["far", "l1"]);
});

test("a click on the status line asks before it stops; the button of the card stops at once", async () => {
  const { m, core } = await show();
  core.answers.set("updateLiveLocation", () => ({ ...mine("l1", -1), updated_at: soon(1) }));
  await sharing(m, core);
  const at = (text: string): { x: number; y: number } => {
    const lines = m.text().split("\n");
    const y = lines.findIndex((line) => line.includes(text));
    return { x: lines[y]!.indexOf(text), y };
  };
  const words = at("sharing your location");
  await m.click(words.x + 2, words.y);
  expect(m.text()).toContain("Stop sharing your location?");
  await m.press("esc");
  expect(core.calls("call").filter(([name]) => name === "updateLiveLocation")).toEqual([]);
  const button = at("[stop sharing]");
  await m.click(button.x + 2, button.y);
  await m.settle();
  expect(core.calls("call").filter(([name]) => name === "updateLiveLocation")).toHaveLength(1);
});

test("a narrow status line keeps its help beside the time left, and only a click on the words asks", async () => {
  const { m, core } = await show({ columns: 50, rows: 20 });
  await sharing(m, core);
  expect(m.line(19)).toMatch(/F1 help +sharing · 14 min $/);
  await m.click(12, 19);
  expect(m.screen.popups).toEqual([]);
  await m.click(m.line(19).indexOf("14 min"), 19);
  expect(m.text()).toContain("Stop sharing your location?");
});

test("a click on the unsent count opens the unsent messages, also while sharing", async () => {
  const { m, core } = await show();
  const failed = message("f1", "me", "late", { status: "failed" });
  core.change((state) => ({
    ...state,
    outbox: 1,
    channels: new Map(state.channels).set("messaging:ops", channel("ops", { messages: [failed] })),
  }));
  await sharing(m, core);
  expect(m.line(39)).toMatch(/Alt-\. stops {2}1 unsent $/);
  await m.click(m.line(39).indexOf("unsent"), 39);
  expect(m.screen.cid).toBe("messaging:ops");
});

test("of several locations the one under the cursor stops, and only its menu offers it", async () => {
  const { m, core } = await show();
  core.answers.set("updateLiveLocation", ({ body }: { body: { message_id: string } }) => ({
    ...mine(body.message_id, -1),
    updated_at: soon(1),
  }));
  await sharing(m, core, "l1");
  core.hear({
    type: "message.updated",
    cid: "messaging:ops",
    created_at: soon(0),
    message: {
      ...message("far", "me", "", { cid: "messaging:ops" }),
      shared_location: { ...mine("far", 30), channel_cid: "messaging:ops" },
    },
  });
  await m.settle();
  expect(m.text()).toContain("sharing · 30 min · Alt-. stops");
  await m.resize(200, 40);
  expect(m.text()).toContain("sharing your location in 2 places · 30 min left");
  await m.resize(120, 40);
  await m.press("esc", "G", "m");
  expect(m.text()).not.toContain("Stop sharing my location");
  await m.press("esc", "g", "m");
  await m.type("stop");
  expect(m.text()).toContain("Stop sharing my location");
  await m.press("enter");
  await m.settle();
  const stopped = core.calls("call").filter(([name]) => name === "updateLiveLocation");
  expect(stopped.map(([, args]) => (args as { body: { message_id: string } }).body.message_id)).toEqual([
    "l1",
  ]);
});

test("moving the location updates the shared one", async () => {
  const { m, core } = await show();
  await sharing(m, core);
  await m.press("C-p");
  await m.type("say where");
  await m.press("enter");
  await m.type("52.5,13.4");
  await m.press("enter");
  const [[, args]] = core.calls("call").filter(([name]) => name === "updateLiveLocation") as [
    [string, { body: object }],
  ];
  expect(args.body).toEqual({ message_id: "l1", latitude: 52.5, longitude: 13.4 });
  expect(m.text()).toContain("your location is now 52.50000°N 13.40000°E");
});

/** An outbox row that shares the user's own location. */
const underway = (id: string, more: object = {}) => ({
  id,
  cid: "messaging:general",
  kind: "send" as const,
  text: "",
  shared_location: mine(id, 15),
  state: "sending" as const,
  tries: 1,
  created_at: soon(0),
  busy: false,
  ...more,
});
const endsAsked = (core: FakeCore): unknown[] =>
  core
    .calls("call")
    .filter(([name]) => name === "updateLiveLocation")
    .map(([, args]) => (args as { body: { message_id: string } }).body.message_id);

test("the stop key pressed while the share is being sent ends it as soon as it arrives", async () => {
  const { m, core } = await show();
  core.answers.set("updateLiveLocation", () => ({ ...mine("l1", -1), updated_at: soon(1) }));
  core.waitingRows = [underway("l1")];
  await m.press("A-.");
  expect(m.text()).toContain("Your location is being sent; sharing stops as soon as it arrives.");
  expect(endsAsked(core)).toEqual([]);
  core.waitingRows = [];
  await sharing(m, core);
  await m.settle();
  expect(endsAsked(core)).toEqual(["l1"]);
  expect(m.text()).toContain("location sharing stopped");
});

test("a share not yet sent is cancelled; refused, ended and scheduled ones are left alone", async () => {
  const { m, core } = await show();
  core.takenBack.set("l1", { id: "l1", text: "" });
  core.waitingRows = [
    underway("l1", { state: "queued", tries: 0 }),
    underway("l2", { state: "failed" }),
    underway("l3", { shared_location: mine("l3", -1) }),
    underway("l4", { send_at: soon(5) }),
    underway("l5", { shared_location: undefined }),
  ];
  await m.press("A-.");
  expect(m.text()).toContain("your location had not been sent yet, and will not be");
  expect([core.calls("unsend"), endsAsked(core)]).toEqual([[["l1"]], []]);
});
