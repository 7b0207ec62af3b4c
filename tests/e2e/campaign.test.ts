/** Whole campaigns: wrong lines, a check, a segment, a test, killed starts, a scheduled one through an outage, and exact reports. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Home, until, type Json } from "../support/home.ts";
import { isRunning } from "../../src/model/files/owner.ts";
import { runs } from "../support/proof.ts";
import { TEST_PATIENCE } from "../support/patience.ts";

vi.setConfig({ testTimeout: runs(600_000, TEST_PATIENCE) });

/** Number of existing users. */
const USERS = runs(10_000, 600);

/** Two rows without an id, two of wrong length, one with an invalid id, two with unknown users. */
const WRONG = [
  ",Nobody,X",
  ",,",
  "p0,short",
  "p1,a,b,too long",
  "no id at all!,A,B",
  "ghost,G,G",
  "phantom,P,P",
];

const ids = Array.from({ length: USERS }, (_, n) => `p${n}`);
let home: Home;
const write = (name: string, text: string): void => writeFileSync(path.join(home.folder, name), text);
const parley = (line: string) => home.run(line.split(" "));
const report = async (id: string): Promise<Json> =>
  JSON.parse((await parley(`campaign report ${id} --json`)).out) as Json;

/** Number of journal lines of one kind. */
function journalLines(id: string, kind: string): number {
  const states = path.join(home.folder, "state/parley");
  const [app = ""] = globSync("*@local", { cwd: states });
  const file = path.join(states, app, `campaigns/${id}.journal.ndjson`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.split("\n").filter((line) => line.includes(`"kind":"${kind}"`)).length;
}

/** Counts per result in the report of a bulk write. */
function results(file: string): Record<string, number> {
  const found: Record<string, number> = {};
  // The first line says what the run is.
  const [, ...lines] = readFileSync(path.join(home.folder, file), "utf8").trimEnd().split("\n");
  for (const line of lines) {
    const { result } = JSON.parse(line) as { result: string };
    found[result] = (found[result] ?? 0) + 1;
  }
  return found;
}

/** Messages of a campaign per person, according to the provider. */
async function messagesPerUser(campaign: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let n = 0; n < ids.length; n += 10) {
    const group = ids.slice(n, n + 10);
    const filter_conditions = { members: { $in: group } };
    const body = {
      filter_conditions,
      limit: 30,
      message_limit: 30,
      member_limit: 10,
      state: true,
      watch: false,
    };
    const { channels } = await home.call("POST", "/channels", body);
    for (const { messages, members } of channels as Json[]) {
      const own = (messages as Json[]).filter((message) => message.campaign_id === campaign).length;
      const [who] = (members as Json[])
        .map(({ user_id: user }) => user as string)
        .filter((user) => group.includes(user));
      if (who !== undefined && own > 0) found.set(who, (found.get(who) ?? 0) + own);
    }
  }
  return found;
}
const onceEach = new Map(ids.map((id) => [id, 1]));

beforeAll(async () => {
  home = new Home();
  await home.up();
  write(
    "people.ndjson",
    ["shop", ...ids].map((id) => `${JSON.stringify({ id, name: `Guest ${id}` })}\n`).join(""),
  );
  expect((await parley("user upsert --file people.ndjson --report made.ndjson --jq .id")).code).toBe(0);
  expect(results("made.ndjson")).toEqual({ created: USERS + 1 });
  const rows = ids.map((id) => `${id},Guest,C-${id}`);
  write("good.csv", ["id,title,code", ...rows, ""].join("\n"));
  write("people.csv", ["id,title,code", ...rows.slice(0, 10), ...WRONG, ...rows.slice(10), ""].join("\n"));
});
afterAll(() => home.end());

const campaignFile = (id: string, audience: string, text: string): string =>
  [
    `id: ${id}`,
    "sender_id: shop",
    `message_template: {text: ${JSON.stringify(text)}}`,
    "channel_template: {type: messaging}",
    "create_channels: true",
    `audience: {${audience}}`,
    `guards: {expect: ${USERS}}`,
    "",
  ].join("\n");

