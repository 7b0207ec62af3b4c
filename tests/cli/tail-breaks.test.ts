/** `tail` over a connection that breaks: messages in order, none missing, in every channel, and temporary trouble does not end it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { startFakeProvider, until, type FakeProvider, type Seen } from "../support/fake-provider.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
let fake: FakeProvider;
/** The provider's messages, by channel id. */
let messagesOf: Record<string, object[]> = {};
/** The last request for missed messages. */
let missedQuery = "";
/** The status that answers the request for missed messages. */
let recoveryStatus: () => Promise<number> | number = () => 200;
const SINCE = "2026-01-01T00:00:00.000000Z";
const state = (id: string, messages: object[] = []): object => ({
  channel: {
    cid: `messaging:${id}`,
    type: "messaging",
    id,
    created_at: SINCE,
    updated_at: SINCE,
    config: {},
  },
  messages,
  members: [],
  read: [],
  watchers: [],
  duration: "",
});
const message = (id: string, n: number, channel = "ops"): object => ({
  id,
  cid: `messaging:${channel}`,
  type: "regular",
  text: `said ${id}`,
  user: { id: "ana" },
  created_at: `2030-01-01T00:00:${String(n).padStart(2, "0")}.000000Z`,
  updated_at: SINCE,
});
const sendEvent = (id: string, n: number): void =>
  fake.sockets.at(-1)!.send(
    JSON.stringify({
      type: "message.new",
      cid: "messaging:ops",
      created_at: SINCE,
      message: message(id, n),
    }),
  );

beforeAll(async () => {
  home = makeHome();
  fake = await startFakeProvider();
  fake.on = new Proxy(fake.on, {
    get: (on, route: string) => {
      const channel = /^(?:GET|POST) \/channels\/messaging\/(\w+)(?:\/query)?$/.exec(route)?.[1];
      if (channel === undefined) return on[route];
      return async ({ body }: Seen) => {
        const request = (body === "" ? {} : JSON.parse(body)) as { watch?: boolean };
        if (request.watch === false) missedQuery = body;
        const status = request.watch === false ? await recoveryStatus() : 200;
        const broken = { code: status === 403 ? 17 : -1, message: "broken", StatusCode: status };
        return { status, body: status === 200 ? state(channel, messagesOf[channel]) : broken };
      };
    },
  });
  fake.on["POST /channels"] = ({ body }) => {
    const channel = /"cid":"messaging:(\w+)"/.exec(body)?.[1] ?? "ops";
    return { body: { channels: [state(channel, messagesOf[channel])], duration: "" } };
  };
  fake.on["POST /sync"] = () => ({ body: { events: [], duration: "" } });
  const token = signToken({ user_id: "mira" }, "s");
  await home.sh(`printf %s '${token}' | parley login fake --url ${fake.url} --key k --with-token --no-test`);
});
const running = new Set<() => void>();
afterEach(() => {
  for (const end of running) end();
  running.clear();
  messagesOf = {};
  recoveryStatus = () => 200;
});
afterAll(async () => {
  await fake.close();
  await home.end();
});

function start(words: string[]): { out(): string; err(): string; code(): number | null | undefined } {
  const child = spawn(home.built, words, { env: home.env, cwd: path.join(home.folder, "work") });
  let [out, err] = ["", ""];
  let code: number | null | undefined;
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
  child.once("close", (ended) => (code = ended));
  running.add(() => child.kill("SIGKILL"));
  return { out: () => out, err: () => err, code: () => code };
}
const idsIn = (out: string): string[] => [...out.matchAll(/said (\w+)/g)].map(([, id]) => id!);

test("messages that arrive during recovery are printed after the missed ones", async () => {
  const tail = start(["tail", "#ops", "--transport", "websocket"]);
  await until("it is connected", () => fake.sockets.length > 0);
  sendEvent("m1", 1);
  await until("m1", () => tail.out().includes("said m1"));
  const before = fake.sockets.length;
  const gate = Promise.withResolvers<void>();
  const list = fake.on["POST /channels"]!;
  // Holds back the recovery until a live event has arrived.
  fake.on["POST /channels"] = async (seen) => {
    await gate.promise;
    return list(seen);
  };
  messagesOf.ops = [message("m2", 2)];
  fake.sockets.at(-1)!.terminate();
  await until("it is connected again", () => fake.sockets.length > before);
  sendEvent("m3", 3);
  // Frames are read in order: with the answer to a ping the event has been read.
  const answered = once(fake.sockets.at(-1)!, "pong");
  fake.sockets.at(-1)!.ping();
  await answered;
  gate.resolve();
  await until("m3", () => tail.out().includes("said m3"));
  expect(idsIn(tail.out())).toEqual(["m1", "m2", "m3"]);
  fake.on["POST /channels"] = list;
});

