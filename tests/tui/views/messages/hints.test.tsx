/** Hint letters, clicks on buttons, and selecting text with the mouse. */
import { afterEach, expect, test } from "vitest";
import { labelsFor } from "../../../../src/tui/screen/hints.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import type { ClientMessage } from "../../../../src/model/state.ts";
import { CAPABLE, FakeCore, channel, message, stateOf, thread } from "../../../support/fake-core.ts";
import { mount, type MountOptions, type Mounted } from "../../../support/mount.tsx";

const open: Mounted[] = [];
afterEach(() => {
  for (const m of open.splice(0)) m.unmount();
});
const at = (minute: number): string =>
  new Date(Date.parse("2026-11-17T09:00:00Z") + minute * 60_000).toISOString();
const conversation = (): ClientMessage[] => [
  message("m1", "ana", "deploy at ten?", { reply_count: 1 }),
  message("m2", "bo", "see https://ci.example/881", {
    minute: 12,
    reaction_groups: {
      like: { count: 2, sum_scores: 2, first_reaction_at: at(13), last_reaction_at: at(13) },
    },
  }),
  message("m3", "cy", "as ana said", {
    minute: 20,
    quoted_message_id: "m1",
    quoted_message: message("m1", "ana", "deploy at ten?"),
  }),
];
async function show(options: MountOptions = {}, messages = conversation()): Promise<Mounted> {
  const core = new FakeCore(
    stateOf([
      channel("general", {
        messages,
        threads: new Map([["m1", thread("m1", [message("r1", "cy", "ten it is", { minute: 2 })])]]),
      }),
    ]),
  );
  const m = await mount(core, { columns: 80, rows: 16, ...options });
  open.push(m);
  return m;
}
/** The screen position of a text. */
function find(m: Mounted, text: string): { x: number; y: number } {
  const y = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes(text));
  return { x: m.line(y).indexOf(text), y };
}
/** The hint letter drawn before a text. */
const letterBefore = (m: Mounted, text: string): string => new RegExp(`(\\w)\\[?${text}`).exec(m.text())![1]!;

test("labels are single letters while they suffice, else pairs, and none is a prefix of another", () => {
  expect(labelsFor(3)).toEqual(["a", "s", "d"]);
  expect([26, 27].map((count) => labelsFor(count).at(-1))).toEqual(["m", "sa"]);
  const many = labelsFor(60);
  expect(new Set(many).size).toBe(60);
  expect(new Set(many.map((label) => label.length))).toEqual(new Set([2]));
});

test("f labels messages, links, reactions, replies and quotes, and Esc removes the labels", async () => {
  const m = await show();
  await m.press("esc", "f");
  expect(m.screen.hints!.all.map(({ id, spot }) => [id, spot?.name])).toEqual([
    ["m1", undefined],
    ["m1", "thread"],
    ["m2", undefined],
    ["m2", "link"],
    ["m2", "react"],
    ["m3", undefined],
    ["m3", "quote"],
  ]);
  expect(m.text()).toContain("type the letters");
  expect(m.text()).toContain("seefhttps://ci.example/881");
  await m.press("esc");
  expect(m.screen.hints).toBeUndefined();
  expect(m.text()).toContain("see https://ci.example/881");
});

test("beside an open thread both lists have labels, first the one with the focus, and a label acts in its list", async () => {
  const m = await show({ columns: 120 });
  await m.press("esc", "f");
  await m.type(m.screen.hints!.all.find(({ spot }) => spot?.name === "thread")!.label);
  await m.press("esc", "f");
  expect(m.screen.focus).toBe("panel");
  expect([...new Set(m.screen.hints!.all.map(({ id }) => id))]).toEqual(["m1", "r1", "m2", "m3"]);
  await m.type(m.screen.hints!.all.find(({ id }) => id === "r1")!.label);
  expect([m.screen.focus, m.selected()?.id]).toEqual(["panel", "r1"]);
});

