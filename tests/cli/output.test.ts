/** Output formats: untrusted text never controls a terminal, shapes never change, and JSON stays lossless. */
import { describe, expect, test } from "vitest";
import { closeOptionalValues, settingFlags } from "../../src/cli/base/globals.ts";
import { plainCell } from "../../src/cli/output/controls.ts";
import { jsonText, pick } from "../../src/cli/output/json.ts";
import { messageLines } from "../../src/cli/output/messages.ts";
import { tableText, tsvRow } from "../../src/cli/output/table.ts";
import { templateLine } from "../../src/cli/output/data.ts";
import { eventText } from "../../src/cli/shell-commands/tail/event-text.ts";
import { fillTemplate } from "../../src/cli/output/template.ts";
import { runJq } from "../../src/cli/output/jq.ts";
import { fence } from "../../src/cli/shell-commands/send.ts";
import type { Shell } from "../../src/cli/base/shell.ts";
import type { Message } from "../../src/wire/entities/message.ts";

const HOSTILE = "a\u001b[2J\u009b31m\u202eb\u0007\tc\nd";
const CONTROL_IN_PIPES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

const onTerminal = (flags: object): Shell =>
  ({ flags, settings: { output: "auto", utc: true }, tty: { out: true }, color: { out: false } }) as never;

describe("a terminal", () => {
  test("gets no control characters in a table, a row, a message or JSON", () => {
    const message = {
      id: "m",
      text: HOSTILE,
      user: { id: HOSTILE, name: HOSTILE },
      created_at: "2026-11-21T09:14:00Z",
      reaction_groups: { [HOSTILE]: { count: 1 } },
    } as unknown as Message;
    const texts = [
      tableText(["x"], [[HOSTILE]], { width: 80, utc: true }),
      tsvRow([HOSTILE, 1]),
      messageLines(message, { utc: true, color: false, where: HOSTILE }),
      jsonText({ [HOSTILE]: HOSTILE }, true),
    ];
    for (const text of texts) {
      expect(text).toMatch(/a.*b.*c.*d/s);
      expect(text).not.toMatch(CONTROL);
    }
  });
  test("gets no control characters of an event, in whatever form it is printed, and of most events one line", async () => {
    const common = { cid: HOSTILE, created_at: "2026-11-21T09:14:00Z", user: { id: HOSTILE, name: HOSTILE } };
    const said = { id: "m", text: HOSTILE, user: common.user, created_at: common.created_at };
    const where = { name: HOSTILE, hasOthers: true };
    for (const event of [
      { ...common, type: HOSTILE },
      { ...common, type: "message.new", message: said },
    ])
      for (const flags of [
        {},
        { ndjson: "" },
        { jq: "." },
        { jq: ".user.name" },
        { template: "{{type}} {{user.name}} {{message.text}}" },
      ]) {
        const text = await eventText(onTerminal(flags), event as never, where);
        expect(text).toMatch(/a.*b.*c/s);
        expect(text).not.toMatch(CONTROL);
        if (event.type === HOSTILE && !("template" in flags || "jq" in flags))
          expect(text.trimEnd()).not.toContain("\n");
      }
  });
  test("gets the tabs and lines of a template, and nothing else that controls it", () => {
    const line = templateLine(onTerminal({ template: "{{id}}\t{{text}}\nend" }), {
      id: "m1",
      text: "a\u001b[2Jb",
    });
    expect(line).toBe("m1\ta\ufffd[2Jb\nend\n");
  });
  test("gets rows that arrive later in the columns of those before them, and in wider ones if they need it", () => {
    const minWidths: number[] = [];
    const startsOf = (rows: string[][]): number[] =>
      tableText(["who", "what", "when"], rows, { width: 80, utc: true, minWidths })
        .split("\n")
        .flatMap((line) => (line.includes("|") ? [line.indexOf("|"), line.lastIndexOf("|")] : []));
    expect(startsOf([["francesca", "|deploys", "|now"]])).toEqual([11, 21]);
    expect(startsOf([["bo", "|x", "|later"]])).toEqual([11, 21]);
    expect(startsOf([["bo", "|deploys it again", "|later"]])).toEqual([11, 30]);
    expect(startsOf([["al", "|x", "|y"]])).toEqual([11, 30]);
  });
  test("gets JSON with the same value", () => {
    const value = { a: `${HOSTILE}\u200b\ufeff😀\ud800` };
    expect(JSON.parse(jsonText(value, true))).toEqual(value);
  });
  test("gets tables in which a long column has at least half the width of another before that is cut", () => {
    const text = tableText(["check", "message", "hint"], [["notices", "m".repeat(60), "h".repeat(70)]], {
      width: 69,
      utc: true,
    });
    expect(text.split("\n")[1]).toBe(`notices  ${"m".repeat(27)}…  ${"h".repeat(29)}…`);
  });

  test("gets tables that fit its width", () => {
    const text = tableText(
      ["id", "text"],
      [
        ["a", "x".repeat(200)],
        ["👋你好", "y"],
      ],
      { width: 40, utc: true },
    );
    for (const line of text.trimEnd().split("\n")) expect([...line].length).toBeLessThanOrEqual(40);
    expect(text).toMatch(/^ID {6}TEXT\n/);
  });
});

