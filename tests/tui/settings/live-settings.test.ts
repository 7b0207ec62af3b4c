/** Settings and keys while the screen runs: what is changed applies as the list of settings says; the key file is read when it changes, and only faults are reported. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual as isEqual } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../../src/config/load.ts";
import { keysFile } from "../../../src/config/paths.ts";
import { saveSetting } from "../../../src/config/save.ts";
import { SETTINGS, settingKeys, type SettingKey, type SettingRow } from "../../../src/config/settings.ts";
import { words } from "../../../src/text/words.ts";
import { lookup } from "../../../src/tui/keys/lookup.ts";
import { createSettingsEditor } from "../../../src/tui/settings/settings-editor.ts";
import { LiveSettings } from "../../../src/tui/settings/live-settings.ts";
import { changeSetting } from "../../../src/tui/views/preferences/settings.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-live-"));
  env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c") };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeKeys(text: string): void {
  mkdirSync(path.dirname(keysFile(env)), { recursive: true });
  writeFileSync(keysFile(env), text);
}

/** Settings beside a screen, and the sentences that they report there. */
function started(): { live: LiveSettings; told: () => string[] } {
  const { settings } = loadSettings({ flags: {}, env, cwd: folder });
  const live = new LiveSettings({
    host: { settings } as never,
    level: 0,
    profile: "p",
    env,
    readOnly: false,
  });
  const app = new ScreenDriver(new FakeCore(stateOf([channel("general")])));
  live.attach(app.ports, undefined as never);
  return { live, told: () => app.told() };
}
const boundTo = (live: LiveSettings, chord: string): unknown => lookup(live.keys(), ["browse"], chord);

test.each([
  ["no file", undefined, 0, /^$/],
  ["an empty file", "", 0, /^$/],
  ["a good line", "browse Ctrl-F9 reply", 0, /^$/],
  ["one wrong line", "browse Ctrl-F9 reply\nnowhere x reply", 1, /:2: [^,]*$|line 2.*$/],
  ["two wrong lines", "nowhere x reply\nbrowse Ctrl-F9 reply\nbrowse y sing", 1, /, and 1 more error$/],
])("at the start, %s is read, and only faults are told, in one sentence", (_, text, sentences, words) => {
  if (text !== undefined) writeKeys(text);
  const { live, told } = started();
  expect(told()).toHaveLength(sentences);
  expect(told().join("\n")).toMatch(words);
  const isBound = text?.includes("Ctrl-F9") === true;
  expect(boundTo(live, "C-f9")).toEqual(isBound ? { kind: "binding", binding: "reply" } : { kind: "none" });
});

test("keys that the screen writes apply at once, and a file without faults is written without a word", async () => {
  const { live, told } = started();
  expect(await live.keyFile.write("browse Ctrl-F9 quote\n")).toEqual([]);
  expect([boundTo(live, "C-f9"), told()]).toEqual([{ kind: "binding", binding: "quote" }, []]);
  expect(live.keyFile.read()).toBe("browse Ctrl-F9 quote\n");
  const faults = await live.keyFile.write("nowhere x reply\n");
  expect([faults.length, told()]).toEqual([1, faults]);
  expect(boundTo(live, "C-f9")).toEqual({ kind: "none" });
});

/** Other values of a setting than the default one. */
function othersOf(key: SettingKey): string[] {
  const row: SettingRow = SETTINGS[key];
  if (row.type === "flag") return [String(!row.default)];
  if (row.type === "duration") return ["7s"];
  if (row.type === "number") return [String(Number(row.default) + 1)];
  if (row.type === "proxy") return ["http://127.0.0.1:9"];
  const choices = (row.choices ?? ["true"]).filter((one) => one !== row.default);
  // Without the file of another theme the built-in ones are all there are.
  return key === "theme" ? choices.slice(0, 2) : choices;
}

/** A screen on the settings of the config file, with what its pictures and its terminal were told. */
function configured() {
  const options = { flags: {}, env, cwd: folder };
  const host = {
    settings: loadSettings(options).settings,
    settingsNow: () => loadSettings(options),
    saveSetting: (key: string, value: unknown) => saveSetting(env, key, value),
  };
  const live = new LiveSettings({ host: host as never, level: 0, profile: "p", env, readOnly: false });
  const app = new ScreenDriver(new FakeCore(stateOf([channel("general")])), { settings: live.settings });
  const told: Record<string, unknown> = {};
  const terminal = {
    setMouse: (on: boolean) => (told.mouse = on),
    set notifications(route: string) {
      told.route = route;
    },
  };
  app.ports.pictures.setSetting = (setting) => void (told.pictures = setting);
  app.ports.pictures.setHosts = (hosts) => void (told.hosts = hosts);
  app.core.setLinkPreviews = (on) => void (told.linkPreviews = on);
  live.attach(app.ports, terminal as never);
  const look = () => {
    const { sidebar, textWidth, spacing, glyphs } = app.model.look;
    return { sidebar, textWidth, spacing, names: glyphs?.asNames !== undefined };
  };
  const whole = () => ({
    ...look(),
    settings: { ...live.settings },
    theme: live.themes.chosen(),
    keys: live.keys(),
    utc: app.model.look.utc,
    runs: live.pipeToProgram({ title: "", body: "", kind: "message" }),
    told: { ...told },
  });
  const change = async (key: SettingKey, value: string | undefined): Promise<string> => {
    const settled = { ...app.ports, settingsEditor: live.settingsEditor, themes: live.themes };
    await changeSetting(settled, key, value);
    return app.told().at(-1)!;
  };
  return { live, look, whole, change };
}

test.each(settingKeys.flatMap((key) => othersOf(key).map((value) => [key, value] as const)))(
  "%s = %s, chosen while the screen runs, applies at once unless the notice says that it does at the next start",
  async (key, value) => {
    const running = configured();
    // The screen starts with what it was told; what follows is what changes tell.
    await running.change(key === "limit" ? "retries" : "limit", "9");
    const before = running.whole();
    const notice = await running.change(key, value);
    const isLater = notice.includes(words.settings.nextStart);
    expect([key, notice, isLater]).toEqual([key, notice, isEqual(running.whole(), before)]);
    const next = configured();
    if (!isLater) {
      expect(running.look()).toEqual(next.look());
      expect(running.live.settings).toEqual(next.live.settings);
    }
    await running.change(key, undefined);
    expect({ ...running.whole(), told: {} }).toEqual({ ...before, told: {} });
  },
);

test("a setting chosen on the screen applies over a flag until the program ends, and reset it is what the flag says", async () => {
  const applied: unknown[] = [];
  const saved: unknown[] = [];
  const editor = createSettingsEditor({
    env,
    host: {
      settingsNow: () => loadSettings({ flags: { limit: "7" }, env, cwd: folder }),
      saveSetting: async (_: SettingKey, value: unknown) => void saved.push(value),
    } as never,
    apply: (settings) => void applied.push(settings.limit),
  });
  await editor.set("limit", "50");
  await editor.set("limit", undefined);
  expect([saved, applied]).toEqual([
    [50, undefined],
    [50, 7],
  ]);
});
