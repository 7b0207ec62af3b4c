/** What a list prints goes in again as it is: CSV, NDJSON, JSON and ids change nothing, whatever is in their fields. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellCommands } from "../../src/cli/shell-commands/table.gen.ts";
import { commands } from "../support/commands.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

const PEOPLE = [
  {
    id: "ana",
    name: "=1+2",
    color: "red",
    number: "007",
    nested: { a: [1, "x"] },
    teams: ["t1"],
    language: "en",
  },
  { id: "bo", name: 'B "q", x', role: "admin", status: "out" },
  { id: "cy", name: "two\nlines" },
  { id: "dee" },
  { id: "eve", name: "-dash" },
  { id: "fay", name: "'=x" },
  { id: "gus", name: "''@y" },
  { id: "hal", name: "  blanks  ", flag: true, count: 7 },
  { id: "ida", name: "'quoted'" },
  { id: "jo", name: "广田 é 🎉", image: "https://example.com/a,b.png" },
];

beforeAll(async () => {
  home = makeHome({ here: true });
  writeFileSync(path.join(home.folder, "work/people.json"), JSON.stringify(PEOPLE));
  expect((await run("user upsert --file people.json --yes")).code).toBe(0);
});
afterAll(() => home.end());

const everybody = async (): Promise<string> => (await run("user list --all --ndjson 2> /dev/null")).out;

test.each(["csv", "ndjson", "json", "slurp"])(
  "user list --%s is the input of user upsert, without a question and without a change",
  async (form) => {
    const before = await everybody();
    expect(before.trimEnd().split("\n").length).toBeGreaterThanOrEqual(PEOPLE.length);
    await run(`user list --all --page-size 3 --${form} > list.out 2> /dev/null`);
    const { code, err } = await home.sh("PARLEY_RUN_SUMMARY=1 parley user upsert --file list.out");
    expect([code, JSON.parse(err)]).toMatchObject([0, { writes: 0, exit: 0 }]);
    expect(await everybody()).toBe(before);
    const dry = await run("user upsert --file list.out --dry-run");
    expect([dry.code, dry.out, dry.err]).toEqual([0, "", expect.stringMatching(/^\d+ unchanged\n$/)]);
  },
);

test("what one line changes is the only change, and a CSV leaves alone what it has no column for", async () => {
  const before = await everybody();
  await home.sh("parley user list --all --csv 2> /dev/null | sed 's/^dee,,/dee,Dee,/' > list.csv");
  const { code, err } = await home.sh("parley user upsert --file list.csv --report done.ndjson > /dev/null");
  expect([code, err]).toEqual([0, ""]);
  const results = (await home.sh("grep -c unchanged done.ndjson; grep dee done.ndjson")).out;
  expect(results).toContain('"id":"dee","result":"replaced"');
  const [old, now] = [before, await everybody()].map((text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; name?: string }),
  );
  expect(now!.find(({ id }) => id === "dee")).toMatchObject({ name: "Dee" });
  expect(now!.filter(({ id }) => id !== "dee")).toEqual(old!.filter(({ id }) => id !== "dee"));
  await home.sh("printf 'id,color\\nana,\\nbo,blue\\n' > colors.csv");
  expect((await run("user upsert --file colors.csv")).code).toBe(2);
  expect((await run("user upsert --file colors.csv --yes")).code).toBe(0);
  const [ana, bo] = JSON.parse(
    (await run('user list --all --json --filter \'{"id":{"$in":["ana","bo"]}}\'')).out,
  );
  expect(ana).toMatchObject({ name: "=1+2", number: "007", teams: ["t1"] });
  expect(ana).not.toHaveProperty("color");
  expect(bo).toMatchObject({ name: 'B "q", x', role: "admin", status: "out", color: "blue" });
});

test("the first column of a list in a pipe feeds --file", async () => {
  const { code, out } = await home.sh(
    "parley user list --all 2> /dev/null | grep -v '^mira' | cut -f 1 | parley user deactivate --file - --yes --json",
  );
  expect(code).toBe(0);
  expect(out).toContain("ana");
  expect((await run("user list --all --jq .id 2> /dev/null")).out).toBe("mira\n");
});

test("of a long file those behind many unchanged people are written too, and all are printed", async () => {
  const people = Array.from({ length: 230 }, (_, n) => ({ id: `p${n}`, name: `Person ${n}` }));
  const write = (all: object[]): void =>
    writeFileSync(
      path.join(home.folder, "work/long.ndjson"),
      all.map((one) => JSON.stringify(one)).join("\n"),
    );
  write(people);
  expect((await run("user upsert --file long.ndjson --jq .id")).out.trim().split("\n")).toHaveLength(230);
  write(people.map((one, n) => (n < 220 ? one : { ...one, name: `Other ${n}` })));
  const again = await run("user upsert --file long.ndjson --yes --report long.done --jq .name");
  expect([again.code, again.err]).toEqual([0, ""]);
  expect(again.out.trim().split("\n").slice(219)).toEqual([
    "Person 219",
    ...people.slice(220).map((_, n) => `Other ${220 + n}`),
  ]);
});

/** All nouns with a list and a `set`, of the shell too. */
const NOUNS_WITH_SET = [...Object.keys(commands), ...shellCommands.paths]
  .filter((name) => name.endsWith(" set"))
  .map((name) => name.replace(/ set$/, ""))
  .filter((noun) => `${noun} list` in commands || shellCommands.paths.includes(`${noun} list`));

