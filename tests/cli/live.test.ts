/** Long-running commands: tail follows without gaps and stops as requested, readers may close the pipe, and no screen is loaded. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signWebhook, WEBHOOK_ID_HEADER, WEBHOOK_SIGNATURE_HEADER } from "../../src/wire/entities/webhook.ts";
import { PROOF } from "../support/proof.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome({ here: !PROOF });
  await home.sh(
    "parley channel create messaging:ops --name Ops && parley local token ana && parley member add ana -c '#ops'",
  );
});
afterAll(() => home.end());

interface Running {
  lines: string[];
  until(ready: (lines: string[]) => boolean): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | null>;
  /** What it wrote to standard error so far. */
  errors(): string;
}

function start(words: string[]): Running {
  const child = spawn(home.built, words, {
    env: home.env,
    cwd: path.join(home.folder, "work"),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const running = { lines: [] as string[] };
  let wake = (): void => {};
  let rest = "";
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (errors += piece));
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    rest += piece;
    const parts = rest.split("\n");
    rest = parts.pop()!;
    running.lines.push(...parts);
    wake();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  void ended.then(() => wake());
  return {
    lines: running.lines,
    async until(ready) {
      let over = false;
      void ended.then(() => (over = true));
      while (!ready(running.lines)) {
        if (over) throw new Error(`it ended: ${errors}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    kill: (signal) => child.kill(signal),
    ended,
    errors: () => errors,
  };
}

describe("tail", () => {
  test("prints the last messages, then new ones, and exits with 130 on Ctrl-C", async () => {
    await home.sh("parley send '#ops' before");
    const tail = start(["tail", "#ops", "--jq", ".message.text"]);
    await tail.until((lines) => lines.includes("before"));
    await home.sh("parley --as ana send '#ops' after");
    await tail.until((lines) => lines.includes("after"));
    tail.kill("SIGINT");
    expect(await tail.ended).toBe(130);
    expect(tail.lines).toEqual(["before", "after"]);
  });
  test("misses and repeats no message when the provider stops and comes back", async () => {
    const tail = start(["tail", "#ops", "--last", "0", "--jq", ".message.text", "-v"]);
    await home.sh("parley tail '#ops' --last 0 --no-follow");
    // Receiving a message shows that tail follows.
    let n = 0;
    const alive = (async () => {
      while (!tail.lines.some((line) => line.startsWith("ready")))
        await home.sh(`parley send '#ops' ready ${n++}`);
    })();
    await alive;
    await home.sh("parley local stop");
    await home.sh("parley send '#ops' while you were away; parley send '#ops' and again");
    await tail.until((lines) => lines.includes("and again"));
    await home.sh("parley send '#ops' back");
    await tail.until((lines) => lines.includes("back"));
    tail.kill("SIGTERM");
    expect(await tail.ended).toBe(143);
    expect(tail.lines.slice(-3)).toEqual(["while you were away", "and again", "back"]);
    expect(new Set(tail.lines).size).toBe(tail.lines.length);
  });
  test("exits with 0 when a text matches --until-match, and with 8 when none did in time", async () => {
    const tail = start([
      "tail",
      "#ops",
      "--until-match",
      "^deploy done$",
      "--exit-after",
      "20s",
      "--last",
      "0",
    ]);
    let sent = 0;
    const ended = tail.ended.then(() => (sent = -1));
    while (sent >= 0) {
      await home.sh("parley send '#ops' deploy done");
      sent = sent < 0 ? sent : sent + 1;
      await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))]);
    }
    expect(await tail.ended).toBe(0);
    expect((await home.sh("parley tail '#ops' --last 0 --until-match never --exit-after 5s")).code).toBe(8);
  });
  test("stops at --exit-after while the provider has not answered yet, with 10 as it was never connected", async () => {
    await home.sh("parley local fault add 'POST /channels*' --delay 60s");
    try {
      const began = performance.now();
      const { code } = await home.sh("parley tail messaging:ops --until-match never --exit-after 500ms");
      expect(code).toBe(10);
      expect(performance.now() - began).toBeLessThan(30_000);
    } finally {
      await home.sh("parley local fault clear --all");
    }
  });
  test("follows every channel with --all, also one created later", async () => {
    const tail = start(["tail", "--all", "--template", "{{cid}} {{message.text}}"]);
    let n = 0;
    while (tail.lines.length === 0) await home.sh(`parley send '#ops' tick ${n++}`);
    await home.sh(
      "parley --as ana channel create messaging:later --member mira && parley --as ana send '#later' hello",
    );
    await tail.until((lines) => lines.includes("messaging:later hello"));
    tail.kill("SIGINT");
    expect(await tail.ended).toBe(130);
  });
});

test("a closed pipe ends a command with 0 and no message", async () => {
  const { err } = await home.sh('(parley describe; echo "code $?" >&2) | true');
  expect(err).toBe("code 0\n");
});

test("all files are private, and neither child processes nor debug output contain the secret", async () => {
  const { out } = await home.sh(
    'find "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" -type f -perm /077 2>/dev/null; true',
  );
  expect(out).toBe("");
  const secret = readFileSync(path.join(home.env.XDG_DATA_HOME!, "parley/local/secret"), "utf8").trim();
  writeFileSync(
    path.join(home.folder, "work/hidden.sh"),
    "export PARLEY_API_SECRET=hidden-words PARLEY_TOKEN=hidden-words\n",
  );
  const child = await home.sh(`. ./hidden.sh; '${home.built}' local exec -- sh -c 'env; ps -ef'`);
  expect(child.out).not.toContain("hidden-words");
  expect(child.out).not.toContain(secret);
  expect(child.out).toContain("PARLEY_PROFILE=local");
  const debug = await home.sh("parley send '#ops' x --debug=http");
  expect(debug.err).toContain("POST");
  expect(debug.err).not.toMatch(/api_key=local|eyJ/);
  expect((await home.sh("parley local exec -- sh -c 'exit 7'")).code).toBe(7);
});

describe("loaded modules", () => {
  const hook = `data:text/javascript,${encodeURIComponent(
    'import {registerHooks} from "node:module"; const seen=new Set(); registerHooks({load(u,c,n){seen.add(u);return n(u,c)}}); process.on("exit",()=>process.stderr.write("\\nLOADED "+[...seen].join(" ")))',
  )}`;
  const loaded = async (words: string): Promise<string> => {
    const main = path.resolve(import.meta.dirname, "../../src/main.ts");
    const { err } = await home.sh(`'${process.execPath}' --import '${hook}' '${main}' ${words}`);
    return err.slice(err.indexOf("LOADED"));
  };
  test("--help loads no screen, network library, store or config library", async () => {
    const urls = await loaded("--help");
    expect(urls).toContain("commander");
    expect(urls).not.toMatch(
      /node_modules\/(react|ink|ws|got|conf|jq-web|csv)|node:sqlite|\/tui\/|\/provider\/|\/core\//,
    );
  });
  test("a dry run of send loads no screen and no WebSocket, and opens no store file", async () => {
    const urls = await loaded("send -n '#ops' hi");
    expect(urls).toContain("node_modules/got");
    expect(urls).not.toMatch(/node_modules\/(react|ink|ws|conf)\/|core\/store\/open-store|\/tui\//);
  });
});

describe("notify", () => {
  test("skips muted channels and muted people, prints a muted channel that is named, and is quiet during do-not-disturb", async () => {
    const made = await home.sh(
      "set -e; parley local token bo; for n in loud calm; do parley --as ana channel create messaging:$n --member mira --member bo; done; parley channel mute messaging:loud; parley user mute bo",
    );
    expect([made.code, made.err]).toEqual([0, ""]);
    const send = (user: string, channel: string, text: string) =>
      home.sh(`parley --as ${user} send messaging:${channel} ${text}`);
    const all = start(["notify"]);
    const named = start(["notify", "messaging:loud"]);
    for (let n = 0; all.lines.length === 0 || named.lines.length === 0; n++) {
      await send("ana", "calm", `tick ${n}`);
      await send("ana", "loud", `tick ${n}`);
    }
    const [before, namedBefore] = [all.lines.length, named.lines.length];
    await send("ana", "loud", "muted channel");
    await send("bo", "calm", "muted person");
    await send("ana", "calm", "'**heard** ||who||'");
    await all.until((lines) => lines.some((line) => line.includes(": heard")));
    await named.until((lines) => lines.some((line) => line.endsWith(": muted channel")));
    expect(all.lines.slice(before).filter((line) => !/tick \d+$/.test(line))).toEqual([
      "ana in #messaging:calm: heard ▒▒▒▒",
    ]);
    expect(named.lines.slice(namedBefore).filter((line) => !/tick \d+$/.test(line))).toEqual([
      "ana in #messaging:loud: muted channel",
    ]);
    for (const running of [all, named]) running.kill("SIGINT");
    expect([await all.ended, await named.ended]).toEqual([130, 130]);

    await home.sh("parley push preferences --until 1h");
    const quiet = start(["notify", "--verbose"]);
    await expect.poll(quiet.errors).toContain("following");
    await send("ana", "calm", "not now");
    // By the end of this command the message has arrived.
    await home.sh("parley push preferences --resume");
    quiet.kill("SIGINT");
    expect([await quiet.ended, quiet.lines]).toEqual([130, []]);
  });
});

test("notify gives the user's program who and where but no text where the settings hide it, and also announces their words", async () => {
  const file = path.join(home.folder, "noticed");
  const program = path.join(home.folder, "bin/keep-notice");
  writeFileSync(program, `#!/bin/sh\ncat >> '${file}'\n`, { mode: 0o755 });
  const set = await home.sh(
    `set -e; parley config set notifications.command '${program}'; parley config set notifications.text off; parley config set notifications.words 'Straße'; parley local token zoe; parley --as zoe channel create messaging:words --member mira`,
  );
  expect(set.code).toBe(0);
  const running = start(["notify", "--mentions", "--verbose"]);
  await expect.poll(running.errors).toContain("following");
  const send = (text: string) => home.sh(`parley --as zoe send messaging:words '${text}'`);
  await send("nothing of that");
  await send("the Straßenbahn is late");
  await send("to the Straße, please");
  await expect.poll(() => existsSync(file) && readFileSync(file, "utf8")).toContain("\n");
  running.kill("SIGINT");
  expect([await running.ended, running.lines]).toEqual([130, []]);
  const notices = readFileSync(file, "utf8").trim().split("\n");
  expect(notices.map((line) => JSON.parse(line))).toEqual([
    {
      title: "zoe in #messaging:words",
      body: "a new message",
      kind: "message",
      channel: "messaging:words",
      message: expect.any(String),
      user: "zoe",
    },
  ]);
  await home.sh("for s in command text words; do parley config unset notifications.$s; done");
});

test("webhook listen --register removes its hook from the app when Ctrl-C ends it", async () => {
  const listener = start(["webhook", "listen", "--register", "--jq", ".event.type"]);
  const hooks = async (): Promise<string> =>
    (await home.sh("parley app get --jq '.event_hooks | length'")).out;
  while ((await hooks()) !== "1\n");
  await home.sh("parley send '#ops' hooked");
  await listener.until((lines) => lines.includes("message.new"));
  listener.kill("SIGINT");
  expect([await listener.ended, await hooks()]).toEqual([130, "0\n"]);
});

test("webhook listen tells a repeated id as a duplicate, and none of those that came without an id", async () => {
  await home.sh("parley whoami");
  const secret = readFileSync(path.join(home.env.XDG_DATA_HOME!, "parley/local/secret"), "utf8").trim();
  const listener = start(["webhook", "listen", "--jq", ".duplicate"]);
  const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(listener.errors())?.[0];
  await expect.poll(address, { timeout: 5000 }).toBeDefined();
  const body = JSON.stringify({ type: "message.new" });
  const deliver = (id: Record<string, string>): Promise<Response> =>
    fetch(address()!, {
      method: "POST",
      headers: { ...id, [WEBHOOK_SIGNATURE_HEADER]: signWebhook(body, secret) },
      body,
    });
  for (const id of [{}, {}, { [WEBHOOK_ID_HEADER]: "1" }, { [WEBHOOK_ID_HEADER]: "1" }, {}])
    expect((await deliver(id as Record<string, string>)).status).toBe(200);
  await listener.until((lines) => lines.length === 5);
  listener.kill("SIGINT");
  await listener.ended;
  expect(listener.lines).toEqual(["false", "false", "false", "true", "false"]);
});