test("a label opens its link, toggles its reaction, opens its thread or selects its message", async () => {
  const m = await show();
  await m.press("esc", "f");
  await m.type(letterBefore(m, "https://ci"));
  expect(m.opened).toEqual(["https://ci.example/881"]);
  await m.press("f");
  await m.type(m.screen.hints!.all.find(({ spot }) => spot?.name === "react")!.label);
  expect(m.core.calls("react").map(([held, type]) => [(held as ClientMessage).id, type])).toEqual([
    ["m2", "like"],
  ]);
  await m.press("f");
  await m.type(m.screen.hints!.all.find(({ id, spot }) => id === "m1" && !spot)!.label);
  expect(m.selected()?.id).toBe("m1");
  await m.press("f");
  await m.type(m.screen.hints!.all.find(({ spot }) => spot?.name === "thread")!.label);
  expect(m.core.calls("openThread")).toEqual([["messaging:general", "m1"]]);
});

test("the label of a quote jumps to the original, and Backspace returns", async () => {
  const m = await show();
  await m.press("esc", "f");
  await m.type(m.screen.hints!.all.find(({ spot }) => spot?.name === "quote")!.label);
  expect(m.selected()?.id).toBe("m1");
  await m.press("backspace");
  expect(m.selected()?.id).toBe("m3");
});

test("with many labels two letters are typed, Backspace removes one, and a wrong one ends it", async () => {
  const many = Array.from({ length: 30 }, (_, i) =>
    message(`m${i}`, "ana", `https://a.example/${i}`, { minute: i }),
  );
  const m = await show({ rows: 40 }, many);
  await m.press("esc", "f");
  expect(m.screen.hints!.all[0]!.label).toBe("aa");
  await m.type("a");
  expect(m.screen.hints!.typed).toBe("a");
  await m.press("backspace");
  expect(m.screen.hints!.typed).toBe("");
  await m.type("!");
  expect(m.screen.hints).toBeUndefined();
});

test.each([
  ["wide", { columns: 120, rows: 16 }],
  ["50 × 20", { columns: 50, rows: 20 }],
  ["without colours", { theme: makeTheme(0, "dark", { styled: true }) }],
  ["without any style", { theme: makeTheme(0) }],
] as const)("golden: %s", async (_, options) => {
  const m = await show(options);
  await m.press("esc", "f");
  expect(m.text().replace(/[ ]+$/gm, "")).toMatchSnapshot();
});

test("a click on a reaction toggles it and keeps the focus in the box", async () => {
  const m = await show();
  const { x, y } = find(m, "👍 2");
  await m.click(x, y);
  expect(m.core.calls("react").map(([, type]) => type)).toEqual(["like"]);
  expect(m.screen.focus).toBe("composer");
});

test("a click opens the thread of a reply count, a link, or the original of a quote", async () => {
  const m = await show();
  const link = find(m, "https://ci");
  await m.click(link.x + 3, link.y);
  expect(m.opened).toEqual(["https://ci.example/881"]);
  const quote = find(m, "▎ ana");
  await m.click(quote.x + 4, quote.y);
  expect(m.selected()?.id).toBe("m1");
  const replies = find(m, "1 reply");
  await m.click(replies.x, replies.y);
  expect(m.core.calls("openThread")).toEqual([["messaging:general", "m1"]]);
});

test("a click elsewhere selects the message", async () => {
  const m = await show();
  const { y } = find(m, "https://ci");
  await m.click(60, y);
  expect(m.selected()?.id).toBe("m2");
});

const down = (x: number, y: number): string => `\x1b[<0;${x + 1};${y + 1}M`;
const drag = (x: number, y: number): string => `\x1b[<32;${x + 1};${y + 1}M`;
const up = (x: number, y: number): string => `\x1b[<0;${x + 1};${y + 1}m`;

test("dragging selects the text of one pane and copies it", async () => {
  const m = await show();
  const from = find(m, "deploy");
  await m.type(down(from.x, from.y) + drag(from.x + 5, from.y));
  expect(m.screen.drag).toBeDefined();
  await m.type(up(from.x + 5, from.y));
  expect(m.copied).toEqual(["deploy"]);
  expect(m.screen.drag).toBeUndefined();
  expect(m.screen.focus).toBe("composer");
});

test("text over several rows is copied without the sidebar and the indent", async () => {
  const m = await show();
  const from = find(m, "deploy");
  const to = find(m, "1 reply");
  await m.type(down(from.x, from.y) + drag(2, to.y) + drag(to.x + 6, to.y) + up(to.x + 6, to.y));
  expect(m.copied).toEqual(["deploy at ten?\n1 reply"]);
});