/** Those that keep no things at the provider, and why a file of them is no work for `set`. */
const WITHOUT_FILE: Readonly<Record<string, string>> = {
  alias: "they are lines of one file on this machine, which parley config edit opens",
  config: "they are lines of one file on this machine, which parley config edit opens",
};

const NOUNS = NOUNS_WITH_SET.filter((noun) => !(noun in WITHOUT_FILE));

/** How a noun is listed, and what of one of its things is changed in the test. */
interface Trip {
  /** Flags of the list and of `set`. */
  place?: string;
  /** A field that can be set, and its new value in a CSV and in NDJSON. */
  field: string;
  cell: string;
  value: unknown;
  /** A thing whose field is changed; default: the second of the list. */
  which?: RegExp;
  /** An id that is a right one and of nothing. */
  nobody?: string;
  /** It takes `name=value` and `--unset` for all of a file. */
  takesPairs?: true;
  /** The fields that name it, if there are several; of the last one an id of nothing is made. */
  keys?: readonly string[];
}

const TRIPS: Readonly<Record<string, Trip>> = {
  user: { field: "extra", cell: "more", value: [1], takesPairs: true },
  channel: {
    field: "extra",
    cell: "more",
    value: [1],
    takesPairs: true,
    nobody: "messaging:nobody",
  },
  member: { place: "-c messaging:tea", field: "extra", cell: "more", value: [1], takesPairs: true },
  poll: { field: "extra", cell: "more", value: [1], takesPairs: true },
  thread: { field: "mood", cell: "calm", value: [1], takesPairs: true },
  reminder: { field: "remind_at", cell: "2099-01-02T03:04Z", value: "2099-02-02T03:04:05.000Z" },
  draft: {
    field: "message.text",
    cell: "other, =1",
    value: "another",
    keys: ["parent_id", "channel_cid"],
    nobody: "messaging:nobody",
  },
  command: { field: "description", cell: "7", value: "another" },
  blocklist: {
    field: "words",
    cell: '["jam","milk"]',
    value: ["tea"],
  },
  "channel-type": { field: "commands", cell: "giphy flag", value: ["mute"], which: /^team,|"name":"team"/ },
  permission: { field: "same_team", cell: "false", value: true, which: /^tidy-own,|"id":"tidy-own"/ },
  segment: { field: "name", cell: "12", value: "another" },
  campaign: { field: "name", cell: "12", value: "another" },
  "push provider": { field: "description", cell: "12", value: "another", keys: ["type", "name"] },
  "push template": {
    field: "enable_push",
    cell: "false",
    value: true,
    keys: ["type", "name", "event_type"],
  },
};

/** The line of a list in a format; its notes of more and of nothing are left out. */
const listLine = (noun: string, form: string, more = ""): string =>
  `parley ${noun} list --all ${TRIPS[noun]!.place ?? ""} ${more} ${form && `--${form}`} 2> /dev/null`;

/** The lines of a list. */
const printed = async (noun: string): Promise<string[]> =>
  (await home.sh(listLine(noun, "ndjson"))).out.trim().split("\n");

/** A field of a thing with another value; of a dotted one its whole object. */
function withField(thing: Record<string, unknown>, field: string, value: unknown): Record<string, unknown> {
  const [name, part] = field.split(".") as [string, string?];
  return { [name]: part === undefined ? value : { ...(thing[name] as object), [part]: value } };
}

/** The field that has the id of a thing. */
const idField = (noun: string, thing: object): string =>
  ["cid", "user_id", "parent_message_id", "message_id", "id", "name"].find(
    (name) => name in thing && (name !== "user_id" || noun === "member"),
  )!;

