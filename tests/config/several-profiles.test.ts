/** What stands second beside the first: other profiles, other settings, other places of a variable, and the last of a list. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings, didYouMeanSetting } from "../../src/config/load.ts";
import { configFile, credentialsFile } from "../../src/config/places.ts";
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
import { hostedTarget } from "../../src/open/connection-target.ts";
import { signToken } from "../../src/wire/token.ts";

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

test("a profile is saved and removed beside the others, each with what it holds", async () => {
  const home = { ...work, name: "home", protected: true, channel: "#tea", store: "file" } as const;
  await saveProfile(env, work);
  await saveProfile(env, home);
  expect(listProfiles(env)).toEqual([{ name: "local", kind: "local" }, work, home]);
  await saveProfile(env, { ...work, user: "bo" });
  expect([findProfile(env, "work"), findProfile(env, "home")]).toEqual([{ ...work, user: "bo" }, home]);
  await removeProfile(env, "work");
  expect(listProfiles(env).map(({ name }) => name)).toEqual(["local", "home"]);
});

test("a profile named local stands once, with what was written of it", async () => {
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
  "of a removed profile %s nothing is chosen any more, and of another nothing is forgotten",
  async (gone, left) => {
    const { name, ...row } = work;
    write({ current: "work", settings: { limit: 4, profile: "work" }, profiles: { [name]: row, home: row } });
    await removeProfile(env, gone);
    const kept = gone === "work" ? { home: row } : { work: row };
    expect(written()).toEqual({ settings: { limit: 4 }, ...left, profiles: kept });
  },
);

test.each<[object, string | undefined]>([
  [{ name: "a".repeat(64) }, undefined],
  [{ name: "a".repeat(65) }, "its name may hold"],
  [{ name: "" }, "its name may hold"],
  [{ kind: "magic" }, "kind must be one of local, token, command, secret"],
  [{ url: undefined }, "url must be an http"],
  [{ url: "https://:p@chat.example" }, "may not hold a user"],
  [{ url: "https://u@chat.example" }, "may not hold a user"],
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

test("an entry that profiles do not have is refused by its name, also in the second", () => {
  const { name: _, ...row } = work;
  write({ profiles: { work: row, home: { ...row, tokn: "x" } } });
  expect(() => listProfiles(env)).toThrow("Profile 'home' has an unknown entry 'tokn'.");
});

test("taking a setting back leaves the others, and the profile in use comes from either place", async () => {
  await saveSetting(env, "limit", 5);
  await saveSetting(env, "theme", "dark");
  await saveSetting(env, "limit", undefined);
  expect(written().settings).toEqual({ theme: "dark" });
  write({ current: "work" });
  expect(load().settings.profile).toBe("work");
  write({ current: "work", settings: { profile: "home" } });
  expect(load().settings.profile).toBe("home");
});

test("the second key of a file is looked at, and $schema is none", () => {
  write({ $schema: "x", settings: { $schema: "x", limit: 3, lmit: 4 } });
  expect(() => load()).toThrow("there is no setting 'lmit', did you mean 'limit'");
  write({ $schema: "x", settings: { limit: 3 }, extra: {} });
  expect(() => load()).toThrow("there is no 'extra' here");
  write({ settings: { limit: 3 } });
  for (const [text, why] of [
    ['{"limit":2,"myPassword":"x"}', "never hold a secret ('myPassword')"],
    ['{"limit":2,"token":"x"}', "never hold a secret ('token')"],
    ['{"limit":2,"lmit":2}', "did you mean 'limit'"],
    ['{"limit":2,"editor":"vi"}', "'editor' may not be set by a project"],
    ['{"limit":"many"}', ".parley.json: limit must be"],
  ] as const) {
    writeFileSync(path.join(folder, ".parley.json"), text);
    expect(() => load()).toThrow(why);
  }
});

test("of two project files the nearest counts, alone", () => {
  writeFileSync(path.join(folder, ".parley.json"), '{"limit":2,"channel":"#far"}');
  mkdirSync(path.join(folder, "a/b"), { recursive: true });
  writeFileSync(path.join(folder, "a/.parley.json"), '{"limit":7}');
  const { settings } = load({}, path.join(folder, "a/b"));
  expect([settings.limit, settings.channel]).toEqual([7, ""]);
});

test("an empty variable is a choice of no pager, a variable of ours counts before everybody's", () => {
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
  // Two neighbours swapped are one slip, and one wrong letter is the other.
  ["ilmtt", ", did you mean 'limit'"],
  ["lixxt", ", did you mean 'limit'"],
  ["lxxxt", ""],
])("%s: the nearest setting%s", (typed, said) => expect(didYouMeanSetting(typed)).toBe(said));

test("removing a secret that is not there writes no file, and the second one of a profile replaces the first", async () => {
  await removeSecret(env, { name: "work" });
  expect(() => readFileSync(credentialsFile(env))).toThrow("ENOENT");
  await saveSecret(env, "work", "a");
  await saveSecret(env, "work", "b");
  expect(JSON.parse(readFileSync(credentialsFile(env), "utf8"))).toEqual({ work: "b" });
});

test("blanks and empty lines around a printed token are no part of it", async () => {
  await expect(runTokenCommand(["printf", " tok \n\n"], process.env)).resolves.toBe("tok");
});

/** Who speaks, by a profile, the environment and `--as`. */
const way = (change: object, asked?: string) =>
  hostedTarget({ ...work, ...change } as never, asked, { env, insecure: false } as never, load().settings);

