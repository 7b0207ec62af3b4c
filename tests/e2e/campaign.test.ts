/** Whole campaigns: wrong lines, a check, a segment, a test, killed starts, a scheduled one through an outage, and exact reports. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Home, until, type Json } from "../support/home.ts";
import { isRunning } from "../../src/model/files/owner.ts";
import { runs } from "../support/proof.ts";

vi.setConfig({ testTimeout: runs(600_000, 90_000) });

/** Number of existing users. */
const PEOPLE = runs(10_000, 600);

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

const ids = Array.from({ length: PEOPLE }, (_, n) => `p${n}`);
let home: Home;
const put = (name: string, text: string): void => writeFileSync(path.join(home.folder, name), text);
const parley = (line: string) => home.run(line.split(" "));
const report = async (id: string): Promise<Json> =>
  JSON.parse((await parley(`campaign report ${id} --json`)).out) as Json;

/** Number of journal lines of one kind. */
function noted(id: string, kind: string): number {
  const file = path.join(home.folder, `state/parley/local/campaigns/${id}.journal.ndjson`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.split("\n").filter((line) => line.includes(`"kind":"${kind}"`)).length;
}

/** Counts per result in the report of a bulk write. */
function results(file: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const line of readFileSync(path.join(home.folder, file), "utf8").trimEnd().split("\n")) {
    const { result } = JSON.parse(line) as { result: string };
    found[result] = (found[result] ?? 0) + 1;
  }
  return found;
}

/** Messages of a campaign per person, according to the provider. */
async function copies(campaign: string): Promise<Map<string, number>> {
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
  put(
    "people.ndjson",
    ["shop", ...ids].map((id) => `${JSON.stringify({ id, name: `Guest ${id}` })}\n`).join(""),
  );
  expect((await parley("user upsert --file people.ndjson --report made.ndjson --jq .id")).code).toBe(0);
  expect(results("made.ndjson")).toEqual({ created: PEOPLE + 1 });
  const rows = ids.map((id) => `${id},Guest,C-${id}`);
  put("good.csv", ["id,title,code", ...rows, ""].join("\n"));
  put("people.csv", ["id,title,code", ...rows.slice(0, 10), ...WRONG, ...rows.slice(10), ""].join("\n"));
}, 300_000);
afterAll(() => home.end());

const campaignFile = (id: string, audience: string, text: string): string =>
  [
    `id: ${id}`,
    "sender_id: shop",
    `message_template: {text: ${JSON.stringify(text)}}`,
    "channel_template: {type: messaging}",
    "create_channels: true",
    `audience: {${audience}}`,
    `guards: {expect: ${PEOPLE}}`,
    "",
  ].join("\n");

test("the check finds all seven wrong lines, and counts everybody else", async () => {
  put("spring.yaml", campaignFile("spring", "csv: people.csv", "Hi {{receiver.name}}"));
  const { code, out } = await parley("campaign check spring.yaml --json");
  const { errors, audience } = JSON.parse(out) as Json;
  // Five wrong records, and one error for both unknown people.
  expect([code, errors]).toEqual([7, 6]);
  expect(audience).toMatchObject({
    named: PEOPLE + 7,
    receivers: PEOPLE,
    wrong: 5,
    unknown: 2,
    duplicates: 0,
  });
  expect((await parley("campaign start spring.yaml --confirm spring")).code).toBe(7);
});

test("the segment takes those who are there, and names the seven", async () => {
  await parley("segment create user --id guests");
  const { code, out } = await parley("segment sync guests people.csv --yes --report synced.ndjson --json");
  const synced = JSON.parse(out) as Json;
  expect([code, synced.size, synced.wrong.length + synced.unknown.length]).toEqual([9, PEOPLE, 7]);
  expect((await parley("segment size guests")).out).toBe(`${PEOPLE}\n`);
  expect(results("synced.ndjson")).toEqual({ added: PEOPLE, failed: 7 });
});

test("with the segment the file is ready; the preview and the test show what people get", async () => {
  put("spring.yaml", campaignFile("spring", "segment: guests", "Hi {{receiver.name}}"));
  expect((await parley("campaign check spring.yaml")).code).toBe(0);
  expect((await parley("campaign preview spring.yaml --user p7")).out).toContain("Hi Guest p7");
  const { code, out } = await parley("campaign test spring.yaml --to p1,p2 --jq .result");
  expect([code, out]).toEqual([0, "received\nreceived\n"]);
});

