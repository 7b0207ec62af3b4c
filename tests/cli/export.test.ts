/** Exports: exporting, importing elsewhere and exporting again gives the same data, and hostile content does no harm in any format. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeArchive } from "../../src/jobs/archive/open.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const work = (name: string, of = home): string => path.join(of.folder, "work", name);
/** Where interrupted exports of the embedded provider's app are kept. */
const workFolders = (): string => {
  const state = path.join(home.folder, "state/parley");
  return path.join(
    state,
    readdirSync(state).find((name) => name.endsWith("@local"))!,
    "exports",
  );
};
const text = (name: string): string => readFileSync(work(name), "utf8");
const okIn = async (of: Home, line: string): Promise<string> => {
  const { out, err, code } = await of.sh(line);
  expect([line, code, err]).toEqual([line, 0, ""]);
  return out;
};
const ok = (line: string): Promise<string> => okIn(home, line);

const FORMULA = '=HYPERLINK("http://x")';
const MARKUP = "<script>alert(1)</script> & \u009b31m**bold**";

beforeAll(async () => {
  home = makeHome({ here: true });
  await ok("for who in bo cy; do parley local token $who > /dev/null; done");
  await ok("parley channel create messaging:ops --name 'Ops <b>' > /dev/null");
  await ok("parley channel create messaging:two --name Ops > /dev/null");
  await ok("parley member add bo cy -c messaging:ops > /dev/null");
  await ok("parley --as bo send messaging:ops --id bo-1 'hello @cy' > /dev/null");
  await ok(`parley send messaging:ops --id m-2 '${FORMULA}' > /dev/null`);
  await ok(`printf '%s' '${MARKUP}' | parley --as cy send messaging:ops --id cy-3 - > /dev/null`);
  await ok("parley --as cy thread reply bo-1 --id cy-4 'in a thread' > /dev/null");
  await ok("parley send messaging:ops --id m-5 --quote bo-1 'as bo said' --custom floor=3 > /dev/null");
  await ok(
    "parley send messaging:ops --id m-6 gone > /dev/null; parley message delete m-6 --yes > /dev/null",
  );
  await ok("parley message react bo-1 like > /dev/null; parley --as cy message react bo-1 love > /dev/null");
  await ok("parley send messaging:two --id m-7 elsewhere > /dev/null");
  await ok("parley archive create kept > /dev/null");
});
afterAll(() => home.end());

test("exporting, importing into an empty provider and exporting again gives the same bytes", async () => {
  await ok("parley -q export --from kept --format import --out first.jsonl > /dev/null");
  const other = makeHome({ here: true });
  try {
    await okIn(other, `parley import upload ${work("first.jsonl")} --yes --within 2m > /dev/null`);
    await okIn(other, "parley archive create kept > /dev/null; parley archive verify kept > /dev/null");
    await okIn(other, "parley -q export --from kept --format import --out second.jsonl > /dev/null");
    expect(readFileSync(work("second.jsonl", other), "utf8")).toBe(text("first.jsonl"));
  } finally {
    await other.end();
  }
});

/** Paths of differing fields, without list indexes; list items are compared with the item of the same id. */
function differing(one: unknown, other: unknown, at = ""): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  const idOf = (value: unknown): unknown => {
    const { id, user_id: user, type } = (value ?? {}) as Record<string, unknown>;
    return id ?? (user === undefined ? undefined : `${String(type)} ${String(user)}`);
  };
  if (Array.isArray(one) && Array.isArray(other)) {
    const of = new Map(other.map((value: unknown, n) => [idOf(value) ?? n, value]));
    return one.flatMap((value: unknown, n) => differing(value, of.get(idOf(value) ?? n), at));
  }
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object")
    return [at.slice(1)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differing(one[name as never], other[name as never], `${at}.${name}`));
}