test("a TSV row has exactly its columns", () => {
  expect(tsvRow(["a\tb\nc", undefined, false, 3])).toBe("a b c\t\tfalse\t3\n");
});

test("picked fields that are missing are null", () => {
  expect(pick({ a: { b: 1 }, "x.y": 2 }, "a.b, x.y,nothing")).toEqual({ "a.b": 1, "x.y": 2, nothing: null });
  expect(pick([1], undefined)).toEqual([1]);
});

test("named fields are printed as they are: 0, false, an empty text and an empty list are values, only what is missing is null", () => {
  const value = {
    no: 0,
    off: false,
    text: "",
    list: [],
    map: {},
    nil: null,
    nested: { no: 0, off: false, text: "" },
  };
  expect(pick(value, Object.keys(value).join(","))).toEqual(value);
  expect(pick(value, "nested.no,nested.off,nested.text,nested.gone,nil.no,gone")).toEqual({
    "nested.no": 0,
    "nested.off": false,
    "nested.text": "",
    "nested.gone": null,
    "nil.no": null,
    gone: null,
  });
  expect(fillTemplate("{{no}}|{{off}}|{{text}}|{{list}}|{{nil}}|{{gone}}|{{nested.no}}", value)).toBe(
    "0|false||[]|||0",
  );
  expect(tsvRow([0, false, "", null, undefined])).toBe("0\tfalse\t\t\t\n");
});

test("templates fill dotted names and nothing else", () => {
  expect(
    fillTemplate("{{cid}}\\t{{ user.id }}\\n{{gone}}{{list}}", { cid: "a:b", user: { id: "u" }, list: [1] }),
  ).toBe("a:b\tu\n[1]");
});

test("jq prints raw strings, and an invalid filter exits with 2", async () => {
  expect(await runJq(".a[]", { a: ["x", 1] })).toBe("x\n1\n");
  expect(await runJq("empty", 1)).toBe("");
  expect(await runJq(".[]", ["", "a", "two\nlines\n", ""])).toBe("\na\ntwo\nlines\n\n\n");
  await expect(runJq(".a[", {})).rejects.toMatchObject({ exit: 2 });
});

test("a filter that begins with a minus is a filter, not an option of jq", async () => {
  expect(await runJq("-length", [1, 2])).toBe("-2\n");
  await expect(runJq("--help", {})).rejects.toMatchObject({ exit: 2 });
  await expect(runJq("", {})).rejects.toMatchObject({ exit: 2 });
});
test("jq reads a list with half a surrogate pair", async () => {
  const list = [{ a: "x\ud800" }, { "b\udc00": 1, a: "😀" }];
  expect(await runJq(".[] | .a", list)).toBe("x\ufffd\n😀\n");
});

describe("a pipe", () => {
  test("gets no control characters from a template or JSON, except the template's own lines and tabs", () => {
    const text = fillTemplate("{{a}}\\t{{a}}\\n", { a: HOSTILE });
    expect(text).not.toMatch(CONTROL_IN_PIPES);
    expect(text.split("\n")).toHaveLength(2);
    expect(text.split("\t")).toHaveLength(2);
    expect(jsonText({ [HOSTILE]: HOSTILE }, false)).not.toMatch(CONTROL_IN_PIPES);
    expect(JSON.parse(jsonText({ a: HOSTILE }, false))).toEqual({ a: HOSTILE });
  });
  test("gets no control characters from a jq filter, whose JSON still holds all of the data", async () => {
    const text = await runJq('.a, [.a], .a + "\\tb\\nc"', { a: HOSTILE });
    expect(text.replaceAll("\t", "")).not.toMatch(CONTROL_IN_PIPES);
    expect(text).toMatch(/\tb\nc\n$/);
    const list = text.split("\n").find((line) => line.startsWith("["));
    expect(JSON.parse(list!)).toEqual([HOSTILE]);
  });
  test("gets the raw data with --raw, and a terminal never does", async () => {
    expect(fillTemplate("{{a}}", { a: HOSTILE }, (text) => text)).toBe(HOSTILE);
    expect(await runJq(".a", { a: HOSTILE }, (text) => text)).toBe(`${HOSTILE}\n`);
    expect(jsonText("\u009b", false, true)).toBe('"\u009b"');
    expect(jsonText("\u009b", true, true)).not.toMatch(CONTROL);
  });
  test("keeps lines and tabs of a cell, and replaces other control characters", () => {
    expect(plainCell("a\tb\r\nc\u001b[2J\u009b\r\u007f")).toBe("a\tb\nc\ufffd[2J\ufffd\ufffd\ufffd");
  });
});

test("a flag with an optional value does not take the next word (specification/command-line.md §3)", () => {
  expect(closeOptionalValues(["--json", "x", "--", "--json"])).toEqual(["--json=", "x", "--", "--json"]);
});

test("flags override settings by name", () => {
  expect(settingFlags({ as: "bob", maxWait: "2m", nonInteractive: true, json: "" })).toEqual({
    user: "bob",
    maxWait: "2m",
    nonInteractive: true,
  });
});

test("a code fence is longer than any in the text", () => {
  expect(fence("a ```` b", "js")).toBe("`````js\na ```` b\n`````");
});
