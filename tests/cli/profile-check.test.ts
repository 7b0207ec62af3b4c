/** `profile test --full`: what fits, what a provider lacks or answers otherwise, what a user may not, and that nothing stays. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FaultProxy } from "../support/fault-proxy.ts";
import { Home, type Ran } from "../support/home.ts";

interface Row {
  step: string;
  verdict: string;
  why?: string;
  http?: number;
  code?: number;
}

let home: Home;
let proxy: FaultProxy;
beforeAll(async () => {
  home = new Home();
  const made = await home.sh(
    "parley channel create messaging:tea > /dev/null && parley send '#tea' hi > /dev/null",
  );
  expect(made).toEqual({ code: 0, out: "", err: "" });
  const { apiKey, secret } = home.provider()!;
  proxy = await new FaultProxy(() => Number(new URL(home.provider()!.url).port)).listen();
  for (const [name, rest, input] of [
    ["odd", "--kind secret --secret-stdin", secret],
    ["eve", "--with-token", (await home.run(["user", "token", "eve"])).out.trim()],
    ["fay", "--with-token", (await home.run(["user", "token", "fay"])).out.trim()],
  ]) {
    const login = `parley login ${name} --url ${proxy.url} --key ${apiKey} ${rest} --no-test`;
    expect((await home.sh(`printf %s '${input}' | ${login} > /dev/null 2>&1`)).code).toBe(0);
  }
  await home.run(["profile", "use", "local"]);
});
afterAll(async () => {
  proxy.close();
  await home.end();
});

const check = (...words: string[]): Promise<Ran> =>
  home.run(["profile", "test", ...words, "--full", "--ndjson"]);
const rows = ({ out }: Ran): Row[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
const verdicts = (ran: Ran): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(rows(ran), ({ verdict }) => verdict)).map(([verdict, all]) => [
      verdict,
      all!.map(({ step }) => step),
    ]),
  );

/** The channels and people at the provider, as the app sees them. */
async function contents(): Promise<string[]> {
  const all = { filter_conditions: {}, limit: 30, state: true };
  const { channels } = await home.call<{ channels: { channel: { cid: string } }[] }>(
    "POST",
    "/channels",
    all,
  );
  const payload = encodeURIComponent(JSON.stringify({ filter_conditions: {}, limit: 100 }));
  const { users } = await home.call<{ users: { id: string }[] }>("GET", `/users?payload=${payload}`);
  return [...channels.map(({ channel }) => channel.cid), ...users.map(({ id }) => id)].toSorted();
}

describe("against the embedded provider", () => {
  test("every step fits, the run ends with 0, and channels and people are as before", async () => {
    const before = await contents();
    const ran = await check("--yes");
    expect([ran.code, Object.keys(verdicts(ran))]).toEqual([0, ["fits"]]);
    expect(rows(ran).length).toBeGreaterThan(30);
    expect(ran.err).toBe(`${rows(ran).length} steps: ${rows(ran).length} fits\n`);
    expect(before).toEqual(expect.arrayContaining(["ana", "messaging:tea"]));
    expect(await contents()).toEqual(before);
  });
  test("--read-only makes no call that changes something, and a dry run none at all", async () => {
    const from = proxy.passed.length;
    const ran = await check("odd", "--read-only", "--as", "ana");
    expect([ran.code, Object.keys(verdicts(ran))]).toEqual([0, ["fits"]]);
    const lines = proxy.passed.slice(from).map(({ line }) => line.replace(/\?.*/, ""));
    expect(lines.length).toBeGreaterThan(10);
    const writes = lines.filter((line) => /^(POST|PUT|PATCH|DELETE)/.test(line));
    expect(new Set(writes)).toEqual(
      new Set(
        ["channels", "threads", "drafts/query", "reminders/query", "polls/query"].map(
          (end) => `POST /${end}`,
        ),
      ),
    );
    const dry = await home.run(["profile", "test", "odd", "--full", "-n"]);
    expect([dry.code, dry.out]).toEqual([0, ""]);
    expect(dry.err).toContain("would write: send a message\n");
    const all = rows(await check("--yes")).map(({ step }) => step);
    const would = [...dry.err.matchAll(/^would (?:read|write): (.*)$/gm)].map(([, step]) => step);
    expect(would).toEqual(["make two people", ...all, "remove what was made"]);
    const reads = await check("odd", "--read-only", "--dry-run");
    expect([reads.code, reads.err]).toEqual([0, expect.stringContaining("would read: ")]);
    expect(dry.err.match(/^would read: .*\n/gm)!.join("")).toBe(reads.err);
    expect(proxy.passed).toHaveLength(from + lines.length);
  });
  test("it asks before it writes, and without a terminal says how to answer", async () => {
    const ran = await check();
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("Add --yes to continue.");
  });
  test("--read-only and --report without --full, and a report that exists, are refused before any call", async () => {
    const alone = await home.run(["profile", "test", "--read-only"]);
    expect([alone.code, alone.err]).toEqual([
      2,
      "error: --read-only goes with --full\nhint: parley profile test --help\n",
    ]);
    const report = await home.run(["profile", "test", "--report", "x.json"]);
    expect([report.code, report.err]).toEqual([
      2,
      "error: --report goes with --full\nhint: parley profile test --help\n",
    ]);
    await home.sh("echo kept > there.json");
    expect((await check("--yes", "--report", "there.json")).code).toBe(6);
    expect(readFileSync(path.join(home.folder, "there.json"), "utf8")).toBe("kept\n");
  });
});

