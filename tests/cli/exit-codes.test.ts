/** Exit codes for invalid answers, refused tokens, missing answers and folders that cannot be created (specification/command-line.md §2). */
import { spawn } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { credentialsFile } from "../../src/config/paths.ts";
import { signToken } from "../../src/wire/token.ts";
import { startFakeProvider, type FakeProvider } from "../support/fake-provider.ts";
import { PROOF } from "../support/proof.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(() => {
  home = makeHome({ here: !PROOF });
});
afterAll(() => home.end());

const KEY = "k3y-that-nobody-may-see";
const fault = (code: number, status: number, message: string): object => ({
  status,
  body: { code, message, StatusCode: status, duration: "1ms", more_info: "" },
});

const OPS = (): object => ({
  body: { channel: { cid: "messaging:ops", id: "ops", type: "messaging" }, members: [] },
});

describe("a fake provider", () => {
  let fake: FakeProvider;
  beforeEach(async () => {
    fake = await startFakeProvider();
    await home.sh(
      `printf %s '${signToken({ user_id: "mira" }, "s")}' | parley login fake --url ${fake.url} --key ${KEY} --with-token --no-test`,
    );
  });
  afterEach(async () => {
    await home.sh("parley profile remove fake --yes");
    await fake.close();
  });

  test("an unknown answer exits with 1 and is printed in three lines", async () => {
    fake.on["POST /channels"] = () => ({ status: 418, body: "short and stout" });
    const ran = await home.sh("parley channel list");
    expect({ ...ran, err: "" }).toEqual({ out: "", err: "", code: 1 });
    expect(ran.err).toMatch(/^error: .+\n {2}because: .+\nhint: .+\n$/);
    const traced = await home.sh("PARLEY_DEBUG=1 parley channel list");
    expect(traced.err).toMatch(/\n +at /);
  });
  test("a web page instead of an answer, as from a hotel network, exits with 10", async () => {
    fake.on["POST /channels"] = () => ({
      body: "<html>welcome</html>",
      headers: { "content-type": "text/html" },
    });
    const ran = await home.sh("parley channel list --retries 0");
    expect([ran.code, ran.out]).toEqual([10, ""]);
    expect(ran.err).not.toContain("<html>");
  });
  test("an expired or refused token and an unknown key exit with 4, as JSON too", async () => {
    for (const [code, status] of [
      [40, 401],
      [43, 401],
      [5, 401],
      [2, 401],
    ] as const) {
      fake.on["POST /channels"] = () => fault(code, status, "QueryChannels failed with error: no");
      const ran = await home.sh("parley channel list");
      expect([code, ran.code, ran.out]).toEqual([code, 4, ""]);
      expect(ran.err).toContain("hint: run parley login, or parley profile test to check the credentials");
    }
    const json = await home.sh("parley channel list --json");
    expect(json.err.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(json.err)).toMatchObject({
      error: { code: "authentication", exit: 4, http: 401, provider_code: 2, retryable: false },
    });
  });
  test("a token from the future points to doctor, which says how far the clock is off", async () => {
    const past = new Date(Date.now() - 3_600_000).toUTCString();
    const refuse = () => ({
      ...fault(42, 401, "no: token was issued in the future"),
      headers: { date: past },
    });
    fake.on["POST /channels"] = refuse;
    const ran = await home.sh("parley channel list");
    expect([ran.code, ran.out]).toEqual([4, ""]);
    expect(ran.err).toContain("hint: run parley doctor, which compares this machine's clock");
    fake.on["GET /app"] = refuse;
    const doctor = await home.sh("parley doctor");
    expect(doctor.out).toMatch(/warning\tclock\tthis machine is 3[56]\d\d s ahead of the provider/);
  });
  test("a failed login removes the profile that it created, and leaves an existing one unchanged", async () => {
    fake.on["GET /app"] = () => fault(5, 401, "GetApp failed with error: no");
    const login = (name: string): string =>
      `printf %s '${signToken({ user_id: "mira" }, "s")}' | parley login ${name} --url ${fake.url} --key ${KEY} --with-token`;
    const tokens = (): string => readFileSync(credentialsFile(home.env), "utf8");
    const before = tokens();
    expect((await home.sh(login("fake"))).code).toBe(4);
    expect((await home.sh(login("fresh"))).code).toBe(4);
    expect((await home.sh("parley profile list --jq .name")).out).toBe("local\nfake\n");
    // The existing profile still has its own token.
    expect(tokens()).toBe(before);
  });
  test("a rate limit and a provider error exit with 10 and are retryable", async () => {
    for (const [code, status] of [
      [9, 429],
      [-1, 500],
    ] as const) {
      fake.on["POST /channels"] = () => fault(code, status, "later");
      const ran = await home.sh("parley channel list --retries 0 --json");
      expect(ran.code).toBe(10);
      expect(JSON.parse(ran.err)).toMatchObject({ error: { exit: 10, retryable: true } });
    }
  });
  test("a send without an answer exits with 11; the command in its hint finds the message or not", async () => {
    fake.on["GET /channels/messaging/ops"] = OPS;
    // The provider accepts the message, then the connection is cut.
    fake.on["POST /channels/messaging/ops/message"] = () => ({ raw: (_, socket) => socket.destroy() });
    const ran = await home.sh("parley send '#ops' --id look-1 hello --max-wait 1s");
    expect({ ...ran, err: "" }).toEqual({ out: "", err: "", code: 11 });
    expect(ran.err).toContain("error: no clear answer arrived: the message may have been sent\n  because: ");
    expect(ran.err).toContain("hint: run parley message get look-1");
    const lookup = /hint: run (parley message get \S+)/.exec(ran.err)![1]!;
    expect((await home.sh(lookup)).code).toBe(3);
    fake.on["GET /messages/look-1"] = () => ({
      body: {
        message: {
          id: "look-1",
          text: "hello",
          type: "regular",
          cid: "messaging:ops",
          user: { id: "mira" },
          created_at: "2026-11-22T00:00:00Z",
        },
      },
    });
    expect((await home.sh(`${lookup} --json=text`)).out).toBe('{"text":"hello"}\n');
    // The send checks for the message itself: finding it is a success.
    const again = await home.sh("parley send '#ops' --id look-1 hello --max-wait 1s");
    expect(again).toEqual({ out: "look-1\n", err: "", code: 0 });
  });
  test("a channel or poll that may have been created exits with 11 and names the command that shows it", async () => {
    const cut = () => ({ raw: (_: unknown, socket: { destroy(): void }) => socket.destroy() });
    fake.on["POST /channels/messaging/lost/query"] = cut;
    fake.on["POST /polls"] = cut;
    const channel = await home.sh("parley channel create messaging:lost --retries 0");
    expect([channel.code, channel.err]).toEqual([
      11,
      expect.stringMatching(
        /^error: no answer arrived: it may have happened\n {2}because: .+\nhint: parley channel get messaging:lost shows/,
      ),
    ]);
    // With --exist-ok the same line can safely be repeated.
    expect((await home.sh("parley channel create messaging:lost --exist-ok --retries 0")).code).toBe(10);
    const poll = await home.sh("parley poll create --id p1 Lunch? --option Soup");
    expect([poll.code, poll.err]).toEqual([11, expect.stringContaining("hint: parley poll get p1 shows")]);
    // A gateway timeout does not say what happened to the request either.
    fake.on["POST /channels/messaging/lost/query"] = () => ({ status: 504, body: "gateway" });
    expect((await home.sh("parley channel create messaging:lost --retries 0")).code).toBe(11);
  });
  test("a send answered by a gateway exits with 11 and names the HTTP status", async () => {
    fake.on["GET /channels/messaging/ops"] = OPS;
    fake.on["POST /channels/messaging/ops/message"] = () => ({ status: 502, body: "<html>bad</html>" });
    const ran = await home.sh("parley send '#ops' hello --max-wait 1s --json");
    expect(ran.code).toBe(11);
    expect(JSON.parse(ran.err)).toMatchObject({
      error: { because: "the provider answered HTTP 502", retryable: false },
    });
  });
  test("a rate-limited send exits with 10 and says when to try again", async () => {
    fake.on["GET /channels/messaging/ops"] = OPS;
    fake.on["POST /channels/messaging/ops/message"] = () => ({
      ...fault(9, 429, 'SendMessage failed with error: "Too many requests"'),
      headers: { "retry-after": "40" },
    });
    const ran = await home.sh("parley send '#ops' hello --max-wait 1s");
    expect({ ...ran, err: "" }).toEqual({ out: "", err: "", code: 10 });
    expect(ran.err).toMatch(
      /^error: the message was not sent: the provider accepts no more messages for now\n {2}because: Too many requests\nhint: run the same command again in (39|40) s, or with a longer --max-wait, or add --queue\n$/,
    );
    // A hint never names a flag that the command does not have.
    const long = await home.sh("parley message send -c '#ops' hello --max-wait 1s");
    expect([long.code, long.err.includes("--queue")]).toEqual([10, false]);
  });
  test("a send is retried after each --timeout, and ends after --max-wait", async () => {
    fake.on["GET /channels/messaging/ops"] = OPS;
    let tries = 0;
    fake.on["POST /channels/messaging/ops/message"] = () => ({ raw: () => void tries++ });
    const short = await home.sh("parley send '#ops' hello --timeout 200ms --max-wait 2500ms");
    expect([short.code, tries]).toEqual([11, expect.toSatisfy((n: number) => n > 1)]);
    tries = 0;
    const began = Date.now();
    const endless = await home.sh("parley send '#ops' hello --timeout 0 --max-wait 500ms");
    expect([endless.code, tries]).toEqual([11, 1]);
    expect(Date.now() - began).toBeLessThan(10_000);
  });
  test("no error contains the key or the token, even with --debug and -v", async () => {
    fake.on["POST /channels"] = () => ({ raw: (_, socket) => socket.destroy() });
    for (const flags of ["", "--json", "-v --debug", "--debug=http"]) {
      const ran = await home.sh(`PARLEY_DEBUG=1 parley channel list --retries 0 ${flags}`);
      expect(ran.code).toBe(10);
      expect(ran.err).not.toContain(KEY);
      expect(ran.err).not.toMatch(/eyJ|api_key=[^*]/);
    }
  });
});