test.each(["message", "thread", "full text", "box"])(
  "a dragged text is copied without the breaks of its rows, an address whole, and with the breaks that were written: %s",
  async (place) => {
    const address = `https://example.com/${"abcdefghij".repeat(14)}`;
    const written = `a line of words ${"that goes on ".repeat(12)}to its end\nsecond: ${address}\n\nthird`;
    const m = await show({ columns: 90, rows: 40 }, [message("m1", "bo", written)]);
    if (place === "thread") await m.press("esc", "r");
    if (place === "full text") await m.press("esc", "v");
    if (place === "box") await m.paste(written);
    const last = m
      .text()
      .split("\n")
      .findLastIndex((row) => row.includes("third"));
    const first = m
      .text()
      .split("\n")
      .findLastIndex((row, y) => y < last && row.includes("a line of words"));
    const x = m.line(first).indexOf("a line");
    const end = m.line(last).indexOf("third") + 4;
    await m.type(down(x, first) + drag(end - 1, last) + drag(end, last) + up(end, last));
    expect(m.copied).toEqual([written]);
  },
);

test("a wrapped quote is copied without its rail, and a text without blanks whole", async () => {
  const wide = "一二三四五六七八九十".repeat(12);
  const quoted = "a quotation ".repeat(14).trim();
  const m = await show({ columns: 90, rows: 40 }, [message("m1", "bo", `> ${quoted}\n\n${wide}`)]);
  const from = find(m, "a quotation");
  const rows = m.text().split("\n");
  const last = rows.findLastIndex((row) => /[一二三四五六七八九十]/.test(row));
  await m.type(down(from.x, from.y) + drag(80, last) + up(80, last));
  expect(m.copied).toEqual([`${quoted}\n${wide}`]);
});

test("a selection beyond its pane ends at the edge", async () => {
  const m = await show();
  const from = find(m, "deploy");
  await m.type(down(from.x, from.y) + drag(0, from.y) + up(0, from.y));
  expect(m.copied).toEqual(["d"]);
});

test("what is not allowed is refused by click too", async () => {
  const entry = channel("general", { messages: conversation() });
  const core = new FakeCore(
    stateOf([
      {
        ...entry,
        channel: {
          ...entry.channel,
          own_capabilities: CAPABLE.filter((c) => c !== "send-reaction"),
        } as never,
      },
    ]),
  );
  const m = await mount(core, { columns: 80, rows: 16 });
  open.push(m);
  const { x, y } = find(m, "👍 2");
  await m.click(x, y);
  expect(m.core.calls("react")).toEqual([]);
  expect(m.core.calls("notify")[0]).toEqual([
    expect.objectContaining({ text: "This channel does not allow that (send-reaction)." }),
  ]);
});

test("a message address is a link: a click, its label and o jump there, and Backspace returns", async () => {
  const to = "parley:messaging:general/m1";
  const m = await show({}, [...conversation(), message("m4", "bo", `as in ${to}, see`, { minute: 30 })]);
  const { x, y } = find(m, to);
  await m.click(x, y);
  expect(m.selected()?.id).toBe("m1");
  for (const keys of [
    ["o"],
    ["f", () => m.screen.hints!.all.find(({ spot }) => spot?.name === "jump")!.label],
  ] as const) {
    await m.press("G");
    expect(m.selected()?.id).toBe("m4");
    for (const key of keys) await m.press(typeof key === "string" ? key : key());
    expect(m.selected()?.id).toBe("m1");
    await m.press("backspace");
    expect(m.selected()?.id).toBe("m4");
  }
});

test("a click on a mention opens the person's menu", async () => {
  const ana = { id: "ana", name: "Ana Lima", role: "user", created_at: at(0), updated_at: at(0) };
  const m = await show({}, [
    message("m1", "bo", "ask @Ana Lima about @nobody", { mentioned_users: [ana as never] }),
  ]);
  const { x, y } = find(m, "@Ana Lima");
  await m.click(x + 2, y);
  expect(m.text()).toContain("Send a direct message");
  await m.press("esc");
  const other = find(m, "@nobody");
  await m.click(other.x + 2, other.y);
  expect(m.text()).not.toContain("Send a direct message");
});
