/** Maps of shared locations: small among the messages, large in the panel, with and without colour, and their actions. */
import { afterEach, describe, expect, test } from "vitest";
import { loadAtlas } from "../../../../src/atlas/load.ts";
import { redrawOnTick } from "../../../../src/tui/effects/clock.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { SharedLocation } from "../../../../src/wire/entities/location.ts";
import { EPOCH, FakeCore, channel, message, stateOf, user } from "../../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

/** The clock of these tests is one day after the messages. */
const NOW = EPOCH + 86_400_000;
const soon = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const STOCKHOLM = { latitude: 59.3251, longitude: 18.0711 };

const live = (more: Partial<SharedLocation> = {}): SharedLocation => ({
  ...STOCKHOLM,
  end_at: soon(14),
  updated_at: soon(0),
  created_by_device_id: "phone",
  ...more,
});
const trail = [
  { latitude: 59.3243, longitude: 18.0748 },
  { latitude: 59.3228, longitude: 18.0762 },
];

function trip(): FakeCore {
  const shared = live();
  const members = new Map(
    ["me", "dana", "emil"].map((id) => [
      id,
      { user_id: id, user: user(id), channel_role: "channel_member", created_at: "", updated_at: "" },
    ]),
  );
  return new FakeCore(
    stateOf([
      channel("general", {
        members,
        messages: [
          message("l1", "dana", "I share my location:", { shared_location: shared, trail }),
          message("l2", "bo", "", { minute: 1, shared_location: { latitude: 48.8566, longitude: 2.3522 } }),
        ],
        liveLocations: [
          { ...shared, message_id: "l1", user_id: "dana", trail },
          { ...live({ latitude: 59.33, longitude: 18.1 }), message_id: "l3", user_id: "emil" },
        ],
      }),
    ]),
  );
}

/** One person alone shares a location. */
const alone = (): FakeCore =>
  new FakeCore(
    stateOf([channel("general", { messages: [message("l1", "dana", "", { shared_location: live() })] })]),
  );

/** Mounts the screen with the atlas, which is loaded on first use. */
async function show(options: MountOptions = {}, core = trip()): Promise<Mounted> {
  const m = await mount(core, { maps: "braille", ...options });
  open.push(m);
  await loadAtlas();
  while (!m.model.look.maps?.atlas && options.maps !== "off") await m.settle();
  await m.settle();
  return m;
}
const picture = (m: Mounted): string =>
  m
    .text()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");

describe("among the messages", () => {
  test("a live location is drawn as a map of the region, with the trail beside it if there is room", async () => {
    expect(picture(await show({ rows: 24 }))).toMatchSnapshot();
  });

  test("at 80×24 without colours the trail has its own characters", async () => {
    const m = await show({ columns: 80, rows: 24, theme: makeTheme(0, "dark", { styled: true }) });
    expect(picture(m)).toMatchSnapshot();
    expect(m.text()).toContain("•");
  });

  test("in ASCII it is drawn without braille", async () => {
    const m = await show({ columns: 80, rows: 24, maps: "ascii", theme: makeTheme(0) });
    expect(picture(m)).toMatchSnapshot();
    expect(m.text()).toContain("@ dana");
    expect(m.text()).not.toMatch(/[\u2800-\u28ff▀▄█]/);
  });

  test("with maps off the location is text, and the panel shows the message", async () => {
    const m = await show({ maps: "off" });
    expect(m.text()).toContain("live location · 14 min left · 59.32510°N 18.07110°E");
    expect(m.text()).not.toContain("● dana");
    await m.press("esc", "g", "v");
    expect(m.screen.panels.at(-1)).toMatchObject({ name: "message" });
  });

  test("the time left counts down, and the map moves with the location", async () => {
    const core = trip();
    const m = await show({}, core);
    expect(m.text()).toContain("14 min left");
    m.pace.at += 61_000;
    redrawOnTick(m.ports, m.pace.at);
    await m.settle();
    expect(m.text()).toContain("13 min left");
    const before = m.text();
    core.changeChannel("messaging:general", (entry) => ({
      ...entry,
      sets: entry.sets.map((set) => ({
        ...set,
        messages: Object.assign(Object.create(Object.getPrototypeOf(set.messages) as object), {
          list: [...set.messages].map((held) =>
            held.id === "l1" ? { ...held, shared_location: live({ latitude: 59.32 }) } : held,
          ),
        }) as typeof set.messages,
      })),
    }));
    await m.settle();
    expect(m.text()).not.toBe(before);
    expect(m.text()).toContain("59.32000°N");
  });

  test("typing does not render the messages again", async () => {
    const m = await show();
    const { renderCount } = m.ports.feeds;
    await m.type("hello");
    expect(m.ports.feeds.renderCount).toBe(renderCount);
  });
});