describe("the embedded provider", () => {
  test("an expired token exits with 4", async () => {
    const key = (await home.sh("parley local status -o env; parley local start > /dev/null")).code;
    expect(key).toBe(0);
    const env = (await home.sh("parley local status -o env")).out;
    const url = /URL='([^']+)'/.exec(env)![1]!;
    const apiKey = /KEY='([^']+)'/.exec(env)![1]!;
    await home.sh('cp "$XDG_DATA_HOME/parley/local/secret" s.txt');
    const secret = (await home.sh("cat s.txt; rm s.txt")).out.trim();
    const old = signToken({ user_id: "mira", iat: 1_500_000_000, exp: 1_500_003_600 }, secret);
    await home.sh(
      `printf %s '${old}' | parley login late --url '${url}' --key '${apiKey}' --with-token --no-test`,
    );
    const ran = await home.sh("parley channel list");
    expect([ran.code, ran.out]).toEqual([4, ""]);
    expect(ran.err).toContain("code 40");
    await home.sh("parley profile remove late --yes");
  });
  test("a provider stopped in the middle of a send exits with 11, and the command in the hint finds the message afterwards", async () => {
    await home.sh("parley channel create messaging:ops");
    const { pid } = JSON.parse((await home.sh("parley local status --json")).out) as { pid: number };
    // A proxy in between lets the provider store the message but holds back every answer.
    const env = (await home.sh("parley local status -o env")).out;
    const real = /URL='([^']+)'/.exec(env)![1]!;
    const apiKey = /KEY='([^']+)'/.exec(env)![1]!;
    const fake = await startFakeProvider();
    const token = (await home.sh("parley local token mira")).out.trim();
    const pass = async (seen: (typeof fake.seen)[number]): Promise<Response> =>
      fetch(`${real}${seen.path}?${seen.query}`, {
        method: seen.method,
        headers: { authorization: token, "stream-auth-type": "jwt", "content-type": "application/json" },
        ...(seen.body ? { body: seen.body } : {}),
      });
    fake.on["GET /channels/messaging/ops"] = async (seen) => ({ body: await (await pass(seen)).text() });
    let isHoldingBack = true;
    fake.on["POST /channels/messaging/ops/message"] = async (seen) => {
      await pass(seen);
      process.kill(pid, "SIGSTOP");
      return { raw: (_, socket) => socket.destroy() };
    };
    fake.on["GET /messages/half-1"] = async (seen) =>
      isHoldingBack ? { raw: (_, socket) => socket.destroy() } : { body: await (await pass(seen)).text() };
    try {
      await home.sh(
        `printf %s '${token}' | parley login between --url ${fake.url} --key '${apiKey}' --with-token --no-test`,
      );
      const ran = await home.sh("parley send '#ops' --id half-1 half way --max-wait 1s");
      expect(ran.code).toBe(11);
      isHoldingBack = false;
      process.kill(pid, "SIGCONT");
      const lookup = /hint: run (parley message get \S+)/.exec(ran.err)![1]!;
      expect((await home.sh(`${lookup} --json=text`)).out).toBe('{"text":"half way"}\n');
    } finally {
      process.kill(pid, "SIGCONT");
      await home.sh("parley profile remove between --yes; parley profile use local");
      await fake.close();
    }
  });
});

