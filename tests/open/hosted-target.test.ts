/** Which user signs in to a hosted provider: by profile, environment and `--as`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
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
  await expect(way({}, "ana")).rejects.toThrow("cannot act as ana");
});

test("without a secret one speaks as oneself only, and with one as anybody", async () => {
  await saveSecret(env, "work", "s".repeat(32));
  await expect(way({}, "bo")).rejects.toThrow("has no secret, so it cannot act as bo");
  await expect(way({}, "ana")).resolves.toMatchObject({ user: { id: "ana" } });
  await expect(way({ user: undefined })).rejects.toThrow("has no user");
  await expect(way({ user: undefined }, "bo")).rejects.toThrow("cannot act as bo");
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