test("campaign check reports all seven wrong lines and counts the valid receivers", async () => {
  write("spring.yaml", campaignFile("spring", "csv: people.csv", "Hi {{receiver.name}}"));
  const { code, out } = await parley("campaign check spring.yaml --json");
  const { errors, audience } = JSON.parse(out) as Json;
  // Five wrong records, and one error for both unknown people.
  expect([code, errors]).toEqual([7, 6]);
  expect(audience).toMatchObject({
    named: USERS + 7,
    receivers: USERS,
    wrong: 5,
    unknown: 2,
    duplicates: 0,
  });
  expect((await parley("campaign start spring.yaml --confirm spring")).code).toBe(7);
});

test("segment sync adds the existing users and reports the seven that are wrong or unknown", async () => {
  await parley("segment create user --id guests");
  const { code, out } = await parley("segment sync guests people.csv --yes --report synced.ndjson --json");
  const synced = JSON.parse(out) as Json;
  expect([code, synced.size, synced.wrong.length + synced.unknown.length]).toEqual([9, USERS, 7]);
  expect((await parley("segment size guests")).out).toBe(`${USERS}\n`);
  expect(results("synced.ndjson")).toEqual({ added: USERS, failed: 7 });
});

test("with the segment the check passes; preview and test show the text that a receiver gets", async () => {
  write("spring.yaml", campaignFile("spring", "segment: guests", "Hi {{receiver.name}}"));
  expect((await parley("campaign check spring.yaml")).code).toBe(0);
  expect((await parley("campaign preview spring.yaml --user p7")).out).toContain("Hi Guest p7");
  const { code, out } = await parley("campaign test spring.yaml --to p1,p2 --jq .result");
  expect([code, out]).toEqual([0, "received\nreceived\n"]);
});

test("a campaign start killed while it adds targets is continued by the same command, and each user gets one message", async () => {
  await home.run(["local", "fault", "add", "POST */addtargets", "--delay", "300ms"]);
  const starting = home.start(["campaign", "start", "spring.yaml", "--confirm", "spring", "--chunk", "20"]);
  await until("the first part", () => journalLines("spring", "chunk") > 0);
  starting.child.kill("SIGKILL");
  await starting.ended;
  expect(journalLines("spring", "starting")).toBe(0);
  await home.run(["local", "fault", "clear"]);
  expect((await parley("campaign start spring.yaml --confirm spring --chunk 20")).code).toBe(0);
  const watched = await parley("campaign watch spring");
  expect([watched.code, watched.out.trimEnd().split("\n").at(-1)]).toEqual([
    0,
    expect.stringMatching(/^completed\t/),
  ]);
  expect(await report("spring")).toMatchObject({
    named: USERS,
    audience: USERS,
    sent: USERS,
    missed: 0,
    waiting: 0,
  });
  expect(await messagesPerUser("spring")).toEqual(onceEach);
  expect((await parley("campaign start spring.yaml --confirm spring")).code).toBe(6);
});

test("sending killed halfway is continued by the same command, and each user gets exactly one message with their own code", async () => {
  write("codes.yaml", campaignFile("codes", "csv: people.csv", "{{receiver.title}} {{receiver.code}}"));
  const line = "campaign start codes.yaml --mode messages --confirm codes --skip-wrong --rate";
  const sending = home.start(`${line} ${runs(500, 50)}`.split(" "));
  await until("some messages", () => journalLines("codes", "sent") >= USERS / 10);
  sending.child.kill("SIGKILL");
  await sending.ended;
  const atKill = await report("codes");
  expect(atKill.sent).toBeGreaterThan(0);
  expect(atKill.waiting).toBeGreaterThan(0);
  expect(atKill.sent + atKill.waiting).toBe(USERS);
  const { code, out } = await parley(`${line} 1000 --json`);
  const resumed = JSON.parse(out) as Json;
  // What the killed run had sent is told by the provider where its journal was not written any more.
  expect([code, resumed.sent + atKill.sent, resumed.failed]).toEqual([0, USERS, []]);
  const complete = await report("codes");
  expect(complete).toMatchObject({ named: USERS + 7, audience: USERS, sent: USERS, missed: 0, waiting: 0 });
  expect(complete.left_out).toEqual({ unknown: 2, wrong_record: 5 });
  expect(await messagesPerUser("codes")).toEqual(onceEach);
});