test("fetching missed messages is retried while the connection is open", async () => {
  const tail = start(["tail", "#ops", "--transport", "websocket"]);
  const before = fake.sockets.length;
  await until("it is connected", () => fake.sockets.length > before);
  sendEvent("m4", 4);
  await until("m4", () => tail.out().includes("said m4"));
  let refused = 0;
  recoveryStatus = () => (refused++, 503);
  messagesOf.ops = [message("m5", 5)];
  fake.sockets.at(-1)!.terminate();
  // More than the retries of a single call.
  await until("it asks again", () => refused > 5 || tail.code() !== undefined);
  expect(tail.code()).toBe(undefined);
  recoveryStatus = () => 200;
  await until("m5", () => tail.out().includes("said m5"));
  sendEvent("m6", 6);
  await until("m6", () => tail.out().includes("said m6"));
  expect(idsIn(tail.out())).toEqual(["m4", "m5", "m6"]);
});

test("a refusal of missed messages ends the run, with the exit code of the refusal", async () => {
  const before = fake.sockets.length;
  const tail = start(["tail", "#ops", "--transport", "websocket"]);
  await until("it is connected", () => fake.sockets.length > before);
  sendEvent("m4", 4);
  await until("m4", () => tail.out().includes("said m4"));
  recoveryStatus = () => 403;
  messagesOf.ops = [message("m5", 5)];
  fake.sockets.at(-1)!.terminate();
  await until("it has ended", () => tail.code() !== undefined);
  expect([tail.code(), idsIn(tail.out())]).toEqual([5, ["m4"]]);
});

test.each(["notification.message_new", "notification.added_to_channel", "message.new"])(
  "tail --all follows a channel from its %s on, with the message that came with it",
  async (type) => {
    messagesOf.ops = [message("m1", 1)];
    const tail = start(["tail", "--all", "--last", "1", "--transport", "websocket"]);
    await until("m1", () => tail.out().includes("said m1"));
    messagesOf.back = [message("b1", 2, "back")];
    const { channel } = state("back") as { channel: object };
    const event = { type, cid: "messaging:back", created_at: SINCE, channel, message: messagesOf.back[0] };
    fake.sockets.at(-1)!.send(JSON.stringify(event));
    await until("b1", () => tail.out().includes("said b1"));
    expect(idsIn(tail.out())).toEqual(["m1", "b1"]);
  },
);

test("missed messages are requested from the start by the provider's clock, which is months behind here", async () => {
  missedQuery = "";
  const before = fake.sockets.length;
  const tail = start(["tail", "#ops", "--transport", "websocket", "--verbose"]);
  await until("it follows", () => fake.sockets.length > before && tail.err().includes("following"));
  messagesOf.ops = [message("m7", 7)];
  fake.sockets.at(-1)!.terminate();
  await until("m7", () => tail.out().includes("said m7"));
  expect(missedQuery).toMatch(/"created_at_after(_or_equal)?":"2026-03-04T05:/);
});

test("tail --all follows every channel, also those on later pages", async () => {
  const channels = Array.from({ length: 31 }, (_, n) => state(`c${n}`));
  const list = fake.on["POST /channels"]!;
  fake.on["POST /channels"] = ({ body }) => {
    const { offset = 0, limit = 30 } = JSON.parse(body) as { offset?: number; limit?: number };
    return { body: { channels: channels.slice(offset, offset + limit), duration: "" } };
  };
  try {
    messagesOf.c30 = [message("last", 7, "c30")];
    const { out } = await home.sh("parley tail --all --no-follow --last 1");
    expect(idsIn(out)).toEqual(["last"]);
  } finally {
    fake.on["POST /channels"] = list;
  }
});