test("a start that is killed between two parts of its segment goes on, and the campaign reaches each once", async () => {
  await home.run(["local", "fault", "add", "POST */addtargets", "--delay", "300ms"]);
  const starting = home.start(["campaign", "start", "spring.yaml", "--confirm", "spring", "--chunk", "20"]);
  await until("the first part", () => noted("spring", "chunk") > 0);
  starting.child.kill("SIGKILL");
  await starting.ended;
  expect(noted("spring", "starting")).toBe(0);
  await home.run(["local", "fault", "clear"]);
  expect((await parley("campaign start spring.yaml --confirm spring --chunk 20")).code).toBe(0);
  const watched = await parley("campaign watch spring");
  expect([watched.code, watched.out.trimEnd().split("\n").at(-1)]).toEqual([
    0,
    expect.stringMatching(/^completed\t/),
  ]);
  expect(await report("spring")).toMatchObject({
    named: PEOPLE,
    audience: PEOPLE,
    sent: PEOPLE,
    missed: 0,
    waiting: 0,
  });
  expect(await copies("spring")).toEqual(onceEach);
  expect((await parley("campaign start spring.yaml --confirm spring")).code).toBe(6);
});

test("messages that were killed in the middle go on by the same line, and each person has exactly one of their own", async () => {
  put("codes.yaml", campaignFile("codes", "csv: people.csv", "{{receiver.title}} {{receiver.code}}"));
  const line = "campaign start codes.yaml --mode messages --confirm codes --skip-wrong --rate";
  const sending = home.start(`${line} ${runs(500, 50)}`.split(" "));
  await until("some messages", () => noted("codes", "sent") >= PEOPLE / 10);
  sending.child.kill("SIGKILL");
  await sending.ended;
  const half = await report("codes");
  expect(half.sent).toBeGreaterThan(0);
  expect(half.waiting).toBeGreaterThan(0);
  expect(half.sent + half.waiting).toBe(PEOPLE);
  const { code, out } = await parley(`${line} 1000 --json`);
  const rest = JSON.parse(out) as Json;
  expect([code, rest.sent, rest.failed]).toEqual([0, PEOPLE - half.sent, []]);
  const whole = await report("codes");
  expect(whole).toMatchObject({ named: PEOPLE + 7, audience: PEOPLE, sent: PEOPLE, missed: 0, waiting: 0 });
  expect(whole.left_out).toEqual({ unknown: 2, wrong_record: 5 });
  expect(await copies("codes")).toEqual(onceEach);
});

test("a scheduled campaign begins at its time, is watched through the death of the provider, and reaches each once", async () => {
  put("summer.yaml", campaignFile("summer", "segment: guests", "Sun, {{receiver.name}}"));
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
  expect(halfway.stats.stats_messages_sent).toBeLessThan(PEOPLE);
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
  expect(rows.at(-1)).toMatchObject({ status: "completed", stats: { stats_users_sent: PEOPLE } });
  expect(await report("summer")).toMatchObject({
    named: PEOPLE,
    audience: PEOPLE,
    sent: PEOPLE,
    missed: 0,
    waiting: 0,
  });
  expect(await copies("summer")).toEqual(onceEach);
});

test("while the provider does not answer a start says what to do, does nothing, and the same line works afterwards", async () => {
  put("autumn.yaml", campaignFile("autumn", "segment: guests", "Leaves, {{receiver.name}}"));
  await home.run(["local", "fault", "add", "POST */campaigns", "--status", "503"]);
  const line = "campaign start autumn.yaml --confirm autumn --retries 0";
  const down = await parley(line);
  expect([down.code, down.err]).toEqual([10, expect.stringContaining("hint: ")]);
  await parley("local fault clear");
  expect((await parley("campaign get autumn")).code).toBe(3);
  expect((await parley(line)).code).toBe(0);
  expect((await parley("campaign watch autumn --within 10m")).code).toBe(0);
  expect(await copies("autumn")).toEqual(onceEach);
});

test("the audit log has a line before and after each of it, counts every person, and shows when it was changed", async () => {
  const { out } = await parley("audit list --all --json");
  const lines = JSON.parse(out) as Json[];
  const ended = (command: string): Json[] =>
    lines.filter((line) => line.command === command && line.state === "ended");
  expect(ended("user upsert").map(({ count }) => count as number)).toEqual([PEOPLE + 1]);
  // One for the segment itself, and one for each of its people.
  expect(ended("segment sync").map(({ count, exit }) => [count, exit] as unknown)).toEqual([[PEOPLE + 1, 9]]);
  expect(ended("campaign schedule")).toHaveLength(1);
  // The killed runs have a begun entry but no ended entry.
  const begun = lines.filter((line) => line.command === "campaign start" && line.state === "begun");
  expect(begun.length - ended("campaign start").length).toBe(2);
  expect((await parley("audit verify")).code).toBe(0);
  const log = path.join(home.folder, "state/parley/audit.ndjson");
  writeFileSync(log, readFileSync(log, "utf8").replace(`"count":${PEOPLE + 1}`, `"count":${PEOPLE}`));
  expect((await parley("audit verify")).code).toBe(7);
});