/** A line that reads a file, and how many writes it sent. */
async function setFrom(noun: string, file: string, more = ""): Promise<{ writes: number; exit: number }> {
  const line = `parley ${noun} set --file ${file} ${TRIPS[noun]!.place ?? ""} --yes ${more}`;
  const { err } = await home.sh(`PARLEY_RUN_SUMMARY=1 ${line} > set.out`);
  return JSON.parse(err.trim().split("\n").at(-1)!) as { writes: number; exit: number };
}

/** Things of every noun, two at least. */
const THINGS = [
  "user upsert tom zoe --name Somebody --yes",
  `channel create messaging:tea --member tom --member zoe --name '7' --custom topic='{"a":[1,"x"]}' --custom number='"12"'`,
  "channel create messaging:milk --name '=1+2'",
  "channel create messaging:out --name Hidden",
  "channel create @zoe",
  "channel hide messaging:out",
  "poll create 'Tea?' --option yes --option no -c messaging:tea",
  "poll create 'Milk, or =1?' --option yes --option no -c messaging:tea",
  "member set tom desk=4 note='\"8\"' -c messaging:tea",
  ...["first", "second"].flatMap((id) => [
    `send messaging:tea --id ${id} 'the ${id}'`,
    `send messaging:tea --thread ${id} '=reply'`,
  ]),
  "thread set first --title 007",
  "reminder set first --at 2099-12-01T09:00:00.123456Z",
  "reminder set second",
  "draft set -c messaging:tea '=almost, done'",
  "draft set -c messaging:tea --thread first 'two\nlines'",
  "command create ticket 'Make a ticket' --args '[text]' --command-set desk_set",
  "command create shout 007",
  "blocklist create sweet sugar 'cane sugar'",
  "blocklist create rude 007",
  "permission create tidy-own --action DeleteMessage --owner",
  "segment create user --id testers --name 007",
  "segment create user --id all --all-users",
  "campaign create --id spring --sender tom --text 'Hello, {{receiver.name}}' --to zoe",
  "campaign create --id autumn --sender tom --text 007 --segment testers --channel-type messaging --name =1",
  "push provider set firebase main --file credentials.json --description =1",
  "push provider set firebase other --file credentials.json",
  "push template set firebase main message.new --file template.json",
  "push template set firebase main reaction.new --file template.json",
];

test("every noun with a list and a set takes a file, or it is said why it takes none", () => {
  expect(Object.keys({ ...TRIPS, ...WITHOUT_FILE }).toSorted()).toEqual(NOUNS_WITH_SET.toSorted());
  for (const noun of NOUNS)
    expect(commands[`${noun} set`]!.args.file, noun).toMatchObject({ forFiles: true });
});