describe("local storage that fails", () => {
  test("a file in place of the state, data or config folder exits with 12, names the path and sends nothing", async () => {
    await home.sh("parley profile use local; parley channel create messaging:disk; echo x > file");
    for (const [variable, line] of [
      ["XDG_STATE_HOME", "send '#disk' hi"],
      ["XDG_DATA_HOME", "channel list"],
      ["XDG_CONFIG_HOME", "config set limit 3"],
    ] as const) {
      const ran = await home.sh(`${variable}="$PWD/file" parley ${line}`);
      expect([variable, ran.code, ran.out]).toEqual([variable, 12, ""]);
      expect(ran.err).toMatch(/^error: \S+\/file\/parley\S*: a part of that path is a file, not a folder\n/);
    }
    expect((await home.sh("parley message list -c '#disk'")).out).toBe("");
    expect(
      (await home.sh("parley doctor > /dev/null; XDG_STATE_HOME=$PWD/file parley doctor > /dev/null")).code,
    ).toBe(12);
  });
  test("a cache that cannot be written does not stop a command", async () => {
    const ran = await home.sh('XDG_CACHE_HOME="$PWD/file" parley send "#disk" --id kept-1 hi');
    expect(ran).toEqual({ out: "kept-1\n", err: "", code: 0 });
  });
  test("a damaged state file is moved aside, and the message is sent", async () => {
    const states = path.join(home.env.XDG_STATE_HOME!, "parley");
    const app = readdirSync(states).find((name) => name.endsWith("@local"))!;
    const file = path.join(states, app, "mira/state.db");
    writeFileSync(file, "this is no database ".repeat(500));
    await home.sh(`rm -f '${file}-wal' '${file}-shm'`);
    const ran = await home.sh(`parley send '#disk' --id kept-2 hi; ls '${path.dirname(file)}'`);
    expect(ran.out).toContain("kept-2\n");
    expect(ran.out).toMatch(/state\.db\.damaged/);
  });
  test.each(["profile list", "--version"])("%s into a full disk exits with 12", async (line) => {
    const ran = await home.sh(`'${home.built}' ${line} > /dev/full`);
    expect(ran).toEqual({ out: "", err: "error: standard output cannot be written: ENOSPC\n", code: 12 });
  });
});

test("SIGTERM ends a waiting run with 143", async () => {
  const child = spawn(home.built, ["tail", "#disk"], {
    env: home.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGTERM");
  expect(await ended).toEqual([143, null]);
});