test("a stored token is that of the profile, read anew each time it is asked for", async () => {
  await saveSecret(env, "home", "other");
  await expect(way({})).rejects.toThrow("Profile 'work' has no token.");
  await saveSecret(env, "work", "one");
  const found = await way({});
  await saveSecret(env, "work", "two");
  expect(await (found.token as () => Promise<string>)()).toBe("two");
  expect(found).toMatchObject({ user: { id: "ana" }, apiKey: "k", tokenIsStored: true, loopback: false });
  expect(found.baseUrl()).toBe("https://chat.example");
  env.PARLEY_TOKEN = "given";
  expect(await way({})).toMatchObject({ token: "given" });
  expect(await way({})).not.toHaveProperty("tokenIsStored");
});

test("a token given for the run speaks as the user it names, not as the one of the profile", async () => {
  env.PARLEY_TOKEN = signToken({ user_id: "bo" }, "s".repeat(32));
  expect(await way({})).toMatchObject({ user: { id: "bo" }, token: env.PARLEY_TOKEN });
  expect(await way({}, "bo")).toMatchObject({ user: { id: "bo" } });
  await expect(way({}, "ana")).rejects.toThrow("cannot speak as ana");
});

test("without a secret one speaks as oneself only, and with one as anybody", async () => {
  await saveSecret(env, "work", "s".repeat(32));
  await expect(way({}, "bo")).rejects.toThrow("holds no secret, so it cannot speak as bo");
  await expect(way({}, "ana")).resolves.toMatchObject({ user: { id: "ana" } });
  await expect(way({ user: undefined })).rejects.toThrow("names no user");
  await expect(way({ user: undefined }, "bo")).rejects.toThrow("cannot speak as bo");
  for (const [asked, id] of [
    ["bo", "bo"],
    [undefined, "ana"],
  ] as const) {
    const { user, token, secret } = await way({ kind: "secret" }, asked);
    expect([user.id, secret]).toEqual([id, "s".repeat(32)]);
    const claims = { user_id: id, iat: 1_799_999_995, exp: 1_800_086_400 };
    expect((token as (now: number) => string)(1_800_000_000_500)).toBe(signToken(claims, secret!));
  }
  expect(await way({ kind: "secret", user: undefined })).toMatchObject({ user: { id: "" } });
  expect(await way({ kind: "secret", user: undefined })).not.toHaveProperty("token");
  env.PARLEY_API_SECRET = "e".repeat(32);
  expect(await way({ kind: "secret" })).toMatchObject({ secret: "e".repeat(32) });
});

test("a profile of a command asks it each time, and one without its secret says so", async () => {
  const found = await way({ kind: "command", command: ["printf", "made"] });
  expect(await (found.token as () => Promise<string>)()).toBe("made");
  await expect(way({ kind: "secret" })).rejects.toThrow("Profile 'work' has no secret.");
});
