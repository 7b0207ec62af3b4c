/** What a list prints goes in again as it is: CSV, NDJSON, JSON and ids change nothing, whatever is in their fields. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

/** Nouns with a list whose `set` takes a file. */
const NOUNS = Object.keys(commands)
  .filter((name) => name.endsWith(" set"))
  .map((name) => name.replace(/ set$/, ""))
  .filter((noun) => commands[`${noun} list`] && commands[`${noun} set`]!.args.file?.forFiles);

/** Where the things of a noun are, for its list and its set. */
const placeOf = (noun: string): string =>
  commands[`${noun} list`]!.args.channel?.defaultsToCurrent ? "-c messaging:tea" : "";

/** A line that reads a file, and how many writes it sent. */
async function setFrom(noun: string, file: string, more = ""): Promise<{ writes: number; exit: number }> {
  const line = `parley ${noun} set --file ${file} ${placeOf(noun)} --yes ${more}`;
  const { err } = await home.sh(`PARLEY_RUN_SUMMARY=1 ${line} > set.out`);
  return JSON.parse(err.trim().split("\n").at(-1)!) as { writes: number; exit: number };
}

describe("a list feeds the set of its noun", () => {
  beforeAll(async () => {
    for (const line of [
      "user upsert tom zoe --name Somebody --yes",
      `channel create messaging:tea --member tom --member zoe --name '7' --custom topic='{"a":[1,"x"]}' --custom number='"12"'`,
      "channel create messaging:milk --name '=1+2'",
      "channel create messaging:out --name Hidden",
      "channel create @zoe",
      "channel hide messaging:out",
      "poll create 'Tea?' --option yes --option no -c messaging:tea",
      "poll create 'Milk, or =1?' --option yes --option no -c messaging:tea",
      "member set tom desk=4 note='\"8\"' -c messaging:tea",
    ])
      expect(await run(line)).toMatchObject({ code: 0 });
  });

  test("people, channels, members and polls are among the nouns", () => {
    expect(NOUNS).toEqual(expect.arrayContaining(["user", "channel", "member", "poll"]));
  });

  const forms = ["csv", "ndjson", "json", "slurp", "tsv"] as const;
  test.each(NOUNS.flatMap((noun) => forms.map((form) => [noun, form] as const)))(
    "%s list as %s, given to set as it is, sends nothing and says so",
    async (noun, form) => {
      const list = `parley ${noun} list --all --page-size 2 ${placeOf(noun)}`;
      const made = form === "tsv" ? `${list} | cut -f 1` : `${list} --${form}`;
      await home.sh(`${made} > list.out 2> /dev/null`);
      expect(await setFrom(noun, "- < list.out")).toMatchObject({ writes: 0, exit: 0 });
      const { out, err } = await run(`${noun} set --file list.out ${placeOf(noun)} --dry-run`);
      expect([out, err]).toEqual(["", expect.stringMatching(/^[1-9]\d* unchanged\n$/)]);
    },
  );

  test.each(NOUNS)(
    "with one cell changed %s set sends one write, and none when it is done again",
    async (noun) => {
      const list = `parley ${noun} list --all ${placeOf(noun)}`;
      const [header, ...rows] = parse((await home.sh(`${list} --csv 2> /dev/null`)).out) as string[][];
      const edited = [[...header!, "extra"], ...rows.map((row, n) => [...row, n === 1 ? "more" : ""])];
      writeFileSync(path.join(home.folder, "work/edited.csv"), stringify(edited, { quoted: true }));
      expect(await setFrom(noun, "edited.csv", "--report edited.ndjson")).toMatchObject({
        writes: 1,
        exit: 0,
      });
      const results = (await home.sh("cut -d, -f3- edited.ndjson | grep -c '\"changed\"'; rm edited.ndjson"))
        .out;
      expect(results).toBe("1\n");
      expect(await setFrom(noun, "edited.csv")).toMatchObject({ writes: 0, exit: 0 });
      const after = (await home.sh(`${list} --ndjson 2> /dev/null`)).out.trim().split("\n");
      expect(after.filter((line) => line.includes('"extra":"more"'))).toHaveLength(1);
      await home.sh(`${list} --ndjson 2> /dev/null | sed '2s/^{/{"other":[1],/' > edited.ndjson`);
      expect(await setFrom(noun, "edited.ndjson")).toMatchObject({ writes: 1, exit: 0 });
      expect(await setFrom(noun, "edited.ndjson")).toMatchObject({ writes: 0, exit: 0 });
      await home.sh("rm edited.ndjson");
    },
  );

  test.each(NOUNS)(
    "the first column of %s list takes the fields of the line, for those who differ",
    async (noun) => {
      await home.sh(`parley ${noun} list --all ${placeOf(noun)} 2> /dev/null | cut -f 1 > ids.txt`);
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
    const id = (await home.sh(`parley ${noun} list --all ${placeOf(noun)} 2> /dev/null | cut -f 1 | tail -1`))
      .out;
    await home.sh(`printf '%s\n' messaging:nobody ${id.trim()} > some.txt`);
    if (noun !== "channel") await home.sh("sed -i s/messaging:// some.txt");
    const { writes, exit } = await setFrom(noun, "some.txt", "lamp=1 --report some.ndjson");
    expect([writes, exit]).toEqual([1, 9]);
    const failed = (await home.sh("grep failed some.ndjson; rm some.ndjson")).out;
    expect(failed).toContain(`There is no ${noun} `);
    expect(await setFrom(noun, "some.txt", "lamp=1")).toMatchObject({ writes: 0, exit: 9 });
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
