/** What scripts rely on: invalid list cursors are refused, the output of one command fits the input of another, and counts are correct. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { knownFields } from "../../src/cli/output/fields.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);
/** Runs in a shell, for pipes. */
const piped = (line: string) => home.sh(`${line}; true`);

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo cy");
  await run("channel create messaging:ops --name Ops --member ana --member bo");
  for (const text of ["one", "two", "three"]) await run(`send messaging:ops --id m-${text} ${text}`);
});
afterAll(() => home.end());

describe("--next", () => {
  test("that is invalid exits with 2, whoever notices it", async () => {
    const lists = ["message list -c messaging:ops", "search one", "poll list", "draft list", "channel list"];
    for (const list of lists) {
      const { code, out, err } = await run(`${list} --next nonsense`);
      expect([list, code, out, err]).toEqual([
        list,
        2,
        "",
        "error: --next nonsense is not a place in this list\nhint: Take it from the run before.\n",
      ]);
    }
  });
  test("is refused by lists without pages", async () => {
    for (const list of ["permission list", "user muted", "profile list", "audit list"]) {
      const { code, out, err } = await run(`${list} --next 5`);
      expect([list, code, out]).toEqual([list, 2, ""]);
      expect(err).toContain("error: This list has no pages: --next cannot be used\nhint: Use --all.\n");
    }
  });
  test("that was printed by a run continues its list", async () => {
    const first = await run("message list -c messaging:ops --limit 1");
    const next = /more with --next (\S+)/.exec(first.err)![1]!;
    const { out } = await run(`message list -c messaging:ops --limit 1 --jq .text --next ${next}`);
    expect(out).toBe("two\n");
  });
});

test("a mistake beside a valid --next is reported as what it is", async () => {
  const next = /more with --next (\S+)/.exec((await run("user list --limit 1")).err)![1]!;
  const { code, err } = await run(`user list --limit 1 --next ${next} --filter '{"id":{"$nope":1}}'`);
  expect(code).toBe(7);
  expect(err).toContain("$nope");
  expect(err).not.toContain("is not a place in this list");
});

describe("lists can be piped into the matching writes", () => {
  test.each(["csv", "ndjson"])("users, segment targets and campaign opt-outs, as %s", async (form) => {
    await run(`segment create user --id all-${form}`);
    await run(`segment add all-${form} ana bo`);
    await run("campaign optout add ana bo");
    const pipes = [
      [`user list --all --${form}`, "user upsert --file - --jq .id", "ana\nbo\ncy\nmira\n"],
      [`segment targets all-${form} --${form}`, `segment diff all-${form} -`, ""],
      [
        `member list -c messaging:ops --${form}`,
        "campaign optout add --file -",
        "1 added, 3 want no campaigns\n",
      ],
      [
        `campaign optout list --${form}`,
        "campaign optout remove --file -",
        "3 removed, 0 want no campaigns\n",
      ],
    ];
    for (const [from, into, out] of pipes) {
      const ran = await piped(`parley ${from} | parley ${into}`);
      expect([from, ran.out, ran.err]).toEqual([from, out, ""]);
    }
  });
  test.each(["csv", "ndjson", "json"])("the words of a blocklist, as %s", async (form) => {
    await run(`blocklist create from-${form} sugar honey`);
    await run(`blocklist create into-${form} salt`);
    await piped(
      `parley blocklist get from-${form} --${form} | parley blocklist replace into-${form} --yes --file -`,
    );
    expect((await run(`blocklist get into-${form} --jq '.words[]'`)).out).toBe("sugar\nhoney\n");
  });
  test("with CSV columns named like the fields of the JSON", async () => {
    await run("campaign create --id spring --sender ana --text hi --to bo --channel-type messaging");
    await run("user ban bo --by ana --yes");
    await run("segment create user --id few");
    const lists = [
      "campaign list",
      "moderation ban list --server",
      "segment list",
      "channel list",
      "user list",
      "permission list",
    ];
    for (const list of lists) {
      const ran = await run(`${list} --csv`);
      expect([list, ran.code]).toEqual([list, 0]);
      const [head = ["(nothing)"]] = parse(ran.out) as string[][];
      // A segment's `picks` is a sentence about several fields.
      const odd = head!.filter(
        (name) =>
          name !== "picks" && !knownFields(list.replace(" --server", "")).includes(name.split(".")[0]!),
      );
      expect([list, odd]).toEqual([list, []]);
    }
  });
});

test("the summary of a run counts requests, also those of the outbox", async () => {
  const { err } = await piped("PARLEY_RUN_SUMMARY=1 parley send messaging:ops hello > /dev/null");
  const { requests, writes } = JSON.parse(err) as { requests: number; writes: number };
  expect(requests).toBeGreaterThan(0);
  // Announced when it is stored, and again when it is sent.
  expect(writes).toBe(1);
});

