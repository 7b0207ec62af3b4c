/** Bulk writes: a file is validated whole, one refusal stops no other record, a report lists each result, and a dry run shows everything. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHome, type Home } from "../support/transcript.ts";
import { zipOf } from "../support/zip.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);
const write = (name: string, text: string): string => {
  const file = path.join(home.folder, name);
  writeFileSync(file, text);
  return file;
};
/** The rows of a report without its first one, which says whose it is. */
const rows = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object)
    .filter((row) => !("operation" in row));
/** NDJSON of the users `p{from}` to `p{to}`, one per line. */
const usersNdjson = (from: number, to: number, roleOf: (n: number) => string = () => "user"): string =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `${JSON.stringify({ id: `p${from + i}`, role: roleOf(from + i) })}\n`,
  ).join("");

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo");
  await run("channel create messaging:ops --name Ops");
});
afterAll(() => home.end());

test("a file with any wrong record is not written at all, and the wrong records are named", async () => {
  const file = write("wrong.ndjson", `${usersNdjson(1, 150)}{"name":"nobody"}\n`);
  const { code, err } = await run(`user upsert --file ${file}`);
  expect([code, err]).toEqual([7, "error: Record 151 has no id\n"]);
  expect((await run("user get p1")).code).toBe(3);
  const many = write(
    "many-wrong.ndjson",
    `{"name":"x"}\n${usersNdjson(1, 2)}{"id":"no id"}\n${"[]\n".repeat(5)}`,
  );
  const problem =
    "7 records are wrong: Record 1 has no id; Record 4 has 'no id' for an id, which is none; Record 5 is not a JSON object; Record 6 is not a JSON object; Record 7 is not a JSON object; and 2 more";
  expect(await run(`user upsert --file ${many}`)).toEqual({ code: 7, out: "", err: `error: ${problem}\n` });
  const ids = write("many-wrong.txt", "no id\nana\nno other\n");
  expect((await run(`user mute --file ${ids} --as bo`)).err).toBe(
    "error: 2 records are wrong: Record 1: 'no id' is not a user id; Record 3: 'no other' is not a user id\n",
  );
  const gaps = write("gaps.ndjson", `${usersNdjson(1, 1)}\n \n{"name":"nobody"}\n`);
  // Records are counted, not lines: an empty line is not a record.
  expect((await run(`user upsert --file ${gaps}`)).err).toBe("error: Record 2 has no id\n");
});

test("a user who occurs several times in a file is reported as created once", async () => {
  const file = write(
    "twice.ndjson",
    `{"id":"t1"}\n${usersNdjson(400, 520)}{"id":"t1","name":"T"}\n{"id":"t1"}\n`,
  );
  const report = path.join(home.folder, "twice-report.ndjson");
  expect((await run(`user upsert --file ${file} --report ${report} --yes`)).code).toBe(0);
  const reported = rows(report) as { id: string; result: string }[];
  expect(reported.filter(({ id }) => id === "t1").map(({ result }) => result)).toEqual([
    "created",
    // The last of a request counts, and changes nothing.
    "unchanged",
    "unchanged",
  ]);
});

test("a record too big for one request does not stop the others", async () => {
  const big = `${JSON.stringify({ id: "big", note: "y".repeat(1_500_000) })}\n`;
  const file = write("big.ndjson", `{"id":"small-1"}\n${big}{"id":"small-2"}\n`);
  const { code, out, err } = await run(`user upsert --file ${file} --jq .id`);
  expect([code, out]).toEqual([9, "small-1\nsmall-2\n"]);
  expect(err).toContain("1 of 3 failed: line 2 (");
});

test("refused users do not stop the others; the report names each, and --resume does only what is left", async () => {
  const file = write(
    "people.ndjson",
    usersNdjson(1, 230, (n) => (n % 100 === 7 ? "emperor" : "user")),
  );
  const report = path.join(home.folder, "report.ndjson");
  const { code, out, err } = await run(`user upsert --file ${file} --report ${report} --jq .id`);
  expect([code, out.split("\n").length - 1]).toEqual([9, 227]);
  expect(err).toContain("3 of 230 failed: line 7 (role of p7 is not a role of this app), line 107 (");
  expect(rows(report)).toHaveLength(230);
  expect(rows(report)).toContainEqual({ line: 1, id: "p1", result: "created" });
  expect(rows(report)).toContainEqual({
    line: 207,
    id: "p207",
    result: "failed",
    reason: "role of p207 is not a role of this app",
  });
  const reported = readFileSync(report, "utf8");
  expect((await run(`user upsert --file ${file} --resume ${report} -n`)).code).toBe(9);
  expect(readFileSync(report, "utf8")).toBe(reported);
  write("people.ndjson", usersNdjson(1, 230));
  const again = await run(`user upsert --file ${file} --resume ${report} --jq .id`);
  expect([again.code, again.out]).toEqual([0, "p7\np107\np207\n"]);
  expect(rows(report)).toHaveLength(233);
});

