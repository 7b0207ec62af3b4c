/** Long-running commands whose connection is refused end with a listed code and a sentence, and never with Node's own messages. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { helloFrame, startFakeProvider, until, type FakeProvider } from "../support/fake-provider.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let fake: FakeProvider;
const SINCE = "2026-01-01T00:00:00.000000Z";
const channel = {
  cid: "messaging:ops",
  type: "messaging",
  id: "ops",
  created_at: SINCE,
  updated_at: SINCE,
  config: {},
};
const state = { channel, messages: [], members: [], read: [], watchers: [], duration: "" };
beforeAll(async () => {
  home = makeHome();
  fake = await startFakeProvider();
  for (const route of ["GET /channels/messaging/ops", "POST /channels/messaging/ops/query"])
    fake.on[route] = () => ({ body: state });
  fake.on["POST /channels"] = () => ({ body: { channels: [state], duration: "" } });
  const token = signToken({ user_id: "mira" }, "s");
  await home.sh(`printf %s '${token}' | parley login fake --url ${fake.url} --key k --with-token --no-test`);
});
afterAll(async () => {
  await fake.close();
  await home.end();
});

interface Run {
  out: () => string;
  err: () => string;
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}
function start(words: string[]): Run {
  const child = spawn(home.built, words, {
    env: home.env,
    cwd: path.join(home.folder, "work"),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout!.setEncoding("utf8").on("data", (piece: string) => (out += piece));
  child.stderr!.setEncoding("utf8").on("data", (piece: string) => (err += piece));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { out: () => out, err: () => err, ended, kill: (signal) => child.kill(signal) };
}
/** Number of sockets that received their first frame. */
let greetedSockets = 0;
function sendHello(): void {
  greetedSockets = 0;
  fake.hello = (socket) => {
    socket.send(JSON.stringify(helloFrame("mira", `c${++greetedSockets}`)));
  };
}
const refuse = (code: number, message: string): void => {
  fake.sockets.at(-1)!.send(JSON.stringify({ error: { code, message, StatusCode: 401 } }));
  fake.sockets.at(-1)!.close(1008);
};

const refusals: [code: number, message: string, exit: number, words: string][] = [
  [40, "token was revoked", 4, "the token has expired or was revoked (token was revoked)"],
  [40, "token is expired", 4, "the token has expired or was revoked (token is expired)"],
  [
    5,
    "user mira is deactivated",
    4,
    "the provider does not accept this user or token (user mira is deactivated)",
  ],
  [43, "bad", 4, "the token was not signed for this app (bad)"],
  [99, "the app is suspended", 5, "the app is suspended (the app is suspended)"],
];
test.each(refusals)(
  "tail refused with code %i '%s' exits with %i and a sentence",
  async (code, message, exit, words) => {
    sendHello();
    const tail = start(["tail", "#ops", "-v"]);
    await until("it follows", () => tail.err().includes("following 1 channel"));
    refuse(code, message);
    expect(await tail.ended).toBe(exit);
    const printed = tail.err().slice(tail.err().indexOf("error: "));
    expect(printed).toBe(
      `error: ${words}\nhint: run parley login with another token, or ask the owner of the app\n`,
    );
  },
);

test("tail reconnects after a close with 1000, and says once that the provider ends every connection", async () => {
  sendHello();
  const tail = start(["tail", "#ops", "-v", "--transport", "websocket"]);
  await until("it follows", () => tail.err().includes("following 1 channel"));
  fake.hello = (socket) => socket.close(1000);
  fake.sockets.at(-1)!.close(1000);
  await until("it is said", () => tail.err().includes("retrying every minute"));
  expect(tail.err()).not.toContain("error:");
  expect(tail.err().match(/every minute/g)).toHaveLength(1);
  tail.kill("SIGINT");
  expect(await tail.ended).toBe(130);
});

test("tail exits with 10 when its first connection is closed three times", async () => {
  fake.hello = (socket) => socket.close(4444);
  const tail = start(["tail", "#ops", "--transport", "websocket"]);
  expect(await tail.ended).toBe(10);
  expect(tail.err()).toContain("the provider keeps closing the connection");
});

const CANNOT_CONNECT = "cannot connect yet: ";
const NEVER_OPEN = new RegExp(
  `^${CANNOT_CONNECT}.+; retrying\\nerror: .+\\n  because: the connection was not open when the time was up\\n`,
);
test.each([[["tail", "#ops", "--exit-after", "4s"]], [["wait", "#ops", "--within", "4s"]]])(
  "%s says that it cannot connect, and ends on time with 10",
  async (line) => {
    fake.hello = (socket) => socket.terminate();
    const run = start([...line, "--transport", "websocket"]);
    expect([await run.ended, run.err()]).toEqual([10, expect.stringMatching(NEVER_OPEN)]);
  },
);

test("doctor notices a full disk, although the permissions are fine", async () => {
  const { code, out } = await home.sh("trap '' XFSZ; ulimit -f 1; parley doctor");
  expect([code, out]).toEqual([
    12,
    expect.stringMatching(/^fault\tstorage\t.+\tfree some space: the disk is full$/m),
  ]);
});

test("doctor ends even if a connection never opens", async () => {
  fake.hello = (socket) => socket.terminate();
  fake.on["GET /app"] = () => ({ body: { app: { name: "an app" }, duration: "" } });
  const run = start(["doctor", "--transport", "websocket"]);
  await run.ended;
  // On a busy machine no attempt may have ended by then: there is no reason yet.
  expect(run.out()).toMatch(/live.+cannot connect yet/);
});

test("Ctrl-C ends a tail that cannot connect at once", async () => {
  fake.hello = (socket) => socket.terminate();
  const tail = start(["tail", "#ops", "--transport", "websocket"]);
  await until("it is said", () => tail.err().includes("retrying"));
  const began = performance.now();
  tail.kill("SIGINT");
  expect(await tail.ended).toBe(130);
  // A run that does not end by itself is killed after three seconds.
  expect(performance.now() - began).toBeLessThan(2500);
});

test("a run that would end with a pending promise exits with 1 and asks for a report", async () => {
  const file = path.join(home.folder, "never.mjs");
  // Opening the secrets file never completes and keeps nothing in the event loop.
  writeFileSync(
    file,
    `import fs from "node:fs/promises"; import { syncBuiltinESMExports } from "node:module";
fs.open = () => new Promise(() => {}); syncBuiltinESMExports();`,
  );
  const token = signToken({ user_id: "mira" }, "s");
  const line = `printf %s '${token}' | NODE_OPTIONS='--import file://${file}' parley login other --key k --url ${fake.url} --with-token --no-test`;
  const ran = await home.sh(line);
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toMatch(
    /^error: parley login stopped in the middle: nothing was left to wait for\n {2}because: .+\nhint: please report it, with the last lines of .+parley\.log\n$/,
  );
  const asJson = await home.sh(`${line} --json`);
  expect(JSON.parse(asJson.err)).toMatchObject({ error: { exit: 1, retryable: false } });
  expect(asJson.code).toBe(1);
});