test("an import loses exactly the data that `parley help importing` lists", async () => {
  const [from, into] = [makeHome({ here: true }), makeHome({ here: true })];
  const here = (line: string) => okIn(from, `parley ${line} > /dev/null`);
  try {
    await here("user upsert ana bo --custom tea=oolong");
    await here("channel create messaging:all --name All --member mira --member ana --member bo");
    await here("--as bo send messaging:all --id a-1 hello");
    await here("send messaging:all --id a-2 before");
    await here("message edit a-2 after");
    await here("--as ana thread reply a-1 --id a-3 'in a thread'");
    await here("message pin a-2");
    await here("message pin a-1 --until 7d");
    await here("poll create -c messaging:all 'Lunch?' --option Soup --option Rice");
    await here("--as ana location share messaging:all 59.3,18.1 --for 2h");
    await here("send messaging:all --id a-4 --silent quiet");
    await here("send messaging:all --id a-5 --quote a-1 --custom floor=3 'as bo said'");
    await here("message react a-1 like");
    await here("channel pin messaging:all");
    await here("--as bo channel archive messaging:all");
    await here("member set bo desk=4 -c messaging:all");
    await here("--as ana channel read messaging:all");
    await here("archive create whole");
    await here("-q export --from whole --format import --out items.jsonl");
    await here("export --from whole --format json --out whole.json");
    await okIn(into, `parley import upload ${work("items.jsonl", from)} --yes --within 2m > /dev/null`);
    await okIn(into, "parley archive create whole > /dev/null");
    await okIn(into, "parley export --from whole --format json --out whole.json > /dev/null");
    const [one, other] = [from, into].map(
      (of) => JSON.parse(readFileSync(work("whole.json", of), "utf8")) as unknown,
    );
    // Times of the last change and embedded copies of people and messages are not data of their own.
    const found = differing(one, other).filter(
      (field) =>
        !/updated_at$|(quoted_message|\.member|last_read_message_id)\b/.test(field) ||
        field === "messages.message_text_updated_at",
    );
    expect([...new Set(found)].toSorted()).toEqual([
      "members.pinned_at",
      "messages.message_text_updated_at",
      "messages.pinned",
      "messages.pinned_at",
      "messages.pinned_by",
      "messages.poll",
      "messages.poll_id",
      "messages.shared_location",
      "messages.silent",
      "reads.unread_messages",
    ]);
    const help = await okIn(from, "parley help importing");
    for (const word of [
      "polls",
      "locations",
      "pins without an end",
      "edited",
      "silent",
      "unread",
      "pinned a channel",
    ])
      expect(help.replaceAll("\n", " ").toLowerCase()).toContain(word);
  } finally {
    await Promise.all([from.end(), into.end()]);
  }
});

test("every format contains every message once, and the counts say so", async () => {
  const formats = ["ndjson", "json", "csv", "md", "html", "txt", "sqlite", "import"];
  const out = await ok(
    `parley -q export --from kept --format ${formats.join(",")} --out 'all/it.{ext}' --json=files,messages`,
  );
  const { files, messages } = JSON.parse(out) as {
    files: { format: string; messages: number }[];
    messages: number;
  };
  expect([messages, files.map(({ format, messages }) => [format, messages])]).toEqual([
    7,
    formats.map((one) => [one, 7]),
  ]);
  expect((JSON.parse(text("all/it.json")) as unknown[]).length).toBe(2);
  const db = new DatabaseSync(work("all/it.sqlite"), { readOnly: true });
  expect(db.prepare("SELECT count(*) n FROM messages").get()?.n).toBe(7);
  db.close();
});

test("what a form has no place for is counted on standard error, in the result and in the manifest", async () => {
  const { out, err, code } = await home.sh(
    "parley export --from kept --format txt,ndjson --out 'counted/{id}.{ext}' --json=unused",
  );
  expect([code, err]).toEqual([0, "not in txt: 2 fields: who reacted is counted, not named\n"]);
  const { unused } = JSON.parse(out) as { unused: unknown };
  expect(unused).toMatchObject([{ format: "txt", kind: "field", count: 2, lost: false }]);
  expect(JSON.parse(text("counted/manifest.json"))).toMatchObject({ unused });
  expect(text("counted/ops.txt")).toContain("Quoting bo\n    - hello @cy\n    Fields\n    - floor: 3\n");
});

