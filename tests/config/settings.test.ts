/** Settings: precedence, unknown names, project files, and secrets readable by their owner only. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import configSet from "../../src/cli/shell-commands/config/set.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import { loadSettings } from "../../src/config/load.ts";
import { findAppFolder, storeFiles } from "../../src/config/app-folders.ts";
import { configFile, credentialsFile, folderName } from "../../src/config/paths.ts";
import { checkProfile } from "../../src/config/profiles.ts";
import { saveSetting } from "../../src/config/save.ts";
import { readSecret, removeSecret, saveSecret } from "../../src/config/secrets.ts";
import { SETTINGS, readSetting, settingKeys } from "../../src/config/settings.ts";
import { runTokenCommand } from "../../src/config/token-command.ts";

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-config-"));
  env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c"), PARLEY_KEYRING: "off" };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const load = (flags: Record<string, unknown> = {}): ReturnType<typeof loadSettings> =>
  loadSettings({ flags, env, cwd: folder });
const writeUser = (value: unknown): void => {
  mkdirSync(path.dirname(configFile(env)), { recursive: true });
  writeFileSync(configFile(env), typeof value === "string" ? value : JSON.stringify(value));
};

describe("precedence", () => {
  test("flag, environment, project, user, default: each wins over those after it", () => {
    expect(load().settings.limit).toBe(30);
    writeUser({ settings: { limit: 4 } });
    expect(load().settings.limit).toBe(4);
    writeFileSync(path.join(folder, ".parley.json"), '{"limit": 3}');
    expect(load().settings.limit).toBe(3);
    env.PARLEY_LIMIT = "2";
    expect(load().settings.limit).toBe(2);
    const { settings, sources } = load({ limit: "1" });
    expect(settings.limit).toBe(1);
    expect(sources("limit").map((source) => [source.kind, source.value])).toEqual([
      ["flag", 1],
      ["environment", 2],
      ["project", 3],
      ["user", 4],
      ["default", 30],
    ]);
  });
  test("a project file is found from a subfolder", () => {
    writeFileSync(path.join(folder, ".parley.json"), '{"channel": "team:eng"}');
    mkdirSync(path.join(folder, "a/b"), { recursive: true });
    expect(loadSettings({ flags: {}, env, cwd: path.join(folder, "a/b") }).settings.channel).toBe("team:eng");
  });
  test("an empty variable is ignored", () => {
    env.PARLEY_LIMIT = "";
    expect(load().settings.limit).toBe(30);
  });
});

describe("an invalid settings file", () => {
  test("with an unknown setting is refused with the nearest name", () => {
    writeUser({ settings: { thme: "dark" } });
    expect(() => load()).toThrow("there is no setting 'thme', did you mean 'theme'");
    writeUser({ theme: "dark" });
    expect(() => load()).toThrow(`unknown key 'theme'; settings go under "settings".`);
  });
  test("that is damaged is left unchanged", async () => {
    writeUser("{bad");
    expect(() => load()).toThrow("is not a JSON object");
    await expect(saveSetting(env, "limit", 5)).rejects.toThrow("is not a JSON object");
    expect(readFileSync(configFile(env), "utf8")).toBe("{bad");
  });
  test.each(["settings", "profiles", "aliases"])(
    "with %s that is not an object is refused and left unchanged",
    async (key) => {
      for (const wrong of [[], 7, "x", null]) {
        writeUser({ [key]: wrong });
        const text = readFileSync(configFile(env), "utf8");
        expect(() => load()).toThrow(`${key} is not a JSON object`);
        await expect(saveSetting(env, "limit", 5)).rejects.toThrow(`${key} is not a JSON object`);
        expect(readFileSync(configFile(env), "utf8")).toBe(text);
      }
    },
  );
  test("of a project may not contain secrets or choose programs to run", () => {
    writeFileSync(path.join(folder, ".parley.json"), '{"apiSecret": "x"}');
    expect(() => load()).toThrow("must not contain secrets");
    writeFileSync(path.join(folder, ".parley.json"), '{"editor": "rm -rf /"}');
    expect(() => load()).toThrow("may not be set by a project");
  });
  test("with a bad value is refused with the setting, its source and what it must be", () => {
    expect(() => readSetting("timeout", "30", "--timeout")).toThrow(
      '--timeout must be a duration such as 500ms, 30s or 2m, not "30"',
    );
    expect(() => readSetting("limit", "0", "PARLEY_LIMIT")).toThrow(
      'PARLEY_LIMIT must be a whole number from 1, not "0"',
    );
    expect(() => readSetting("limit", -1, "config.json")).toThrow(
      "config.json: limit must be a whole number from 1, not -1",
    );
    expect(() => readSetting("transport", "pigeon", "x")).toThrow("one of auto, websocket, longpoll");
    expect(() => readSetting("mouse", "perhaps", "x")).toThrow("true or false");
    expect(readSetting("maxWait", "2m", "x")).toBe(120_000);
  });
});

test("every default is a valid value", () => {
  for (const key of settingKeys)
    expect(readSetting(key, SETTINGS[key].default, "default")).toBe(SETTINGS[key].default);
});

test("saving a setting keeps the rest of the file and makes it private", async () => {
  writeUser({ settings: { theme: "dark" }, profiles: {} });
  await saveSetting(env, "limit", 5);
  expect(JSON.parse(readFileSync(configFile(env), "utf8"))).toEqual({
    settings: { theme: "dark", limit: 5 },
    profiles: {},
  });
  expect(statSync(configFile(env)).mode & 0o777).toBe(0o600);
  await saveSetting(env, "limit", undefined);
  expect(load().settings.limit).toBe(30);
});

describe("profiles", () => {
  const work = { name: "work", kind: "token", url: "https://chat.example", key: "k", user: "ana" } as const;
  test("a token is not sent over http to another machine, and local keys are for this machine only", () => {
    const bad =
      (change: object): (() => unknown) =>
      () =>
        checkProfile({ ...work, ...change });
    expect(bad({ url: "http://chat.example" })).toThrow("must be https");
    expect(bad({ url: "https://u:p@chat.example" })).toThrow("must not contain a user");
    expect(bad({ url: "ftp://x" })).toThrow("http or https");
    expect(bad({ key: "local_abc" })).toThrow("embedded provider only");
    expect(bad({ name: "../x" })).toThrow("its name may contain");
    expect(bad({ url: "http://127.0.0.1:9", key: "local_abc" })).not.toThrow();
  });
});

describe("secrets", () => {
  test("are stored in a private file in a private folder without a keyring", async () => {
    expect(await saveSecret(env, "work", "hunter2")).toBe("file");
    expect(statSync(credentialsFile(env)).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(credentialsFile(env))).mode & 0o777).toBe(0o700);
    expect(await readSecret(env, { name: "work" })).toBe("hunter2");
    await removeSecret(env, { name: "work" });
    expect(await readSecret(env, { name: "work" })).toBeUndefined();
  });
  test("of one profile are stored and removed without changing others", async () => {
    await saveSecret(env, "work", "hunter2");
    await saveSecret(env, "home", "hunter3");
    expect(await readSecret(env, { name: "work" })).toBe("hunter2");
    await removeSecret(env, { name: "work" });
    expect(await readSecret(env, { name: "home" })).toBe("hunter3");
  });
  test("that others can read are refused unless allowed", async () => {
    await saveSecret(env, "work", "hunter2");
    chmodSync(credentialsFile(env), 0o640);
    await expect(readSecret(env, { name: "work" })).rejects.toThrow("can be read by others (mode 640)");
    expect(await readSecret(env, { name: "work" }, true)).toBe("hunter2");
  });
  test("of a command are its output, and its failure is reported", async () => {
    expect(await runTokenCommand(["printf", "tok\n"], process.env)).toBe("tok");
    await expect(runTokenCommand("exit 3", process.env)).rejects.toThrow("exited with 3");
    await expect(runTokenCommand("printf tok; kill -9 $$", process.env)).rejects.toThrow(
      "exited with a signal",
    );
    await expect(runTokenCommand(["true"], process.env)).rejects.toThrow("printed nothing");
  });
});

test("folders follow XDG with absolute paths only, and names cannot leave them", () => {
  const env = { HOME: "/h", XDG_STATE_HOME: "relative", XDG_CACHE_HOME: "/k" };
  const { places } = findAppFolder(env, { key: "..", address: "x/../y" }, "../x");
  expect(storeFiles(places, "..")).toEqual({
    state: "/h/.local/state/parley/..@x%2F..%2Fy/%2e%2e/state.db",
    cache: "/k/parley/..@x%2F..%2Fy/%2e%2e/cache.db",
  });
  expect(folderName("")).toBe("%");
});

test("a default channel that no command would take is refused, and an empty one takes it away", async () => {
  const shell = { env, flags: { quiet: true }, settings: load().settings } as unknown as Shell;
  const set = async (value: string): Promise<unknown> => {
    await configSet.run(shell, { key: "channel", value }, {});
    return load().settings.channel;
  };
  expect(await set("messaging:tea")).toBe("messaging:tea");
  await expect(set("no channel")).rejects.toThrow("no channel");
  expect(load().settings.channel).toBe("messaging:tea");
  expect(await set("")).toBe("");
});