describe("a list feeds the set of its noun", () => {
  beforeAll(async () => {
    writeFileSync(path.join(home.folder, "work/credentials.json"), '{"firebase_credentials_json":"{}"}');
    writeFileSync(path.join(home.folder, "work/template.json"), '{"title":"{{ sender.name }}, =1"}');
    for (const line of THINGS) expect(await run(line), line).toMatchObject({ code: 0 });
  });

  const forms = ["csv", "ndjson", "json", "slurp", "tsv"];
  test.each(
    NOUNS.flatMap((noun) =>
      forms
        .filter((form) => form !== "tsv" || TRIPS[noun]!.keys === undefined)
        .map((form) => [noun, form] as const),
    ),
  )("%s list as %s, given to set as it is, sends nothing and says so", async (noun, form) => {
    const list = listLine(noun, form === "tsv" ? "" : form, "--page-size 2");
    await home.sh(`${list} ${form === "tsv" ? "| cut -f 1" : ""} > list.out`);
    expect(await setFrom(noun, "- < list.out")).toMatchObject({ writes: 0, exit: 0 });
    const { out, err } = await run(`${noun} set --file list.out ${TRIPS[noun]!.place ?? ""} --dry-run`);
    expect([out, err]).toEqual(["", expect.stringMatching(/^[1-9]\d* unchanged\n$/)]);
  });

  test.each(NOUNS)(
    "with one cell changed %s set sends one write, a dry run tells of one, and done again it sends none",
    async (noun) => {
      const { field, cell, value, which, place = "" } = TRIPS[noun]!;
      const before = await printed(noun);
      const [header, ...rows] = parse((await home.sh(listLine(noun, "csv"))).out) as string[][];
      const at = which === undefined ? 1 : rows.findIndex((row) => which.test(row.join(",")));
      const names = header!.includes(field) ? header! : [...header!, field];
      const column = names.indexOf(field);
      const edited = rows.map((row, n) =>
        names.map((_, i) => (n === at && i === column ? cell : (row[i] ?? ""))),
      );
      writeFileSync(
        path.join(home.folder, "work/edited.csv"),
        stringify([names, ...edited], { quoted: true }),
      );
      const dry = await run(`${noun} set --file edited.csv ${place} --dry-run`);
      expect([dry.code, dry.err]).toEqual([0, expect.stringContaining("1 would change, ")]);
      expect(await printed(noun)).toEqual(before);
      expect(await setFrom(noun, "edited.csv", "--report edited.ndjson")).toMatchObject({
        writes: 1,
        exit: 0,
      });
      const results = (await home.sh("cut -d, -f3- edited.ndjson | grep -c '\"changed\"'; rm edited.ndjson"))
        .out;
      expect(results).toBe("1\n");
      expect(await setFrom(noun, "edited.csv")).toMatchObject({ writes: 0, exit: 0 });
      const after = await printed(noun);
      expect(after.filter((line) => !before.includes(line))).toHaveLength(1);
      const things = after.map((line) => JSON.parse(line) as Record<string, unknown>);
      const chosen = after.findIndex((line, n) => which?.test(line) ?? n === 1);
      things[chosen] = { ...things[chosen], ...withField(things[chosen]!, field, value) };
      writeFileSync(
        path.join(home.folder, "work/edited.ndjson"),
        things.map((one) => JSON.stringify(one)).join("\n"),
      );
      expect(await setFrom(noun, "edited.ndjson")).toMatchObject({ writes: 1, exit: 0 });
      expect(await setFrom(noun, "edited.ndjson")).toMatchObject({ writes: 0, exit: 0 });
      await home.sh("rm edited.ndjson");
    },
  );

  test.each(NOUNS.filter((noun) => TRIPS[noun]!.takesPairs))(
    "the first column of %s list takes the fields of the line, for those who differ",
    async (noun) => {
      await home.sh(`${listLine(noun, "")} | cut -f 1 > ids.txt`);
      const count = Number((await home.sh("wc -l < ids.txt")).out);
      const first = await setFrom(noun, "ids.txt", "shelf=3 room=b");
      expect(first).toMatchObject({ exit: 0 });
      // People go a hundred in a request.
      expect(first.writes).toBe(noun === "user" ? Math.ceil(count / 100) : count);
      expect(await setFrom(noun, "ids.txt", "shelf=3")).toMatchObject({ writes: 0, exit: 0 });
      expect(await setFrom(noun, "ids.txt", "--unset shelf --unset room")).toMatchObject({ exit: 0 });
      expect(await setFrom(noun, "ids.txt", "--unset shelf")).toMatchObject({ writes: 0, exit: 0 });
    },
  );

  test.each(NOUNS)("%s set --file tells who is not there, does the others and ends with 9", async (noun) => {
    const { field, nobody = "nobody", which, value } = TRIPS[noun]!;
    const things = (await printed(noun)).map((line) => JSON.parse(line) as Record<string, unknown>);
    const there = things.find((one) => which?.test(JSON.stringify(one)) ?? true)!;
    const { keys = [idField(noun, there)] } = TRIPS[noun]!;
    const id = Object.fromEntries(keys.map((key) => [key, there[key]]));
    const other = Array.isArray(value) ? ["ban"] : typeof value === "boolean" ? !there[field] : "a third";
    const change =
      noun === "reminder" ? { remind_at: "2098-01-01T00:00:00.000Z" } : withField(there, field, other);
    const records = [
      { ...id, [keys.at(-1)!]: nobody },
      { ...id, ...change },
    ];
    writeFileSync(
      path.join(home.folder, "work/some.ndjson"),
      records.map((one) => JSON.stringify(one)).join("\n"),
    );
    await home.sh("rm -f some.report");
    expect(await setFrom(noun, "some.ndjson", "--report some.report")).toMatchObject({ writes: 1, exit: 9 });
    const failed = (await home.sh("grep failed some.report")).out;
    expect(failed).toContain("There is no ");
    expect(await setFrom(noun, "some.ndjson")).toMatchObject({ writes: 0, exit: 9 });
  });

  test("a file that changes somebody's role is not written without an answer, and one that gives the same role asks nothing", async () => {
    const role = async (): Promise<string> => (await run("user get tom --jq .role")).out;
    const now = (await role()).trim();
    await home.sh(`printf 'id,role\ntom,${now}\n' > same.csv; printf 'id,role\ntom,guest\n' > other.csv`);
    expect((await run("user set --file same.csv")).code).toBe(0);
    expect(await run("user set --file other.csv")).toMatchObject({ code: 2, out: "" });
    expect(await role()).toBe(`${now}\n`);
    expect((await run("user set --file other.csv --yes")).code).toBe(0);
    expect(await role()).toBe("guest\n");
  });
});