test("foreign text is no markup in HTML, no formula in CSV, and has no control characters", async () => {
  await ok("parley -q export --from kept --format html,csv,txt,md --out 'safe/it.{ext}' > /dev/null");
  const html = text("safe/it.html");
  expect(html).not.toContain("<script");
  expect(html).toContain("Ops &lt;b&gt;");
  expect(html).toContain("Content-Security-Policy");
  expect(html).not.toMatch(/<(img|link|iframe|script)|src=/);
  expect(text("safe/it.csv")).toContain(`"'=HYPERLINK(`);
  for (const name of ["html", "txt", "md"]) expect(text(`safe/it.${name}`)).not.toContain("\u009b");
  expect(text("safe/it.md")).not.toContain("<script");
});

test("an export to a pipe is NDJSON and leaves no files behind", async () => {
  const lines = (await ok("parley export messaging:ops --threads flat")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([
    "bo-1",
    "m-2",
    "cy-3",
    "cy-4",
    "m-5",
    "m-6",
  ]);
  const nested = (await ok("parley export messaging:ops")).split("\n")[0]!;
  expect(JSON.parse(nested)).toMatchObject({
    reactions: [{ user_id: "mira" }, { user_id: "cy" }],
    replies: [{ id: "cy-4" }],
  });
  expect(readdirSync(workFolders())).toEqual([]);
});

describe("anonymized exports", () => {
  test("use the same pseudonyms each time, and contain no id or name of a user", async () => {
    const one = await ok("parley export --from kept --anonymize --threads flat");
    expect(await ok("parley export --from kept --anonymize --threads flat")).toBe(one);
    expect(one).not.toMatch(/"(bo|cy|mira)"|@cy|bo-1|cy-3|floor/);
    const [first] = one
      .split("\n")
      .map((line) => line && (JSON.parse(line) as { user: { id: string }; text: string }));
    expect(first).toMatchObject({ text: expect.stringMatching(/^hello @user-[0-9a-f]{16}$/) as string });
    await ok("parley export --from kept --anonymize --format import --out nobody.jsonl > /dev/null");
    await ok("parley import validate nobody.jsonl");
  });
});

test("--partition, placeholders in --out, --until and a folder as --out", async () => {
  await ok(
    "parley export --from kept --format ndjson --partition 2 --threads flat --out 'parts/{name}-{part}.{ext}' > /dev/null",
  );
  expect(readdirSync(work("parts")).toSorted()).toEqual([
    "Ops _b_-1.ndjson",
    "Ops _b_-2.ndjson",
    "Ops _b_-3.ndjson",
    "Ops-1.ndjson",
    "manifest.json",
  ]);
  expect(await ok("parley export --from kept messaging:two --until 2001-01-01")).toBe("");
  mkdirSync(work("folder"));
  await ok("parley export --from kept --out folder > /dev/null");
  expect(readdirSync(work("folder")).toSorted()).toEqual([
    "manifest.json",
    "messaging_ops.ndjson",
    "messaging_two.ndjson",
  ]);
});

describe("a file that cannot be written", () => {
  const linesOf = (name: string): string[] =>
    text(name)
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);

  test("stops no other file of any format, and is named on standard error, in the result and in the manifest", async () => {
    mkdirSync(work("held/ops.ndjson"), { recursive: true });
    mkdirSync(work("held/all.sqlite"));
    const { out, err, code } = await home.sh(
      "parley export --from kept --force --format ndjson,sqlite,txt --out 'held/{id}.{ext}' --json=files,failed",
    );
    const failed = [
      { file: "held/ops.ndjson", format: "ndjson" },
      { file: "held/all.sqlite", format: "sqlite" },
    ];
    expect(code).toBe(9);
    for (const { file } of failed) expect(err).toContain(`${file} cannot be written: `);
    const done = JSON.parse(out) as { files: { file: string }[]; failed: unknown };
    expect(done.files.map(({ file }) => file).toSorted()).toEqual([
      "held/ops.txt",
      "held/two.ndjson",
      "held/two.txt",
    ]);
    expect(done.failed).toMatchObject(failed);
    expect(JSON.parse(text("held/manifest.json"))).toMatchObject({
      failed: [{ file: "ops.ndjson" }, { file: "all.sqlite" }],
    });
    expect(linesOf("held/two.ndjson")).toEqual(["m-7"]);
    expect(readdirSync(work("held")).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("of several parts leaves the other parts as they are", async () => {
    mkdirSync(work("cut"), { recursive: true });
    writeFileSync(work("cut/2.ndjson"), "mine");
    const { err, code } = await home.sh(
      "parley export --from kept messaging:ops --partition 2 --threads flat --out 'cut/{part}.{ext}'",
    );
    expect([code, err]).toEqual([
      9,
      "error: 1 file could not be written: cut/2.ndjson already exists\nhint: Add --force to overwrite existing files.\n",
    ]);
    expect([linesOf("cut/1.ndjson"), text("cut/2.ndjson"), linesOf("cut/3.ndjson")]).toEqual([
      ["bo-1", "m-2"],
      "mine",
      ["m-5", "m-6"],
    ]);
  });

  test("may be an attachment that the archive has lost, or the manifest", async () => {
    await ok("printf pic > note.txt; parley upload note.txt -c messaging:two --message > /dev/null");
    const id = (await ok("parley -q message list -c messaging:two --limit 1 --jq .id")).trim();
    await ok("parley archive create filed messaging:two --attachments download > /dev/null");
    for (const name of readdirSync(work("filed/files"))) rmSync(work(`filed/files/${name}`));
    mkdirSync(work("filed-out/manifest.json"), { recursive: true });
    const { out, code } = await home.sh(
      "parley export --from filed --attachments download --out 'filed-out/{id}.{ext}' --json=failed,messages",
    );
    expect([code, JSON.parse(out)]).toMatchObject([
      9,
      { messages: 2, failed: [{ format: "file" }, { file: "filed-out/manifest.json", format: "manifest" }] },
    ]);
    expect(linesOf("filed-out/two.ndjson")).toEqual(["m-7", id]);
    await ok(`parley message delete ${id} --hard --yes > /dev/null`);
  });
});

test("--reactions none removes reactions, also from quoted messages", async () => {
  const plain = await ok("parley export --from kept messaging:ops --reactions none --format ndjson");
  const all = await ok("parley export --from kept messaging:ops --format ndjson");
  const counted = (text: string): boolean => /"(?:like|love)"/.test(text);
  expect([counted(plain), counted(all)]).toEqual([false, true]);
});

describe("--limit", () => {
  const idsOf = async (flags: string): Promise<string[]> => {
    const { out, code } = await home.sh(`parley export ${flags} | jq -r .id`);
    expect(code).toBe(0);
    return out.trim().split("\n");
  };

  test("writes the newest messages of each channel, from the provider as from an archive, and says so", async () => {
    for (const from of ["", "--from kept"]) {
      expect(await idsOf(`${from} --limit 2`)).toEqual(["m-5", "m-6", "m-7"]);
      expect(await idsOf(`${from} --limit 4 --threads flat`)).toEqual(["cy-3", "cy-4", "m-5", "m-6", "m-7"]);
      expect(await idsOf(`${from} --limit 9 --threads none`)).toEqual([
        "bo-1",
        "m-2",
        "cy-3",
        "m-5",
        "m-6",
        "m-7",
      ]);
    }
    const { err } = await home.sh("parley export --limit 2 > /dev/null");
    expect(err).toBe("only the newest 2 messages of messaging:ops\n");
    expect(await ok("parley export --limit 9 > /dev/null")).toBe("");
  });

  test("is in the manifest of files, and of an SQLite file in its run; a setting is no limit", async () => {
    await home.sh("parley export --limit 1 --format json,sqlite --out 'newest/{id}.{ext}'");
    expect(JSON.parse(text("newest/manifest.json"))).toMatchObject({
      limited: { newest: 1, channels: ["messaging:ops"] },
    });
    const db = new DatabaseSync(work("newest/all.sqlite"), { readOnly: true });
    expect(
      db
        .prepare("SELECT id FROM messages ORDER BY id")
        .all()
        .map(({ id }) => id),
    ).toEqual(["m-6", "m-7"]);
    expect(db.prepare("SELECT options ->> '$.newest' n FROM runs").get()?.n).toBe(1);
    db.close();
    expect((await ok("PARLEY_LIMIT=1 parley export")).trim().split("\n")).toHaveLength(6);
  });

  test("reaches over several pages, with replies in the channel that are not counted", async () => {
    await ok(
      "parley channel create messaging:long > /dev/null; seq 310 | parley send messaging:long --lines - > /dev/null",
    );
    const first = (await ok("parley -q message list -c messaging:long --limit 2 --jq .id")).split("\n")[0]!;
    await ok(`parley send messaging:long shown --thread ${first} --also-in-channel > /dev/null`);
    const texts = await home.sh("parley export messaging:long --limit 305 --jq .text | jq -r .text");
    expect(texts.out.trim().split("\n")).toEqual(Array.from({ length: 305 }, (_, n) => String(n + 6)));
    await ok("parley channel delete messaging:long --yes > /dev/null");
  });

  test("is refused where everything is read", async () => {
    for (const line of [
      "archive create other",
      "archive update kept",
      "channel export messaging:ops",
      "user export bo",
    ])
      expect(await home.sh(`parley ${line} --limit 2`)).toMatchObject({
        code: 2,
        err: expect.stringContaining("holds everything: leave --limit out") as string,
      });
  });
});

test("a reply to the last message of the range is included", async () => {
  const [first] = (await ok("parley export --from kept messaging:ops --format ndjson --jq .")).split("\n");
  const { id, created_at: at } = JSON.parse(first!) as { id: string; created_at: string };
  expect(id).toBe("bo-1");
  await ok(
    `parley export --from kept messaging:ops --until ${at} --format import --out end.jsonl > /dev/null`,
  );
  const items = text("end.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; data: { id?: string } });
  expect(items.flatMap(({ type, data }) => (type === "message" ? [data.id] : []))).toEqual(["bo-1", "cy-4"]);
});

test.each([
  ["--format html,csv", "Several formats need several files: add --out with {ext} in it"],
  ["--format html,csv --out x.html", "Several formats need several files: write {ext} in --out"],
  ["--format sqlite", "sqlite is a file: add --out"],
  ["--format htlm", "--format must be ndjson, json, csv, md, html, txt, sqlite, import, slack, not 'htlm'"],
  ["--attachments download", "--attachments download puts files beside the export: add --out"],
  [
    "--out '{nope}'",
    "Unknown placeholder {nope} in --out; use {type} {id} {cid} {name} {date} {format} {ext} {part}",
  ],
  [
    "--partition 0 --out x",
    "--partition must be month, day, a number of messages such as 500 or 20k, or a size such as 20mb, not '0'",
  ],
  ["--from kept --archive other", "--from is read as it is: leave --archive and --filter out"],
])("%s is refused before any request", async (flags, expected) => {
  const { err, code } = await home.sh(`parley export ${flags}`);
  expect([code, err.split("\n")[0]]).toEqual([2, `error: ${expected}`]);
});

test("an interrupted export continues with --resume, and overwrites a file only with --force", async () => {
  await ok(
    "parley local fault add 'POST /channels/messaging/two/query' --drop request --times 100 > /dev/null",
  );
  const lost = await home.sh("parley export --out both.ndjson --retries 0");
  expect([lost.code, lost.err]).toEqual([
    10,
    expect.stringContaining("hint: run the same command with --resume"),
  ]);
  expect(readdirSync(work(".")).filter((name) => name.startsWith("both"))).toEqual([]);
  await ok("parley local fault clear > /dev/null");
  const begun = workFolders();
  const [archiveName = ""] = readdirSync(begun).filter((name) => !name.endsWith(".key"));
  const other = writeArchive(path.join(begun, archiveName), { create: false });
  try {
    expect(await home.sh("parley export --out both.ndjson --resume")).toMatchObject({
      code: 6,
      err: "error: Another run is exporting the same channels\nhint: Wait until it has ended, or use another folder with --archive.\n",
    });
  } finally {
    other.close();
  }
  await ok("parley export --out both.ndjson --resume > /dev/null");
  expect(text("both.ndjson").trimEnd().split("\n")).toHaveLength(6);
  for (const flags of ["", "--resume", "-n", "--threads none --resume"])
    expect([flags, await home.sh(`parley export --out both.ndjson ${flags}`)]).toMatchObject([
      flags,
      { code: 6, err: "error: both.ndjson already exists\nhint: Add --force to overwrite it.\n" },
    ]);
  expect(readdirSync(workFolders())).toEqual(["pseudonyms.key"]);
});

describe("an export that is killed between two files", () => {
  /** Opening the part of the second file for writing waits for a reader. */
  const killAt = async (line: string, folder: string): Promise<void> => {
    await ok(
      `mkdir ${folder}; mkfifo ${folder}/messaging_two.ndjson.part; ${home.built} ${line} > /dev/null & while [ ! -e ${folder}/messaging_ops.ndjson ]; do sleep 0.05; done; kill -9 $!; wait $! 2> /dev/null; rm ${folder}/*.part`,
    );
    expect(readdirSync(work(folder))).toEqual(["messaging_ops.ndjson"]);
  };

  test.each(["", "--from kept", "--resume", "--archive killed-archive"])(
    "is complete after the same line again with %j",
    async (flags) => {
      const folder = `killed${flags.replaceAll(/[ -]/g, "")}`;
      const line = `export messaging:ops messaging:two ${flags.replace("--resume", "")} --out ${folder}/`;
      await killAt(line, folder);
      await ok(`parley ${line} ${flags === "--resume" ? flags : ""} > /dev/null`);
      expect(readdirSync(work(folder)).toSorted()).toEqual([
        "manifest.json",
        "messaging_ops.ndjson",
        "messaging_two.ndjson",
      ]);
      expect((await home.sh(`parley ${line}`)).code).toBe(9);
    },
  );

  test("keeps what it has written from another line", async () => {
    await killAt("export --from kept --out others/", "others");
    const { code, err } = await home.sh("parley export --from kept --threads none --out others/");
    expect([code, err]).toEqual([9, expect.stringContaining("others/messaging_ops.ndjson already exists")]);
  });

  test("leaves a file that was changed since as it is", async () => {
    await killAt("export --from kept --out changed/", "changed");
    writeFileSync(work("changed/messaging_ops.ndjson"), "mine");
    const { code, err } = await home.sh("parley export --from kept --out changed/");
    expect([code, err]).toEqual([9, expect.stringContaining("changed/messaging_ops.ndjson already exists")]);
    expect(text("changed/messaging_ops.ndjson")).toBe("mine");
  });
});

describe("--resume", () => {
  const interrupt = async (line: string): Promise<void> => {
    await ok("parley local fault add 'POST /channels/messaging/*' --drop request --times 100 > /dev/null");
    expect((await home.sh(`parley ${line} --retries 0`)).code).toBe(10);
    await ok("parley local fault clear > /dev/null");
  };

  test("refuses an export of another channel, flag, time, user, address or key, and writes nothing", async () => {
    await interrupt("export messaging:ops --since 30d --out resumed.ndjson");
    const other = makeHome({ here: true });
    try {
      await okIn(other, "parley channel create messaging:ops > /dev/null");
      const [flagsOfOther = "", token = ""] = (
        await okIn(
          other,
          `eval "$(parley local status -o env)"; echo "--url $PARLEY_LOCAL_URL --key $PARLEY_LOCAL_KEY"; parley local token mira`,
        )
      ).split("\n");
      const signIn = `parley login work ${flagsOfOther} --user mira --with-token > /dev/null`;
      expect(await home.sh(`export PARLEY_KEYRING=off; echo ${token} | ${signIn}`)).toMatchObject({
        code: 0,
      });
      await ok("parley -q profile use local > /dev/null");
      for (const [flags, difference] of [
        ["export messaging:two --since 30d", "its channels was"],
        ["export messaging:ops --since 30d --threads none", "its threads was true, and now it is false"],
        ["export messaging:ops --since 30d --limit 5", "its newest was null, and now it is 6"],
        ["export messaging:ops --since 60d", "was started with other channels or flags"],
        ["export messaging:ops", "was started with other channels or flags"],
        ["--as bo export messaging:ops --since 30d", "its user was mira, and now it is bo"],
        ["-p work export messaging:ops --since 30d", "its key was local_"],
      ] as const) {
        const { code, err } = await home.sh(
          `PARLEY_KEYRING=off parley ${flags} --out resumed.ndjson --resume`,
        );
        expect([flags, code]).toEqual([flags, 6]);
        expect(err).toContain(difference);
      }
      expect(readdirSync(work(".")).filter((name) => name.startsWith("resumed"))).toEqual([]);
      await ok("parley export messaging:ops --since 30d --out resumed.ndjson --resume > /dev/null");
      expect(text("resumed.ndjson")).toContain('"m-6"');
      await ok("PARLEY_KEYRING=off parley -q profile remove work --yes > /dev/null");
    } finally {
      await other.end();
    }
  });

  test("begins anew where nothing was interrupted, and refuses an archive that was begun with other channels", async () => {
    await ok("parley export messaging:two --out anew.ndjson --resume > /dev/null");
    await interrupt("export messaging:ops --archive half --out half.ndjson");
    const other = await home.sh("parley export messaging:two --archive half --out half.ndjson --resume");
    expect(other).toMatchObject({
      code: 6,
      err: expect.stringContaining("The interrupted run in half was started with other channels") as string,
    });
    await ok("parley export messaging:ops --archive half --out half.ndjson --resume > /dev/null");
  });
});

test("an anonymized export to files names nobody in file names, titles and channels of people", async () => {
  await ok(
    "parley user upsert dora --name 'Dora Long' > /dev/null; parley channel create messaging:dora-room --member dora --member mira --name 'For dora LONG' > /dev/null",
  );
  await ok(
    "parley send messaging:dora-room 'DORA LONG, and Dora Long; dora.' > /dev/null; parley archive create named messaging:dora-room > /dev/null",
  );
  await ok(
    "parley export --from named --anonymize --format json,txt,html,csv,md --out 'nobody/{id} {name}.{ext}' > /dev/null",
  );
  const files = readdirSync(work("nobody"));
  expect(files).toHaveLength(6);
  for (const file of files) expect(`${file} ${text(path.join("nobody", file))}`).not.toMatch(/\bdora\b/i);
  expect(
    text(
      path.join(
        "nobody",
        files.find((one) => one.endsWith("txt"))!,
      ),
    ),
  ).toMatch(/user-\w{16}, and user-\w{16}; user-\w{16}\./);
});
