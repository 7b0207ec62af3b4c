/** The exact output of a run in every format: the same three results, questions, progress and errors. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { outputForm, listExit, openResults, showOne } from "../../src/cli/output/results.ts";
import { fieldsText, tableText } from "../../src/cli/output/table.ts";
import { clockTime, isDate, localTime } from "../../src/cli/output/time.ts";
import { pagerOf } from "../../src/cli/run/pager.ts";
import { problemJson, problemText, readProblem } from "../../src/cli/base/problem.ts";
import { openProgress } from "../../src/cli/base/progress.ts";
import { confirm, canPrompt } from "../../src/cli/base/prompts.ts";
import { readPage } from "../../src/cli/run/page.ts";
import { argDefaults } from "../../src/cli/run/run.ts";
import { NameCollector } from "../../src/cli/base/name-collector.ts";
import { emptyNames, readNames } from "../../src/config/names.ts";
import { writeOut } from "../../src/cli/output/writer.ts";
import { printNotice, wantsJson, type Shell } from "../../src/cli/base/shell.ts";
import type { View } from "../../src/commands/base/define-command.ts";
import { DEFAULTS } from "../../src/config/settings.ts";
import { ApiError, TransportError } from "../../src/model/errors.ts";

interface Made {
  shell: Shell;
  /** Everything written so far. */
  printed(): Promise<[out: string, err: string]>;
}

/** A shell on in-memory streams; with `tty` a terminal of 40 columns. */
function shellWith(flags: object, more: { tty?: boolean; settings?: object } = {}): Made {
  const [input, out, err] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const tty = more.tty === true;
  const shell = {
    flags,
    settings: { ...DEFAULTS, utc: true, ...more.settings },
    in: input,
    out,
    err,
    env: {},
    tty: { in: tty, out: tty, err: tty, columns: 40 },
    color: { out: false, err: false },
    changed: {},
    counts: { requests: 0, items: 0, writes: 0 },
    host: { now: () => 5, profileOf: (name: string) => (name === "work" ? { channel: "#desk" } : undefined) },
    signal: new AbortController().signal,
  } as unknown as Shell;
  const printed = (): Promise<[string, string]> => {
    out.end();
    err.end();
    return Promise.all([text(out), text(err)]);
  };
  return { shell, printed };
}

const rows = (...ids: string[]): [unknown, View][] =>
  ids.map((id) => [
    { id, user: { name: "Ana" }, n: 1 },
    { kind: "table", columns: ["id", "ok"], rows: [[id, true]] },
  ]);
const fields: [unknown, View][] = [
  [
    { a: 1 },
    {
      kind: "fields",
      fields: [
        ["a", 1],
        ["longer", undefined],
        ["at", "2026-11-22T10:05:00Z"],
      ],
    },
  ],
];
const line: [unknown, View][] = [[{ a: 1 }, { kind: "line", text: "bo\tmuted" }]];
const quiet: [unknown, undefined][] = [[{ a: 1, b: { c: 2 } }, undefined]];
const messageOn = (id: string, day: number): [unknown, View] => {
  const message = {
    id,
    cid: "messaging:ops",
    text: `text of ${id}`,
    user: { id: "ana", name: "Ana" },
    created_at: `2026-11-${day}T10:05:00Z`,
  };
  return [message, { kind: "messages", messages: [message as never] }];
};
const messages = [messageOn("m1", 21), messageOn("m2", 21), messageOn("m3", 22)];

async function print(
  made: Made,
  list: boolean,
  items: readonly [unknown, View | undefined][],
  live = false,
): Promise<[out: string, err: string]> {
  // After a write an unknown field is null; fields.test.ts covers the check before a write.
  made.shell.counts.writes = 1;
  const results = openResults(made.shell, list, live);
  for (const [value, view] of items) await results.item(value, view);
  await results.end();
  expect(made.shell.counts.items).toBe(items.length);
  return made.printed();
}

const on = (flags: object, settings: object = {}): Made => shellWith(flags, { tty: true, settings });
const pipe = shellWith;

