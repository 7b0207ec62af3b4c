/** Scripts under `set -euo pipefail` in hard conditions: no terminal, closed streams, concurrency, a full disk, a lost network. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FaultProxy } from "../support/fault-proxy.ts";
import { Home, until, type Json, type Ran } from "../support/home.ts";
import { runs } from "../support/proof.ts";

/** Longer than any step may take: a hanging command is killed and ends with a code of its own. */
const LIMITED = "timeout 60";

/** Number of concurrent runs. */
const CROWD = runs(20, 8);

let home: Home;
/** Runs a script as people write them in CI. */
const script = (text: string, where = home): Promise<Ran> =>
  where.sh(`exec bash -c 'set -euo pipefail; ${text.replaceAll("'", `'\\''`)}'`);
const write = (name: string, text: string): string => {
  const file = path.join(home.folder, name);
  writeFileSync(file, text);
  return file;
};
const people = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `{"id":"${prefix}${n}"}\n`).join("");
/** The rows of a report without its first one, which says whose it is. */
const rows = (file: string): { id: string; result: string }[] =>
  readFileSync(path.join(home.folder, file), "utf8")
    .split("\n")
    // Text after the last line end is still being written.
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: string; result: string })
    .filter((row) => !("operation" in row));
const texts = async (cid: string): Promise<string[]> =>
  (await home.messages(cid)).map((message) => message.text as string);

/** Adds a profile that reaches the embedded provider through a proxy; the caller closes the proxy. */
async function profileThroughProxy(profile: string): Promise<FaultProxy> {
  const { apiKey, secret } = home.provider()!;
  const proxy = await new FaultProxy(() => Number(new URL(home.provider()!.url).port)).listen();
  const login = await script(
    `printf %s ${secret} | ${LIMITED} parley login ${profile} --url ${proxy.url} --key ${apiKey} --kind secret --secret-stdin --no-test > /dev/null 2>&1`,
  );
  expect(login.code).toBe(0);
  expect((await home.run(["profile", "use", "local"])).code).toBe(0);
  return proxy;
}

/** The home that all but the first test share, with what each of them needs. */
beforeAll(async () => {
  home = new Home();
  const made = await script(
    "parley user upsert u1 > /dev/null; for id in ops waiting; do parley channel create messaging:$id > /dev/null; done",
  );
  expect(made).toEqual({ code: 0, out: "", err: "" });
});
afterAll(() => home.end());

describe("many runs at once", () => {
  test(`${CROWD} first runs start one provider between them, and all succeed`, async () => {
    const fresh = new Home();
    onTestFinished(() => fresh.end());
    const ran = await script(
      `for n in $(seq ${CROWD}); do ${LIMITED} parley user upsert "u$n" --quiet --jq .id & pids="\${pids-} $!"; done; for pid in $pids; do wait "$pid"; done`,
      fresh,
    );
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(ran.out.trimEnd().split("\n").toSorted()).toEqual(
      Array.from({ length: CROWD }, (_, n) => `u${n + 1}`).toSorted(),
    );
    expect((await fresh.run(["user", "list", "u1", `u${CROWD}`, "--jq", ".id"])).code).toBe(0);
  });
  test(`${CROWD} sends with an idempotency key each, repeated, make ${CROWD} messages`, async () => {
    await home.run(["channel", "create", "messaging:crowd", "--name", "Crowd"]);
    const all = `for n in $(seq ${CROWD}); do ${LIMITED} parley send messaging:crowd --idempotency-key "k$n" "n$n" > /dev/null & pids="\${pids-} $!"; done; for pid in $pids; do wait "$pid"; done`;
    for (const again of [all, all]) expect(await script(again)).toEqual({ code: 0, out: "", err: "" });
    expect((await texts("messaging:crowd")).toSorted()).toEqual(
      Array.from({ length: CROWD }, (_, n) => `n${n + 1}`).toSorted(),
    );
  });
  test("of two equal runs of export, archive or upsert one is refused because the other runs, or both succeed", async () => {
    write("two.ndjson", people("two", 250));
    await home.say("messaging:ops", "ana", { text: "to be kept" });
    const all = await script("parley export --out all.ndjson > /dev/null; cat all.ndjson");
    for (const [line, check] of [
      ["archive create both", "archive verify both"],
      ["export --out both.ndjson --resume", "archive verify both"],
      ["user upsert --file two.ndjson --report two.report", "user get two249"],
    ]) {
      const [one, other] = await Promise.all([
        script(`${LIMITED} parley ${line}`),
        script(`${LIMITED} parley ${line}`),
      ]);
      const isRefused = ({ code, err }: Ran): boolean => code === 6 && /^error: .+\nhint: .+\n$/.test(err);
      expect(
        [one, other].filter((ran) => ran.code !== 0 && !isRefused(ran)),
        line,
      ).toEqual([]);
      expect(one.code === 0 || other.code === 0, line).toBe(true);
      expect(await home.run(check!.split(" ")), line).toMatchObject({ code: 0, err: "" });
    }
    expect(readFileSync(path.join(home.folder, "both.ndjson"), "utf8")).toBe(all.out);
    expect(new Set(rows("two.report").map(({ id }) => id)).size).toBe(250);
  });
});

describe("unusual input files", () => {
  test("a pipe in place of a file is read completely, although the run reads it more than once", async () => {
    const { code, out } = await script(
      `${LIMITED} parley user upsert --file <(printf 'id\\nq1\\nq2\\n') --report q.report --jq .id`,
    );
    expect([code, out]).toEqual([0, "q1\nq2\n"]);
    expect(rows("q.report")).toHaveLength(2);
    write("q3.json", '{"type":"user","item":{"id":"q3"}}\n{"type":"user","item":{}}\n');
    expect((await script(`${LIMITED} parley import validate <(cat q3.json)`)).code).toBe(7);
    await script("parley segment create user --id piped > /dev/null");
    await script(`${LIMITED} parley segment sync piped <(printf 'q1\\nq2\\n') --yes > /dev/null`);
    expect((await script("parley segment targets piped --jq .target_id")).out).toBe("q1\nq2\n");
  });
  test("only one run at a time can write a report, and the lock of a killed run is ignored", async () => {
    const send = (input: string, how: string): Promise<Ran> =>
      script(`(${input}) | ${LIMITED} parley send messaging:ops --lines - ${how} shared.report`);
    const slow = send("echo one; until [ -e second-ended ]; do sleep 0.1; done; echo two", "--report");
    await until(
      "the first line in the report",
      () => existsSync(path.join(home.folder, "shared.report")) && rows("shared.report").length === 1,
    );
    const second = await send("echo three", "--report");
    expect([second.code, second.err]).toEqual([
      6,
      "error: Another run is writing to shared.report\nhint: Wait for it, or name another file.\n",
    ]);
    write("second-ended", "");
    expect((await slow).code).toBe(0);
    expect(rows("shared.report")).toHaveLength(2);
    expect(existsSync(path.join(home.folder, "shared.report.lock"))).toBe(false);
    // The lock of a killed run: no process has that number.
    write("shared.report.lock", "999999999:1");
    const after = await send("echo one; echo two; echo three", "--resume");
    expect([after.code, after.out.trimEnd().split("\n")]).toEqual([0, [rows("shared.report")[2]!.id]]);
  });
});

test("a running provider is found even with a very short --max-wait", async () => {
  for (const wait of ["500ms", "1s", "2500ms"]) {
    const ran = await script(
      `${LIMITED} parley send messaging:waiting --max-wait ${wait} 'within ${wait}' > /dev/null`,
    );
    expect([wait, ran.code, ran.err]).toEqual([wait, 0, ""]);
  }
  const none = await script(`${LIMITED} parley channel get messaging:waiting --max-wait 0 --jq .channel.cid`);
  expect([none.code, none.out]).toEqual([0, "messaging:waiting\n"]);
});

describe("a send without an answer in time", () => {
  const unsent = async (): Promise<string> => (await script("parley outbox list --jq .id")).out;

  test("is never reported as unsent while it may still arrive", async () => {
    const proxy = await profileThroughProxy("late");
    proxy.arm(/^POST .*\/message/, { kind: "hang" });
    proxy.arm(/^GET \/messages\//, { kind: "hang" });
    try {
      const line = "send messaging:waiting --id late-1 --max-wait 700ms late";
      const late = await script(`${LIMITED} parley -p late --as "$(parley whoami --jq .user)" ${line}`);
      expect([late.code, late.err]).toEqual([
        11,
        "error: no clear answer arrived: the message may have been sent\nhint: run parley message get late-1 to check; repeating the command with that --id cannot send it twice\n",
      ]);
    } finally {
      await proxy.close();
    }
    await until("the message that came without an answer", async () =>
      (await texts("messaging:waiting")).includes("late"),
    );
    expect(await unsent()).toBe("");
    for (const wait of ["0", "1ms", "20ms"]) {
      const ran = await script(
        `${LIMITED} parley send messaging:waiting --max-wait ${wait} 'in ${wait}' > /dev/null`,
      );
      // A message reported as unsent is not at the provider.
      const isThere = (await texts("messaging:waiting")).includes(`in ${wait}`);
      expect([wait, ran.code === 10 && isThere]).toEqual([wait, false]);
    }
  });
  test.each([
    ["INT", 130],
    ["TERM", 143],
  ])("that is ended by SIG%s is not sent by a later run", async (signal, code) => {
    await script("parley local fault add 'POST */message' --delay 20s > /dev/null");
    try {
      const ran = await script(
        `${LIMITED} timeout --preserve-status -s ${signal} 2 parley send messaging:waiting 'ended by ${signal}'`,
      );
      expect(ran.code).toBe(code);
      expect(await unsent()).toBe("");
    } finally {
      await script("parley local fault clear > /dev/null; parley outbox retry || true");
    }
    expect(await texts("messaging:waiting")).not.toContain(`ended by ${signal}`);
  });
  test("that gets the same signal twice at once, as from timeout, still withdraws its message", async () => {
    await script("parley local fault add 'POST */message' --delay 20s > /dev/null");
    try {
      for (const round of ["one", "two", "three"]) {
        const ran = await script(
          `parley send messaging:waiting 'twice ${round}' > /dev/null 2>&1 & run=$!; until [ "$(parley outbox list --jq .id)" ]; do :; done; kill $run; kill $run; wait $run`,
        );
        expect(ran.code).toBe(143);
        expect([round, await unsent()]).toEqual([round, ""]);
      }
    } finally {
      await script("parley local fault clear > /dev/null; parley outbox retry || true");
    }
  });
});

describe("without the environment of a person", () => {
  test.each([
    ["a closed output", "parley send messaging:ops >&- 'no output'", "no output"],
    ["a closed input", "parley send messaging:ops 'no input' <&- > /dev/null", "no input"],
    ["everything closed", "parley send messaging:ops 'nothing open' <&- >&- 2>&-", "nothing open"],
  ])("%s: the message is sent, and nothing is printed", async (_, line, text) => {
    expect(await script(`${LIMITED} ${line}`)).toEqual({ code: 0, out: "", err: "" });
    expect(await texts("messaging:ops")).toContain(text);
  });
  test.each([
    ["a reader that leaves at once", "parley user list --all | head -n 1 > /dev/null", 0, ""],
    ["a question and no terminal", "parley channel delete messaging:ops", 2, "Add --yes to continue."],
    ["a full output", "parley user list > /dev/full", 12, "standard output cannot be written"],
    [
      "an empty environment",
      `env -i PATH="$PATH" HOME="$HOME" XDG_DATA_HOME="$XDG_DATA_HOME" parley user list u1 --jq .id > /dev/null`,
      0,
      "",
    ],
  ])("%s: the run does not hang and prints nothing unexpected", async (_, line, code, said) => {
    const ran = await script(line.replaceAll(/(?<![-/])parley /g, `${LIMITED} parley `));
    expect([ran.code, ran.out]).toEqual([code, ""]);
    if (said === "") expect(ran.err).toBe("");
    else expect(ran.err).toContain(said);
  });
  test("output to a pipe has no colours or terminal codes, whatever TERM is", async () => {
    const both = "NO_COLOR=1 FORCE_COLOR=1";
    for (const env of ["TERM=xterm-256color", "TERM=dumb", "TERM=", "NO_COLOR=1", "CI=1", both]) {
      const ran = await script(
        `export ${env}; ${LIMITED} parley user list u1; ${LIMITED} parley nope || true`,
      );
      expect([env, ran.code]).toEqual([env, 0]);
      // eslint-disable-next-line no-control-regex
      expect(`${ran.out}${ran.err}`).not.toMatch(/\u001b|Warning/);
    }
  });
});

describe("a full disk", () => {
  test("under a report is named with the file, and --resume does the rest after space was freed", async (at) => {
    const small = path.join(home.folder, "small");
    mkdirSync(small);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", small]);
    if (mounted.status !== 0) return at.skip("no file system can be mounted here");
    write("many.ndjson", people("many", 3000));
    try {
      const full = await script(
        `${LIMITED} parley user upsert --file many.ndjson --report small/r.ndjson > /dev/null`,
      );
      expect([full.code, full.err]).toEqual([
        12,
        expect.stringContaining("r.ndjson cannot grow: the disk is full"),
      ]);
      // The report's lock file was removed; fill the space it occupied.
      await script("cat /dev/zero > small/rest 2> /dev/null || true");
      const out = await script(`${LIMITED} parley export --out small/x.ndjson --format csv`);
      expect([out.code, out.err]).toEqual([
        12,
        expect.stringContaining("x.ndjson cannot grow: the disk is full"),
      ]);
      spawnSync("mount", ["-o", "remount,size=4m", small]);
      const rest = await script(
        `${LIMITED} parley user upsert --file many.ndjson --resume small/r.ndjson > /dev/null`,
      );
      expect([rest.code, rest.err]).toEqual([0, ""]);
      expect(new Set(rows("small/r.ndjson").map(({ id }) => id)).size).toBe(3000);
      expect(rows("small/r.ndjson").length).toBeLessThan(3200);
    } finally {
      spawnSync("umount", ["-l", small]);
    }
  });
  test("or a limit on file sizes leaves no partial export, and the next run is complete", async () => {
    for (let n = 0; n < 10; n++)
      await home.say("messaging:ops", "ana", { text: `${n} ${"much to keep ".repeat(300)}` });
    const line = `${LIMITED} parley export --out limited.ndjson`;
    const full = await script(`ulimit -f 16; ${line}`);
    expect(full.code).toBe(12);
    expect(full.err).toMatch(/^error: .+\nhint: .+\n$/);
    const whole = await script(`${line} --resume`);
    expect([whole.code, whole.err]).toEqual([0, ""]);
    const kept = readFileSync(path.join(home.folder, "limited.ndjson"), "utf8").trimEnd().split("\n");
    expect(kept.filter((one) => /^\d much/.test((JSON.parse(one) as Json).text as string))).toHaveLength(10);
  });
});

describe("a network that fails in the middle", () => {
  test("a bulk write says how far it came, and --resume continues there", async () => {
    const proxy = await profileThroughProxy("far");
    try {
      write("far.ndjson", people("far", 500));
      const line = `${LIMITED} parley -p far user upsert --file far.ndjson`;
      // Two write calls are answered; the third and everything after it fail.
      proxy.latency = 50;
      const upsertCall = /^POST \/users/;
      const lost = script(`${line} --report far.report --retries 0 --max-wait 2s > /dev/null`);
      await until("two calls", () => proxy.passed.filter((one) => upsertCall.test(one.line)).length >= 2);
      proxy.refuses = true;
      proxy.drop("reset");
      const { code, err } = await lost;
      const done = rows("far.report").length;
      expect([code, err]).toEqual([
        10,
        expect.stringContaining(
          `${done} were done before line ${done + 1}; use --report and --resume to continue from there`,
        ),
      ]);
      expect([100, 200, 300, 400]).toContain(done);
      proxy.refuses = false;
      proxy.latency = 0;
      const rest = await script(`${line} --resume far.report --jq .id | wc -l`);
      expect([rest.code, rest.out.trim()]).toEqual([0, String(500 - done)]);
      expect(rows("far.report").map(({ id }) => id)).toEqual(
        Array.from({ length: 500 }, (_, n) => `far${n}`),
      );
    } finally {
      await proxy.close();
    }
  });
});

describe("a scheduled message held by an open screen", () => {
  test("is listed by a shell, can be dropped there, and outbox retry sends it at once", async () => {
    const screen = home.screen(["-p", "local", "chat", "messaging:ops"]);
    await screen.waitFor("● online");
    for (const text of ["never mind", "after all"]) {
      screen.type(`/schedule 2h ${text}`);
      await screen.waitFor(`/schedule 2h ${text}`);
      screen.type("\r");
      await until(`${text} in the outbox`, async () =>
        (await home.run(["outbox", "list", "--jq", ".text"])).out.includes(text),
      );
    }
    const listed = await home.run(["outbox", "list", "--json=id,text,busy,send_at"]);
    const found = JSON.parse(listed.out) as { id: string; text: string; busy: boolean; send_at: string }[];
    expect(found).toHaveLength(2);
    for (const row of found) expect([row.busy, Date.parse(row.send_at) > Date.now()]).toEqual([true, true]);
    const idOf = (text: string): string => found.find((row) => row.text === text)!.id;
    const dropped = await script(`${LIMITED} parley outbox drop ${idOf("never mind")} --yes`);
    expect(dropped).toEqual({ code: 0, out: `${idOf("never mind")} is forgotten\n`, err: "" });
    const retried = await script(`${LIMITED} parley outbox retry ${idOf("after all")}`);
    expect(retried).toEqual({ code: 0, out: `${idOf("after all")}\n`, err: "" });
    expect((await home.run(["outbox", "list"])).out).toBe("");
    const now = await texts("messaging:ops");
    expect(now).toContain("after all");
    expect(now).not.toContain("never mind");
    await screen.close();
  });
});