test("a reason shared by many records is printed once, with the first five lines", async () => {
  const file = write(
    "people.ndjson",
    usersNdjson(1, 30, (n) => (n % 3 === 0 ? "emperor" : "user")),
  );
  const nowhere = await run(`member add -c messaging:nowhere --file ${file}`);
  expect([nowhere.code, nowhere.err]).toEqual([
    9,
    "error: 30 of 30 failed: line 1, line 2, line 3, line 4, line 5 and 25 more (Channel messaging:nowhere does not exist)\n",
  ]);
});

test("members, bans and mutes are read from CSV, each record is reported, and --resume does what is left", async () => {
  await run("user upsert m1 m2 m3");
  await run("segment create user --id some");
  const csv = write("members.csv", "user_id,name\nm1,One\nm2,Two\nm9,Nine\nm3,Three\n");
  for (const [line, result, check] of [
    ["member add -c messaging:ops", "added", "member list -c messaging:ops --jq .user_id"],
    ["user ban --by ana --yes", "banned", "moderation ban list --server --jq .user.id"],
    ["user mute --as ana", "muted", "user muted --as ana --jq .target.id"],
  ] as const) {
    const report = path.join(home.folder, `${result}.ndjson`);
    const { code, err } = await run(`${line} --file ${csv} --report ${report} --json`);
    expect([line, code, err]).toEqual([line, 9, expect.stringContaining("1 of 4 failed: line 3 (")]);
    expect(rows(report)).toHaveLength(4);
    expect(rows(report)).toContainEqual({ line: 4, id: "m3", result });
    expect(rows(report)).toContainEqual({
      line: 3,
      id: "m9",
      result: "failed",
      reason: expect.any(String),
    });
    expect((await run(check)).out.split("\n")).toEqual(expect.arrayContaining(["m1", "m2", "m3"]));
  }
  await run("user upsert m9");
  const report = path.join(home.folder, "added.ndjson");
  const again = await run(`member add -c messaging:ops --file ${csv} --resume ${report}`);
  expect([again.code, rows(report)]).toEqual([
    0,
    expect.arrayContaining([{ line: 3, id: "m9", result: "added" }]),
  ]);
  expect(rows(report)).toHaveLength(5);
});

test("a list printed as NDJSON or CSV can be piped into the matching write", async () => {
  await run("segment create user --id others");
  await run("segment add some m1 m2 m3");
  for (const form of ["--ndjson", "--csv"]) {
    const { code, out, err } = await home.sh(
      `parley segment targets some ${form} | parley segment add others --file - --jq .targets`,
    );
    expect([form, code, err, out]).toEqual([form, 0, "", "3\n"]);
  }
  expect((await run("segment size others")).out).toBe("3\n");
  const odd = await home.sh(
    "printf 'id\\nm1\\nno id\\nm2\\n' | parley member remove -c messaging:ops --file - --yes",
  );
  expect([odd.code, odd.err]).toEqual([
    9,
    "error: 1 of 3 failed: line 2 (Record 2: 'no id' is not a user id)\n",
  ]);
  const members = (await run("member list -c messaging:ops --jq .user_id")).out.split("\n");
  expect(members).toContain("m3");
  expect(members).not.toContain("m2");
});

test("a list as it is printed in a pipe gives its first column, whatever else its cells say; a header in tabs stays one", async () => {
  await run(
    "user upsert t-one t-two --name Somebody; parley channel create messaging:t-room; parley send '#t-room' --id t-text 'some words'",
  );
  const people = `parley user list --filter '{"id":{"$in":["t-one","t-two"]}}'`;
  // The role is called as a column is.
  expect((await home.sh(people)).out).toMatch(/^t-one\tSomebody\tuser\t/);
  for (const [line, planned] of [
    [`${people} | parley user ban --file - -n --jq .body.target_user_id`, "t-one\nt-two\n"],
    [`${people} | parley user set --file - mood=calm -n --jq '.body.users[].id'`, "t-one\nt-two\n"],
    [`${people} | parley user upsert --file - -n --ndjson`, ""],
    [
      "parley channel list | parley channel mute --file - -n --jq .body.channel_cid",
      "messaging:t-room\nmessaging:ops\n",
    ],
    ["parley message list '#t-room' | parley message delete --file - -n --jq .path", "/messages/t-text\n"],
    ["printf 'name\\tuser\nBo\\tt-two\n' | parley user ban --file - -n --jq .body.target_user_id", "t-two\n"],
    [
      "printf 'id\\tname\\t\nt-two\\tBo\\t\n' | parley user ban --file - -n --jq .body.target_user_id",
      "t-two\n",
    ],
  ] as const)
    expect([line, (await home.sh(line)).out]).toEqual([line, planned]);
});

