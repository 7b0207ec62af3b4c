/** Truncated lists say so and where to continue; the printed part remains a valid document. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../support/commands.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  const made = [
    `seq 40 | sed 's/.*/{"id":"u&","name":"User &"}/' | parley user upsert --file -`,
    "parley channel create messaging:ops --name Ops",
    "parley member add u1 -c messaging:ops",
    "seq 3 | parley send messaging:ops --lines -",
    "seq 35 | parley --as u1 send messaging:ops --lines -",
    ...["one", "two", "three"].map((name) => `parley segment create user --id ${name}`),
    "for n in 1 2 3; do parley message pin $(parley --as u1 message list -c messaging:ops --limit $n --jq .id 2> /dev/null | head -1); done",
  ];
  for (const line of made) {
    const { code, err } = await home.sh(`${line} > /dev/null`);
    expect([line, code, err]).toEqual([line, 0, ""]);
  }
});
afterAll(() => home.end());

test.each([
  ["user list", "more with --next after:u35\n"],
  ["user list --json", "more with --next after:u35\n"],
  ["user list --csv", "more with --next after:u35\n"],
  ["permission list", "more with --all\n"],
  ["permission list --ndjson", "more with --all\n"],
  ["segment list --limit 2", /^more with --next .+\n$/],
  ["message list -c messaging:ops", /^more with --next u1-.+\n$/],
  ["message list -c messaging:ops --since 1h", /^more with --next u1-.+\n$/],
  ["message list -c messaging:ops --pinned --limit 2", /^more with --next u1-.+\n$/],
  ["search --user u1", /^more with --next .+\n$/],
  ["channel read-state messaging:ops --limit 1", "more with --all\n"],
])("%s is truncated and says how to continue", async (line, hint) => {
  const { err, code } = await run(line);
  expect([err, code]).toEqual([typeof hint === "string" ? hint : expect.stringMatching(hint), 0]);
});

test("a complete list says nothing about more", async () => {
  for (const line of ["user list --limit 41", "user list --all", "role list", "permission list --all"])
    expect([line, (await run(line)).err]).toEqual([line, ""]);
});

test("pinned messages are limited to the time range given", async () => {
  const list = (range: string) => run(`message list -c messaging:ops --pinned ${range} --jq .user.id`);
  expect((await list("--since 1h")).out).toBe("u1\nu1\nu1\n");
  expect(await list("--until 2020-01-01T00:00Z")).toMatchObject({ code: 0, out: "", err: "" });
});

test.each([
  ["user list u1", '{"$or":[{"id":"u2"}]}'],
  ["user list --role user", '{"role":"admin"}'],
  ["channel list --type team", '{"type":"messaging"}'],
  ["member list -c messaging:ops --role owner", '{"channel_role":"channel_member"}'],
])("a condition of %s does not replace one of the filter %s on the same field", async (line, filter) => {
  expect(await run(`${line} --filter '${filter}' --jq .`)).toMatchObject({ code: 0, out: "", err: "" });
});

test("a truncated JSON array and truncated NDJSON are valid", async () => {
  const { out } = await run("user list --limit 2 --json=id");
  expect(JSON.parse(out)).toEqual([{ id: "mira" }, { id: "u1" }]);
  const lines = await run("permission list --limit 2 --ndjson=id");
  expect(
    lines.out
      .split("\n")
      .filter(Boolean)
      .map((text) => typeof JSON.parse(text).id),
  ).toEqual(["string", "string"]);
});

test("filters apply before the limit", async () => {
  const { out } = await run("message list -c messaging:ops --user mira --limit 3 --jq .text");
  expect(out).toBe("1\n2\n3\n");
  const { out: pinned } = await run("message list -c messaging:ops --pinned --limit 2 --json=user.id");
  expect(JSON.parse(pinned)).toHaveLength(2);
});

test("following --next prints the whole list once", async () => {
  const ids: string[] = [];
  for (let next = ""; ;) {
    const { out, err } = await run(`user list --limit 9 --jq .id${next && ` --next ${next}`}`);
    ids.push(...out.split("\n").filter(Boolean));
    next = /^more with --next (.+)\n$/.exec(err)?.[1] ?? "";
    if (next === "") break;
  }
  expect([ids.length, new Set(ids).size]).toEqual([41, 41]);
});

test.each([
  "channel list",
  "channel watchers messaging:ops",
  "moderation ban list",
  "user list",
  "member list -c messaging:ops",
])("%s refuses an invalid --next", async (line) => {
  const { code, err } = await run(`${line} --next nonsense`);
  expect([code, err]).toEqual([2, expect.stringContaining("--next nonsense")]);
});

test("no command truncates its list by itself, which would hide that there is more", () => {
  for (const [name, { run: body }] of Object.entries(commands))
    expect([name, /slice\(0, ?[\w.]*limit/.test(body.toString())]).toEqual([name, false]);
});