test("a change of nothing does not say on a terminal that nothing was found, a list does", async () => {
  const printed = async (changes: boolean): Promise<string> => {
    const made = on({});
    made.shell.changes = changes;
    return (await print(made, true, []))[1];
  };
  expect([await printed(true), await printed(false)]).toEqual(["", "nothing found\n"]);
});

test("each output format prints lists, fields, lines, quiet results and messages as recorded in printed/forms.txt", async () => {
  const forms: Record<string, () => Made> = {
    "a pipe": () => pipe({}),
    "a terminal": () => on({}),
    "a quiet terminal": () => on({ quiet: true }),
    "for ears": () => on({}, { accessible: true }),
    "--table in a pipe": () => pipe({ table: true }),
    "--json": () => pipe({ json: "" }),
    "--json=id,user.name": () => pipe({ json: "id,user.name" }),
    "--json on a terminal": () => on({ json: "id" }),
    "--ndjson": () => pipe({ ndjson: "id,a" }),
    "--ndjson on a terminal": () => on({ ndjson: "" }),
    "--csv": () => pipe({ csv: true }),
    "--jq": () => pipe({ jq: ".id" }),
    "--jq over the whole": () => pipe({ jq: "length", json: "" }),
    "--template": () => pipe({ template: "{{id}}-{{a}}" }),
    "the setting output": () => pipe({}, { settings: { output: "ndjson" } }),
  };
  const printedByForm: Record<string, unknown> = {};
  for (const [name, made] of Object.entries(forms))
    printedByForm[name] = {
      list: await print(made(), true, rows("a", "b")),
      live: await print(made(), true, rows("long-one", "b"), true),
      empty: await print(made(), true, []),
      one: await print(made(), false, rows("a")),
      fields: await print(made(), false, fields),
      line: await print(made(), false, line),
      quiet: await print(made(), false, quiet),
      messages: await print(made(), true, messages),
      message: await print(made(), false, messages.slice(0, 1)),
    };
  await expect(JSON.stringify(printedByForm, undefined, 2)).toMatchFileSnapshot("printed/forms.txt");
});

test.each([
  [{ json: "", csv: true }, "--json and --csv"],
  [{ ndjson: "", table: true }, "--ndjson and --table"],
  [{ jq: ".", template: "x" }, "--jq and --template"],
  [{ csv: true, table: true, jq: "." }, "--csv and --table and --jq"],
])("the formats of %j cannot be combined", (flags, named) =>
  expect(() => outputForm(pipe(flags).shell)).toThrow(`${named} cannot be combined.`),
);

test.each([
  ["{{id}} {{text", "'{{text'"],
  ["{{ a b }}", "'{{ a b }}'"],
  ["{{}}", "'{{}}'"],
])("the template %j is refused with the invalid placeholder", (template, named) =>
  expect(() => outputForm(pipe({ template }).shell)).toThrow(`${named} in --template is not a field.`),
);

test("single braces in a template are plain text", () => {
  expect(outputForm(pipe({ template: '{"of": {"id": "{{id}}"}}' }).shell)).toBe("template");
});

