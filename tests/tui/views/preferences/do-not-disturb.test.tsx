/** Do-not-disturb with an end, notification levels of channels, and the user's own status, by command line and by list. */
import { momentWords } from "../../../../src/text/times.ts";
import { afterEach, expect, test } from "vitest";
import { EPOCH, FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";
import { words } from "../../../../src/text/words.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { withFocus } from "../../../../src/tui/screen/transitions.ts";
import type { ChannelEntry } from "../../../../src/model/state.ts";
import { levelOf, openLevels, quietUntil } from "../../../../src/tui/views/preferences/do-not-disturb.ts";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const NOW = EPOCH + 86_400_000;
const HOUR = 3_600_000;
const workspace = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "deploy at ten?")] })]));
const general = ({ state }: ScreenDriver): ChannelEntry => state.channels.get("messaging:general")!;
const bodies = (app: ScreenDriver, name: string): unknown[] =>
  app.core
    .calls("call")
    .flatMap(([called, options]) => (called === name ? [(options as { body: unknown }).body] : []));

test("/dnd 2h starts at once and informs the provider, and /dnd off ends it", async () => {
  const app = new ScreenDriver(workspace());
  await app.type("/dnd 2h\r");
  expect(quietUntil(app.state, app.screen, NOW)).toBe(NOW + 2 * HOUR);
  expect(quietUntil(app.state, app.screen, NOW + 2 * HOUR)).toBeUndefined();
  await app.type("/dnd off\r");
  expect(quietUntil(app.state, app.screen, NOW)).toBeUndefined();
  expect(bodies(app, "setPushPreferences")).toEqual([
    { preferences: [{ disabled_until: new Date(NOW + 2 * HOUR).toISOString() }] },
    { preferences: [{ remove_disable: true }] },
  ]);
  expect(app.told()).toEqual([
    `notifications paused until ${momentWords(NOW + 2 * HOUR, NOW, { utc: true })}`,
    "notifications resumed",
  ]);
});

test.each([true, false])(
  "a time of day is one of the chosen zone (UTC: %s): on the line, in the list, in its rows and in the notice",
  async (utc) => {
    const half = new Date(NOW);
    if (utc) half.setUTCHours(23, 30);
    else half.setHours(23, 30);
    const until = half.getTime() + (half.getTime() > NOW ? 0 : 24 * HOUR);
    const written = momentWords(until, NOW, { utc });
    const said = `notifications paused until ${written}`;
    const app = (): ScreenDriver => {
      const driver = new ScreenDriver(workspace());
      driver.ports.store.restyle((look) => ({ ...look, utc }));
      return driver;
    };
    const line = app();
    await line.type("/dnd 23:30\r");
    const list = app();
    await list.type("/dnd\r");
    expect(choicesOf(topPopup(list.screen), list.model)[1]!.detail).toBe(
      `until ${momentWords(NOW + HOUR, NOW, { utc })}`,
    );
    await list.type("23:30");
    expect(choicesOf(topPopup(list.screen), list.model).map(({ detail }) => detail)).toEqual([
      `until ${written}`,
    ]);
    await list.press("enter");
    for (const each of [line, list]) {
      expect([quietUntil(each.state, each.screen, NOW), each.told()]).toEqual([until, [said]]);
      expect(bodies(each, "setPushPreferences")).toEqual([
        { preferences: [{ disabled_until: new Date(until).toISOString() }] },
      ]);
    }
  },
);

test("the levels of two channels are their own, by line and by list, and the list shows and sets that of the channel under the cursor", async () => {
  const app = new ScreenDriver(
    new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "x")] }), channel("ops")])),
  );
  const levels = (): string[] => [...app.state.channels.values()].map((entry) => levelOf(app.core, entry));
  await app.type("/notify none\r");
  expect(levels()).toEqual(["none", "default"]);
  app.open("messaging:ops");
  await app.type("/notify mentions\r");
  expect(levels()).toEqual(["none", "mentions"]);
  app.open("messaging:general");
  app.change((s) => withFocus(s, "sidebar"));
  const choose = async (title: string, current: string, level: string): Promise<void> => {
    openLevels(app.ports);
    const picker = topPopup(app.screen);
    expect(picker).toMatchObject({ title: `Notifications for ${title}` });
    const marked = choicesOf(picker, app.model).filter(({ mark }) => mark !== undefined);
    expect(marked.map(({ label }) => label)).toEqual([words.quiet.levels[current as "all"]]);
    await app.type(`${words.quiet.levels[level as "all"]}\r`);
  };
  await choose("#general", "none", "all");
  expect(levels()).toEqual(["all", "mentions"]);
  await app.press("down");
  await choose("#ops", "mentions", "none");
  expect(levels()).toEqual(["all", "none"]);
  expect(bodies(app, "setPushPreferences").at(-1)).toEqual({
    preferences: [{ channel_cid: "messaging:ops", chat_level: "none" }],
  });
});