test("the lists of messages, devices and permissions can be piped into writes; refused records are reported, and --resume does what is left", async () => {
  await home.sh(
    "parley channel create messaging:written; printf 'one\\ntwo\\nthree\\n' | parley send '#written' --lines --quiet; parley device add d1 --provider apn; parley device add d2 --provider apn; parley role create cook; parley permission create tidy --action DeleteMessage; parley permission create wipe --action DeleteMessage",
  );
  const messages = "message list -c '#written'";
  const grants = "channel-type get messaging --jq '.grants.cook | join(\" \")'";
  for (const [list, write, result, done, check, after] of [
    [messages, "message delete", "deleted", 3, `${messages} --jq .type`, "deleted\ndeleted\ndeleted\n"],
    [messages, "message undelete --by mira", "restored", 3, `${messages} --jq .text`, "one\ntwo\nthree\n"],
    ["device list", "device remove", "removed", 2, "device list --jq .id", ""],
    ["permission list --own", "permission grant messaging cook", "granted", 2, grants, "tidy wipe\n"],
  ] as const) {
    const report = path.join(home.folder, `${result}-some.ndjson`);
    const { code, err } = await home.sh(
      `(parley ${list} --ndjson; echo '{"id":"no-such-thing"}') | parley ${write} --file - --yes --report ${report} --quiet`,
    );
    expect([write, code, err]).toEqual([
      write,
      9,
      expect.stringContaining(`1 of ${done + 1} failed: line ${done + 1} (`),
    ]);
    const written = rows(report) as { id: string; line: number; result: string }[];
    expect([write, written.map((row) => row.result)]).toEqual([
      write,
      [...Array.from({ length: done }, () => result), "failed"],
    ]);
    expect([write, (await run(check)).out]).toEqual([write, after]);
    const again = await home.sh(
      `echo '${JSON.stringify(written[0])}' | parley ${write} --file - --yes --resume ${report}`,
    );
    expect([write, again.code, rows(report)]).toEqual([write, 0, written]);
  }
  expect(
    await home.sh(
      "parley permission list --own --ndjson | parley permission revoke messaging cook --file - --yes",
    ),
  ).toMatchObject({ out: "cook is no longer granted the permissions of standard input in messaging\n" });
  expect((await run(grants)).out).toBe("\n");
});

test("an empty name is a missing argument, not another request", async () => {
  for (const line of ["segment get ''", "moderation review '' approved --by mira", "role delete '' --yes"])
    expect([line, await run(line)]).toEqual([
      line,
      expect.objectContaining({
        code: 2,
        err: expect.stringMatching(/^error: (?:missing argument <\w+>|Segment id is missing\.)/),
      }),
    ]);
});

test("a bulk write without any name is refused before any question", async () => {
  for (const line of [
    "user delete",
    "message delete",
    "channel delete --hard",
    "permission grant app user",
  ]) {
    const { code, err } = await run(line);
    expect([line, code, err]).toEqual([
      line,
      2,
      expect.stringMatching(/^error: No \w+ are named\nhint: Name them, or give --file\.\n$/),
    ]);
  }
});

test("every bulk write refuses a file with a wrong record before the first request", async () => {
  const file = write("wrong.txt", "id\nm1\nno id\n");
  for (const line of [
    "member add -c messaging:ops",
    "member remove -c messaging:ops --yes",
    "user ban --by ana --yes",
    "user deactivate --yes",
    "channel invite messaging:ops",
  ]) {
    const { code, err } = await run(`${line} --file ${file}`);
    expect([line, code, err]).toEqual([line, 7, "error: Record 2: 'no id' is not a user id\n"]);
  }
  expect((await run("user get m1 --jq .deactivated_at")).out).toBe("null\n");
});

test("segment sync reports each user once: added, removed, kept, unknown or wrong", async () => {
  await run("segment create user --id synced");
  await run("segment add synced m1 m2");
  const file = write("sync.csv", "id,name\nm2,Two\nm3,Three\nnobody,N\n,Nameless\n");
  const report = path.join(home.folder, "synced.ndjson");
  expect((await run(`segment sync synced ${file} --yes --report ${report}`)).code).toBe(9);
  expect(rows(report)).toEqual([
    { line: 4, result: "failed", reason: "Record 4 has no id" },
    { id: "nobody", result: "failed", reason: "there is no user nobody" },
    { id: "m2", result: "kept" },
    { id: "m3", result: "added" },
    { id: "m1", result: "removed" },
  ]);
  const stopped = await run(`segment sync synced ${file} --yes --max-errors 1`);
  expect([stopped.code, stopped.err]).toEqual([7, "error: Record 4 has no id\n"]);
});