test("tail knows the fields of an event, and refuses unknown ones", async () => {
  const tail = "tail messaging:ops --no-follow --last 1";
  expect(await run(`${tail} --template '{{nope}}'`)).toMatchObject({ code: 2, out: "" });
  expect(await run(`${tail} --ndjson=type,nope`)).toMatchObject({ code: 2, out: "" });
  expect((await run(`${tail} --template '{{type}} {{message.text}}'`)).out).toBe("message.new hello\n");
  expect((await run("tail --fields")).out.split("\n")).toEqual(
    expect.arrayContaining(["message", "type", "user"]),
  );
});

test("tail that ends prints one JSON document; one that does not prints lines, also by the setting", async () => {
  const tail = "tail messaging:ops --last 1";
  expect((await run(`${tail} --no-follow --json=type,message.text`)).out).toBe(
    '[{"type":"message.new","message.text":"hello"}]\n',
  );
  expect((await run(`${tail} --no-follow --json --jq length`)).out).toBe("1\n");
  expect((await run("tail messaging:ops --last 0 --no-follow --json")).out).toBe("[]\n");
  expect(await run(`${tail} --json`)).toMatchObject({ code: 2, out: "" });
  const { out } = await piped(`PARLEY_OUTPUT=json parley ${tail} --until-match hello`);
  expect(JSON.parse(out)).toMatchObject({ type: "message.new", message: { text: "hello" } });
});

test("the dry run of an import reads its file", async () => {
  writeFileSync(path.join(home.folder, "work/bad.jsonl"), "nonsense\n");
  const { code, out, err } = await run("import upload bad.jsonl --dry-run");
  expect([code, out]).toEqual([7, ""]);
  expect(err).toMatch(/^error: Item 1 of bad\.jsonl: .+\nhint: parley import validate bad\.jsonl\n$/);
});

test("api sets nested fields written with dots", async () => {
  const call = "api sendMessage --field type=messaging --field id=ops -n --json";
  const { out } = await run(`${call} --field message.text=hello --field message.custom.floor=3`);
  expect(JSON.parse(out)).toMatchObject({ body: { message: { text: "hello", custom: { floor: 3 } } } });
  expect(await run(`${call} --field message=a --field message.text=b`)).toMatchObject({ code: 2, out: "" });
});

test.each([
  ["the query of its path", "", "query"],
  ["--input rather than from that query", "--input body.json", "input"],
  ["--field rather than from either", "--input body.json --field name=field", "field"],
])("api takes a field from %s", async (_, flags, name) => {
  writeFileSync(path.join(home.folder, "work/body.json"), '{"name":"input"}');
  const { out } = await run(`api POST '/polls?description=tea&name=query' ${flags} -n --json`);
  expect(JSON.parse(out)).toMatchObject({ body: { description: "tea", name } });
});

test("a missing file exits with 3 and one sentence, whatever reads it", async () => {
  const lines = [
    "user upsert --file no",
    "app set --yes --file no",
    "import validate no",
    "import convert no",
  ];
  for (const line of [
    ...lines,
    "upload no",
    "blocklist create b --file no",
    "plan no",
    "api getApp --input no",
  ]) {
    const { code, err } = await run(line);
    expect([line, code, err.split("\n")[0]]).toEqual([line, 3, "error: There is no file no"]);
  }
});

describe("CSV files of other programs are read", () => {
  const table = (cell: string): string => `id${cell}name\nzoe${cell}Zoë Ångström\n`;
  const SAVED: [string, Buffer][] = [
    ["semicolons", Buffer.from(table(";"))],
    ["tabs", Buffer.from(table("\t"))],
    ["bars", Buffer.from(table("|"))],
    ["a first line that says how", Buffer.from(`sep=;\n${table(";")}`)],
    ["single quotes", Buffer.from("'id','name'\n'zoe','Zoë Ångström'\n")],
    ["a mark and CRLF", Buffer.from(`\ufeff${table(",").replaceAll("\n", "\r\n")}`)],
    ["Latin-1", Buffer.from(table(","), "latin1")],
    ["UTF-16", Buffer.from(`\ufeff${table("\t")}`, "utf16le")],
  ];
  test.each(SAVED)("with %s, from a file and from a pipe", async (_, bytes) => {
    writeFileSync(path.join(home.folder, "work/saved.csv"), bytes);
    for (const line of [
      "parley user upsert --file saved.csv",
      "cat saved.csv | parley user upsert --file -",
    ]) {
      await run("user upsert zoe");
      const ran = await piped(`${line} > /dev/null && parley user get zoe --jq .name`);
      expect([line, ran.out, ran.err]).toEqual([line, "Zoë Ångström\n", ""]);
    }
  });
});

