/** An embedded provider that is stopped (SIGSTOP) or slow to start: timeouts hold, queued messages are kept, and status and stop report it correctly. */
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFakeProvider } from "../support/fake-provider.ts";
import { Home, until, type Ran } from "../support/home.ts";
import { signToken } from "../../src/wire/token.ts";
import { isRunning } from "../../src/model/files/owner.ts";

let home: Home;
let pid: number;

async function timed<T>(run: Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const value = await run;
  return [value, performance.now() - began];
}

test("local stop ends when the process has ended, not when it has only let go of its folder", async () => {
  const ending = new Home();
  try {
    const slowExit = path.join(ending.folder, "slow-exit.cjs");
    writeFileSync(
      slowExit,
      'process.on("exit", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000));',
    );
    const start = await ending.sh(`NODE_OPTIONS='--require ${slowExit}' parley local start`);
    expect([start.code, start.err]).toEqual([0, ""]);
    const { pid: started } = ending.provider()!;
    expect(await ending.run(["local", "stop"])).toMatchObject({ code: 0 });
    expect(isRunning(started)).toBe(false);
  } finally {
    await ending.end();
  }
});

describe("a stopped provider that still owns its folder", () => {
  beforeAll(async () => {
    home = new Home();
    pid = await home.up();
    await home.channel("ops", ["ana"]);
    process.kill(pid, "SIGSTOP");
  });
  afterAll(() => home.end());

  test("--max-wait bounds the whole run, including finding the provider, and nothing is sent", async () => {
    const [ran, took] = await timed(home.run(["send", "#ops", "--max-wait", "2s", "hello"]));
    expect({ ...ran, err: "" }).toEqual({ code: 10, out: "", err: "" });
    expect(ran.err).toContain(`process ${pid}, is running but does not answer`);
    expect(ran.err).toContain("parley local stop --force");
    // The limit, plus the program's start on a loaded machine.
    expect(took).toBeLessThan(2000 + 3000);
  });

  test("--timeout bounds each attempt to reach the provider", async () => {
    const [ran, took] = await timed(
      home.run(["channel", "list", "--timeout", "500ms", "--retries", "1", "--json"]),
    );
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.err)).toMatchObject({ error: { exit: 10, retryable: true } });
    expect(took).toBeLessThan(1000 + 3000);
  });

  test("status and stop report that it runs but does not answer", async () => {
    const status = await home.run(["local", "status", "--timeout", "500ms", "-o", "json"]);
    expect(status.code).toBe(10);
    expect(JSON.parse(status.out)).toEqual({
      running: true,
      answers: false,
      listening: true,
      pid,
      folder: home.data,
    });
    const plain = await home.run(["local", "status", "--timeout", "500ms"]);
    expect(plain.out).toContain("is running but does not answer");
    const stop = await home.run(["local", "stop", "--timeout", "500ms"]);
    expect([stop.code, stop.out]).toEqual([10, ""]);
    expect(stop.err).toContain("parley local stop --force");
    expect((await home.run(["local", "reset", "--confirm", "reset", "--timeout", "500ms"])).code).toBe(10);
    expect(isRunning(pid)).toBe(true);
  });

  test("send --queue stores the message and ends with 0", async () => {
    const args = [
      "send",
      "#ops",
      "--queue",
      "--id",
      "kept-1",
      "--max-wait",
      "1s",
      "--timeout",
      "300ms",
      "kept",
    ];
    const [ran, took] = await timed(home.run(args));
    expect(ran).toMatchObject({ code: 0, out: "kept-1\n" });
    expect(took).toBeLessThan(1000 + 3000);
    const file = home.stateFile("ana");
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare("SELECT message_id, state FROM outbox").all()).toEqual([
      { message_id: "kept-1", state: "queued" },
    ]);
    db.close();
  });

  test("local stop asks before it kills it; its data is kept, and the next screen sends the queued message once", async () => {
    const pty = home.screen(["local", "stop", "--timeout", "500ms"]);
    await pty.waitFor("does not answer. Kill it?");
    pty.type("y\r");
    await pty.waitFor(`killed process ${pid}`);
    expect(isRunning(pid)).toBe(false);
    const after = await home.run(["local", "status"]);
    expect(after.out).toContain("not running");
    // The next screen sends the queued message once.
    await home.up();
    const screen = home.screen();
    const ids = async (): Promise<unknown[]> => (await home.messages("messaging:ops")).map(({ id }) => id);
    await until("the kept message to arrive", async () => (await ids()).length > 0);
    await screen.close();
    expect(await ids()).toEqual(["kept-1"]);
  });
});