test("user upsert asks before it removes a field of anybody, changes several users or a role, and for nothing else", async () => {
  const file = write("fresh.ndjson", usersNdjson(901, 902));
  const same = async (line: string) => (await run(line)).code;
  expect(await same(`user upsert --file ${file}`)).toBe(0);
  // An identical file removes nothing, so it needs no confirmation; neither does another value for one person.
  expect(await same(`user upsert --file ${file}`)).toBe(0);
  expect(await same("user upsert p901 --custom tea=oolong")).toBe(0);
  expect(await same("user upsert p901 --custom tea=sencha")).toBe(0);
  expect(await same("user upsert p902 --custom tea=oolong")).toBe(0);
  const { code, err } = await run(`user upsert --file ${file}`);
  expect([code, err]).toEqual([
    2,
    "error: Replace what 2 users have (p901, p902)? Cannot prompt: not a terminal\nhint: Add --yes to continue.\n",
  ]);
  const rank = await run("user upsert p901 --role admin");
  expect([rank.code, rank.err]).toEqual([
    2,
    expect.stringContaining("Change the role of p901 from user to admin?"),
  ]);
  expect((await run("user get p901 --jq '.role, .tea'")).out).toBe("user\nsencha\n");
  expect(await same(`user upsert --file ${file} --yes`)).toBe(0);
  expect((await run("user get p901 --jq .tea")).out).toBe("null\n");
});

test("the list of users as CSV has no custom fields, which stay; an upsert that removes some asks, also for a single person, and names them", async () => {
  await run("user upsert desk1 --name Desk --custom desk=7 --custom on=false");
  const asked = "Remove desk, on of desk1? Cannot prompt: not a terminal";
  const piped = await home.sh("parley user list desk1 --csv | parley user upsert --file -");
  expect([piped.code, piped.err]).toEqual([0, ""]);
  const emptied = await home.sh("printf 'id,name,desk,on\\ndesk1,Desk,,\\n' | parley user upsert --file -");
  expect([emptied.code, emptied.err]).toEqual([2, expect.stringContaining(asked)]);
  const named = await run("user upsert desk1 --name Desk");
  expect([named.code, named.err]).toEqual([2, expect.stringContaining(asked)]);
  expect((await run("user get desk1 --jq '[.desk, .on]'")).out).toBe("[7,false]\n");
  expect((await run("user upsert desk1 --name Desk --yes")).code).toBe(0);
  expect((await run("user get desk1 --jq '[.desk, .on]'")).out).toBe("[null,null]\n");
});

test("a change of a push provider keeps the fields that are not given", async () => {
  const file = write(
    "push.json",
    '{"description":"d","firebase_data_template":"n","firebase_credentials":"secret"}',
  );
  const listed = async (): Promise<string> =>
    (await run("push provider list --jq '[.description, .firebase_data_template]'")).out;
  expect((await run(`push provider set firebase main --file ${file}`)).code).toBe(0);
  expect((await run("push provider set firebase main --description new")).code).toBe(0);
  expect(await listed()).toBe('["new","n"]\n');
  write("push.json", '{"firebase_data_template":"m"}');
  expect((await run(`push provider set firebase main --file ${file}`)).code).toBe(0);
  expect(await listed()).toBe('["new","m"]\n');
});

test("--resume accepts a report that ends in half a line; an invalid or unwritable report stops the run before a request", async () => {
  const file = write("four.ndjson", usersNdjson(951, 954));
  await run("user upsert p951");
  const report = write("half.ndjson", `{"line":1,"id":"p951","result":"created"}\n{"line":2,"id":"p95`);
  const { code, out } = await run(`user upsert --file ${file} --resume ${report} --jq .id`);
  expect([code, out]).toEqual([0, "p952\np953\np954\n"]);
  expect(rows(report).map((row) => (row as { id: string }).id)).toEqual(["p951", "p952", "p953", "p954"]);
  const other = write("five.ndjson", usersNdjson(955, 955));
  const none = await run(`user upsert --file ${file} --resume ${other}`);
  expect([none.code, none.err]).toEqual([7, `error: ${other} is not a report\n`]);
  const nowhere = await run("user upsert p999 --report nowhere/at/all.ndjson");
  expect([nowhere.code, nowhere.err]).toEqual([3, "error: There is no folder for nowhere/at/all.ndjson\n"]);
  expect((await run("user get p999")).code).toBe(3);
});

test("a dry run of segment sync shows each of its calls and writes no report", async () => {
  await run("segment create user --id planned");
  await run("segment add planned p1");
  const ids = usersNdjson(1, 230).split("\n").slice(1).join("\n");
  const file = write("planned.ndjson", ids);
  const report = path.join(home.folder, "planned.report");
  const { code, out } = await run(`segment sync planned ${file} --yes --report ${report} -n --ndjson`);
  const plans = out
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { operation: string }).operation);
  expect([code, plans]).toEqual([0, ["AddSegmentTargets", "DeleteSegmentTargets"]]);
  expect(existsSync(report)).toBe(false);
  expect((await run("segment size planned")).out).toBe("1\n");
});