describe("against a provider that is a little other", () => {
  const answer = (match: RegExp, status: number, body: object, headers = ""): void =>
    void proxy.arm(match, {
      kind: "answer",
      status,
      type: "application/json",
      body: JSON.stringify(body),
      headers,
      after: false,
    });

  test("a route that is not there, an answer without what it must have, and a refusal, have a verdict each, and the rest goes on", async () => {
    const before = await contents();
    answer(/^POST \/drafts\/query/, 404, {
      code: 16,
      message: "no such route for ana-secret-name",
      StatusCode: 404,
    });
    answer(/^POST \/threads/, 200, { duration: "1ms" });
    answer(/^POST \/reminders\/query/, 403, { code: 17, message: "no", StatusCode: 403 });
    answer(/^POST \/messages\/[^/]+\/reaction/, 200, { duration: "1ms", message: { id: "x" }, reaction: {} });
    const ran = await check("odd", "--yes", "--report", "fits.json");
    expect(ran.code).toBe(14);
    const { fits, ...others } = verdicts(ran);
    expect(others).toEqual({
      absent: ["list drafts"],
      differs: ["list threads", "react to it, and take that back"],
      refused: ["list reminders"],
    });
    expect(fits).toContain("delete a message");
    expect(await contents()).toEqual(before);
    const report = readFileSync(path.join(home.folder, "fits.json"), "utf8");
    expect(JSON.parse(report)).toMatchObject({
      profile: "secret",
      versions: { parley: expect.stringMatching(/^\d+\./) },
    });
    const { secret, apiKey } = home.provider()!;
    for (const word of ["ana-secret-name", secret, apiKey, proxy.url, "127.0.0.1", home.folder])
      expect(report).not.toContain(word);
    expect(
      (JSON.parse(report) as { steps: Row[] }).steps.find(({ step }) => step === "list drafts"),
    ).toMatchObject({
      verdict: "absent",
      http: 404,
      code: 16,
    });
  });
  test("what the client forgives is a difference, with its field", async () => {
    answer(/^POST \/polls\/query/, 200, { duration: "1ms", polls: [{ name: "without an id" }] });
    const ran = await check("odd", "--read-only", "--as", "ana");
    expect(ran.code).toBe(14);
    expect(rows(ran).filter(({ verdict }) => verdict !== "fits")).toMatchObject([
      {
        step: "list polls",
        verdict: "differs",
        why: expect.stringMatching(
          /^filled in or left out, because it is not as documented: QueryPolls polls/,
        ),
      },
    ]);
  });
  test("a provider in trouble ends with 10, whatever else differs", async () => {
    answer(/^GET \/unread/, 503, { code: -1, message: "later", StatusCode: 503 });
    answer(/^POST \/drafts\/query/, 405, { code: -1, message: "no", StatusCode: 405 });
    const ran = await check("odd", "--read-only", "--as", "ana");
    expect([ran.code, verdicts(ran).failed, verdicts(ran).absent]).toEqual([
      10,
      ["unread counts"],
      ["list drafts"],
    ]);
  });
  test("without sockets the rest still fits, and signing in is told to differ", async () => {
    proxy.socketsBlocked = true;
    try {
      const ran = await check("odd", "--read-only", "--as", "ana");
      const { fits, ...others } = verdicts(ran);
      expect([ran.code, others]).toEqual([14, { differs: ["connect"] }]);
      expect(fits).toContain("list channels");
      expect(rows(ran)[0]!.why).toBe("no WebSocket could be opened, so it signed in by long polling");
    } finally {
      proxy.socketsBlocked = false;
    }
  });
  test("a provider without long polling lacks it, and is in no trouble", async () => {
    answer(/^GET \/longpoll/, 404, { code: 16, message: "no such route", StatusCode: 404 });
    const ran = await check("odd", "--read-only", "--as", "ana");
    const { fits: _, ...others } = verdicts(ran);
    expect([ran.code, others]).toEqual([14, { absent: ["connect by long polling"] }]);
  });
  test("what is refused for its rate is called again after the wait, also when people are made and all is removed", async () => {
    const before = await contents();
    for (const route of [
      /^POST \/users\?/,
      /^POST \/channels\?/,
      /^POST \/channels\/[^/]+\/[^/]+\/query/,
      /^POST \/channels\/[^/]+\/[^/]+\/message/,
      /^POST \/channels\/[^/]+\/[^/]+\/file/,
      /^DELETE \/channels\/[^/]+\/[^/?]+\?/,
      /^POST \/users\/delete/,
    ])
      answer(route, 429, { code: 9, message: "too many", StatusCode: 429 }, "Retry-After: 1\r\n");
    const ran = await check("odd", "--yes");
    const { fits: _, ...others } = verdicts(ran);
    expect([ran.code, others]).toEqual([0, {}]);
    expect(ran.err).toContain("the provider limits calls: waiting 2 s\n");
    expect(proxy.armed).toEqual([]);
    expect(await contents()).toEqual(before);
  });
  test("what a step made and could not take back is taken back in the end", async () => {
    for (const route of [
      /^DELETE \/channels\/.*\/draft/,
      /^DELETE \/messages\/[^/]+\/reminders/,
      /^POST \/moderation\/unmute/,
    ])
      answer(route, 500, { code: -1, message: "broken", StatusCode: 500 });
    const ran = await check("odd", "--yes");
    expect([ran.code, verdicts(ran).failed]).toEqual([
      10,
      ["save, read and delete a draft", "set and delete a reminder", "mute the channel, and unmute it"],
    ]);
    expect(ran.err).not.toContain("not removed");
    // The proxy remembers the last calls: what is removed in the end, the newest first.
    const removals = proxy.passed.map(({ line }) => line).filter((line) => /DELETE|unmute|delete/.test(line));
    expect(
      removals.slice(-7).map((line) =>
        line
          .replace(/^\w+ \/|\?.*/g, "")
          .split("/")
          .at(-1),
      ),
    ).toEqual([
      "channel",
      "reminders",
      "draft",
      expect.stringMatching(/-poll$/),
      "file",
      expect.stringMatching(/^parley-check-/),
      "delete",
    ]);
  });
  test("a user without the secret takes back the file that was uploaded", async () => {
    const ran = await check("fay", "--yes");
    expect([ran.code, verdicts(ran).fits]).toEqual([
      0,
      expect.arrayContaining(["upload a file, and read it back"]),
    ]);
    expect(proxy.passed.map(({ line }) => line)).toContainEqual(
      expect.stringMatching(/^DELETE \/channels\/messaging\/parley-check-[^/]+\/file\?/),
    );
    expect(ran.err).not.toContain("not removed");
  });
  test("a token that may only read gets refusals, not differences, and leaves nothing", async () => {
    const before = await contents();
    const banned = await home.sh(
      "parley user upsert eve --quiet > /dev/null && parley user ban eve --yes > /dev/null",
    );
    expect([banned.code, banned.err]).toEqual([0, ""]);
    const ran = await check("eve", "--yes");
    const { differs = [], absent = [], refused = [] } = verdicts(ran);
    expect([differs, absent]).toEqual([[], []]);
    expect(refused).toEqual(["make and watch a channel", "make a poll and vote"]);
    expect(await contents()).toEqual([...before, "eve"].toSorted());
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringMatching(/not removed|error/)]);
  });
  test("of a role that may only read every step is judged, and what was refused is not called left behind", async () => {
    for (const line of [
      "role create reader",
      "permission grant messaging reader read-channel read-channel-members --yes",
      "permission grant app reader search-user --yes",
      "user upsert rita --role reader",
    ])
      expect((await home.sh(`parley ${line}`)).code).toBe(0);
    const token = (await home.run(["user", "token", "rita"])).out.trim();
    const { apiKey } = home.provider()!;
    const login = `parley login rita --url ${proxy.url} --key ${apiKey} --with-token --no-test`;
    await home.sh(`printf %s '${token}' | ${login}; parley profile use local`);
    const ran = await check("rita", "--yes");
    const { differs, absent, failed, refused, skipped } = verdicts(ran);
    expect([differs, absent, failed]).toEqual([undefined, undefined, undefined]);
    expect(refused).toEqual(["list polls", "make and watch a channel", "make a poll and vote"]);
    expect(skipped).toContain("hear of it");
    expect(rows(ran)).toHaveLength(rows(await check("--yes")).length);
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringMatching(/not removed|error/)]);
  });
});

test("an interrupted run removes what it made", async () => {
  const before = await contents();
  await home.sh("parley local fault add 'POST */reaction' --delay 20s > /dev/null");
  const ran = await home.sh("timeout --preserve-status -s INT 4 parley profile test --full --yes");
  await home.sh("parley local fault clear > /dev/null");
  expect(ran.code).toBe(130);
  expect(ran.out).toContain("read it back");
  expect(await contents()).toEqual(before);
});