test("an invalid time stays in the box with the reason", async () => {
  const app = new ScreenDriver(workspace());
  await app.type("/dnd soon\r");
  expect(app.text()).toBe("/dnd soon");
  expect(app.told()).toHaveLength(1);
  expect(app.screen.quiet).toBeUndefined();
});

test("the list offers durations and accepts a time, and the status line counts down", async () => {
  const m = await mount(workspace(), { columns: 100, rows: 20 });
  open.push(m);
  await m.type("/dnd\r");
  expect(m.text()).toMatch(/│▌ 30 min  until \d\d:\d\d +│/);
  await m.press("down", "enter");
  expect(m.line(19)).toContain("quiet 1 h");
  m.pace.tick(31 * 60_000);
  await m.settle();
  m.change((s) => ({ ...s }));
  await m.settle();
  expect(m.line(19)).toContain("quiet 29 min");
  m.pace.tick(30 * 60_000);
  m.change((s) => ({ ...s }));
  await m.settle();
  expect(m.line(19)).not.toContain("quiet");
});

test("the provider's value applies until it is changed here, and again when it changes elsewhere", () => {
  const before = new Date(NOW + HOUR).toISOString();
  const me = { push_preferences: { disabled_until: before } } as never;
  expect(quietUntil({ me }, {}, NOW)).toBe(NOW + HOUR);
  expect(quietUntil({ me }, { quiet: { until: 0, before } }, NOW)).toBeUndefined();
  const later = { push_preferences: { disabled_until: new Date(NOW + 2 * HOUR).toISOString() } } as never;
  expect(quietUntil({ me: later }, { quiet: { until: 0, before } }, NOW)).toBe(NOW + 2 * HOUR);
  expect(quietUntil({ me: {} as never }, { quiet: { until: NOW + 1, before } }, NOW)).toBeUndefined();
});

test("/notify sets the channel's level here and at the provider, and refuses an unknown word", async () => {
  const app = new ScreenDriver(workspace());
  await app.type("/notify none\r");
  expect(levelOf(app.core, general(app))).toBe("none");
  await app.type("/notify default\r");
  expect(levelOf(app.core, general(app))).toBe("default");
  expect(bodies(app, "setPushPreferences")).toEqual([
    { preferences: [{ channel_cid: "messaging:general", chat_level: "none" }] },
    { preferences: [{ channel_cid: "messaging:general", chat_level: "default" }] },
  ]);
  await app.type("/notify loud\r");
  expect(app.told().at(-1)).toBe("There is no level loud: use all, mentions, none or default.");
});

test("a level set on another device applies, and one set here until the provider reports another", async () => {
  const core = new FakeCore(stateOf([{ ...channel("general"), pushLevel: "direct_mentions" }]));
  const app = new ScreenDriver(core);
  expect(levelOf(core, general(app))).toBe("mentions");
  await app.type("/notify none\r");
  const now = (pushLevel?: string, stale = false): string =>
    levelOf(core, { cid: "messaging:general", stale, ...(pushLevel !== undefined && { pushLevel }) });
  expect(now("direct_mentions")).toBe("none");
  // A channel loaded from disk says nothing about the provider's level.
  expect(now(undefined, true)).toBe("none");
  expect(now("all")).toBe("all");
  // The level set here was dropped when the provider reported a different one.
  expect(now("direct_mentions")).toBe("mentions");
  expect(now()).toBe("default");
});

test("a level that ends leaves those of other channels", () => {
  const core = new FakeCore(stateOf([channel("general")]));
  core.keep("notices", {
    "messaging:general": { level: "none" },
    "messaging:ops": { level: "mentions", before: "none" },
  });
  const levels = (general?: string): string[] => [
    levelOf(core, {
      cid: "messaging:general",
      ...(general !== undefined && { pushLevel: general }),
    } as never),
    levelOf(core, { cid: "messaging:ops", pushLevel: "none" } as never),
  ];
  expect(levels()).toEqual(["none", "mentions"]);
  expect(levels("all")).toEqual(["all", "mentions"]);
});

test("/status sets the text beside the user's name, and /status alone removes it", async () => {
  const app = new ScreenDriver(workspace());
  await app.type("/status at lunch\r");
  await app.type("/status\r");
  expect(bodies(app, "updateUsersPartial")).toEqual([
    { users: [{ id: "me", set: { status: "at lunch" } }] },
    { users: [{ id: "me", unset: ["status"] }] },
  ]);
  expect(app.told()).toEqual(["status set: at lunch", "status cleared"]);
});