test("the audit log lists each user that a bulk write reached, whatever call it used", async () => {
  await run("user upsert m1 m2 m3");
  await run("segment create user --id counted");
  const file = write("counted.txt", "m1\nm2\nm3\n");
  const lines = [
    `segment add counted --file ${file}`,
    `member add -c messaging:ops --file ${file}`,
    `user ban --by ana --yes --file ${file}`,
    `user unban --by ana --file ${file}`,
    `user revoke --yes --file ${file}`,
    `user mute --as ana --file ${file}`,
  ];
  for (const line of lines) {
    expect([line, (await run(line)).code]).toEqual([line, 0]);
    const { out } = await run("audit list --limit 1 --jq '.command, (.ids | join(\" \"))'");
    const [command, ids] = out.split("\n");
    expect([line.startsWith(command!), ids]).toEqual([true, expect.stringMatching(/m1 m2 m3$/)]);
  }
  await run("segment create user --id named");
  expect((await run("audit list --limit 1 --jq .ids")).out).toBe('["named"]\n');
});

test("a word list with words that are too long is refused, and each such line is named", async () => {
  const file = write("words.txt", `tea\n${"x".repeat(41)}\nmilk\n${"y".repeat(50)}\n`);
  const { code, err } = await run(`blocklist create sweet --file ${file}`);
  expect([code, err]).toEqual([7, "error: Lines 2, 4: a word has at most 40 characters\n"]);
  expect((await run("blocklist get sweet")).code).toBe(3);
});

test("user upsert reads the CSV and NDJSON that user list prints", async () => {
  await run("user upsert zoe --name 'Zoe, the \"first\"' --role admin");
  for (const form of ["--csv", "--ndjson"]) {
    const { code, out, err } = await home.sh(
      `parley user list zoe ${form} | parley user upsert --file - --jq '[.id, .name, .role] | @csv'`,
    );
    expect([form, code, err, out]).toEqual([form, 0, "", '"zoe","Zoe, the ""first""","admin"\n']);
  }
});

test("values escaped for spreadsheets in CSV are read back unescaped", async () => {
  await run("user upsert --name '=1+1' -- -dash");
  await run('user upsert quoted --name "\'tis"');
  const { code, err, out } = await home.sh(
    `parley user list --csv --filter '{"id":{"$in":["-dash","quoted"]}}' | tee listed.csv | parley user upsert --file - --jq '[.id, .name] | @csv'`,
  );
  expect([code, err, out]).toEqual([0, "", '"-dash","=1+1"\n"quoted","\'tis"\n']);
  expect((await home.sh("cat listed.csv")).out).toContain("'-dash,'=1+1,");
});

test("a number of too many digits, or with zeros at its end, stays the text that was typed or read", async () => {
  const file = write("long.csv", "id,order,score,tea\nlong,12345678901234567890,1.0,7\n");
  await run(`user upsert --file ${file} --custom pin=0042 --custom ref=98765432109876543210`);
  const { out } = await run("user get long --jq '[.order, .score, .tea, .pin, .ref]'");
  expect(out).toBe('["12345678901234567890","1.0",7,"0042","98765432109876543210"]\n');
});

test.each([
  ["user set 'constructor=1'", 2, "A field cannot be called constructor"],
  ["user set 'home.__proto__=1'", 2, "A field cannot be called home.__proto__"],
  ["user set 'home={\"constructor\":1}'", 2, "The value of home has a field called constructor"],
  ["user set 'home=[12345678901234567890]'", 2, "The value of home has the number 12345678901234567890"],
  ["user list --filter '{\"n\":12345678901234567890}'", 2, "--filter has the number 12345678901234567890"],
  ["channel create messaging:odd --custom prototype=1", 2, "A field cannot be called prototype"],
])("%s is refused by name", async (line, exit, why) => {
  const { code, err } = await run(line);
  expect([code, err]).toEqual([exit, expect.stringContaining(`error: ${why}`)]);
});

