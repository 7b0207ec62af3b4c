/** Links of the text in the box: a row each under it, with the card, that it is looked up, or why there is none. */
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, type Mounted } from "../../../support/mount.tsx";
import { clickedCross } from "../../../../src/tui/views/composer/link-rows.ts";
import { cellWidth } from "../../../../src/text/width.ts";

let m: Mounted;
afterEach(() => m.unmount());

/** What `GET /og` answers, by the first letter of the host. */
const PAGES: Record<string, object> = {
  a: { title: "Tea in the afternoon", text: "Three kinds, and how to brew them" },
  b: { text: "no title here" },
};

async function show(size = { columns: 80, rows: 24 }): Promise<void> {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]), {
    linkPreviews: true,
  });
  core.changeChannel("messaging:general", (entry) => ({
    ...entry,
    channel: { ...entry.channel, own_capabilities: ["send-message", "send-links"] },
  }));
  core.call = ((_name: string, { query: { url } }: { query: { url: string } }) => {
    const page = PAGES[url[8]!];
    if (url.startsWith("https://never")) return new Promise(() => {});
    return page
      ? Promise.resolve({ og_scrape_url: url, ...page })
      : Promise.reject(new Error("no page there"));
  }) as never;
  m = await mount(core, size);
}
const write = async (text: string): Promise<void> => {
  await m.type(text);
  await m.core.clock.advance(1500);
  await expect.poll(() => m.ports.boxes.at().previews.length).toBeGreaterThan(0);
  await m.settle();
};
/** The rows under the text, without the hints below them. */
const under = (): string[] => {
  const lines = m.text().split("\n").slice(0, -1);
  const first = lines.findIndex((line) => line.startsWith(" › "));
  return lines
    .slice(first)
    .filter((line) => /^ {1,8}(link ·|\S)/.test(line) && !line.startsWith(" › "))
    .map((line) => line.trim());
};

test("a row under the text shows title, host and text of a page, or the address of one without a title", async () => {
  await show();
  await write("https://a.example/tea and https://b.example/milk");
  expect(under()).toEqual([
    "link · Tea in the afternoon · a.example · Three kinds, and how to brew them ✕",
    "b.example/milk · no title here ✕",
  ]);
  expect(m.line(23)).toContain("previews");
});

test("a link that is looked up says so, and one without a preview says why", async () => {
  await show();
  await write("https://never.example https://x.example");
  expect(under()).toEqual(["link · never.example · looking … ✕", "x.example · no preview: no page there ✕"]);
});

test("Alt-L sends without, which the rows say, and a click on a cross dismisses one", async () => {
  await show();
  await write("https://a.example/tea and https://b.example/milk");
  const y = m
    .text()
    .split("\n")
    .findIndex((line) => line.includes("b.example/milk · no title"));
  await m.click(m.line(y).indexOf("✕"), y);
  expect(under()[1]).toBe("b.example/milk · sent without a preview");
  await m.press("A-l");
  expect(under()).toEqual([
    "link · a.example/tea · sent without a preview",
    "b.example/milk · sent without a preview",
  ]);
  await m.press("enter");
  expect(m.core.calls("send").map(([, composition]) => composition)).toMatchObject([
    { options: { skip_enrich_url: true } },
  ]);
  expect(under()).toEqual([]);
});

test("of many links the first are shown and the others counted, the cursor stays in the text, and rows fit a small screen", async () => {
  await show({ columns: 80, rows: 30 });
  await write("see https://a.example https://b.example https://c.example https://d.example");
  expect(under()[2]).toBe("… 2 more");
  const { x, y } = m.cursor();
  expect(m.line(y).slice(0, x)).toContain("d.example");
  await m.resize(40, 10);
  for (const row of m.text().split("\n")) expect(cellWidth(row)).toBeLessThanOrEqual(40);
  expect(m.text()).toContain("https://c.example");
  expect(m.text()).toContain("link · ");
});

test("a click on the two cells of the cross means its link, one beside it or on a row without a cross nothing", () => {
  const row = { text: "link · tea ✕", url: "https://a.example" };
  const clicks = [9, 10, 11, 12].map((x) => clickedCross(row, x));
  expect(clicks).toEqual([undefined, row.url, row.url, undefined]);
  expect([clickedCross({ text: row.text }, 11), clickedCross(undefined, 11)]).toEqual([undefined, undefined]);
});
