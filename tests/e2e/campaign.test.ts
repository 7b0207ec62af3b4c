/** A rehearsal of a whole campaign: a file with wrong lines, a check, a segment, a test, two starts that are killed in the middle, and reports that add up to the person. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home, until } from "../support/home.ts";
import type { Json } from "../support/home.ts";

/** People who are there; more of them make a longer rehearsal. */
const PEOPLE = Number(process.env.PARLEY_REHEARSAL ?? 200);

/** Two without an id, two of a wrong length, one whose id is none, two whom nobody knows. */
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

/** What the run has written down; lines of one kind. */
function noted(id: string, kind: string): number {
  const file = path.join(home.folder, `state/parley/local/campaigns/${id}.journal.ndjson`);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.split("\n").filter((line) => line.includes(`"kind":"${kind}"`)).length;
}

/** How many messages of a campaign each person has, as the provider tells. */
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
  expect((await parley("user upsert --file people.ndjson --quiet")).code).toBe(0);
  const rows = ids.map((id) => `${id},Guest,C-${id}`);
  put("good.csv", ["id,title,code", ...rows, ""].join("\n"));
  put("people.csv", ["id,title,code", ...rows.slice(0, 10), ...WRONG, ...rows.slice(10), ""].join("\n"));
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
    `guards: {expect: ${PEOPLE}}`,
    "",
  ].join("\n");

test("the check finds all seven wrong lines, and counts everybody else", async () => {
  put("spring.yaml", campaignFile("spring", "csv: people.csv", "Hi {{receiver.name}}"));
  const { code, out } = await parley("campaign check spring.yaml --json");
  const { errors, audience } = JSON.parse(out) as Json;
  // Five records, and the two unknown people as one.
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
  const { code, out } = await parley("segment sync guests people.csv --yes --json");
  const synced = JSON.parse(out) as Json;
  expect([code, synced.size, synced.wrong.length + synced.unknown.length]).toEqual([9, PEOPLE, 7]);
  expect((await parley("segment size guests")).out).toBe(`${PEOPLE}\n`);
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
  const sending = home.start(`${line} 50`.split(" "));
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