test.each([
  ["ID,name\nzed,Z\n", "There is no column id. The columns are ID, name\nhint: Call the column ID id."],
  ["Id\nzed\n", "There is no column id. The columns are Id\nhint: Call the column Id id."],
  [
    "user_id,name\nzed,Z\n",
    "There is no column id. The columns are user_id, name\nhint: Call the column user_id id.",
  ],
  ["who,name\nzed,Z\n", "There is no column id. The columns are who, name"],
  [
    "id,Name\nzed,Z\n",
    "The column Name is not known. The columns are id, Name\nhint: Call it name, if that is meant.",
  ],
  ["id,__proto__\nzed,Z\n", "A column cannot be called __proto__\nhint: Give it another name."],
  ['id,name\nzed,"Z\n', "The CSV cannot be read, line 2: a quoted cell is not closed"],
  [
    'id,name\nzed,"Z" z\n',
    "The CSV cannot be read, line 2: text follows the closing quote of a cell: a quote inside a cell is written twice",
  ],
  [
    'id,name\nzed,Z "z" z\n',
    "The CSV cannot be read, line 2: a quote is in the middle of a cell: put the whole cell in quotes, and write the inner quote twice",
  ],
  ['{"ID":"zed"}\n', "Record 1 has no id but ID: call it id"],
  [
    '{"id":"zed","n":12345678901234567890}\n',
    "Record 1 has the number 12345678901234567890, of more digits than a number keeps: write it in quotes",
  ],
])("user upsert refuses the file %j in plain words", async (text, why) => {
  const { code, err } = await run(`user upsert --file ${write("odd.csv", text)}`);
  expect([code, err]).toEqual([7, `error: ${why}\n`]);
});

test("teams in a CSV may be separated by blanks, commas or semicolons, or be JSON", async () => {
  const file = write(
    "teams.csv",
    'id,teams\nt1,red blue\nt2,"red, blue"\nt3,red;blue\nt4,"[""red"",""blue""]"\n',
  );
  await run(`user upsert --file ${file}`);
  for (const id of ["t1", "t2", "t3", "t4"])
    expect((await run(`user get ${id} --jq '.teams | join("+")'`)).out).toBe("red+blue\n");
});

