/** The list of the links in view: what it has, and what the keys do with an entry. */
import { afterEach, expect, test } from "vitest";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { mount, picture, type MountOptions, type Mounted } from "../../../support/mount.tsx";

let m: Mounted;
afterEach(() => m.unmount());

const room = (): FakeCore =>
  new FakeCore(
    stateOf([
      channel("general", {
        messages: [
          message("old", "ana", "https://out.of/sight", { minute: -90 }),
          ...Array.from({ length: 40 }, (_, n) => message(`f${n}`, "ana", `filler ${n}`, { minute: n - 80 })),
          message("m1", "ana", "see https://ci.example/881 and https://ci.example/880", { minute: 1 }),
          message("m2", "bo", "", {
            minute: 2,
            attachments: [{ type: "file", title: "report.pdf", asset_url: "https://f.example/report.pdf" }],
          }),
          message("m3", "bo", "https://gone.example", { minute: 3, type: "deleted" }),
          message("m4", "me", "nothing here", { minute: 4 }),
        ],
      }),
      channel("empty", { messages: [message("e1", "ana", "no address")] }),
    ]),
  );
async function screen(options: MountOptions = {}): Promise<void> {
  m = await mount(room(), { theme: makeTheme(0), ...options });
}

test("has the links and files of the visible messages from above, with n of m, also where it covers them", async () => {
  for (const columns of [120, 80]) {
    await screen({ columns, rows: 30 });
    await m.press("A-k");
    const rows = picture(m);
    expect(rows).toContain("Links in view · #general");
    expect(rows).toContain("1 of 3  Esc ×");
    expect(rows.indexOf("ci.example/881")).toBeGreaterThan(0);
    expect(rows.lastIndexOf("ci.example/880")).toBeLessThan(rows.lastIndexOf("report.pdf"));
    expect(rows).not.toContain("out.of");
    expect(rows).not.toContain("gone.example");
    if (columns === 120) m.unmount();
  }
});

test("Enter opens one, y copies its address, and m goes to its message", async () => {
  await screen({ columns: 120, rows: 30 });
  await m.press("esc", "L", "j");
  expect(picture(m)).toContain("2 of 3  Esc ×");
  await m.press("y");
  expect(m.copied).toEqual(["https://ci.example/880"]);
  await m.press("enter");
  expect(m.opened).toEqual(["https://ci.example/880"]);
  await m.press("m");
  expect(m.model.screen.focus).toBe("messages");
  expect(m.selected()?.id).toBe("m1");
});

test("without links it says so", async () => {
  await screen({ columns: 120, rows: 30 });
  await m.type("/go #empty\r");
  await m.press("A-k");
  expect(picture(m)).toContain("No links in view.");
});