test.each([
  "channel mute messaging:ops --until 2020-01-01",
  "channel mute messaging:ops --until=-5m",
  "user mute bo --until 2020-01-01",
  "user ban bo --yes --until 2020-01-01",
  "push preferences --until 2020-01-01",
  "user token ana --for=-5m",
  "reminder set m-one --at 2020-01-01",
  "wait messaging:ops --within=-5m",
])("`%s` is refused because the time is in the past", async (line) => {
  const { code, out, err } = await run(line);
  expect([code, out, err]).toEqual([
    2,
    "",
    expect.stringMatching(/^error: --\w+ must be in the future, not '/),
  ]);
});

test("--sort orders lists across pages", async () => {
  const ids = async (list: string): Promise<string[]> =>
    (await run(`${list} --all --page-size 2`)).out.trim().split("\n");
  for (const id of ["first", "second", "third"]) {
    await run(`user upsert in-${id} --name In`);
    await run(`channel create team:in-${id}`);
  }
  const users = "user list in- --jq .id";
  expect(await ids(`${users} --sort oldest`)).toEqual(["in-first", "in-second", "in-third"]);
  expect(await ids(`${users} --sort newest`)).toEqual(["in-third", "in-second", "in-first"]);
  expect((await ids(`${users} --sort active`)).toSorted()).toEqual(["in-first", "in-second", "in-third"]);
  const channels = "channel list --type team --jq .id";
  expect(await ids(`${channels} --sort oldest`)).toEqual(["in-first", "in-second", "in-third"]);
  await run("send team:in-first hello");
  expect(await ids(`${channels} --sort newest`)).toEqual(["in-third", "in-second", "in-first"]);
  expect(await ids(channels)).toEqual(["in-first", "in-third", "in-second"]);
  for (const id of ["first", "second", "third"]) {
    await run(`member add -c team:in-first in-${id}`);
    await run(`segment create user --id in-${id} --name ${id}`);
    await run(
      `campaign create --id in-${id} --name ${id} --sender ana --text hi --to bo --channel-type messaging`,
    );
  }
  const members = 'member list -c team:in-first --filter \'{"user_id":{"$ne":"mira"}}\' --jq .user_id';
  for (const [list, orders] of [
    [members, ["oldest", "newest"]],
    [
      'segment list --filter \'{"name":{"$in":["first","second","third"]}}\' --jq .id',
      ["oldest", "newest", "name"],
    ],
    [
      'campaign list --filter \'{"name":{"$in":["first","second","third"]}}\' --jq .id',
      ["oldest", "newest", "name"],
    ],
  ] as const)
    for (const order of orders) {
      const expectedIds = ["in-first", "in-second", "in-third"];
      expect([list, order, await ids(`${list} --sort ${order}`)]).toEqual([
        list,
        order,
        order === "newest" ? expectedIds.toReversed() : expectedIds,
      ]);
    }
  expect(await run("user list --sort sideways")).toMatchObject({ code: 2, out: "" });
});

test("lists longer than the largest offset are complete, also when all items have the same time", async () => {
  const ids = Array.from({ length: 1250 }, (_, n) => `same-${String(n).padStart(4, "0")}`);
  const at = { created_at: "2025-01-01T00:00:00Z" };
  const place = { channel_type: "team", channel_id: ids[0]! };
  writeFileSync(
    path.join(home.folder, "work/same.jsonl"),
    [
      ...ids.map((id) => ({ type: "user", data: { id, role: "user", name: "Same", ...at } })),
      ...ids.map((id) => ({ type: "channel", data: { type: "team", id, created_by: "mira", ...at } })),
      ...ids.map((id) => ({
        type: "member",
        data: { channel_type: "team", channel_id: id, user_id: "mira" },
      })),
      ...ids.map((id) => ({ type: "member", data: { ...place, user_id: id, ...at } })),
    ]
      .map((item) => `${JSON.stringify(item)}\n`)
      .join(""),
  );
  expect(await run("import upload same.jsonl --yes")).toMatchObject({ code: 0 });
  for (const [list, sorts] of [
    ["channel list --type team --jq .id", ["", "--sort newest", "--sort oldest"]],
    ["user list same --jq .id", ["--sort newest", "--sort oldest"]],
    [`member list -c team:${ids[0]} --jq .user_id`, ["--sort newest", "--sort oldest"]],
  ] as const)
    for (const sort of sorts) {
      const { code, out } = await run(`${list} ${sort} --all`);
      const found = out.split("\n").filter((id) => id.startsWith("same-"));
      expect([list, sort, code, found.toSorted()]).toEqual([list, sort, 0, ids]);
    }
});
