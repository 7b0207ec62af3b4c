/** The messages around a search result: shown from what is loaded, else asked for once when the cursor rests. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, messageSet, stateOf, thread } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});

const MESSAGES = Array.from({ length: 12 }, (_, n) =>
  message(`m${n}`, n % 2 === 0 ? "ana" : "bo", n === 6 ? "the kettle boils" : `line ${n}`, { minute: n }),
);
const OLD = message("old", "cy", "an old kettle", { cid: "messaging:ops", minute: -9000 });
const OLDER = message("older", "cy", "the oldest kettle", { cid: "messaging:ops", minute: -9900 });
const REPLY = message("r1", "bo", "kettles, mostly", { parent_id: "m3", minute: 30 });

async function found(size: { columns: number; rows: number }, hits = [MESSAGES[6]!, OLD, OLDER, REPLY]) {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages: MESSAGES,
        threads: new Map([["m3", thread("m3", [REPLY])]]),
      }),
      channel("ops", { sets: [messageSet([message("o9", "cy", "newest")], { hasPrev: true })] }),
    ]),
  );
  core.call = async (name: string) =>
    (name === "search" ? { results: hits.map((one) => ({ message: one })) } : {}) as never;
  const m = await mount(core, size);
  open.push(m);
  await m.press("C-f");
  await m.type("kettle");
  await core.clock.advance(300);
  await m.settle();
  return m;
}

const panelRows = (m: Mounted): string[] =>
  m
    .text()
    .split("\n")
    .map((row) => row.slice(row.lastIndexOf("│") + 1));
const around = (m: Mounted): string[] => {
  const rows = panelRows(m);
  const from = rows.findIndex((row) => row.includes("Around it"));
  return from < 0 ? [] : rows.slice(from + 1).filter((row) => row.trim() !== "" && !/[─›]|SEARCH/.test(row));
};

test("the result stands among its neighbours, with the bar of a cursor", async () => {
  const m = await found({ columns: 120, rows: 40 });
  const rows = around(m).map((row) => row.trim());
  expect(rows.filter((row) => row.startsWith("▌"))).toEqual([
    expect.stringMatching(/^▌ana {2}/),
    "▌  the kettle boils",
  ]);
  expect(rows.filter((row) => row.startsWith("line"))).toEqual([
    "line 3",
    "line 4",
    "line 5",
    "line 7",
    "line 8",
  ]);
  expect(m.core.calls("loadAround")).toEqual([]);
});

test("a reply stands below the message it answers", async () => {
  const m = await found({ columns: 120, rows: 40 }, [REPLY]);
  const texts = around(m).map((row) => row.trim());
  expect(texts).toEqual([
    expect.stringMatching(/^bo {2}/),
    "line 3",
    expect.stringMatching(/^▌bo {2}/),
    "▌  kettles, mostly",
  ]);
});

test("what is not loaded is asked for once, when the cursor has rested, not for each key", async () => {
  const m = await found({ columns: 120, rows: 40 });
  const [down, up] = ["\x1b[B", "\x1b[A"];
  for (const key of [down, down, up]) m.send(key);
  expect(m.core.calls("loadAround")).toEqual([]);
  await m.settle();
  expect(m.core.calls("loadAround")).toEqual([[{ cid: "messaging:ops" }, "old"]]);
  await m.type(up + down);
  expect(m.core.calls("loadAround")).toHaveLength(1);
  await m.type(down);
  expect(m.core.calls("loadAround").slice(1)).toEqual([[{ cid: "messaging:ops" }, "older"]]);
});

test.each([
  { columns: 80, rows: 24 },
  { columns: 100, rows: 26 },
  { columns: 50, rows: 20 },
])("a panel without room shows the results alone, and asks for nothing: %o", async (size) => {
  const m = await found(size);
  await m.press("down");
  expect(m.text()).toContain("kettle boils");
  expect(around(m)).toEqual([]);
  expect(m.core.calls("loadAround")).toEqual([]);
});