describe("in the panel", () => {
  test("v opens a large map with everybody who shares a location", async () => {
    const m = await show({ rows: 30 });
    await m.press("esc", "g", "v");
    expect(picture(m)).toMatchSnapshot();
    expect(m.text()).toContain("dana · 14:00 left · near Stockholm");
    expect(m.text()).toMatch(/emil · 14:00 left · 1\.7 km E/);
    expect(m.text()).toContain("MAP  + zoom in");
  });

  test("at 80×24 without colours it covers the messages", async () => {
    const m = await show({ columns: 80, rows: 24, theme: makeTheme(0, "dark", { styled: true }) });
    await m.press("esc", "g", "v");
    expect(picture(m)).toMatchSnapshot();
  });

  test("in ASCII it is large too", async () => {
    const m = await show({ columns: 80, rows: 24, maps: "ascii", theme: makeTheme(0) });
    await m.press("esc", "g", "v");
    expect(picture(m)).toMatchSnapshot();
  });

  test("keys zoom, pan, follow again, and show everybody", async () => {
    const m = await show();
    await m.press("esc", "g", "v");
    const panel = () => m.screen.panels.at(-1) as unknown as { scale?: number; centre?: object; id: string };
    await m.press("-");
    const farther = panel().scale!;
    await m.press("+");
    expect(panel().scale).toBe(farther / 2);
    expect(m.text()).toContain("follows dana");
    await m.press("right", "j", "h");
    expect(panel().centre).toBeDefined();
    expect(m.text()).toContain("moved by hand");
    await m.press("c");
    expect(panel()).not.toHaveProperty("centre");
    await m.press("a");
    expect(m.text()).toContain("● emil");
    await m.press("n");
    expect(panel().id).toBe("l3");
    expect(m.text()).toContain("follows emil");
    await m.press("o");
    expect(m.opened).toEqual(["https://www.openstreetmap.org/?mlat=59.33&mlon=18.1#map=15/59.33/18.1"]);
    await m.press("esc");
    expect(m.screen.panels).toEqual([]);
  });

  test("n goes round through everybody, and comes back to the first after the last", async () => {
    const m = await show();
    await m.press("esc", "g", "v");
    const followed: string[] = [];
    for (let i = 0; i < 3; i++) {
      await m.press("n");
      followed.push((m.screen.panels.at(-1) as unknown as { id: string }).id);
    }
    expect(followed).toEqual(["l3", "l1", "l3"]);
  });

  test("a leaves the scale that was chosen for one person alone, and returns to them", async () => {
    const m = await show({}, alone());
    await m.press("esc", "g", "v", "-", "-");
    const panel = () => m.screen.panels.at(-1) as unknown as { scale?: number; centre?: object };
    const { scale } = panel();
    await m.press("a");
    expect(panel()).toMatchObject({ scale });
    await m.press("c", "-", "right", "a", "+", "-");
    expect(panel().scale).toBe(scale! / 2);
  });

  test("the wheel zooms, a click centres, and a click on a name follows it", async () => {
    const m = await show();
    await m.press("esc", "g", "v");
    const panel = () => m.screen.panels.at(-1) as unknown as { scale?: number; centre?: object; id: string };
    const { x, y, width } = m.model.layout.panel!;
    await m.wheel(x + 5, y + 5, false);
    const closer = panel().scale!;
    await m.wheel(x + 5, y + 5, true);
    expect(panel().scale).toBe(closer * 2);
    await m.click(x + width - 3, y + 3);
    expect(panel().centre).toBeDefined();
    const row = m
      .text()
      .split("\n")
      .findIndex((line) => line.includes("emil · 14:00 left"));
    await m.click(x + 3, row);
    expect(panel().id).toBe("l3");
  });

  test("a click on the small map opens it", async () => {
    const m = await show();
    const row = m
      .text()
      .split("\n")
      .findIndex((line) => line.includes("min left"));
    await m.click(m.model.layout.main!.x + 30, row + 2);
    expect(m.screen.panels.at(-1)).toMatchObject({ name: "map", id: "l1" });
  });

  test("y copies the coordinates: with the text on the message, alone on the map", async () => {
    const m = await show();
    await m.press("esc", "g", "y", "v", "y");
    expect(m.copied).toEqual(["I share my location:\n59.32510, 18.07110", "59.32510, 18.07110"]);
  });
});
