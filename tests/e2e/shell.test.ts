/** Scripts in pipes with the built program: input, output, and exit codes (specification/command-line.md §2). */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Home, Running, until } from "../support/home.ts";

let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  await home.channel("ops", ["ana", "bob"]);
});
afterAll(() => home.end());

describe("pipes", () => {
  test("a line from a pipe becomes a message, and message list --json shows it", async () => {
    expect(await home.sh("echo 'build ok' | parley send '#general' -")).toMatchObject({ code: 0, err: "" });
    const { out, code } = await home.run(["message", "list", "-c", "messaging:general", "--json"]);
    expect(code).toBe(0);
    const list = JSON.parse(out) as { text: string; user: { id: string }; cid: string }[];
    expect(list.map((m) => [m.text, m.user.id, m.cid])).toEqual([["build ok", "ana", "messaging:general"]]);
  });

  test("several lines of input become one message, with --lines one each", async () => {
    await home.sh("printf 'one\\ntwo\\n' | parley send '#ops' -");
    await home.sh("printf 'three\\nfour\\n' | parley send '#ops' --lines -");
    expect((await home.messages("messaging:ops")).map((m) => m.text)).toEqual(["one\ntwo", "three", "four"]);
  });

  test("a list in a pipe has tab-separated columns", async () => {
    const { out, code } = await home.sh("parley channel list | cut -f1 | sort");
    expect([out, code]).toEqual(["messaging:general\nmessaging:ops\n", 0]);
  });

  test("tail --ndjson prints one JSON object per line as messages arrive, and Ctrl-C ends it", async () => {
    const tail = home.start(["tail", "#general", "--ndjson"]);
    await tail.waitFor("build ok");
    await home.say("messaging:general", "bob", { text: "from bob" });
    await tail.waitFor("from bob");
    const texts = tail.out
      .trim()
      .split("\n")
      .map((line) => {
        const row = JSON.parse(line) as { text?: string; message?: { text: string } };
        return row.message?.text ?? row.text;
      });
    expect(texts).toEqual(["build ok", "from bob"]);
    const signalledAt = performance.now();
    tail.child.kill("SIGINT");
    expect(await tail.ended).toBe(130);
    expect(performance.now() - signalledAt).toBeLessThan(2500);
    expect(tail.err).toBe("");
  });

  test("local exec runs a command with the provider, and ends with its code", async () => {
    const line = "parley local exec -- sh -c 'parley send \"#ops\" from inside && exit 7'";
    expect((await home.sh(line)).code).toBe(7);
    expect((await home.messages("messaging:ops")).at(-1)!.text).toBe("from inside");
  });

  test("tail ends when its reader has closed the pipe, although nothing more is written", async () => {
    await home.say("messaging:general", "bob", { text: "the last" });
    const { out, err } = await home.sh(
      "(parley tail '#general' --last 1 --jq .message.text; echo \"code $?\" >&2) | head -1",
    );
    expect([out, err]).toEqual(["the last\n", "code 0\n"]);
  });

  test("a followed log ends when its reader has closed the pipe, although nothing more is logged", async () => {
    const { out, err } = await home.sh('(parley local logs -f; echo "code $?" >&2) | head -1');
    expect([out.split("\n").length, err]).toEqual([2, "code 0\n"]);
  });

  test("tail ends with 0 and prints nothing when its reader closes the pipe", async () => {
    const running = home.sh("(parley tail '#general' --ndjson; echo \"code $?\" >&2) | head -1");
    await home.say("messaging:general", "bob", { text: "second" });
    // Tail notices the closed pipe at its next write.
    let n = 0;
    let ended = false;
    void running.then(() => (ended = true));
    await until("tail to end", async () => {
      if (!ended) await home.say("messaging:general", "bob", { text: `again ${n++}` });
      return ended;
    });
    const { out, err } = await running;
    expect(out.split("\n")).toHaveLength(2);
    expect(err).toBe("code 0\n");
  });
});

