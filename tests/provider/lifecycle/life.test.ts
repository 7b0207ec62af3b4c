/** The life of a data folder: one owner, private files, a stable port, clean and unclean ends, finding and starting providers. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { assembleProvider, FolderBusy } from "../../../src/provider/assemble.ts";
import { IDLE_LIMIT } from "../../../src/provider/lifecycle/idle.ts";
import type { Provider } from "../../../src/provider/running.ts";
import type { ProviderOptions } from "../../../src/provider/options.ts";
import { createClock } from "../../../src/provider/base/clock.ts";
import { DATA_FILES } from "../../../src/provider/lifecycle/identity.ts";
import { findProvider } from "./found.ts";
import { startDetached } from "../../../src/provider/lifecycle/start.ts";
import { migrate, NewerSchema } from "../../../src/provider/store/migrate.ts";
import { journalMode, openDatabase } from "../../../src/provider/store/open.ts";
import { Batch } from "../../../src/provider/store/batch.ts";
import { signToken } from "../../../src/wire/token.ts";
import { until } from "../../support/home.ts";
import { isRunning } from "../../../src/model/files/owner.ts";
import { httpRequest, Socket, tiny } from "../tiny.ts";
import { PATIENCE } from "../../support/patience.ts";
import { removeFolder } from "../../support/remove-folder.ts";

const CHILD = path.join(import.meta.dirname, "child.ts");
let root: string;
let data: string;
let running: Provider[];
let children: ChildProcess[];
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "parley-life-"));
  data = path.join(root, "data");
  running = [];
  children = [];
});
afterEach(async () => {
  await Promise.all(running.map((provider) => provider.close()));
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  removeFolder(root);
});

async function start(options: Partial<ProviderOptions> = {}): Promise<Provider> {
  const provider = assembleProvider(tiny, { data, ...options });
  running.push(provider);
  await provider.listen();
  return provider;
}
interface ProviderInfo {
  url: string;
  apiKey: string;
  secret: string;
  pid: number;
  busy?: true;
}
async function startChild(): Promise<ProviderInfo & { child: ChildProcess }> {
  const child = spawn(process.execPath, [CHILD, data], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return { ...(JSON.parse(line.toString()) as ProviderInfo), child };
}
const server = (p: { secret: string }): Record<string, string> => ({
  Authorization: signToken({ server: true }, p.secret),
  "Content-Type": "application/json",
});
const control = (
  p: { url: string; apiKey: string; secret: string },
  verb: string,
  body = "{}",
  headers = server(p),
) => httpRequest(`${p.url}/_local/${verb}?api_key=${p.apiKey}`, { method: "POST", headers, body });

describe("the folder", () => {
  test("gets back the files by which a provider is found, if they are removed while it runs, and no others after its end", async () => {
    const provider = await start({ background: true, version: "1.2.3" });
    const files = ["provider.json", "holder.json"].map((name) => path.join(data, name));
    const before = files.map((file) => readFileSync(file, "utf8"));
    for (const gone of [[files[1]!], files]) {
      for (const file of gone) rmSync(file);
      await until("the files are back", () => files.every((file) => existsSync(file)));
      expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
    }
    expect(await findProvider(data)).toMatchObject({ pid: process.pid });
    await provider.close();
    expect(files.filter((file) => existsSync(file))).toEqual([]);
  });

  test("has mode 0700, its files have 0600, and its secret is created once", async () => {
    const one = await start();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const files = readdirSync(data, { withFileTypes: true });
    for (const file of files.filter((f) => f.isFile()))
      expect([file.name, statSync(path.join(data, file.name)).mode & 0o777]).toEqual([file.name, 0o600]);
    expect(Buffer.from(one.secret, "base64url")).toHaveLength(32);
    expect(one.apiKey).toMatch(/^local_[\da-f]{16}$/);
    await one.close();
    const two = await start();
    expect([two.secret, two.apiKey]).toEqual([one.secret, one.apiKey]);
    const other = await start({ data: path.join(root, "other") });
    expect(other.secret).not.toBe(one.secret);
  });
  test("provider.json contains the address, the pid, the key and the path of the secret, but not the secret", async () => {
    const provider = await start();
    const text = readFileSync(path.join(data, "provider.json"), "utf8");
    expect(JSON.parse(text)).toEqual({
      url: provider.url,
      pid: process.pid,
      api_key: provider.apiKey,
      secret_file: path.join(data, "secret"),
    });
    expect(text).not.toContain(provider.secret);
    await provider.close();
    expect(existsSync(path.join(data, "provider.json"))).toBe(false);
    expect(existsSync(path.join(data, "provider.db-wal"))).toBe(false);
  });
  test("the previous port is tried first, and another is used when it is taken", async () => {
    const one = await start();
    const { url } = one;
    await one.close();
    const two = await start();
    expect(two.url).toBe(url);
    await two.close();
    const otherServer = http.createServer().listen(Number(new URL(url).port), "127.0.0.1");
    await once(otherServer, "listening");
    const three = await start();
    expect(three.url).not.toBe(url);
    otherServer.close();
  });
  test("an explicit port that is in use is refused with an error that names it", async () => {
    const one = await start();
    const port = Number(new URL(one.url).port);
    await expect(start({ data: path.join(root, "b"), port })).rejects.toThrow(`port ${port} is in use`);
  });
  test("listens on loopback only", async () => {
    const one = await start();
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
  test("a provider in memory is no longer reachable after it is closed", async () => {
    const one = await start({ data: ":memory:" });
    await httpRequest(`${one.url}/hi`);
    await one.close();
    await expect(httpRequest(`${one.url}/hi`)).rejects.toThrow();
  });
});

describe("one provider per folder (specification/embedded-provider.md §1)", () => {
  test("a second provider in the same or another process is refused, and the first keeps working", async () => {
    const one = await start();
    expect(() => assembleProvider(tiny, { data })).toThrow(FolderBusy);
    expect((await startChild()).busy).toBe(true);
    expect((await httpRequest(`${one.url}/hi`)).status).toBe(200);
    await one.close();
    expect((await start()).url).toBeTruthy();
  });
  test("a provider that cannot open its data leaves nothing: no folder of one in memory, no lock, no mark of a holder", async () => {
    vi.stubEnv("TMPDIR", root);
    onTestFinished(() => void vi.unstubAllEnvs());
    const broken = { ...tiny, migrations: ["NOT SQL"] };
    expect(() => assembleProvider(broken, { data: ":memory:" })).toThrow("syntax error");
    expect(readdirSync(root)).toEqual([]);
    expect(() => assembleProvider(broken, { data })).toThrow("syntax error");
    expect(existsSync(path.join(data, DATA_FILES.holder))).toBe(false);
    expect((await start({ data: path.join(root, "other") })).url).toBeTruthy();
    expect(() => assembleProvider(broken, { data })).toThrow("syntax error");
  });
  test("when several processes start at once, exactly one gets the folder", async () => {
    const children = await Promise.all([startChild(), startChild(), startChild()]);
    expect(children.filter((t) => t.busy)).toHaveLength(2);
    const winner = children.find((t) => !t.busy)!;
    expect(await findProvider(data)).toEqual({
      url: winner.url,
      pid: winner.pid,
      apiKey: winner.apiKey,
      secret: winner.secret,
    });
  });
  test("the lock of a killed process is released at once", async () => {
    const { child } = await startChild();
    child.kill("SIGKILL");
    await once(child, "exit");
    const next = await start();
    expect((await httpRequest(`${next.url}/hi`)).status).toBe(200);
  });
});

describe("finding and starting a provider", () => {
  test("findProvider finds nothing in an empty folder, at a dead address, at another server's port or in broken files", async () => {
    expect(await findProvider(data)).toBeUndefined();
    const one = await start();
    const file = path.join(data, "provider.json");
    const address = readFileSync(file, "utf8");
    expect(await findProvider(data)).toMatchObject({ url: one.url, secret: one.secret });
    await one.close();
    for (const text of ["", "{", "{}", address, address.replace("127.0.0.1", "evil.example")]) {
      writeFileSync(file, text);
      expect(await findProvider(data)).toBeUndefined();
    }
    const otherServer = http
      .createServer((_request, response) => response.end('{"proof":"x","duration":"0ms"}'))
      .listen(Number(new URL(one.url).port), "127.0.0.1");
    await once(otherServer, "listening");
    writeFileSync(file, address);
    expect(await findProvider(data)).toBeUndefined();
    otherServer.closeAllConnections();
    otherServer.close();
  });
  test("a process that started more slowly than another one does not become a provider, not even after the other stopped", async () => {
    const [pidFile, go] = [path.join(data, "pid"), path.join(data, "go")];
    const wait = `echo $$ > "${pidFile}"; until [ -e "${go}" ]; do sleep 0.02; done`;
    const line = `${wait}; exec "${process.execPath}" "${CHILD}" "${data}"`;
    const starting = startDetached({ command: "/bin/sh", args: ["-c", line] }, data);
    await until("the slow one", () => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
    const faster = await start();
    expect((await starting).pid).toBe(process.pid);
    await faster.close();
    writeFileSync(go, "");
    await until("its end", () => !isRunning(Number(readFileSync(pidFile, "utf8"))));
    expect(await findProvider(data)).toBeUndefined();
  });
  test("an outdated address that leads to a new provider is found with the pid of the process that answers", async () => {
    const one = await start();
    const file = path.join(data, "provider.json");
    const address = JSON.parse(readFileSync(file, "utf8")) as object;
    const stale = { ...address, pid: 99_999_999, version: "0.0.1" };
    writeFileSync(file, JSON.stringify(stale));
    expect(await findProvider(data)).toMatchObject({ url: one.url, pid: process.pid });
    await one.close();
    // The next provider removes the old address as soon as it owns the folder.
    writeFileSync(file, JSON.stringify(stale));
    running.push(assembleProvider(tiny, { data }));
    expect(existsSync(file)).toBe(false);
  });
  test("startDetached starts a process that outlives its caller, and two starts at once share one provider", async () => {
    const entry = { command: process.execPath, args: [CHILD, data] };
    const [one, two] = await Promise.all([startDetached(entry, data), startDetached(entry, data)]);
    expect(one).toEqual(two);
    expect(statSync(path.join(data, "provider.log")).mode & 0o777).toBe(0o600);
    expect((await control(one, "stop")).status).toBe(200);
    // The process has ended too, so its last files are closed.
    await until("its end", () => !isRunning(one.pid));
    expect(await findProvider(data)).toBeUndefined();
  });
  test("a process that exits at once is reported with its exit code", async () => {
    const entry = { command: process.execPath, args: ["-e", "process.exit(7)"] };
    await expect(startDetached(entry, data)).rejects.toThrow("exit code 7");
    await expect(startDetached({ command: "/nowhere/node", args: [] }, data)).rejects.toThrow(
      "could not be started",
    );
  });
});

describe("control requests (outside the protocol)", () => {
  test("status, stay and further verbs require a server token", async () => {
    const one = await start({ verbs: { greet: (body) => ({ hello: body.name }) } });
    expect((await control(one, "status")).json).toMatchObject({
      pid: process.pid,
      url: one.url,
      connections: 0,
    });
    expect((await control(one, "greet", '{"name":"x"}')).json.hello).toBe("x");
    expect((await control(one, "stay")).json.stay).toBe(true);
    expect((await control(one, "unknown")).status).toBe(404);
    expect((await control(one, "constructor")).status).toBe(404);
    const user = { ...server(one), Authorization: signToken({ user_id: "ann" }, one.secret) };
    expect((await control(one, "status", "{}", user)).json.code).toBe(17);
    expect((await control(one, "stop", "{}", { "Content-Type": "application/json" })).json.code).toBe(5);
    expect(
      (await httpRequest(`${one.url}/_local/status?api_key=${one.apiKey}`, { headers: server(one) })).status,
    ).toBe(405);
  });
  test("prove needs no token and accepts only a nonce that is long enough", async () => {
    const one = await start();
    const json = { "Content-Type": "application/json" };
    expect((await control(one, "prove", '{"nonce":"short"}', json)).json.code).toBe(4);
    expect((await control(one, "prove", '{"nonce":"0123456789abcdef"}', json)).json.proof).toMatch(
      /^[\da-f]{64}$/,
    );
  });
  test("stop answers, then closes every socket with 1001", async () => {
    const one = await start();
    const token = signToken({ user_id: "ann" }, one.secret);
    const socket = new Socket(
      `${one.url.replace("http", "ws")}/connect?api_key=${one.apiKey}&authorization=${token}&json={}`,
    );
    await socket.event("health.check");
    expect((await control(one, "stop")).status).toBe(200);
    await one.closed;
    await socket.until((self) => self.closed);
    expect(socket.closed!.code).toBe(1001);
  });
});

describe("the idle limit", () => {
  test("a provider ends ten minutes after its last client, unless it is told to stay", async () => {
    const clock = createClock();
    const one = await start({ clock });
    clock.advance(IDLE_LIMIT - 1000);
    const token = signToken({ user_id: "ann" }, one.secret);
    const call = { headers: { Authorization: token, "stream-auth-type": "jwt" } };
    expect((await httpRequest(`${one.url}/app?api_key=${one.apiKey}`, call)).status).toBe(200);
    clock.advance(IDLE_LIMIT - 1000);
    const opened = await httpRequest(
      `${one.url}/longpoll?api_key=${one.apiKey}&json={}&authorization=${token}`,
    );
    const held = httpRequest(
      `${one.url}/longpoll?api_key=${one.apiKey}&authorization=${token}&connection_id=${opened.json.event.connection_id}`,
    );
    await httpRequest(`${one.url}/hi`);
    clock.advance(30_000);
    await held;
    clock.advance(61_000);
    clock.advance(IDLE_LIMIT + 1000);
    await one.closed;

    const clock2 = createClock();
    const two = await start({ clock: clock2, stay: true });
    clock2.advance(IDLE_LIMIT * 5);
    expect((await httpRequest(`${two.url}/hi`)).status).toBe(200);
    two.stay(false);
    clock2.advance(IDLE_LIMIT + 1000);
    await two.closed;
  });
  test("an open connection keeps the provider running", async () => {
    const clock = createClock();
    const one = await start({ clock });
    const token = signToken({ user_id: "ann" }, one.secret);
    const socket = new Socket(
      `${one.url.replace("http", "ws")}/connect?api_key=${one.apiKey}&authorization=${token}&json={}`,
    );
    await socket.event("health.check");
    for (let n = 0; n < 12; n++) {
      socket.ws.ping();
      await once(socket.ws, "pong");
      clock.advance(60_000);
    }
    expect(socket.closed).toBeUndefined();
    expect((await httpRequest(`${one.url}/hi`)).status).toBe(200);
  });
});

describe("SIGKILL (D1: every answered write is stored)", () => {
  test("every send of eight clients that was answered is stored after the restart, each with its event", async () => {
    const children = await startChild();
    const answered: string[] = [];
    const token = signToken({ user_id: "ann" }, children.secret);
    const client = async (name: number): Promise<void> => {
      // Ends with the first request that gets no answer.
      for (let n = 0; ; n++) {
        const id = `m-${name}-${n}`;
        const answer = await httpRequest(
          `${children.url}/channels/team/tea/message?api_key=${children.apiKey}`,
          {
            method: "POST",
            headers: { Authorization: token, "Content-Type": "application/json" },
            body: JSON.stringify({ message: { id, text: "kept" } }),
          },
        ).catch(() => undefined);
        if (!answer) return;
        if (answer.status === 201) answered.push(id);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, name) => client(name)));
    while (answered.length < 300) await new Promise((resolve) => setTimeout(resolve, 5));
    children.child.kill("SIGKILL");
    await once(children.child, "exit");
    await clients;
    const again = await start();
    const { notes, events } = again.transact((_emit, db) => ({
      notes: db.all<{ id: string }>("SELECT id FROM note").map((row) => row.id),
      events: db
        .all<{ json: string }>("SELECT json FROM event_log")
        .map((row) => (JSON.parse(row.json) as { message_id: string }).message_id),
    }));
    expect(answered.filter((id) => !notes.includes(id))).toEqual([]);
    expect(events.toSorted()).toEqual(notes.toSorted());
  });
});

describe("the database file", () => {
  const file = (): string => path.join(data, "x.db");
  const part = (...migrations: string[]) => [{ name: "part", migrations }];
  test("each migration runs once and in order, and a failed one undoes the others of its start", () => {
    const first = "CREATE TABLE a (n INTEGER) STRICT; INSERT INTO a VALUES (1)";
    openDatabase(file(), part(first)).close();
    expect(() => openDatabase(file(), part(first, "INSERT INTO a VALUES (2)", "nonsense"))).toThrow();
    const db = openDatabase(file(), part(first, "INSERT INTO a VALUES (3)"));
    expect(db.all("SELECT n FROM a").map((row) => row.n)).toEqual([1, 3]);
    expect(db.get("PRAGMA synchronous")).toEqual({ synchronous: 2 });
    expect(db.get("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    db.close();
  });
  test("a file of a newer version is refused and left unchanged", () => {
    openDatabase(file(), part("CREATE TABLE a (n INTEGER)", "CREATE TABLE b (n INTEGER)")).close();
    const before = readFileSync(file());
    expect(() => openDatabase(file(), part("CREATE TABLE a (n INTEGER)"))).toThrow(NewerSchema);
    expect(readFileSync(file()).equals(before)).toBe(true);
    const db = openDatabase(file(), part("CREATE TABLE a (n INTEGER)", "CREATE TABLE b (n INTEGER)"));
    db.raw.exec("PRAGMA user_version = 99");
    expect(() => migrate(db.raw, "x.db", [])).toThrow(NewerSchema);
    db.close();
  });
  test("a damaged file is moved aside unchanged with a warning, and an empty one replaces it", async () => {
    const one = await start();
    await one.close();
    const database = path.join(data, "provider.db");
    const damaged = Buffer.concat([readFileSync(database).subarray(0, 100), Buffer.alloc(20_000, 0x5a)]);
    writeFileSync(database, damaged);
    const warnings: string[] = [];
    const two = await start({ warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining("provider.db.damaged-1")]);
    expect(readFileSync(`${database}.damaged-1`).equals(damaged)).toBe(true);
    expect((await httpRequest(`${two.url}/hi`)).status).toBe(200);
    await two.close();
    writeFileSync(database, "no database at all, but long enough to be read as a header of something");
    await start({ warn: (text) => warnings.push(text) });
    expect(warnings[1]).toContain("provider.db.damaged-2");
  });
  test("WAL is used only with SQLite versions where it is safe", () => {
    expect(["3.53.4", "3.51.3", "3.51.2", "3.46.0", "4.0.0"].map(journalMode)).toEqual([
      "WAL",
      "WAL",
      "TRUNCATE",
      "TRUNCATE",
      "WAL",
    ]);
  });
  test("a commit that fails undoes every call of its turn and releases no answer", async () => {
    const db = openDatabase(
      ":memory:",
      part(
        "CREATE TABLE a (n INTEGER PRIMARY KEY, p INTEGER REFERENCES a (n) DEFERRABLE INITIALLY DEFERRED) STRICT",
      ),
    );
    const batch = new Batch(db);
    const undone: number[] = [];
    const released: number[] = [];
    const work = (n: number, p: number | null) =>
      batch.run({
        run: () => void db.run("INSERT INTO a VALUES (?, ?)", n, p),
        undo: () => undone.push(n),
        release: () => released.push(n),
      });
    // The reference of row 2 dangles: the savepoint accepts it, the commit fails.
    const results = await Promise.allSettled([work(1, null), work(2, 7), work(3, null)]);
    expect(results.map((r) => r.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect([undone, released]).toEqual([[3, 2, 1], []]);
    expect(db.all("SELECT * FROM a")).toEqual([]);
    await work(4, null);
    expect(released).toEqual([4]);
    db.close();
  });
});

describe("the clock", () => {
  test("the clock is strictly increasing, and moving it runs timers in order", () => {
    const clock = createClock();
    const stamps = Array.from({ length: 5000 }, () => clock.now());
    expect(stamps.every((stamp, n) => n === 0 || stamp > stamps[n - 1]!)).toBe(true);
    const ran: string[] = [];
    clock.after(2000, () => ran.push("b"));
    clock.after(1000, () => {
      ran.push("a");
      clock.after(500, () => ran.push("a2"));
    });
    clock.after(1000, () => ran.push("never")).cancel();
    clock.advance(1900);
    expect(ran).toEqual(["a", "a2"]);
    clock.advance(200);
    expect(ran).toEqual(["a", "a2", "b"]);
    expect(clock.now()).toBeGreaterThan(stamps[0]! + 2_000_000);
  });

  test("time passes on at its pace when the machine's clock is set back, and is the machine's again once that is corrected", async () => {
    const realNow = Date.now;
    let jump = 0;
    const spy = vi.spyOn(Date, "now").mockImplementation(() => realNow() + jump);
    onTestFinished(() => spy.mockRestore());
    const clock = createClock();
    const before = clock.now();
    const ran: string[] = [];
    clock.after(40, () => ran.push("a"));
    jump = -3_600_000;
    clock.after(60, () => ran.push("b"));
    await vi.waitFor(() => expect(ran).toEqual(["a", "b"]), PATIENCE);
    expect(clock.now() - before).toBeGreaterThanOrEqual(59_000);
    expect(clock.now() - before).toBeLessThan(60_000_000);
    jump = 0;
    expect(Math.abs(clock.now() - realNow() * 1000)).toBeLessThan(1_000_000);
    jump = 7_200_000;
    expect(clock.now() - before).toBeGreaterThan(7_200_000_000);
  });
});