test("a scheduled campaign starts at its time, continues after the provider is killed, and sends each user one message", async () => {
  write("summer.yaml", campaignFile("summer", "segment: guests", "Sun, {{receiver.name}}"));
  const set = await parley("campaign schedule summer.yaml 1h --confirm summer --json");
  expect([set.code, (JSON.parse(set.out) as Json).status]).toEqual([0, "scheduled"]);
  const due = Date.parse((JSON.parse(set.out) as Json).scheduled_for as string);
  // Nothing is sent before the scheduled time, however slow the machine is.
  expect((await report("summer")).sent).toBe(0);
  const watching = home.start(["campaign", "watch", "summer", "--ndjson", "--within", "10m"]);
  const stats = async (): Promise<Json> => {
    const { campaign } = await home.call("GET", "/campaigns/summer");
    return campaign as Json;
  };
  const first = home.provider()!.pid;
  // Skips all but the last seconds of the hour: a campaign that falls due while the clock jumps is sent all at once.
  const seconds = Math.floor((due - Date.now()) / 1000) - 2;
  expect((await parley(`local clock advance ${seconds}s`)).code).toBe(0);
  const halfway = await until("the first hundred", async () => {
    const now = await stats();
    return now.status === "in_progress" && now.stats.stats_messages_sent >= 100 ? now : undefined;
  });
  expect(Date.parse(halfway.stats.stats_started_at as string)).toBeGreaterThanOrEqual(due);
  expect(halfway.stats.stats_messages_sent).toBeLessThan(USERS);
  process.kill(first, "SIGKILL");
  await until("the death of the provider", () => !isRunning(first));
  // Any command starts this machine's provider again; the watching run reconnects.
  const again = await parley("campaign get summer --jq .status");
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^(in_progress|completed)\n$/)]);
  expect(home.provider()!.pid).not.toBe(first);
  expect(await watching.ended).toBe(0);
  const rows = watching.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  expect(rows.at(-1)).toMatchObject({ status: "completed", stats: { stats_users_sent: USERS } });
  expect(await report("summer")).toMatchObject({
    named: USERS,
    audience: USERS,
    sent: USERS,
    missed: 0,
    waiting: 0,
  });
  expect(await messagesPerUser("summer")).toEqual(onceEach);
});

test("a start refused with 503 prints a hint and changes nothing; the same command works afterwards", async () => {
  write("autumn.yaml", campaignFile("autumn", "segment: guests", "Leaves, {{receiver.name}}"));
  await home.run(["local", "fault", "add", "POST */campaigns", "--status", "503"]);
  const line = "campaign start autumn.yaml --confirm autumn --retries 0";
  const down = await parley(line);
  expect([down.code, down.err]).toEqual([10, expect.stringContaining("hint: ")]);
  await parley("local fault clear");
  expect((await parley("campaign get autumn")).code).toBe(3);
  expect((await parley(line)).code).toBe(0);
  expect((await parley("campaign watch autumn --within 10m")).code).toBe(0);
  expect(await messagesPerUser("autumn")).toEqual(onceEach);
});

test("the audit log has an entry before and after each run, counts every user, and audit verify detects a changed line", async () => {
  const { out } = await parley("audit list --all --json");
  const lines = JSON.parse(out) as Json[];
  const ended = (command: string): Json[] =>
    lines.filter((line) => line.command === command && line.state === "ended");
  expect(ended("user upsert").map(({ count }) => count as number)).toEqual([USERS + 1]);
  // One for the segment itself, and one for each of its people.
  expect(ended("segment sync").map(({ count, exit }) => [count, exit] as unknown)).toEqual([[USERS + 1, 9]]);
  expect(ended("campaign schedule")).toHaveLength(1);
  // The killed runs have a begun entry but no ended entry.
  const begun = lines.filter((line) => line.command === "campaign start" && line.state === "begun");
  expect(begun.length - ended("campaign start").length).toBe(2);
  expect((await parley("audit verify")).code).toBe(0);
  const log = path.join(home.folder, "state/parley/audit.ndjson");
  writeFileSync(log, readFileSync(log, "utf8").replace(`"count":${USERS + 1}`, `"count":${USERS}`));
  expect((await parley("audit verify")).code).toBe(7);
});