describe("a hosted provider that never answers", () => {
  const links = new Set<Socket>();
  /** What it does with a connection: nothing. */
  let server: Server;
  const profile = (name: string, scheme = "http"): Promise<Ran> => {
    const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return home.run([
      "profile",
      "add",
      name,
      "--url",
      url,
      "--key",
      name,
      "--user",
      "ana",
      "--kind",
      "token",
    ]);
  };
  beforeAll(async () => {
    home = new Home();
    home.env.PARLEY_TOKEN = signToken({ user_id: "ana" }, "secret");
    server = createServer((socket) => void links.add(socket.on("error", () => undefined)));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    for (const scheme of ["http", "https"]) expect(await profile(scheme, scheme)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    server.close();
    for (const link of links) link.destroy();
    await home.end();
  });

  test.each([
    ["tail", "messaging:tea", "--exit-after", "1s"],
    ["event", "listen", "--exit-after", "1s"],
    ["wait", "messaging:tea", "--match", "x", "--within", "1s"],
  ])("%s %s ends with 10 when its time is up: that nothing happened is not known", async (...words) => {
    const ran = await home.run(["--profile", "http", ...words]);
    expect([ran.code, ran.out]).toEqual([10, ""]);
    expect(ran.err).toContain("the provider cannot be reached");
  });

  test.each([
    ["http", 11, "the message may have been sent"],
    ["https", 10, "the message was not sent"],
  ])("a send to a silent %s port ends with %i", async (name, code, text) => {
    const ran = await home.run(["--profile", name, "send", "messaging:tea", "hi", "--max-wait", "1s"]);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(text)]);
  });

  test("an upload ends with 10 when nothing moves for the time limit", async () => {
    const file = path.join(home.folder, "tea.txt");
    writeFileSync(file, "tea");
    const ran = await home.run(["--profile", "http", "upload", file, "--timeout", "500ms"]);
    expect([ran.code, ran.err]).toEqual([10, expect.stringContaining("the upload stood still for 0.5 s")]);
  });
});

test("a send to a provider with a full disk names it and was not sent", async () => {
  const fake = await startFakeProvider();
  const full = { code: -1, message: 'SendMessage failed with error: "the disk of the provider is full"' };
  fake.on["POST /channels/messaging/tea/message"] = () => ({
    status: 507,
    body: { ...full, StatusCode: 507 },
  });
  home = new Home();
  home.env.PARLEY_TOKEN = signToken({ user_id: "ana" }, "secret");
  const profile = ["--url", fake.url, "--key", "full", "--user", "ana", "--kind", "token"];
  expect((await home.run(["profile", "add", "full", ...profile])).code).toBe(0);
  const ran = await home.run(["--profile", "full", "send", "messaging:tea", "hi", "--max-wait", "5s"]);
  expect([ran.code, ran.err]).toEqual([10, expect.stringContaining("the disk of the provider is full")]);
  expect(ran.err).not.toContain("may have been sent");
  await home.end();
  await fake.close();
});

describe("a provider that starts slowly", () => {
  beforeEach(() => {
    home = new Home();
  });
  afterEach(() => home.end());

  test("is waited for longer than --timeout, and only a terminal is told about it", async () => {
    pid = await home.up();
    await home.run(["local", "stop"]);
    // Stopped as soon as it has locked the folder, as if it were reading a big file.
    const starting = home.screen(["channel", "list"]);
    const holderPid = await until("the folder to be locked", () => home.holder());
    process.kill(holderPid, "SIGSTOP");
    await starting.waitFor(/waiting for the embedded provider, process \d+, to/);
    const status = await home.run(["local", "status", "--timeout", "300ms", "-o", "json"]);
    expect([status.code, JSON.parse(status.out)]).toMatchObject([
      10,
      { running: true, answers: false, pid: holderPid },
    ]);
    const quiet = home.start(["channel", "list", "--json"]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    process.kill(holderPid, "SIGCONT");
    expect(await quiet.ended).toBe(0);
    expect([quiet.out, quiet.err]).toEqual(["[]\n", ""]);
    expect(home.holder()).toBe(holderPid);
  });
});
