/** What a list of people prints goes in again as it is: CSV, NDJSON, JSON and ids change nothing, whatever is in their fields. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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