test("--jq can be combined with --json and --ndjson, and errors are JSON when results are", () => {
  expect(
    [{ jq: ".", json: "" }, { jq: ".", ndjson: "" }, { jq: "." }].map((flags) =>
      outputForm(pipe(flags).shell),
    ),
  ).toEqual(["jq", "jq", "jq"]);
  expect([{}, { json: "" }, { ndjson: "" }, { csv: true }].map((flags) => wantsJson(flags))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("an empty list exits with 3 with --exit-status, and -q silences notes and confirmations", async () => {
  const withExitStatus = pipe({ exitStatus: true });
  const calm = pipe({ quiet: true });
  expect([
    listExit(withExitStatus.shell, 0),
    listExit(withExitStatus.shell, 1),
    listExit(calm.shell, 0),
  ]).toEqual([3, 0, 0]);
  printNotice(withExitStatus.shell, "more");
  printNotice(calm.shell, "more");
  expect(await showOne(withExitStatus.shell, { a: 1 }, "done")).toBe(0);
  expect(await withExitStatus.printed()).toEqual(["done\n", "more\n"]);
  expect(await calm.printed()).toEqual(["", ""]);
});

test("a narrow terminal shortens the widest column, and no column below eight cells", () => {
  const wide = [["abcdefghijklmnop", "abcdefghijklmnopqrstuvwxyz", "abc"]];
  const at = (width: number): string => tableText(["a", "b", "c"], wide, { width, utc: true });
  expect([at(49), at(48), at(36), at(10)].map((one) => one.split("\n")[1])).toEqual([
    "abcdefghijklmnop  abcdefghijklmnopqrstuvwxyz  abc",
    "abcdefghijklmnop  abcdefghijklmnopqrstuvwx…  abc",
    "abcdefghijklmnop  abcdefghijkl…  abc",
    "abcdefg…  abcdefg…  abc",
  ]);
  const cells = tableText(
    ["a", "b"],
    [
      [false, true],
      [undefined, null],
      ["2026-11-22T10:05:59Z", 0],
    ],
    {
      width: 80,
      utc: true,
    },
  );
  expect(cells).toBe("A                 B\n                  yes\n\n2026-11-22 10:05  0\n");
  expect(
    fieldsText(
      [
        ["a", null],
        ["b", false],
      ],
      { tty: false, utc: true },
    ),
  ).toBe("a\t\nb\tfalse\n");
});

test("times are shown to the minute, and other texts are not taken for times", () => {
  expect(
    ["2026-11-22T10:05:00Z", "2026-11-22T10:05", "2026-13-41T99:99:99Z", "at 2026-11-22T10:05:00Z"].map(
      isDate,
    ),
  ).toEqual([true, false, false, false]);
  for (const utc of [true, false]) {
    expect(localTime("2026-01-02T03:04:59Z", utc)).toBe("2026-01-02 03:04");
    expect(clockTime("2026-01-02T03:04:59Z", utc)).toBe("03:04");
    expect(clockTime("never", utc)).toBe("--:--");
  }
});

test.each<[object, object, object | string]>([
  [{}, { limit: 30 }, { limit: 30 }],
  [{}, { limit: 1 }, { limit: 1 }],
  [{ all: true }, { limit: 1 }, { limit: Infinity }],
  [{ all: true, limit: "3" }, {}, "--all and --limit cannot be combined"],
  [{ pageSize: "1", next: "n" }, { limit: 2 }, { limit: 2, size: 1, next: "n" }],
  [{ pageSize: "0" }, {}, "--page-size must be a whole number from 1, not '0'"],
  [{ pageSize: "2.5" }, {}, "not '2.5'"],
  [{ pageSize: "x" }, {}, "not 'x'"],
])("paging flags %j with settings %j", (flags, settings, page) => {
  const { shell } = pipe(flags, { settings });
  if (typeof page === "string") expect(() => readPage(shell)).toThrow(page);
  else expect(readPage(shell)).toEqual({ ...page, onMore: expect.any(Function) });
});

test.each([
  [{ channel: "#here", profile: "work" }, "#here"],
  [{ channel: "", profile: "work" }, "#desk"],
  [{ channel: "", profile: "home" }, undefined],
])("with settings %j the current channel is %s", (settings, here) => {
  const { shell } = pipe({}, { settings: { ...settings, channelType: "team" } });
  expect(argDefaults(shell)).toEqual({
    ...(here === undefined ? {} : { currentChannel: here }),
    channelType: "team",
    now: 5,
  });
});

test("the channel of the profile is looked up once for the lines of one run", () => {
  const { shell } = pipe({}, { settings: { channel: "", profile: "work", channelType: "team" } });
  const found = [argDefaults(shell)];
  Object.assign(shell.host, { profileOf: () => ({ channel: "#moved" }) });
  found.push(argDefaults(shell));
  expect(found.map(({ currentChannel }) => currentChannel)).toEqual(["#desk", "#desk"]);
});

test.each<[string, object, object, boolean, string]>([
  ["auto", {}, {}, true, "bar"],
  ["auto", {}, { accessible: true }, true, ""],
  ["auto", {}, {}, false, ""],
  ["auto", { quiet: true }, {}, true, ""],
  ["none", {}, {}, true, ""],
  ["plain", {}, {}, false, "0% a\n50% c\n100% d\n"],
  [
    "json",
    {},
    {},
    false,
    [
      [0, "a"],
      [2, "c"],
      [4, "d"],
    ]
      .map(([done, text]) => `${JSON.stringify({ event: "progress", done, total: 4, text })}\n`)
      .join(""),
  ],
])(
  "progress %s with flags %j and settings %j on a terminal (%s)",
  async (progress, flags, settings, tty, wanted) => {
    const made = shellWith(flags, { tty, settings: { progress, ...settings } });
    let now = 0;
    const shown = openProgress(made.shell, () => now);
    shown.step(0, 4, "a");
    now = 99;
    shown.step(1, 4, "b");
    now = 100;
    shown.step(2, 4, "c");
    now = 300;
    shown.step(2, 4, "c");
    shown.step(4, 4, "d");
    shown.end();
    shown.end();
    const bar =
      "\r\x1b[2K[--------------------] 0% a\r\x1b[2K[##########----------] 50% c\r\x1b[2K[####################] 100% d\r\x1b[2K";
    expect((await made.printed())[1]).toBe(wanted === "bar" ? bar : wanted);
  },
);

test("the bar of progress and its text take one line, also with wide characters, which are not cut through", async () => {
  const made = shellWith({}, { tty: true, settings: { progress: "bar" } });
  const shown = openProgress(made.shell, () => 0);
  for (const text of ["漢".repeat(60), `x${"👩‍👩‍👧".repeat(60)}`]) shown.step(4, 4, text);
  const lines = (await made.printed())[1]!.split("\r\x1b[2K").slice(1);
  expect(lines.map((line) => line.slice(line.indexOf("%") + 2))).toEqual([
    `${"漢".repeat(19)}…`,
    `x${"👩‍👩‍👧".repeat(19)}…`,
  ]);
});

test("progress over nothing is 100 %", async () => {
  const made = shellWith({}, { settings: { progress: "plain" } });
  openProgress(made.shell, () => 0).step(0, 0, "read");
  expect((await made.printed())[1]).toBe("100% read\n");
});

test("a progress bar is erased before a row or a note is printed", async () => {
  const made = shellWith({}, { tty: true, settings: { progress: "bar" } });
  const bar = "\r\x1b[2K[####################] 100% people";
  const shown = openProgress(made.shell, () => 0);
  shown.step(1, 1, "people");
  await writeOut(made.shell, "a row\n");
  shown.step(2, 2, "people");
  printNotice(made.shell, "a note");
  const [out, err] = await made.printed();
  expect([out, err]).toEqual(["a row\n", `${bar}\r\x1b[2K${bar}\r\x1b[2Ka note\n`]);
});

test("a board is redrawn in place on a terminal, and is printed as rows everywhere else", async () => {
  const views = ["10 %", "60 %"].map((progress) => ({
    kind: "table" as const,
    columns: ["PROGRESS"],
    rows: [[progress]],
    board: ["spring: in_progress", `[##--] ${progress}`],
  }));
  const printed = async (tty: boolean, settings: object, env: Record<string, string> = {}) => {
    const made = shellWith({}, { tty, settings: { output: "table", ...settings } });
    const results = openResults(Object.assign(made.shell, { env }), true, true);
    for (const view of views) await results.item({}, view);
    await results.end();
    return (await made.printed())[0];
  };
  expect(await printed(true, {})).toBe(
    "spring: in_progress\n[##--] 10 %\n\x1b[2A\x1b[0Jspring: in_progress\n[##--] 60 %\n",
  );
  for (const rows of [
    await printed(false, {}),
    await printed(true, { accessible: true }),
    await printed(true, {}, { TERM: "dumb" }),
  ]) {
    expect(rows).toContain("10 %\n");
    // eslint-disable-next-line no-control-regex
    expect(rows).not.toMatch(/\x1b|##/);
  }
});

const mild = { level: "mild", question: "Remove bo?" } as const;
const severe = { level: "severe", question: "Delete it?", word: "ops" } as const;

test("a question is answered by its own flag only, and fails without a terminal", async () => {
  const answer = (flags: object, question: typeof mild | typeof severe) =>
    confirm(pipe(flags).shell, question);
  await answer({ yes: true }, mild);
  await answer({ confirm: "ops" }, severe);
  const refused = {
    exit: 2,
    message: "Delete it? Cannot prompt: not a terminal.",
    hint: "Add --confirm ops to continue.",
  };
  for (const flags of [{}, { yes: true }, { confirm: "other" }])
    await expect(answer(flags, severe)).rejects.toMatchObject(refused);
  await expect(answer({ confirm: "ops" }, mild)).rejects.toMatchObject({
    exit: 2,
    hint: "Add --yes to continue.",
  });
});

test.each([
  [mild, "y", true],
  [mild, " YES ", true],
  [mild, "", false],
  [mild, "yess", false],
  [severe, "ops", true],
  [severe, "y", false],
  [severe, "OPS", false],
])("answering %j with %j confirms it: %s", async (question, answer, yes) => {
  const made = on({});
  const asking = confirm(made.shell, question);
  (made.shell.in as unknown as PassThrough).write(`${answer}\n`);
  if (yes) await asking;
  else await expect(asking).rejects.toMatchObject({ exit: 130, message: "Cancelled." });
  const [, err] = await made.printed();
  expect(err).toContain(question === mild ? "Remove bo? [y/N] " : "Delete it?\nType ops to continue: ");
});

test("nobody is asked without terminal input, without terminal output, or with nonInteractive", () => {
  const asks = (tty: object, settings: object = {}): boolean => {
    const { shell } = on({}, settings);
    return canPrompt({ ...shell, tty: { ...shell.tty, ...tty } });
  };
  expect([asks({}), asks({ in: false }), asks({ err: false }), asks({ out: false })]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(asks({}, { nonInteractive: true })).toBe(false);
});

test.each([
  [{ tty: false }, undefined],
  [{ isAllowed: false }, undefined],
  [{ env: { TERM: "dumb", PATH: "/bin" } }, undefined],
  [{ name: "" }, undefined],
  [{ name: " cat " }, undefined],
  [{ name: "no-such-pager" }, undefined],
  [{ name: "/no/such/pager" }, undefined],
  [{ name: " sh -c " }, "sh -c"],
  [{ name: "/bin/sh" }, "/bin/sh"],
  [{ name: "sh", env: { PATH: "/nowhere:/bin" } }, "sh"],
  [{ name: "sh", env: { PATH: "/nowhere" } }, undefined],
  [{ name: "$MY_PAGER" }, "$MY_PAGER"],
])("pager options %j use %s", (wish, command) =>
  expect(pagerOf({ env: { PATH: "/bin" }, tty: true, isAllowed: true, name: "sh", ...wish })).toBe(command),
);

test("names in answers are stored for completion: newest first, each once, at most five hundred", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-seen-"));
  try {
    const collect = (...replies: unknown[]): void => {
      const seen = new NameCollector(folder);
      for (const reply of replies) seen.collect(reply);
      seen.save();
    };
    const user = (id: string): object => ({ user: { id, name: id.toUpperCase() } });
    collect({
      channel: { cid: "team:a", name: "A" },
      members: [user("m1"), user("m2")],
      message: user("w1"),
    });
    collect(
      { channels: [{ channel: { cid: "team:b" } }, { cid: "team:c", name: "C" }], messages: [user("w2")] },
      { users: [{ id: "u1" }, { id: "m1", name: "New" }, 5, null], channel: { name: "no cid" } },
    );
    expect(readNames(folder)).toEqual({
      ...emptyNames(),
      channel: [
        ["team:b", ""],
        ["team:c", "C"],
        ["team:a", "A"],
      ],
      user: [
        ["w2", "W2"],
        ["u1", ""],
        ["m1", "New"],
        ["m2", "M2"],
        ["w1", "W1"],
      ],
    });
    collect(
      { channel: { cid: "team:b", deleted_at: "2026-01-01T00:00:00Z" } },
      { channel: { cid: "messaging:!members-x" } },
      { campaigns: [{ id: "spring", name: "Spring" }], segment: { id: "all" }, polls: [{ id: "p1" }] },
      { roles: [{ name: "admin" }], channel_types: { team: {}, livestream: {} } },
    );
    expect(readNames(folder)).toMatchObject({
      channel: [
        ["team:c", "C"],
        ["team:a", "A"],
      ],
      campaign: [["spring", "Spring"]],
      segment: [["all", ""]],
      poll: [["p1", ""]],
      role: [["admin", ""]],
      type: [
        ["team", ""],
        ["livestream", ""],
      ],
    });
    collect({ users: Array.from({ length: 600 }, (_, n) => ({ id: `n${n}` })) });
    expect(readNames(folder).user.map(([id]) => id)).toEqual(Array.from({ length: 500 }, (_, n) => `n${n}`));
    expect(readNames(folder).channel).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("each error is printed as text and as JSON as recorded in printed/problems.txt", async () => {
  const errno = (code: string, path?: string) =>
    Object.assign(new Error(`${code}: x`), { code, ...(path ? { path } : {}) });
  const api = (message: string, facts: { status: number; code?: number; requestId?: string }): ApiError =>
    new ApiError(message, facts as never);
  const upload = (upload: object, cause?: Error) =>
    Object.assign(new Error("x"), {
      name: "UploadFailure",
      sentence: cause ? "Error uploading attachment" : "The attachment upload was blocked",
      upload,
      cause,
    });
  const errors: Record<string, unknown> = {
    "refused with words": api('GetApp failed with error: "no such app"', {
      status: 404,
      code: 16,
      requestId: "r1",
    }),
    "refused without words": api('GetApp failed with error: ""', { status: 403, code: 17 }),
    "refused without a code": api("", { status: 418 }),
    "a provider in trouble": api("", { status: 503 }),
    "a full disk there": api("full", { status: 507, code: -1 }),
    "a token that is not valid yet": api("not yet", { status: 401, code: 41 }),
    "a token of the future": api("issued in the future", { status: 401, code: 42 }),
    "an app's own command without an address": api("no endpoint", { status: 400, code: 44 }),
    "a token that has ended": api("expired", { status: 401, code: 40 }),
    "a channel that is not there": Object.assign(api("no", { status: 404, code: 16 }), { about: "channel" }),
    "a channel that is not for you": Object.assign(api("no", { status: 403, code: 17 }), {
      about: "channel",
    }),
    "no answer": new TransportError("ETIMEDOUT", "GetApp got no answer in time"),
    "no answer to a write": Object.assign(new TransportError("ETIMEDOUT", "x"), { unsafe: true }),
    "not understood": new TransportError("ERR_BAD_RESPONSE", "x"),
    "not understood of a write": Object.assign(new TransportError("ERR_BAD_RESPONSE", "x"), { unsafe: true }),
    ...Object.fromEntries(
      ["ENOENT", "EACCES", "EPERM", "EISDIR", "ENOTDIR", "EEXIST", "ENOSPC", "EDQUOT", "EROFS", "EBADF"].map(
        (code) => [code, errno(code, "/tmp/x")],
      ),
    ),
    "ENOENT of nothing": errno("ENOENT"),
    "ENOSPC of a file that is open": Object.assign(errno("ENOSPC"), { syscall: "write" }),
    "a folder whose name a file has": Object.assign(errno("EEXIST", "/tmp/x"), { syscall: "mkdir" }),
    "a folder that nothing can hold": Object.assign(errno("ENOENT", "/tmp/x"), { syscall: "mkdir" }),
    ...Object.fromEntries(
      [
        "allowed_file_extensions",
        "blocked_file_extensions",
        "allowed_mime_types",
        "blocked_mime_types",
        "size_limit",
        "other",
      ].map((reason) => [reason, upload({ name: "a.png", reason })]),
    ),
    "an upload that was refused": upload({ name: "a.png" }, api("too big", { status: 413, code: 22 })),
    "a bug": new Error("error: x is undefined."),
    "no error": "text",
    cancelled: Object.assign(new Error("stop"), { name: "AbortError" }),
  };
  const printedByError = Object.fromEntries(
    Object.entries(errors).map(([name, error]) => {
      const problem = readProblem(error);
      return [name, [problemText(problem), JSON.parse(problemJson(problem)) as unknown]];
    }),
  );
  await expect(JSON.stringify(printedByError, undefined, 2)).toMatchFileSnapshot("printed/problems.txt");
});