describe("exit codes", () => {
  /** Checks that an error is printed as lines for people, without a stack trace. */
  const expectPlainError = (err: string): void => {
    expect(err).toMatch(/^error: /);
    expect(err).not.toMatch(/^\s+at |node:internal|undefined|\[object/m);
  };

  test("a channel that does not exist is 3, and is not created", async () => {
    for (const words of [
      ["send", "#nowhere", "hi"],
      ["message", "list", "-c", "messaging:nowhere"],
      ["tail", "#nowhere"],
    ]) {
      const { code, err, out } = await home.run(words);
      expect([words[0], code, out]).toEqual([words[0], 3, ""]);
      expectPlainError(err);
      expect(err).toContain("nowhere");
    }
    expect((await home.run(["channel", "list"])).out).not.toContain("nowhere");
  });

  test("a provider that cannot be reached is 10", async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port: found } = server.address() as { port: number };
        server.close(() => resolve(found));
      });
    });
    const login = [
      "login",
      "dead",
      "--url",
      `http://127.0.0.1:${port}`,
      "--key",
      "k3y",
      "--user",
      "ana",
      "--with-token",
    ];
    const token = `${btoa('{"alg":"HS256"}')}.${btoa('{"user_id":"ana"}')}.x`.replaceAll("=", "");
    expect(await home.run([...login, "--no-test"], token)).toMatchObject({ code: 0 });
    for (const words of [
      ["--profile", "dead", "send", "messaging:general", "hi", "--max-wait", "1s"],
      ["--profile", "dead", "channel", "list", "--max-wait", "1s", "--retries", "1"],
    ]) {
      const { code, err, out } = await home.run(words);
      expect([code, out]).toEqual([10, ""]);
      expectPlainError(err);
    }
  });

  test("a token the provider does not accept is 4, and is not printed", async () => {
    const { url, apiKey } = home.provider()!;
    const token =
      `${btoa('{"alg":"HS256","typ":"JWT"}')}.${btoa('{"user_id":"ana"}')}.bm90LXNpZ25lZA`.replaceAll(
        "=",
        "",
      );
    const login = [
      "login",
      "forged",
      "--url",
      url,
      "--key",
      apiKey,
      "--user",
      "ana",
      "--with-token",
      "--no-test",
    ];
    expect(await home.run(login, token)).toMatchObject({ code: 0 });
    for (const words of [
      ["send", "messaging:general", "hi"],
      ["channel", "list"],
      ["tail", "messaging:general"],
    ]) {
      const { code, err, out } = await home.run(["--profile", "forged", ...words]);
      expect([words[0], code, out]).toEqual([words[0], 4, ""]);
      expectPlainError(err);
      expect(err).not.toContain(token);
    }
  });

  test("Ctrl-C during a send is 130, and the message is not sent later", async () => {
    const login = [
      "login",
      "gone",
      "--url",
      "http://127.0.0.1:9",
      "--key",
      "g0ne",
      "--user",
      "ana",
      "--with-token",
    ];
    const token = `${btoa('{"alg":"HS256"}')}.${btoa('{"user_id":"ana"}')}.x`.replaceAll("=", "");
    await home.run([...login, "--no-test"], token);
    const send = home.start(["--profile", "gone", "send", "messaging:general", "on second thought"]);
    const rows = (): number => {
      try {
        const file = home.stateFile("ana", "g0ne@*");
        return new DatabaseSync(file, { readOnly: true }).prepare("SELECT * FROM outbox").all().length;
      } catch {
        return 0;
      }
    };
    await until("the row in the outbox", () => rows() === 1);
    send.child.kill("SIGINT");
    // Waiting until --max-wait would end with 10.
    expect(await send.ended).toBe(130);
    expect([rows(), send.out]).toEqual([0, ""]);
  });

  test.each([
    ["send '#general' -"],
    ["send '#general' --lines"],
    ["user upsert --file -"],
    ["upload -"],
    ["api POST /channels --input -"],
    ["login far --url http://127.0.0.1:9 --key k3y --with-token"],
    ["token decode -"],
    ["webhook verify - --signature s"],
    ["campaign check -"],
    ["mcp"],
  ])('Ctrl-C while "%s" reads standard input is 130, at once', async (line) => {
    const child = spawn("/bin/sh", ["-c", `exec parley --profile local ${line}`], {
      env: home.env,
      cwd: home.folder,
    });
    const running = new Running(child);
    // More than a pipe holds: once all of it is written, the program is reading.
    await new Promise<void>((read) => child.stdin.write(" ".repeat(1 << 20), () => read()));
    const signalledAt = performance.now();
    child.kill("SIGINT");
    expect([await running.ended, running.err]).toEqual([130, ""]);
    // A run that does not end by itself is killed after three seconds.
    expect(performance.now() - signalledAt).toBeLessThan(2500);
  });

  test("an unknown flag, a missing argument and an unknown command are 2", async () => {
    for (const words of [["send", "#general", "--frob"], ["send"], ["nonsense"]]) {
      const { code, err } = await home.run(words);
      expect([words.join(" "), code]).toEqual([words.join(" "), 2]);
      expectPlainError(err);
    }
  });

  test("with --json an error is one JSON object", async () => {
    const { code, err } = await home.run([
      "--profile",
      "local",
      "message",
      "list",
      "-c",
      "messaging:nowhere",
      "--json",
    ]);
    expect(code).toBe(3);
    expect(JSON.parse(err)).toMatchObject({ error: { exit: 3 } });
  });
});
