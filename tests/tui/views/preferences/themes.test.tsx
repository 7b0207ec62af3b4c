/** Choosing a theme and changing settings on the screen: previewed under the cursor, saved by Enter, discarded by Esc. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { fakeSettings } from "../../../support/fake-settings.ts";
import { settingKeys } from "../../../../src/config/settings.ts";
import { namedSettings } from "../../../../src/tui/views/preferences/setting-names.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { choicesOf } from "../../../../src/tui/screen/choices.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const workspace = (): FakeCore =>
  new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "deploy at ten?")] })]));
async function show(options: MountOptions): Promise<Mounted> {
  const m = await mount(workspace(), { columns: 80, rows: 24, ...options });
  open.push(m);
  return m;
}

test("a theme is previewed under the cursor, and Esc restores the previous one", async () => {
  const preferences = fakeSettings();
  const m = await show({ preferences });
  const before = m.model.look.theme.key;
  await m.type("/theme\r");
  await m.press("down", "down");
  expect(m.model.look.theme.key).toBe("light3");
  await m.type("contrast");
  expect(m.model.look.theme.key).toBe("contrast3");
  expect(m.text()).toContain("high contrast on a dark");
  await m.press("esc");
  expect(m.model.look.theme.key).toBe(before);
  expect(preferences.saved).toEqual([]);
});

test("the list of themes leaves the messages in sight, and describes only the one under the cursor", async () => {
  const m = await show({});
  await m.type("/theme\r");
  const frames = m
    .text()
    .split("\n")
    .filter((line) => line.includes("╭") || line.includes("╰"));
  for (const line of frames) expect(line.trimEnd().length - line.search(/[╭╰]/)).toBeLessThanOrEqual(34);
  expect(m.text()).toContain("deploy at");
});

test("Enter saves the theme", async () => {
  const preferences = fakeSettings();
  const m = await show({ preferences });
  await m.press("C-p");
  await m.type("theme");
  await m.press("enter");
  await m.type("dusk");
  await m.press("enter");
  await m.settle();
  expect(preferences.saved).toEqual([["theme", "dusk"]]);
  expect(m.screen.popups).toEqual([]);
});

test("/theme NAME saves it at once, and an unknown name lists the themes", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  await app.type("/theme paper\r");
  expect(preferences.saved).toEqual([["theme", "paper"]]);
  await app.type("/theme pink\r");
  expect(preferences.saved).toHaveLength(1);
  expect(app.told().at(-1)).toContain("There is no theme pink: auto, dark, light");
});

test("settings are listed with value, source and description, in 80 columns", async () => {
  const preferences = fakeSettings();
  await preferences.settingsEditor.set("readOn", "focused");
  const m = await show({ preferences });
  await m.type("/settings\r");
  await m.type("readOn");
  expect(m.text()).toMatch(/▌ Read when {10,}focused {10,}config\.json {2}│/);
  expect(m.text()).toContain("readOn: When a message counts as read: in sight");
  expect(m.text()).toMatch(/Set[│ ▌\n]+by[│ ▌\n]+\/home\/me\/\.config\/parley\/config\.json\./);
  await m.press("C-u");
  await m.type("theme");
  expect(m.text()).toMatch(/▌ Theme {10,}auto {20,}│/);
});

test("settings stand in groups with headings, on which a click does nothing, and their values in one column", async () => {
  const m = await show({});
  await m.type("/settings\r");
  const lines = m.text().split("\n");
  const rowWith = (text: string): number => lines.findIndex((line) => line.includes(text));
  expect(rowWith("On the screen")).toBe(rowWith("Theme  ") - 1);
  const column = lines[rowWith("Theme  ")]!.indexOf("auto");
  expect(lines[rowWith("Message width")]!.indexOf("100")).toBe(column);
  const { length } = m.screen.popups;
  await m.click(20, rowWith("On the screen"));
  expect(m.screen.popups).toHaveLength(length);
  await m.click(20, rowWith("Message spacing"));
  expect(topPopup(m.screen)).toMatchObject({ title: "Message spacing" });
});

test("every setting has a name and a group, and no name is given twice", () => {
  expect(namedSettings.map(({ key }) => key).toSorted()).toEqual(settingKeys.toSorted());
  expect(new Set(namedSettings.map(({ name }) => name)).size).toBe(namedSettings.length);
});

test("Enter toggles a switch, a choice shows its values, and a text is typed and checked", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  const set = async (name: string): Promise<void> => {
    await app.type("/settings\r");
    await app.type(name);
    await app.press("enter");
  };
  await set("mouse");
  expect(preferences.saved.at(-1)).toEqual(["mouse", "false"]);
  expect(app.told().at(-1)).toBe("mouse = false.");
  await app.press("esc");

  await set("readOn");
  await app.type("man");
  await app.press("enter");
  expect(preferences.saved.at(-1)).toEqual(["readOn", "manual"]);
  await app.press("esc");

  await set("limit");
  await app.press("C-u");
  await app.type("many");
  await app.press("enter");
  expect(preferences.saved.at(-1)).toEqual(["readOn", "manual"]);
  await app.press("C-u");
  await app.type("50");
  await app.press("enter");
  expect(preferences.saved.at(-1)).toEqual(["limit", "50"]);
  expect(app.told().at(-1)).toBe("limit = 50. Takes effect at the next start.");
});

test("a setting whose full name is typed comes first, and its notice mentions no restart if none is needed", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  await app.type("/settings\r");
  await app.type("emoji");
  await app.press("enter", "down", "enter");
  expect(preferences.saved).toEqual([["emoji", "names"]]);
  expect(app.told()).toEqual(["emoji = names."]);
});

test.each([
  ["clock", "time.format"],
  ["24", "time.format"],
  ["vim", "keys"],
  ["shortcuts", "keys"],
  ["sound", "notifications"],
  ["bell", "notifications.route"],
  ["receipts", "readOn"],
  ["images", "pictures"],
])("a setting is found by a common word: %s", async (word, key) => {
  const app = new ScreenDriver(workspace(), { preferences: fakeSettings() });
  await app.type("/settings\r");
  await app.type(word);
  expect(choicesOf(topPopup(app.screen), app.model).map(({ named }) => named)).toContain(key);
});

test("/settings NAME VALUE sets it at once", async () => {
  const preferences = fakeSettings();
  const app = new ScreenDriver(workspace(), { preferences });
  await app.type("/settings readon focused\r");
  expect(preferences.saved).toEqual([["readOn", "focused"]]);
  await app.type("/settings readOn sometimes\r");
  expect(app.told().at(-1)).toContain("readOn must be one of focused, shown, manual");
});
