/** The key file while the screen runs: read at the start, when it is written and when it changes; only faults are reported. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../../src/config/load.ts";
import { keysFile } from "../../../src/config/paths.ts";
import { lookup } from "../../../src/tui/keys/lookup.ts";
import { LiveSettings } from "../../../src/tui/settings/live-settings.ts";
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
