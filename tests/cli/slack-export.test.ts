/** `export --format slack`: the folder has Slack's layout, and the importer for Slack reads back what was exported. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { namesOfMentioned, mrkdwn } from "../../src/jobs/export/mrkdwn.ts";
import { slackText } from "../../src/jobs/foreign/slack/text.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const work = (name: string): string => path.join(home.folder, "work", name);
const json = <T>(name: string): T => JSON.parse(readFileSync(work(name), "utf8")) as T;
async function ok(line: string): Promise<string> {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, expect.not.stringContaining("error:")]);
  return out;
}

interface Item {
  type: string;
  data: Record<string, unknown>;
}

const PEOPLE = [
  { id: "mira", name: "Mira Oak" },
  { id: "bo-x", name: "Bo" },
  { id: "cy@x", name: "Cy" },
];
const CHANNELS = [
  { type: "messaging", id: "ops", name: "Ops", topic: "hot **tea**" },
  { type: "team", id: "ops", name: "ops" },
  { type: "messaging", id: "rooms", name: "Tea: room/2" },
  { type: "messaging", id: "quiet" },
];
const at = (day: number, time: string): string => `2026-05-0${day}T${time}Z`;
const message = (id: string, user: string, time: string, text: string, more: object = {}): Item => ({
  type: "message",
  data: { id, channel_type: "messaging", channel_id: "ops", user, created_at: time, text, ...more },
});

const ITEMS: Item[] = [
  ...PEOPLE.map((data) => ({ type: "user", data })),
  ...CHANNELS.map((data) => ({ type: "channel", data: { created_by: "mira", ...data } })),
  ...PEOPLE.map(({ id }) => ({
    type: "member",
    data: { channel_type: "messaging", channel_id: "ops", user_id: id },
  })),
  message("m1", "mira", at(1, "10:00:00.000001"), "Kettle is **on**, @Bo & <everybody>", {
    mentioned_users_ids: ["bo-x"],
  }),
  // Of the same microsecond as the one before it.
  message(
    "m2",
    "bo-x",
    at(1, "10:00:00.000001"),
    "see [the list](https://x.org/a?b=1&c=2) or https://x.org/b_c_d.",
  ),
  message("m3", "cy@x", at(2, "00:00:00"), "```\nif (a < b) *x*\n```\nand `a && b`", {
    attachments: [
      {
        type: "file",
        title: "cup.txt",
        asset_url: "https://files.example.org/cup.txt",
        mime_type: "text/plain",
      },
    ],
  }),
  message("r1", "bo-x", at(2, "23:59:59.999999"), "coming", { parent_id: "m1", type: "reply" }),
  message("r2", "cy@x", at(3, "08:00:00"), "me too", {
    parent_id: "m1",
    type: "reply",
    show_in_channel: true,
  }),
  message("t1", "mira", at(3, "09:00:00"), "other", { channel_type: "team" }),
  message("t2", "mira", at(3, "09:00:00"), "in the room", { channel_id: "rooms" }),
  {
    type: "reaction",
    data: { message_id: "m1", user_id: "bo-x", type: "+1", created_at: at(1, "11:00:00") },
  },
  {
    type: "reaction",
    data: { message_id: "m1", user_id: "cy@x", type: "+1", created_at: at(1, "11:00:00") },
  },
  {
    type: "reaction",
    data: { message_id: "r1", user_id: "mira", type: "tea", created_at: at(1, "11:00:00") },
  },
];

beforeAll(async () => {
  home = makeHome({ here: true });
  writeFileSync(work("items.jsonl"), ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
  await ok("parley import upload items.jsonl --yes > /dev/null");
  await ok("parley archive create kept messaging:ops team:ops messaging:rooms messaging:quiet > /dev/null");
  await ok("parley export --from kept --format slack --out slack/ > /dev/null");
});
afterAll(() => home.end());

test("there is a folder for each channel, named like it, with a file for each day of UTC", () => {
  const folders = readdirSync(work("slack"), { withFileTypes: true }).filter((one) => one.isDirectory());
  const days = folders.map(({ name }) => [name, readdirSync(work(`slack/${name}`)).toSorted()]);
  expect(Object.fromEntries(days)).toEqual({
    Ops: ["2026-05-01.json", "2026-05-02.json", "2026-05-03.json"],
    "ops (team)": ["2026-05-03.json"],
    "Tea_ room_2": ["2026-05-03.json"],
  });
  const channels =
    json<{ id: string; name: string; members: string[]; topic: { value: string } }[]>("slack/channels.json");
  expect(channels.map(({ id, name }) => [id, name]).toSorted()).toEqual([
    ["ops", "Ops"],
    ["quiet", "quiet"],
    ["rooms", "Tea_ room_2"],
    ["team-ops", "ops (team)"],
  ]);
  const ops = channels.find(({ id }) => id === "ops")!;
  expect([ops.members.toSorted(), ops.topic.value]).toEqual([["bo-x", "cy@x", "mira"], "hot *tea*"]);
  expect(
    json<{ id: string; real_name: string }[]>("slack/users.json").map((one) => [one.id, one.real_name]),
  ).toEqual(PEOPLE.map(({ id, name }) => [id, name]).toSorted());
  expect(json("slack/manifest.json")).toMatchObject({
    files: expect.arrayContaining([
      expect.objectContaining({
        file: "Ops/2026-05-01.json",
        format: "slack",
        period: "2026-05-01",
        messages: 2,
      }),
    ]) as unknown,
  });
});

test("messages have Slack's times, text, threads, reactions and files", () => {
  const [first, second] = json<Record<string, unknown>[]>("slack/Ops/2026-05-01.json");
  expect(first).toMatchObject({
    user: "mira",
    ts: "1777629600.000001",
    thread_ts: "1777629600.000001",
    reply_count: 2,
    text: "Kettle is *on*, <@bo-x> &amp; &lt;everybody&gt;",
    reactions: [{ name: "+1", users: ["bo-x", "cy@x"], count: 2 }],
  });
  expect(second).toMatchObject({
    ts: "1777629600.000002",
    text: "see <https://x.org/a?b=1&amp;c=2|the list> or <https://x.org/b_c_d>.",
  });
  expect(json("slack/Ops/2026-05-02.json")).toMatchObject([
    {
      user: "cy@x",
      files: [{ name: "cup.txt", mimetype: "text/plain", url_private: "https://files.example.org/cup.txt" }],
    },
    { ts: "1777766399.999999", thread_ts: "1777629600.000001", parent_user_id: "mira" },
  ]);
  expect(json("slack/Ops/2026-05-03.json")).toMatchObject([
    { subtype: "thread_broadcast", thread_ts: "1777629600.000001" },
  ]);
});

test("import convert reads it back: people, channels, members, texts, threads, reactions and files", async () => {
  await ok("parley import convert slack --source slack --out back.jsonl > /dev/null");
  await ok("parley import validate back.jsonl > /dev/null");
  const items = readFileSync(work("back.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Item);
  const of = (type: string): Record<string, unknown>[] =>
    items.filter((item) => item.type === type).map(({ data }) => data);
  const fields = (rows: Record<string, unknown>[], ...names: string[]): unknown[] =>
    rows.map((row) => names.map((name) => row[name])).toSorted();
  expect(fields(of("user"), "id", "name")).toEqual(fields(PEOPLE, "id", "name"));
  expect(fields(of("channel"), "id", "name", "topic")).toEqual([
    ["ops", "Ops", "hot **tea**"],
    ["quiet", "quiet", undefined],
    ["rooms", "Tea_ room_2", undefined],
    ["team-ops", "ops (team)", undefined],
  ]);
  expect(
    fields(of("member"), "channel_id", "user_id").filter((row) => (row as string[])[0] === "ops"),
  ).toEqual(PEOPLE.map(({ id }) => ["ops", id]).toSorted());
  const ids = new Map(
    [
      ["m1", "ops", "1777629600-000001"],
      ["m2", "ops", "1777629600-000002"],
      ["m3", "ops", "1777680000-000000"],
      ["r1", "ops", "1777766399-999999"],
      ["r2", "ops", "1777795200-000000"],
      ["t1", "team-ops", "1777798800-000000"],
      ["t2", "rooms", "1777798800-000000"],
    ].map(([id, channel, ts]) => [id!, `slack-${channel}-${ts}`]),
  );
  const wanted = ITEMS.filter(({ type }) => type === "message").map(({ data }) => ({
    ...data,
    id: ids.get(data.id as string),
    parent_id: ids.get((data.parent_id as string) ?? ""),
  }));
  expect(fields(of("message"), "id", "user", "text", "parent_id", "show_in_channel")).toEqual(
    fields(wanted, "id", "user", "text", "parent_id", "show_in_channel"),
  );
  expect(of("message").find(({ id }) => id === ids.get("m1"))).toMatchObject({
    mentioned_users_ids: ["bo-x"],
  });
  expect(of("message").find(({ id }) => id === ids.get("m3"))).toMatchObject({
    attachments: [{ type: "file", title: "cup.txt", asset_url: "https://files.example.org/cup.txt" }],
  });
  const reactions = ITEMS.filter(({ type }) => type === "reaction").map(({ data }) => ({
    ...data,
    message_id: ids.get(data.message_id as string),
  }));
  expect(fields(of("reaction"), "message_id", "user_id", "type")).toEqual(
    fields(reactions, "message_id", "user_id", "type"),
  );
});

test("downloaded files are where an importer for Slack looks for them", async () => {
  writeFileSync(work("note.txt"), "hello");
  await ok("parley upload note.txt -c messaging:quiet --message > /dev/null");
  await ok("parley export messaging:quiet --format slack --attachments download --out copied > /dev/null");
  const [id = ""] = readdirSync(work("copied/__uploads"));
  expect(readFileSync(work(`copied/__uploads/${id}/note.txt`), "utf8")).toBe("hello");
  const [day = ""] = readdirSync(work("copied/quiet"));
  expect(json(`copied/quiet/${day}`)).toMatchObject([{ files: [{ id, name: "note.txt" }] }]);
  expect((await home.sh("parley import convert copied --out copied.jsonl")).code).toBe(0);
  expect(readdirSync(work("copied.jsonl.files")).length).toBe(1);
});

test("a folder with something else is refused before anything is written, and so is what cannot be combined", async () => {
  mkdirSync(work("held/Ops"), { recursive: true });
  writeFileSync(work("held/Ops/2026-05-02.json"), "mine");
  for (const flags of ["", "-n"])
    expect(
      await home.sh(`parley export --from kept messaging:ops --format slack --out held ${flags}`),
    ).toMatchObject({
      code: 6,
      err: "error: held is not empty, and a Slack export is a folder of its own\nhint: Give --out another folder, or add --force.\n",
    });
  expect(readdirSync(work("held"), { recursive: true })).toEqual(["Ops", "Ops/2026-05-02.json"]);
  for (const flags of ["", "--out '{id}.json'", "--out x --partition month", "--out x --format slack,html"]) {
    const refused = await home.sh(`parley export --from kept --format slack ${flags}`);
    expect([flags, refused.code, refused.err]).toEqual([flags, 2, expect.stringContaining("slack ")]);
  }
});

test("--partition day makes a file for each channel and day, and the manifest names the days", async () => {
  await ok(
    "parley export --from kept --format ndjson --threads flat --partition day --out days/ > /dev/null",
  );
  expect(readdirSync(work("days")).toSorted()).toEqual([
    "manifest.json",
    "messaging_ops-2026-05-01.ndjson",
    "messaging_ops-2026-05-02.ndjson",
    "messaging_ops-2026-05-03.ndjson",
    "messaging_rooms-2026-05-03.ndjson",
    "team_ops-2026-05-03.ndjson",
  ]);
  const { partition, files } = json<{
    partition: string;
    files: { file: string; period: string; messages: number }[];
  }>("days/manifest.json");
  expect([
    partition,
    files.map(({ file, period, messages }) => [file, period, messages]).toSorted()[0],
  ]).toEqual(["day", ["messaging_ops-2026-05-01.ndjson", "2026-05-01", 2]]);
});

const mentioned = namesOfMentioned([{ id: "mira", name: "Mira Oak" }]);
const names = { user: (id: string) => (id === "mira" ? "Mira Oak" : undefined), channel: () => undefined };

test.each([
  ["plain & <b> text", "plain &amp; &lt;b&gt; text"],
  ["**bold** _it_ ~~gone~~", "*bold* _it_ ~gone~"],
  ["**see [x](https://e.org)**", "*see <https://e.org|x>*"],
  ["ask @Mira Oak, not a@b.c", "ask <@mira>, not a@b.c"],
  ["`**code** <@x>` and **b**", "`**code** &lt;@x&gt;` and *b*"],
  ["```\na **b**\n```", "```\na **b**\n```"],
  ["> quoted\n- one\n- two", "&gt; quoted\n- one\n- two"],
  ["2 * 3 * 4 and a_b_c and ~5", "2 * 3 * 4 and a_b_c and ~5"],
  ["https://e.org/a_(b)?c=**d**, end", undefined],
  ["@here lunch", "<!here> lunch"],
])("%j is %j in Slack, and comes back as it was", (text, slack) => {
  const written = mrkdwn(text, mentioned);
  if (slack !== undefined) expect(written).toBe(slack);
  expect(slackText(written, { names, mentioned: new Set() })).toBe(text);
});

test.each([
  ["*it*", "_it_"],
  ["__bold__", "*bold*"],
  ["***both***", "*_both_*"],
  ["# Head **line** #", "*Head line*"],
  ["```js\nlet a;\n```", "```\nlet a;\n```"],
  ["\u0000x\u0001", "x"],
])("%j is %j in Slack", (text, slack) => expect(mrkdwn(text, mentioned)).toBe(slack));

test.each([
  ["slack.zip", 2, "slack is a folder, not a zip: name it without .zip, and zip it then"],
  ["taken", 6, "taken is a file, not a folder"],
])("a Slack export to %s is refused before anything is read", async (out, exit, message) => {
  writeFileSync(work("taken"), "mine");
  const { code, err } = await home.sh(`parley export --format slack --out ${out}`);
  expect([code, err]).toEqual([exit, expect.stringContaining(message)]);
  expect([readFileSync(work("taken"), "utf8"), readdirSync(work(".")).includes("slack.zip")]).toEqual([
    "mine",
    false,
  ]);
});
