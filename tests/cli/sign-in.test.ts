/** `login`: a refusal says which field is wrong, and a user without channels hears how to make one, unless the list failed. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { framesFolder } from "../../src/config/paths.ts";
import { signToken } from "../../src/wire/token.ts";
import { fakeMe, startFakeProvider, type Answer, type FakeProvider } from "../support/fake-provider.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let fake: FakeProvider;
beforeAll(async () => {
  home = makeHome();
  fake = await startFakeProvider();
});
afterAll(async () => {
  await fake.close();
  await home.end();
});

const TOKEN = signToken({ user_id: "mira" }, "s");
const login = (token = TOKEN, more = "") =>
  home.sh(`printf %s '${token}' | parley login fake --url ${fake.url} --key k3y --with-token ${more}`);
function answers(app: Answer, channels: Answer = {}): void {
  fake.on = {
    "GET /app": () => app,
    "GET /unread": () => ({ body: { ...fakeMe("mira"), channels: [], threads: [], channel_type: [] } }),
    "POST /channels": () => channels,
  };
}
const refused = (code: number): Answer => ({
  status: 401,
  body: { code, message: "no", StatusCode: 401, duration: "", more_info: "" },
});

test.each([
  [2, "another region"],
  [5, "for mira"],
  [40, "was revoked"],
  [41, "begins to be valid"],
  [42, "whoever made it"],
  [43, "another app"],
])("code %i ends with 4 and its own hint", async (code, words) => {
  answers(refused(code));
  const { code: exit, err } = await login();
  expect([exit, err]).toEqual([4, expect.stringMatching(`hint: .*${words}`)]);
});

test("a wrong field is refused before any request", async () => {
  fake.seen.length = 0;
  for (const [line, words] of [
    [`parley login fake --key '${TOKEN}' --with-token < /dev/null`, "That is a token: the key"],
    [`printf k3y | parley login fake --key k3y --with-token`, "That is the key: the token"],
    [
      `printf %s '${TOKEN}' | parley login fake --key k3y --kind secret --secret-stdin`,
      "not the app's secret",
    ],
  ] as const) {
    const { code, err } = await home.sh(line);
    expect([code, err]).toEqual([7, expect.stringContaining(words)]);
  }
  expect(fake.seen).toEqual([]);
});

test("a user in no channel hears how to make one and to invite; not when the list failed or cannot be read", async () => {
  const app = { body: { app: { name: "a" }, duration: "" } };
  answers(app, { body: { channels: [], duration: "" } });
  expect((await login()).err).toMatch(/in no channel yet: parley channel create .+ parley channel invite/);
  for (const channels of [
    { status: 500, body: {} },
    { body: { channels: [{ channel: 5 }], duration: "" } },
    { body: { channels: "none", duration: "" } },
  ]) {
    answers(app, channels);
    const { code, err } = await login();
    expect([code, err]).toEqual([0, expect.not.stringContaining("no channel yet")]);
  }
});

test("after logout neither the secret nor the saved frame of the profile is left, those of others are", async () => {
  answers({ body: { app: { name: "a" }, duration: "" } }, { body: { channels: [], duration: "" } });
  const frames = ["fake", "other"].map((name) => path.join(framesFolder(home.env, name), "80x24"));
  for (const frame of frames) {
    mkdirSync(path.dirname(frame), { recursive: true });
    writeFileSync(frame, "what was on the screen");
  }
  expect((await login()).code).toBe(0);
  expect(
    (await home.sh(`printf %s '${TOKEN}' | parley login other --url ${fake.url} --key k3y --with-token`))
      .code,
  ).toBe(0);
  const { code, err } = await home.sh("parley logout fake");
  expect([code, err]).toEqual([0, expect.stringContaining("removed the secret of fake")]);
  expect(frames.map((frame) => existsSync(frame))).toEqual([false, true]);
  expect((await home.sh("parley channel list --profile fake")).code).toBe(4);
  expect((await home.sh("parley channel list --profile other")).code).toBe(0);
});
