/** Which user signs in to a hosted provider: by profile, environment and `--as`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { saveProfile } from "../../src/config/profiles.ts";
import { saveSecret } from "../../src/config/secrets.ts";
import { hostedTarget } from "../../src/open/connection-target.ts";
import { signToken } from "../../src/wire/token.ts";

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-hosted-"));
  env = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, "c"), PARLEY_KEYRING: "off" };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const work = { name: "work", kind: "token", url: "https://chat.example", key: "k", user: "ana" } as const;
const load = () => loadSettings({ flags: {}, env, cwd: folder });

const targetOf = (change: object, requestedUser?: string) =>
  hostedTarget(
    { ...work, ...change } as never,
    requestedUser,
    { env, insecure: false } as never,
    load().settings,
  );

test("a stored token is read again each time, and PARLEY_TOKEN wins over it", async () => {
  await saveSecret(env, "home", "other");
  await expect(targetOf({})).rejects.toThrow("Profile 'work' has no token.");
  await saveSecret(env, "work", "one");
  const found = await targetOf({});
  await saveSecret(env, "work", "two");
  expect(await (found.token as () => Promise<string>)()).toBe("two");
  expect(found).toMatchObject({ user: { id: "ana" }, apiKey: "k", tokenIsStored: true, loopback: false });
  expect(found.baseUrl()).toBe("https://chat.example");
  env.PARLEY_TOKEN = "given";
  expect(await targetOf({})).toMatchObject({ token: "given" });
  expect(await targetOf({})).not.toHaveProperty("tokenIsStored");
});

test.each([
  ["key", { key: "k2" }],
  ["address", { url: "https://other.example" }],
  ["key and address", { key: "k2", url: "https://other.example" }],
])("a stored token is not sent to its app once the profile has another %s", async (_, change) => {
  await saveProfile(env, work);
  await saveSecret(env, "work", "one");
  const token = (await targetOf({})).token as () => Promise<string>;
  expect(await token()).toBe("one");
  await saveProfile(env, { ...work, ...change });
  await saveSecret(env, "work", "of-the-other-app");
  expect(await token()).toBe("");
  await expect(targetOf({})).rejects.toThrow("Profile 'work' has no token.");
  await saveProfile(env, work);
  expect(await token()).toBe("of-the-other-app");
});

test("PARLEY_TOKEN acts as the user it names, not as the profile's user", async () => {
  env.PARLEY_TOKEN = signToken({ user_id: "bo" }, "s".repeat(32));
  expect(await targetOf({})).toMatchObject({ user: { id: "bo" }, token: env.PARLEY_TOKEN });
  expect(await targetOf({}, "bo")).toMatchObject({ user: { id: "bo" } });
  await expect(targetOf({}, "ana")).rejects.toThrow("cannot act as ana");
});

test("without a secret a profile acts as its own user only, and with one as any user", async () => {
  await saveSecret(env, "work", "s".repeat(32));
  await expect(targetOf({}, "bo")).rejects.toThrow("has no secret, so it cannot act as bo");
  await expect(targetOf({}, "ana")).resolves.toMatchObject({ user: { id: "ana" } });
  await expect(targetOf({ user: undefined })).rejects.toThrow("has no user");
  await expect(targetOf({ user: undefined }, "bo")).rejects.toThrow("cannot act as bo");
  for (const [requestedUser, id] of [
    ["bo", "bo"],
    [undefined, "ana"],
  ] as const) {
    const { user, token, secret } = await targetOf({ kind: "secret" }, requestedUser);
    expect([user.id, secret]).toEqual([id, "s".repeat(32)]);
    const claims = { user_id: id, iat: 1_799_999_995, exp: 1_800_086_400 };
    expect((token as (now: number) => string)(1_800_000_000_500)).toBe(signToken(claims, secret!));
  }
  expect(await targetOf({ kind: "secret", user: undefined })).toMatchObject({ user: { id: "" } });
  expect(await targetOf({ kind: "secret", user: undefined })).not.toHaveProperty("token");
  env.PARLEY_API_SECRET = "e".repeat(32);
  expect(await targetOf({ kind: "secret" })).toMatchObject({ secret: "e".repeat(32) });
});

test("a profile with a command runs it for each token, and a missing secret is reported", async () => {
  const found = await targetOf({ kind: "command", command: ["printf", "made"] });
  expect(await (found.token as () => Promise<string>)()).toBe("made");
  await expect(targetOf({ kind: "secret" })).rejects.toThrow("Profile 'work' has no secret.");
});
