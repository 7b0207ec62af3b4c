/** Messages from other systems: Slack's zip and plain lines become an import, an import an archive; malformed files are refused. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { slackText } from "../../src/jobs/foreign/slack/text.ts";
import { makeHome, type Home } from "../support/transcript.ts";
import { corruptedTexts, WRONG_VALUES } from "../support/wrong-values.ts";
import { json, zipOf, type Packed } from "../support/zip.ts";

let home: Home;
const work = (name: string): string => path.join(home.folder, "work", name);
const write = (name: string, content: string | Uint8Array): void => writeFileSync(work(name), content);
const ok = async (line: string): Promise<string> => {
  const { out, err, code } = await home.sh(line);
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
};
/** Runs a line whose conversion loses something: exit code 9, and the reasons on standard error. */
const partly = async (line: string): Promise<{ out: string; reasons: string[] }> => {
  const { out, err, code } = await home.sh(line);
  const [error, ...rest] = err.trim().split("\n").toReversed();
  expect([line, code, error]).toEqual([
    line,
    9,
    expect.stringMatching(/^error: Not everything could be imported: /),
  ]);
  return { out, reasons: rest.toReversed() };
};
interface Item {
  type: string;
  data: Record<string, unknown>;
}
const itemsIn = (file: string): Item[] =>
  readFileSync(work(file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Item);

const USERS = json("users.json", [
  { id: "U1", name: "ana", profile: { display_name: "Ana Lima", real_name: "Ana de Lima" } },
  { id: "U2", name: "bo", profile: { display_name: "", real_name: "Bo" } },
  { id: "U3", name: "gone", deleted: true, updated: 1_600_000_000, profile: { real_name: "Gone" } },
]);
const CHANNELS = json("channels.json", [
  {
    id: "C1",
    name: "general",
    created: 1_500_000_000,
    creator: "U1",
    members: ["U1", "U2", "U9"],
    topic: { value: "News &amp; more" },
  },
  { id: "C2", name: "old", members: ["U1"], is_archived: true },
]);
const DAYS: Packed[] = [
  json("general/2020-09-13.json", [
    {
      type: "message",
      subtype: "channel_join",
      user: "U2",
      ts: "1600000001.000100",
      text: "<@U2> has joined",
    },
    {
      type: "message",
      user: "U1",
      ts: "1600000002.000200",
      thread_ts: "1600000002.000200",
      text: "Hi <@U2> &amp; all, see <https://example.com/a|the page> in <#C2|old>, <!here> 1 &lt; 2",
      reactions: [{ name: "+1", users: ["U2", "U2", "U9"], count: 2 }],
      files: [
        { name: "a.pdf", mimetype: "application/pdf", size: 7, url_private: "https://files.example/a" },
      ],
    },
    { type: "message", bot_id: "B7", username: "deploy bot", ts: "1600000003.000000", text: "deployed" },
    { type: "message", user: "U3", ts: "1600000004.000000", text: "x".repeat(20_001) },
    { type: "message", user: "U1", text: "without a time" },
    { type: "message", subtype: "tombstone", user: "U1", ts: "1600000005.000000", text: "This was deleted." },
  ]),
  json("general/2020-09-14.json", [
    {
      type: "message",
      user: "U2",
      ts: "1600080000.000000",
      thread_ts: "1600000002.000200",
      text: "an answer",
    },
    {
      type: "message",
      subtype: "thread_broadcast",
      user: "U1",
      ts: "1600080001.000000",
      thread_ts: "1600000002.000200",
      text: "to all",
    },
    { type: "message", user: "U2", ts: "1600080002.000000", thread_ts: "1500000000.000000", text: "orphan" },
  ]),
  json("old/2020-09-13.json", [{ type: "message", user: "U1", ts: "1600000009.000000", text: "bye" }]),
];
const SLACK = [USERS, CHANNELS, ...DAYS];

beforeAll(async () => {
  home = makeHome({ here: true });
  write("slack.zip", zipOf(SLACK));
  await ok("parley local status > /dev/null; parley whoami > /dev/null");
});
afterAll(() => home.end());

test("a Slack export becomes users, channels, members, messages with threads, and reactions", async () => {
  expect(await partly("parley import convert slack.zip --out items.jsonl")).toEqual({
    out: "items.jsonl: 23 items\n",
    reasons: [
      "not used: 1 message: without a valid time",
      "not used: 1 notice: the content of a file stays at Slack: its address needs a token that expires",
      "not used: 1 notice: a reply whose first message is not in the export stands in the channel",
      "not used: 1 notice: a reaction that its giver has already given to the message",
    ],
  });
  await ok("parley import validate items.jsonl");
  const items = itemsIn("items.jsonl");
  const of = (type: string): Item["data"][] =>
    items.filter((one) => one.type === type).map(({ data }) => data);
  expect(of("user").map(({ id, name }) => [id, name])).toEqual([
    ["U1", "Ana Lima"],
    ["U2", "Bo"],
    ["U3", "Gone"],
    ["U9", undefined],
    ["B7", "deploy bot"],
  ]);
  expect(of("user")[2]).toMatchObject({ deactivated_at: "2020-09-13T12:26:40.000000Z" });
  expect(of("channel")).toEqual([
    {
      type: "messaging",
      id: "C1",
      created_by: "U1",
      created_at: "2017-07-14T02:40:00.000000Z",
      name: "general",
      topic: "News & more",
    },
    { type: "messaging", id: "C2", created_by: "U1", name: "old", frozen: true },
  ]);
  expect(of("member").map(({ channel_id: id, user_id: user }) => `${String(id)} ${String(user)}`)).toEqual([
    "C1 U1",
    "C1 U2",
    "C1 U9",
    "C2 U1",
  ]);
  const messages = of("message");
  expect(messages.map(({ type, user, parent_id: parent = "" }) => [type, user, parent])).toEqual([
    ["system", "U2", ""],
    ["regular", "U1", ""],
    ["regular", "B7", ""],
    ["regular", "U3", ""],
    ["regular", "U3", ""],
    ["deleted", "U1", ""],
    ["reply", "U2", "slack-C1-1600000002-000200"],
    ["reply", "U1", "slack-C1-1600000002-000200"],
    ["regular", "U2", ""],
    ["regular", "U1", ""],
  ]);
  expect(messages[1]).toMatchObject({
    id: "slack-C1-1600000002-000200",
    text: "Hi @Bo & all, see [the page](https://example.com/a) in #old, @here 1 < 2",
    created_at: "2020-09-13T12:26:42.000200Z",
    mentioned_users_ids: ["U2"],
    attachments: [{ type: "file", title: "a.pdf", asset_url: "https://files.example/a", file_size: 7 }],
  });
  expect(messages[7]).toMatchObject({ show_in_channel: true });
  expect(messages.slice(3, 5).map(({ text }) => (text as string).length)).toEqual([20_000, 1]);
  expect(of("reaction")).toEqual(
    ["U2", "U9"].map((user) => ({
      message_id: "slack-C1-1600000002-000200",
      type: "+1",
      user_id: user,
      created_at: "2020-09-13T12:26:42.000200Z",
    })),
  );
});

test.each([
  ["*bold* and _italic_ and ~struck~", "**bold** and _italic_ and ~~struck~~"],
  ["*_both_* _*both*_ ~*all*~ (*so*), *here:*", "**_both_** _**both**_ ~~**all**~~ (**so**), **here:**"],
  ["2*3*4, 2 * 3 * 4, * item, ~5 or ~6, a * b*", "2*3*4, 2 * 3 * 4, * item, ~5 or ~6, a * b*"],
  ["*over\ntwo lines*", "*over\ntwo lines*"],
  ["*see <https://e.example/~a*b*|the *page*> <@U1>*", "**see [the *page*](https://e.example/~a*b*) @ana**"],
  ["<https://e.example/*a*/~b~>", "https://e.example/*a*/~b~"],
  ["run `*a* ~b~ &lt;x&gt; <https://e.example|e.example>` *now*", "run `*a* ~b~ <x> e.example` **now**"],
  ["```*a*\n  ~b~```", "```\n*a*\n  ~b~\n```"],
  ["like ```one``` or\n```\ntwo\n```\n*so*", "like \n```\none\n```\n or\n```\ntwo\n```\n**so**"],
])("the Slack text %j becomes %j", (slack, markdown) => {
  const names = { user: (id: string) => ({ U1: "ana" })[id], channel: () => undefined };
  expect(slackText(slack, { names, mentioned: new Set() })).toBe(markdown);
});

test.each(["validate", "upload --yes", "upload --yes --dry-run"])(
  "import %s of a zip says that it must be converted first",
  async (verb) => {
    expect(await home.sh(`parley import ${verb} slack.zip`)).toEqual({
      code: 7,
      out: "",
      err: "error: slack.zip is a zip, not lines of JSON\nhint: parley import convert slack.zip --out import.jsonl\n",
    });
  },
);

test.each(["import validate", "import upload --yes", "import upload --yes --dry-run"])(
  "%s refuses a folder in place of a file",
  async (line) => {
    expect(await home.sh(`mkdir -p folder; parley ${line} folder`)).toEqual({
      code: 7,
      out: "",
      err: "error: folder is a folder, not a file\n",
    });
  },
);

test("invalid users, channels or messages in a Slack export do not stop the others from being converted", async () => {
  const person = {
    id: "U5",
    name: "eve",
    updated: 1,
    profile: { real_name: "Eve", image_192: "https://e.example/e" },
  };
  const place = {
    id: "C5",
    name: "odd",
    created: 1,
    creator: "U1",
    members: ["U1"],
    topic: { value: "odd" },
  };
  const slackMessage = {
    type: "message",
    subtype: "file_share",
    user: "U1",
    bot_id: "B1",
    username: "bot",
    ts: "1600000009.000000",
    thread_ts: "1600000002.000200",
    text: "a text",
    files: [{ name: "a", mimetype: "image/png", size: 1, url_private: "https://e.example/a" }],
    reactions: [{ name: "like", users: ["U1"] }],
  };
  const all = (one: object, right: unknown[]): string =>
    `[${[...right.map((each) => JSON.stringify(each)), ...WRONG_VALUES, ...[...corruptedTexts(one as never)].map(([, text], n) => text.replace("1600000009", String(1_600_000_010 + n)))].join()}]`;
  const first = {
    type: "message",
    user: "U1",
    ts: "1600000002.000200",
    thread_ts: "1600000002.000200",
    text: "first",
  };
  write(
    "odd.zip",
    zipOf([
      { name: "users.json", content: all(person, [{ id: "U1", name: "ana" }]) },
      { name: "channels.json", content: all(place, [{ id: "C1", name: "general", members: ["U1"] }]) },
      { name: "general/2020-09-13.json", content: all(slackMessage, [first]) },
    ]),
  );
  const { out, reasons } = await partly("parley import convert odd.zip --out odd.jsonl");
  expect(out).toMatch(/^odd\.jsonl: \d+ items$/m);
  expect(reasons.length).toBeGreaterThan(0);
  await ok("parley import validate odd.jsonl");
  const texts = itemsIn("odd.jsonl").flatMap(({ type, data }) => (type === "message" ? [data.text] : []));
  expect([texts[0], texts.filter((text) => text === "a text").length > 100]).toEqual(["first", true]);
});

test("a folder that is no export is refused, and so is one with a list that is too large", async () => {
  const refused = async (line: string): Promise<string> => {
    const { code, err } = await home.sh(`parley ${line}`);
    expect(code).toBe(7);
    return err.split("\n")[0]!;
  };
  await ok("mkdir -p empty large; truncate -s 1100M large/users.json");
  for (const line of ["import convert empty --out no.jsonl", "local import empty"])
    expect(await refused(line)).toEqual(
      expect.stringMatching(
        /^error: empty is nothing that can be converted: no export of Parley or of .*Slack.*, and no plain lines$/,
      ),
    );
  expect(await refused("import convert empty --source slack --out no.jsonl")).toBe(
    "error: empty is not a Slack export: channels.json is missing or empty in it",
  );
  expect(await refused("import convert large --out no.jsonl")).toBe(
    "error: users.json in large is larger than 1024 MiB",
  );
});

test("the files in an export are uploaded once, whether it is imported at once or in steps", async () => {
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const channel = json("channels.json", [{ id: "CFILES", name: "files", members: ["U1"] }]);
  const files = [
    { id: "F1", name: "cup.png", mimetype: "image/png", url_private: "https://files.example/F1" },
    { id: "F2", name: "notes.txt", mimetype: "text/plain", url_private: "https://files.example/F2" },
  ];
  const message = { type: "message", user: "U1", ts: "1600000020.000000", text: "see", files };
  write(
    "files.zip",
    zipOf([
      USERS,
      channel,
      json("files/2020-09-13.json", [message]),
      { name: "__uploads/F1/cup.png", content: picture },
      { name: "__uploads/F2/notes.txt", content: "tea at four" },
    ]),
  );
  const addresses = (): Promise<string> =>
    ok("parley --as U1 message list -c messaging:CFILES --jq '.attachments[] | .image_url // .asset_url'");
  await ok("parley local import files.zip");
  const first = await addresses();
  expect(
    first
      .trim()
      .split("\n")
      .map((one) => new URL(one).hostname),
  ).toEqual(["127.0.0.1", "127.0.0.1"]);
  const notes = first.trim().split("\n")[1]!;
  expect(await (await fetch(notes)).text()).toBe("tea at four");
  await ok("parley import convert files.zip --out files.jsonl");
  await ok("parley import upload files.jsonl --yes --within 2m > /dev/null");
  expect(await addresses()).toBe(first);
  await ok(
    "rm files.jsonl.files/F2-notes.txt; parley channel delete messaging:CFILES --hard --confirm messaging:CFILES > /dev/null",
  );
  expect(await home.sh("parley import upload files.jsonl --yes")).toMatchObject({
    code: 7,
    err: expect.stringContaining("files.jsonl.files/F2-notes.txt is missing"),
  });
  // An import file of somebody else must not fetch files by links.
  await ok("ln -s /etc/hostname files.jsonl.files/F2-notes.txt");
  expect(await home.sh("parley import upload files.jsonl --yes")).toMatchObject({ code: 7 });
  await ok("mv files.jsonl.files real; ln -s real files.jsonl.files; mkdir other.files");
  expect(await home.sh("parley import upload files.jsonl --yes")).toMatchObject({ code: 7 });
});

test("every message of an imported Slack export is archived once, with its thread, author and time", async () => {
  await partly("parley import convert slack.zip --out in.jsonl");
  await ok("parley import upload in.jsonl --yes --within 2m > /dev/null");
  await ok("parley import upload in.jsonl --yes --within 2m > /dev/null");
  await ok("parley --as U1 archive create kept > /dev/null; parley archive verify kept > /dev/null");
  await ok("parley export --from kept --format import --out out.jsonl > /dev/null");
  const messageLines = (file: string): unknown[] =>
    itemsIn(file)
      .filter(({ type, data }) => type === "message" && data.type !== "deleted")
      .map(({ data: { id, user, text, type, parent_id: parent, created_at: at } }) =>
        [id, user, text, type, parent, new Date(String(at)).getTime()].join("|"),
      )
      .toSorted();
  expect(messageLines("out.jsonl")).toEqual(messageLines("in.jsonl"));
});

test("plain lines become an import, and each line the same message in every run", async () => {
  write(
    "plain.ndjson",
    [
      { channel: "ops", user: "ana", name: "Ana", text: "up?", at: "2024-05-01T10:00:00Z", id: "one" },
      { channel: "#ops", user: "bo", text: "yes", at: 1_714_557_700, parent: "one" },
      { channel: "team:core", user: "bo", text: "hi", at: 1_714_557_800_123 },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
  );
  await ok(
    "parley import convert plain.ndjson --out plain.jsonl > /dev/null; parley import validate plain.jsonl",
  );
  await ok("parley import convert plain.ndjson --ndjson | cmp - plain.jsonl");
  await ok("parley import upload plain.jsonl --yes --within 2m > /dev/null");
  expect(await ok("parley --as ana message list -c '#ops' --jq '[.user.id, .text, .reply_count]'")).toBe(
    '["ana","up?",1]\n',
  );
  expect(await ok("parley --as bo message list -c team:core --jq .created_at")).toMatch(
    /^2024-05-01T10:03:20\.123/,
  );
});

const jq = (command: string, filter: string): Promise<string> => ok(`parley ${command} --jq '${filter}'`);

test("a plain line in a channel that exists adds its message and erases nothing of the channel and its author", async () => {
  await ok("parley user upsert kim --name Kim --image https://e.example/k.png --custom desk=7 > /dev/null");
  await ok("parley channel create messaging:garden --name Garden --custom topic=roses > /dev/null");
  await ok(
    "parley member add kim -c messaging:garden > /dev/null; parley member promote kim -c messaging:garden --yes > /dev/null",
  );
  const all = async (): Promise<string[]> => [
    await jq("channel get messaging:garden", ".channel | {name, topic, created_by: .created_by.id, frozen}"),
    await jq("user get kim", "{name, image, desk}"),
    await jq("member list -c messaging:garden", 'select(.user_id == "kim") | .channel_role'),
  ];
  const before = await all();
  write(
    "grow.ndjson",
    '{"channel":"garden","user":"kim","text":"x","at":"2026-05-01T10:00:00Z","id":"grow-1"}\n',
  );
  await ok("parley local import grow.ndjson > /dev/null");
  expect(await all()).toEqual(before);
  expect(await ok("parley message get grow-1 --jq .text")).toBe("x\n");
  await ok("parley local import grow.ndjson --replace > /dev/null");
  expect(await all()).toEqual(before);
});

test("what differs from what exists is counted and stays, until --replace overwrites it", async () => {
  const item = (text: string, name: string): string =>
    `{"channel":"ops2","user":"lou","name":"${name}","text":"${text}","at":"2026-05-01T10:00:00Z","id":"lou-1"}\n`;
  write("lou.ndjson", item("one", "Lou"));
  await ok("parley local import lou.ndjson > /dev/null");
  write("lou.ndjson", item("two", "Lou Reed"));
  const ran = await home.sh("parley local import lou.ndjson --json");
  expect([ran.code, (JSON.parse(ran.out) as { unused: unknown }).unused]).toEqual([
    9,
    [
      { kind: "person", reason: "exists already with other values, which stay", count: 1, lost: false },
      { kind: "message", reason: "exists already with another content, which stays", count: 1, lost: true },
    ],
  ]);
  expect(await ok("parley --as lou message get lou-1 --jq '[.text, .user.name]'")).toBe('["one","Lou"]\n');
  await ok("parley local import lou.ndjson --replace > /dev/null");
  expect(await ok("parley --as lou message get lou-1 --jq '[.text, .user.name]'")).toBe(
    '["two","Lou Reed"]\n',
  );
});

const line = (more: object): string =>
  JSON.stringify({ channel: "ops", user: "ana", text: "x", at: "2024-05-01T10:00:00Z", ...more });

test.each([
  ["an invalid time", line({ at: "yesterday" }), "'yesterday' is not a time"],
  [
    "a time in the future",
    line({ at: "2099-05-01T10:00:00Z" }),
    "the time '2099-05-01T10:00:00Z' must not be in the future",
  ],
  ["a time of 1970", line({ at: 86_399 }), "the time '86399' must be later than 1970-01-01"],
  ["a text that is too long", line({ text: "x".repeat(20_001) }), "text must hold at most 20000 characters"],
  [
    "an invalid user id",
    line({ user: "Ana Lima" }),
    "'Ana Lima' is not a user id (letters, digits, _, - and @)",
  ],
  ["an invalid channel", line({ channel: "a b" }), "'a b' names no channel"],
  ["a missing text", line({ text: undefined }), "it needs channel, user, text and at"],
  ["an invalid id", line({ id: 5 }), "5 is not a message id"],
  ["invalid JSON", "{", "it is not valid JSON"],
])("a plain line with %s is refused with its number, and nothing is written", async (_, bad, why) => {
  write("bad.ndjson", `${line({})}\n${bad}\n`);
  const ran = await home.sh(
    "parley import convert bad.ndjson --out none.jsonl; code=$?; ls none.jsonl*; exit $code",
  );
  expect([ran.code, ran.out, ran.err.split("\n")[0]]).toEqual([7, "", `error: bad.ndjson, line 2: ${why}`]);
});

test("a plain line with the id of an earlier one is refused with both numbers", async () => {
  write("bad.ndjson", `${line({ id: "one" })}\n${line({})}\n${line({ id: "one" })}\n`);
  const { code, err } = await home.sh("parley local import bad.ndjson");
  expect([code, err]).toEqual([7, "error: bad.ndjson, line 3: its id 'one' is that of line 1\n"]);
});

const bomb = (name: string, megabytes: number): Packed => ({
  name,
  content: Buffer.alloc(megabytes * 1024 * 1024, " "),
});
const zips: [string, () => Buffer, RegExp][] = [
  [
    "without users.json",
    () => zipOf([CHANNELS]),
    /is not a Slack export: users\.json is missing or empty in it$/,
  ],
  [
    "without channels",
    () => zipOf([USERS]),
    /is not a Slack export: channels\.json is missing or empty in it$/,
  ],
  [
    "of something else",
    () => zipOf([{ name: "a.txt", content: "hi" }]),
    /is nothing that can be converted: /,
  ],
  ["cut in the middle", () => zipOf(SLACK).subarray(0, 900), /cannot be read as a zip/],
  [
    "that leads outside",
    () => zipOf([...SLACK, json("../out.json", [])]),
    /cannot be read as a zip: invalid relative path/,
  ],
  [
    "with an absolute path",
    () => zipOf([...SLACK, json("/etc/out.json", [])]),
    /cannot be read as a zip: absolute path/,
  ],
  [
    "with backslashes",
    () => zipOf([...SLACK, json("..\\out.json", [])]),
    /cannot be read as a zip: invalid relative path/,
  ],
  [
    "that unpacks to hundreds of times its size",
    () => zipOf([...SLACK, bomb("general/b.json", 40), bomb("general/c.json", 40)]),
    /would unpack to more than 80 MiB: it is not read$/,
  ],
  [
    "that lies about a size",
    () => zipOf([USERS, CHANNELS, { ...json("general/a.json", ["x".repeat(5000)]), claims: 10 }]),
    /cannot be read as a zip: too many bytes/,
  ],
  ["that is encrypted", () => zipOf([{ ...USERS, encrypted: true }]), /users\.json in .* is encrypted/],
  [
    "with a file that is not JSON",
    () => zipOf([USERS, { name: "channels.json", content: "{" }]),
    /channels\.json in .* cannot be read: not a list$/,
  ],
];
test.each(zips)("a zip %s is refused with one sentence, and nothing is written", async (_, made, why) => {
  write("bad.zip", made());
  const ran = await home.sh(
    "parley import convert bad.zip --out none.jsonl; code=$?; ls none.jsonl*; exit $code",
  );
  expect([ran.code, ran.out]).toEqual([7, ""]);
  expect(ran.err.split("\n")[0]).toMatch(why);
});

test("`-` means standard input wherever items are read", async () => {
  const line = '{"channel":"piped","user":"pia","text":"up?","at":"2026-05-01T10:00:00Z","id":"pia-1"}';
  write("piped.ndjson", `${line}\n`);
  expect(await ok("parley import convert - < piped.ndjson")).toContain("pia-1");
  await ok("cat piped.ndjson | parley import convert - | parley import validate -");
  await ok("parley import convert piped.ndjson | parley import upload - --yes");
  await ok("cat piped.ndjson | parley local import - --source plain");
  expect(await ok("parley --as pia message list -c '#piped' --jq .text")).toBe("up?\n");
  write("piped.ndjson", `${line}\n{"channel":"piped"}\n`);
  const { code, err } = await home.sh("cat piped.ndjson | parley import convert - --source plain");
  expect([code, err]).toEqual([7, expect.stringMatching(/^error: standard input, line 2/)]);
  write("piped.ndjson", "no item\n");
  const checked = await home.sh("cat piped.ndjson | parley import validate -");
  expect([checked.code, checked.err]).toEqual([7, expect.stringContaining("1 of 1 item is wrong")]);
});

test("a missing file exits with 3", async () => {
  expect(await home.sh("parley import convert nowhere.zip --out none.jsonl")).toMatchObject({
    code: 3,
    out: "",
  });
});