test("a spreadsheet is told by its kind wherever a table or an import is read", async () => {
  const xlsx = zipOf([
    { name: "[Content_Types].xml", content: "x" },
    { name: "xl/workbook.xml", content: "x" },
  ]);
  const ods = zipOf([{ name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" }]);
  const xls = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
  for (const [name, bytes, kind] of [
    ["p.xlsx", xlsx, "an Excel spreadsheet (xlsx)"],
    ["p.ods", ods, "an OpenDocument spreadsheet (ods)"],
    ["p.xls", xls, "an Excel spreadsheet (xls)"],
  ] as const) {
    const file = path.join(home.folder, name);
    writeFileSync(file, bytes);
    for (const line of [
      `user upsert --file ${file}`,
      `user upsert --file - < ${file}`,
      `user ban --file ${file} --yes`,
      `blocklist create sheet --file ${file}`,
      `import convert ${file}`,
      `import validate ${file}`,
      `local import ${file}`,
    ]) {
      const { code, err } = await run(line);
      expect([line, code, err]).toEqual([line, 7, expect.stringContaining(` is ${kind}`)]);
    }
  }
});

test("a zip of other files is told as one wherever a table is read, with what to do", async () => {
  const file = path.join(home.folder, "people.csv");
  writeFileSync(file, zipOf([{ name: "people.csv", content: "id,name\nzed,Zed\n" }]));
  for (const line of [
    `user upsert --file ${file}`,
    `user upsert --file - < ${file}`,
    `user ban --file ${file} --yes`,
  ]) {
    const { code, err } = await run(line);
    expect([line, code, err]).toEqual([
      line,
      7,
      expect.stringMatching(/ is a zip, not CSV\nhint: Unpack it/),
    ]);
  }
});

test("--max-errors stops the run after that many failures", async () => {
  const file = write(
    "bad.ndjson",
    usersNdjson(301, 305, () => "emperor"),
  );
  const { code, err } = await run(`user upsert --file ${file} --max-errors 2`);
  expect([code, err]).toEqual([9, expect.stringContaining("2 of 2 failed")]);
});

test("a dry run of a bulk write shows every call, and refuses roles that the real run would refuse", async () => {
  const file = write("many.ndjson", usersNdjson(4001, 4250));
  const { code, out } = await run(`user upsert --file ${file} --dry-run --ndjson`);
  const plans = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { body: { users: object } });
  expect([code, plans.map(({ body }) => Object.keys(body.users).length)]).toEqual([0, [100, 100, 50]]);
  const one = await run("user upsert zed --role emperor --dry-run");
  expect([one.code, one.err]).toEqual([7, expect.stringContaining("role of zed is not a role of this app")]);
  const text = await run("user block ana bo --dry-run");
  expect(text.out.match(/would send BlockUser/g)).toHaveLength(2);
  expect(JSON.parse((await run("user block ana bo -n --json")).out)).toHaveLength(2);
  expect((await run("user blocked")).out).toBe("");
});

test("of several named users the others are done when one does not exist; for a single one its own error is printed", async () => {
  const muted = await run("user mute nope ana --json=target.id");
  expect([muted.code, JSON.parse(muted.out), muted.err]).toEqual([
    9,
    [{ "target.id": "ana" }],
    expect.stringContaining("1 of 2 failed: nope (There is no user nope)"),
  ]);
  const single = await run("user mute nope");
  expect([single.code, single.err]).toEqual([3, expect.stringContaining("There is no user nope")]);
  const gone = await run("user deactivate nope bo --yes");
  expect([gone.code, gone.out]).toEqual([9, "bo deactivated\n"]);
  const read = await run("channel read messaging:nowhere messaging:ops --json=channel");
  expect([read.code, JSON.parse(read.out)]).toEqual([9, [{ channel: "messaging:ops" }]]);
});

test("a refused line is named by its number and does not stop the others", async () => {
  const long = "x".repeat(30_000);
  const report = path.join(home.folder, "sent.ndjson");
  const file = write("lines.txt", `one\n\n${long}\nfour\n`);
  const { code, out, err } = await home.sh(`parley send messaging:ops --lines --report ${report} < ${file}`);
  expect([code, out.split("\n").length - 1]).toEqual([9, 2]);
  expect(err).toMatch(/^line 3: .+\nerror: 1 of 3 failed: line 3 \(/);
  expect(rows(report)).toEqual([
    { line: 1, id: out.split("\n")[0], result: "sent" },
    { line: 3, id: expect.any(String), result: "failed", reason: expect.any(String) },
    { line: 4, id: out.split("\n")[1], result: "sent" },
  ]);
  write("lines.txt", `one\n\nthree\nfour\n`);
  expect((await home.sh(`parley send messaging:ops --lines --resume ${report} < ${file}`)).code).toBe(0);
  expect((await run("message list -c messaging:ops --jq .text")).out).toBe("one\nfour\nthree\n");
});

test("--resume does not send a line again whose result is missing from the report", async () => {
  await run("channel create messaging:once");
  const report = path.join(home.folder, "once.ndjson");
  const file = write("once.txt", "one\ntwo\nthree\n");
  const send = (how: string) => home.sh(`parley send messaging:once --lines ${how} ${report} < ${file}`);
  expect((await send("--report")).code).toBe(0);
  // The report of a run that was killed between the answer and its row, in the middle of writing a row.
  writeFileSync(report, readFileSync(report, "utf8").replace(/\{"line":2[\s\S]*/, '{"line":2,"res'));
  expect((await send("--resume")).code).toBe(0);
  expect((await run("message list -c messaging:once --jq .text")).out).toBe("one\ntwo\nthree\n");
  expect(rows(report)).toHaveLength(3);
});

test("a channel that does not exist is reported once, not for each line", async () => {
  const { code, err } = await home.sh("seq 50 | parley send messaging:nowhere --lines -");
  expect(code).toBe(3);
  expect(err.split("\n").filter((line) => line.includes("does not exist"))).toEqual([
    "error: Channel messaging:nowhere does not exist",
  ]);
});

test("a send that is not allowed is reported for each line, as it may depend on the text", async () => {
  await run("channel create messaging:closed --name Closed");
  await run("channel freeze messaging:closed");
  const { code, err } = await home.sh("seq 3 | parley --as ana send messaging:closed --lines -");
  expect(code).toBe(9);
  expect(err.split("\n").filter((line) => /^line \d: /.test(line))).toHaveLength(3);
});

test("lines are sent in order, however many there are", async () => {
  const { code, err } = await home.sh(
    "seq 300 | PARLEY_RUN_SUMMARY=1 parley send messaging:ops --lines - > /dev/null",
  );
  expect([code, JSON.parse(err)]).toMatchObject([0, { items: 300 }]);
  const { out } = await run("message list -c messaging:ops --limit 300 --jq .text");
  expect(out).toBe(Array.from({ length: 300 }, (_, i) => `${i + 1}\n`).join(""));
});

test("unknown fields are refused with a suggestion, by the dry run and the real run", async () => {
  const file = write(
    "spring.yaml",
    "sender_id: mira\nuser_ids: [ana]\nskip_pussh: true\nmessage_template: {text: hi}\n",
  );
  for (const flag of ["", " --dry-run"]) {
    const { code, err } = await run(`campaign create ${file}${flag}`);
    expect([code, err]).toEqual([
      7,
      "error: A campaign has no field skip_pussh\nhint: Did you mean skip_push?\n",
    ]);
  }
  const settings = write("settings.json", '{"image_upload_config":{"size_limitt":5}}');
  for (const line of [`app set --file ${settings}`, "app set image_upload_config.size_limitt=5"])
    for (const flag of ["", " --dry-run"]) {
      const { code, err } = await run(`${line} --yes${flag}`);
      expect([code, err]).toEqual([7, expect.stringContaining("Did you mean size_limit?")]);
    }
});

test("app set accepts what app get prints", async () => {
  const { code, err } = await home.sh(
    "parley app get --json > app.json; parley app set --yes --file app.json",
  );
  expect([code, err]).toEqual([0, ""]);
});

test("a file without a header is read as one id per line, and a file without users says that there is nothing to do", async () => {
  const plain = write("plain.txt", "\uFEFFq11\r\nq12");
  expect((await run(`user upsert --file ${plain} --jq .id`)).out).toBe("q11\nq12\n");
  const words = write("words.txt", "q13\nno id at all\n");
  const { code, err } = await run(`user upsert --file ${words}`);
  expect([code, err]).toEqual([7, "error: Record 2 has 'no id at all' for an id, which is none\n"]);
  for (const empty of ["/dev/null", write("empty.txt", ""), write("head.csv", "id,name\n")]) {
    const nothing = await run(`user upsert --file ${empty}`);
    expect([nothing.code, nothing.out, nothing.err]).toEqual([0, "", "nothing to do: no users were given\n"]);
  }
});

test("import validate says that a file contains no items", async () => {
  const file = write("none.jsonl", "\n");
  const { code, err } = await run(`import validate ${file} --progress plain`);
  expect([code, err]).toEqual([
    0,
    `100% read\nnothing to import: ${file} contains no items\n100% items are good\n`,
  ]);
});

test("a table with two columns of the same name is refused", async () => {
  const file = write("twice.csv", "id,name,id\nq21,Q,q22\n");
  const { code, err } = await run(`user upsert --file ${file}`);
  expect([code, err]).toEqual([7, "error: Two columns are called id\n"]);
  const open = write("open.csv", "id,name,,\nq21,Q,,\n");
  expect((await run(`user upsert --file ${open} --jq .id`)).out).toBe("q21\n");
});

test("a report cannot be the input file, standard output or an empty name, and --max-errors starts at 1", async () => {
  const file = write("kept.csv", "id\nq31\n");
  for (const flags of [`--report ${file}`, "--report -", "--report ''", "--resume -", "--max-errors 0"])
    expect((await run(`user upsert --file ${file} ${flags}`)).code, flags).toBe(2);
  expect(readFileSync(file, "utf8")).toBe("id\nq31\n");
  expect((await run("user get q31")).code).toBe(3);
  expect(existsSync("-")).toBe(false);
});

test("a report cannot be the file that standard output is redirected to", async () => {
  for (const report of ["/dev/stdout", "printed.txt"]) {
    const line = `'${home.built}' user upsert q32 --report ${report} >> printed.txt`;
    const { code, out, err } = await home.sh(`echo kept > printed.txt; ${line}; echo $?; cat printed.txt`);
    expect([report, code, out]).toEqual([report, 0, "2\nkept\n"]);
    expect(err).toContain(`${report} is where the output goes`);
  }
  expect((await run("user get q32")).code).toBe(3);
});

test("--resume refuses input whose lines differ from those in the report", async () => {
  const report = path.join(home.folder, "other.ndjson");
  const send = (text: string, how: string) =>
    home.sh(`printf '${text}' | parley send messaging:ops --lines - ${how} ${report}`);
  expect((await send("morning\\nnoon\\n", "--report")).code).toBe(0);
  const { code, out, err } = await send("red\\ngreen\\nblue\\n", "--resume");
  expect([code, out]).toEqual([7, ""]);
  expect(err).toContain(`error: Line 1 is another than the one that ${report} calls done\n`);
});

test("a system message about many members is posted once, however many requests they need, and not again by --resume", async () => {
  const people = usersNdjson(1, 230);
  await run(`user upsert --file ${write("said.ndjson", people)} --yes`);
  await run("channel create messaging:said");
  const said = async (): Promise<string[]> =>
    (await run("message list -c messaging:said --all --jq 'select(.type == \"system\") | .text'")).out
      .split("\n")
      .filter(Boolean);
  for (const count of [1, 100, 101, 230]) {
    const file = write(`said-${count}.ndjson`, usersNdjson(1, count));
    for (const verb of ["add", "remove"]) {
      const text = `${verb} ${count}`;
      expect((await run(`member ${verb} -c messaging:said --file ${file} --say '${text}' --yes`)).code).toBe(
        0,
      );
      expect((await said()).filter((one) => one === text)).toEqual([text]);
    }
  }
  // The first part is refused as a whole and split; the second run does what is left.
  const file = write("said.ndjson", `{"id":"p0-nobody"}\n${people}`);
  const line = `member add -c messaging:said --file ${file} --say hello`;
  const report = path.join(home.folder, "said-report.ndjson");
  expect((await run(`${line} --report ${report}`)).code).toBe(9);
  await run("user upsert p0-nobody --yes");
  expect((await run(`${line} --resume ${report}`)).code).toBe(0);
  // With the one who made the channel.
  expect((await run("channel get messaging:said --jq .channel.member_count")).out).toBe("232\n");
  expect((await said()).filter((one) => one === "hello")).toEqual(["hello"]);
});
