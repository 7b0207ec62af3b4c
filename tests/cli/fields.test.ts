/** Fields named by `--json=`, `--ndjson=` and `--template`: known fields, custom fields, and unknown ones. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownFields } from "../../src/cli/output/fields.ts";
import { manPages } from "../../src/cli/help/man.ts";
import { commandsPage } from "../../src/cli/help/pages.ts";
import { tree } from "../../src/cli/tree.ts";
import { commands } from "../support/commands.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const run = (line: string) => home.sh(`parley ${line}`);

beforeAll(async () => {
  home = makeHome({ here: true });
  await run("user upsert ana bo --custom colour=red");
  await run("user upsert cy --custom size=9");
  await run("channel create messaging:ops --name Ops");
});
afterAll(() => home.end());

test("a field that nothing has is null, with one line on standard error", async () => {
  for (const [flag, printed] of [
    ["--json=nope", '{"nope":null}'],
    ["--ndjson=id,nope", '{"id":"ana","nope":null}'],
    ["--template '{{id}} {{ nope.a }}.'", "ana ."],
    ["--json=nope --jq '.[0]'", '{"nope":null}'],
  ]) {
    const { code, out, err } = await run(`user list ${flag}`);
    expect([flag, code, out]).toEqual([flag, 0, expect.stringContaining(printed!)]);
    expect(err).toMatch(
      /^nothing here has nope(\.a)?, so it is null; parley user list --fields names what there is\n$/,
    );
  }
});

test("fields that follow --json without = are told, because they are an argument", async () => {
  const told = async (line: string): Promise<string> => (await run(line)).err.split("\n")[0]!;
  const notice = (flag: string, fields: string): string =>
    `${fields} is taken as an argument: ${flag}=${fields} selects fields`;
  expect(await told("user list --json id,name")).toBe(notice("--json", "id,name"));
  expect(await told("search ana --json text")).toBe(notice("--json", "text"));
  expect(await told("message list messaging:ops --ndjson text,user.id")).toBe(
    notice("--ndjson", "text,user.id"),
  );
  for (const line of [
    "user list --json ana",
    "user get --json ana",
    "search --json text",
    "user list --json=id,name",
    "user list id,name --json",
    "user list --json --limit 9",
  ])
    expect([line, await told(line)]).toEqual([line, ""]);
});

test("--csv has a header of field names, also for an empty list and for a single thing", async () => {
  for (const list of [
    "user list",
    "channel list",
    "message list -c messaging:ops",
    "member list -c messaging:ops",
  ]) {
    const head = async (line: string): Promise<string> => (await run(line)).out.split("\n")[0]!;
    const none = list.startsWith("message")
      ? "--since 1s"
      : list.startsWith("user")
        ? "zzz"
        : '--filter \'{"id":"zzz"}\'';
    expect([list, await head(`${list} ${none} --csv`)]).toEqual([list, await head(`${list} --csv`)]);
  }
  for (const get of ["user get ana", "channel get messaging:ops", "app get"]) {
    const [head = "", row = ""] = (await run(`${get} --csv`)).out.split("\n");
    expect([get, head]).toEqual([get, expect.stringMatching(/^[a-z_]+(,[a-z_]+)+$/)]);
    expect(row.length).toBeGreaterThan(0);
  }
});

test("the header of an empty list has the columns of a full one, of the provider and of this machine", async () => {
  const fill: Readonly<Record<string, string>> = {
    "poll list": "parley poll create -c messaging:ops Lunch --option soup --option tea",
    "campaign list": "parley campaign create --id hello --sender ana --text hi --to bo --channel-id news",
    "search kettle": "parley send messaging:ops the kettle is on",
    "alias list": "parley alias set by 'search from:@$1'",
    "local snapshot list": "parley local snapshot save first",
    "local fault list": "parley local fault add 'GET /nothing' --status 503",
    "extension list": "printf '#!/bin/sh' > ../bin/parley-tea; chmod +x ../bin/parley-tea",
  };
  for (const [list, filling] of Object.entries(fill)) {
    const empty = await run(`${list} --csv`);
    await home.sh(filling);
    const [head, ...rows] = (await run(`${list} --csv`)).out.trimEnd().split("\n");
    expect([list, empty.out, rows.length]).toEqual([list, `${head}\n`, 1]);
  }
});

test("a name of digits is a name, whatever it is the name of", async () => {
  const id = async (line: string): Promise<string> => (await run(line)).out.trim();
  const poll = await id("poll create -c messaging:ops Lunch --option soup --option tea --jq .poll.id");
  const message = await id("send messaging:ops first --jq .id");
  await run(`thread reply ${message} second`);
  await run("permission create tidy --action DeleteMessage");
  for (const [line, field] of [
    ["user set ana name=2027", "name"],
    ["channel set messaging:ops name=2027", "name"],
    ["channel replace messaging:ops name=2027 --yes", "name"],
    [`poll set ${poll} name=2027`, "name"],
    [`thread set ${message} title=2027`, "title"],
    ["permission set tidy name=2027 --yes", "name"],
  ])
    expect([line, (await run(`${line} --jq .${field}`)).out]).toEqual([line, "2027\n"]);
  expect(await run("channel set messaging:ops name=null --jq .name")).toMatchObject({
    code: 0,
    out: "null\n",
  });
  await run("channel set messaging:ops name=Ops");
});

test("get gives what list gives, and more", async () => {
  const [listed] = JSON.parse((await run("channel list --json")).out) as Record<string, unknown>[];
  const got = JSON.parse((await run("channel get messaging:ops --json")).out) as Record<string, unknown>;
  for (const field of ["cid", "name", "member_count", "created_at", "frozen"])
    expect([field, got[field]]).toEqual([field, listed![field]]);
  expect(got).toMatchObject({
    channel: { cid: "messaging:ops" },
    members: expect.any(Array),
    read: expect.any(Array),
  });
});

test("a known field that no item has is null", async () => {
  const { code, out } = await run("channel list --json=cid,team");
  expect([code, JSON.parse(out)]).toEqual([0, [{ cid: "messaging:ops", team: null }]]);
});

test("a custom field is null in items without it", async () => {
  const { out } = await run("user list --ndjson=id,size");
  expect(out.split("\n")).toContain('{"id":"cy","size":9}');
  expect(out.split("\n")).toContain('{"id":"ana","size":null}');
});

test("an empty list is printed for any field", async () => {
  expect(await run("user list nobody-of-that-name --json=nope")).toMatchObject({ code: 0, out: "[]\n" });
});

test("after a write an unknown field is null", async () => {
  const { code, out, err } = await run("send messaging:ops hello --json=text,nope");
  expect([code, out, err]).toEqual([0, '{"text":"hello","nope":null}\n', ""]);
});

test("--fields and describe list the fields", async () => {
  const listed = await run("channel list --fields");
  expect(listed.code).toBe(0);
  expect(listed.out.split("\n")).toEqual(expect.arrayContaining(["cid", "member_count", "unread"]));
  expect((await run("send --fields")).out).toBe((await run("message send --fields")).out);
  const { out } = await run("describe channel list");
  const [described] = (JSON.parse(out) as { commands: { fields: string[] }[] }).commands;
  expect(described!.fields).toEqual(listed.out.trim().split("\n"));
  expect(await run("app get --fields")).toMatchObject({ code: 2, out: "" });
});

test("every field in an example belongs to its command", () => {
  let checked = 0;
  for (const [path, { examples = [] }] of Object.entries(commands))
    for (const example of examples) {
      const named = /--(?:nd)?json=(\S+)/.exec(example)?.[1]?.split(",") ?? [];
      const known = knownFields(path);
      if (known.length === 0) continue;
      for (const name of named) expect(known, `${path}: ${example}`).toContain(name.split(".")[0]);
      checked += named.length;
    }
  expect(checked).toBeGreaterThan(20);
});

test("a field that only some items of a shell command have can be named if no item has it", async () => {
  expect(await run("profile list --json=name,url")).toMatchObject({ code: 0, err: "" });
});

test("shell commands print only the fields listed for them", async () => {
  const lines = `whoami|profile list|profile show|profile test|config list|config get limit|config explain limit|config path|doctor
local start|local status|local coverage|local clock show|audit list|audit verify|history|user token ana|token check|api --list|alias list|extension list|local fault list|local snapshot list`;
  for (const line of lines.split(/[|\n]/)) {
    const path = tree.visiblePaths().find((one) => line === one || line.startsWith(`${one} `))!;
    const { code, out, err } = await run(`${line} --json`);
    expect([line, code, err.replace("more with --all\n", "")]).toEqual([line, 0, ""]);
    const values = [JSON.parse(out) as object | object[]].flat();
    const strange = values
      .flatMap((value) => Object.keys(value))
      .filter((key) => !knownFields(path).includes(key));
    expect([line, values.length > 0, strange]).toEqual([line, true, []]);
  }
});

test("describe lists fields and exit codes, and accepts --jq", async () => {
  const { out } = await run("describe plan --jq '.commands[0].exit_codes[]'");
  expect(out.trim().split("\n")).toEqual(expect.arrayContaining(["0", "2", "14"]));
  const exits = async (path: string): Promise<number[]> => {
    const described = JSON.parse((await run(`describe ${path} --json`)).out) as {
      commands: { exit_codes: number[] }[];
    };
    return described.commands[0]!.exit_codes;
  };
  expect(await exits("ask")).toEqual(expect.arrayContaining([8, 15]));
  // The end of --exit-after is a success, unless something was waited for.
  expect(await exits("tail")).toContain(8);
  for (const path of ["webhook listen", "event listen", "notify"]) expect(await exits(path)).not.toContain(8);
  expect(await exits("user upsert")).toEqual(expect.arrayContaining([9, 11]));
  expect(await exits("channel list")).not.toContain(11);
  for (const path of ["start", "continue", "test", "watch", "stats", "report"])
    expect([path, await exits(`campaign ${path}`)]).toEqual([path, expect.arrayContaining([9])]);
  for (const path of ["apply", "gdpr delete", "gdpr export", "import convert", "import upload"])
    expect([path, await exits(path)]).toEqual([path, expect.arrayContaining([9])]);
  // Commands that only write a file or a draft have no receivers.
  for (const path of ["new", "create", "get"]) expect(await exits(`campaign ${path}`)).not.toContain(9);
});

test("describe, the document and the manual list the same commands", async () => {
  const described = JSON.parse((await run("describe")).out) as { commands: { command: string }[] };
  const names = described.commands.map(({ command }) => command);
  const inDocument = [...commandsPage(tree).matchAll(/^### parley (.+)$/gm)].map(([, name]) => name!);
  const inManual = manPages(tree, "0.0.0")
    .slice(1)
    .map(([name]) => name);
  expect(inDocument.toSorted()).toEqual(names);
  expect(inManual.toSorted()).toEqual(names.map((name) => `parley-${name.replaceAll(" ", "-")}`).toSorted());
});
