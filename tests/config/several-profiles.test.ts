/** Several of each: profiles, settings, project files, variables and secrets, and which of them counts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings, didYouMeanSetting } from "../../src/config/load.ts";
import { configFile, credentialsFile } from "../../src/config/paths.ts";
import {
  checkProfile,
  findProfile,
  listProfiles,
  removeProfile,
  saveProfile,
} from "../../src/config/profiles.ts";
import { saveSetting } from "../../src/config/save.ts";
import { removeSecret, saveSecret } from "../../src/config/secrets.ts";
import { runTokenCommand } from "../../src/config/token-command.ts";

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-second-"));
  env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c"), PARLEY_KEYRING: "off" };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (): Record<string, unknown> => JSON.parse(readFileSync(configFile(env), "utf8")) as never;
const write = (value: unknown): void => {
  mkdirSync(path.dirname(configFile(env)), { recursive: true });
  writeFileSync(configFile(env), JSON.stringify(value));
};
const load = (flags: Record<string, unknown> = {}, cwd = folder) => loadSettings({ flags, env, cwd });
const work = { name: "work", kind: "token", url: "https://chat.example", key: "k", user: "ana" } as const;

test("a profile is saved and removed without changing others", async () => {
  const home = { ...work, name: "home", protected: true, channel: "#tea", store: "file" } as const;
  expect(listProfiles(env).map(({ name }) => name)).toEqual(["local"]);
  await saveProfile(env, work);
  await saveProfile(env, home);
  expect(listProfiles(env)).toEqual([{ name: "local", kind: "local" }, work, home]);
  await saveProfile(env, { ...work, user: "bo" });
  expect([findProfile(env, "work"), findProfile(env, "home")]).toEqual([{ ...work, user: "bo" }, home]);
  await removeProfile(env, "work");
  expect(listProfiles(env).map(({ name }) => name)).toEqual(["local", "home"]);
  expect(findProfile(env, "work")).toBeUndefined();
});

test("a saved profile named local replaces the built-in one in the list", async () => {
  await saveProfile(env, work);
  await saveProfile(env, { name: "local", kind: "local", channel: "#tea" });
  const local = { name: "local", kind: "local", channel: "#tea" };
  expect(listProfiles(env)).toEqual([work, local]);
  expect(findProfile(env, "local")).toEqual(local);
});

test.each([
  ["work", {}],
  ["home", { current: "work", settings: { limit: 4, profile: "work" } }],
])(
  "removing profile %s removes the choice of it, and removing another keeps the choice",
  async (gone, left) => {
    const { name, ...row } = work;
    write({ current: "work", settings: { limit: 4, profile: "work" }, profiles: { [name]: row, home: row } });
    await removeProfile(env, gone);
    const remaining = gone === "work" ? { home: row } : { work: row };
    expect(written()).toEqual({ settings: { limit: 4 }, ...left, profiles: remaining });
  },
);

test.each<[object, string | undefined]>([
  [{ name: "a".repeat(64) }, undefined],
  [{ name: "a".repeat(65) }, "its name may contain"],
  [{ name: "" }, "its name may contain"],
  [{ kind: "magic" }, "kind must be one of local, token, command, secret"],
  [{ url: undefined }, "url must be an http"],
  [{ url: "https://:p@chat.example" }, "must not contain a user"],
  [{ url: "https://u@chat.example" }, "must not contain a user"],
  [{ url: "http://localhost.example" }, "must be https"],
  [{ url: "http://localhost:1" }, undefined],
  [{ key: undefined }, "key is missing"],
  [{ key: "x_local_" }, undefined],
  [{ kind: "command" }, "command is missing"],
  [{ kind: "command", command: [] }, "command is missing"],
  [{ kind: "command", command: "" }, "command is missing"],
  [{ kind: "command", command: ["a"] }, undefined],
  [{ kind: "local", url: undefined, key: undefined }, undefined],
])("a profile with %j: %s", (change, why) => {
  const check = (): unknown => checkProfile({ ...work, ...change } as never);
  if (why === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(why);
});

test("an unknown entry of any profile is refused by name", () => {
  const { name: _, ...row } = work;
  write({ profiles: { work: row, home: { ...row, tokn: "x" } } });
  expect(() => listProfiles(env)).toThrow("Profile 'home' has an unknown entry 'tokn'.");
});

test("removing a setting keeps the others, and the current profile comes from either place", async () => {
  await saveSetting(env, "limit", 5);
  await saveSetting(env, "theme", "dark");
  await saveSetting(env, "limit", undefined);
  expect(written().settings).toEqual({ theme: "dark" });
  write({ current: "work" });
  expect(load().settings.profile).toBe("work");
  write({ current: "work", settings: { profile: "home" } });
  expect(load().settings.profile).toBe("home");
});

test("every key of a file is checked, and $schema is ignored", () => {
  write({ $schema: "x", settings: { $schema: "x", limit: 3, lmit: 4 } });
  expect(() => load()).toThrow("there is no setting 'lmit', did you mean 'limit'");
  write({ $schema: "x", settings: { limit: 3 }, extra: {} });
  expect(() => load()).toThrow("unknown key 'extra'");
  write({ settings: { limit: 3 } });
  for (const [text, why] of [
    ['{"limit":2,"myPassword":"x"}', "must not contain secrets ('myPassword')"],
    ['{"limit":2,"token":"x"}', "must not contain secrets ('token')"],
    ['{"limit":2,"lmit":2}', "did you mean 'limit'"],
    ['{"limit":2,"editor":"vi"}', "'editor' may not be set by a project"],
    ['{"limit":"many"}', ".parley.json: limit must be"],
  ] as const) {
    writeFileSync(path.join(folder, ".parley.json"), text);
    expect(() => load()).toThrow(why);
  }
});

test("only the nearest project file is used", () => {
  writeFileSync(path.join(folder, ".parley.json"), '{"limit":2,"channel":"#far"}');
  mkdirSync(path.join(folder, "a/b"), { recursive: true });
  writeFileSync(path.join(folder, "a/.parley.json"), '{"limit":7}');
  const { settings } = load({}, path.join(folder, "a/b"));
  expect([settings.limit, settings.channel]).toEqual([7, ""]);
});

test("an empty pager variable means no pager, and PARLEY_PAGER wins over PAGER", () => {
  env.PAGER = "less";
  expect(load().settings.pager).toBe("less");
  env.PARLEY_PAGER = "";
  expect(load().settings.pager).toBe("");
  env.PARLEY_PAGER = "more";
  expect(
    load()
      .sources("pager")
      .map(({ name, value }) => [name, value]),
  ).toEqual([
    ["PARLEY_PAGER", "more"],
    ["", "less"],
  ]);
});

test.each([
  ["limt", ", did you mean 'limit'"],
  ["Limit", ", did you mean 'limit'"],
  // One swapped pair of letters and one wrong letter are two typing errors.
  ["ilmtt", ", did you mean 'limit'"],
  ["lixxt", ", did you mean 'limit'"],
  ["lxxxt", ""],
])("the nearest setting to %s is named: %j", (typed, suggestion) =>
  expect(didYouMeanSetting(typed)).toBe(suggestion),
);

test("removing a missing secret writes no file, and saving a second one replaces the first", async () => {
  await removeSecret(env, { name: "work" });
  expect(() => readFileSync(credentialsFile(env))).toThrow("ENOENT");
  await saveSecret(env, "work", "a");
  await saveSecret(env, "work", "b");
  expect(JSON.parse(readFileSync(credentialsFile(env), "utf8"))).toEqual({ work: "b" });
});

test("whitespace around a printed token is removed", async () => {
  await expect(runTokenCommand(["printf", " tok \n\n"], process.env)).resolves.toBe("tok");
});
