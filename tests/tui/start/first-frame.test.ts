/** The frame saved for the next start: text and colours, row by row. */
import { expect, test } from "vitest";
import type { Screen } from "../../../src/tui/screen/screen.ts";
import { plainRows, saveOrDeleteFrame } from "../../../src/tui/start/first-frame.ts";
import { FakeCore, channel, message, stateOf } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

test.each([
  ["colours stay", "\x1b[1;38;2;1;2;3mana\x1b[0m", "\x1b[1;38;2;1;2;3mana\x1b[0m"],
  ["moves, erasing and modes go", "\x1b[H\x1b[Ja\x1b[2Kb\x1b[?25h\x1b[3;4Hc", "abc"],
  [
    "addresses of links go, their words stay",
    "\x1b]8;;https://example.com/s3cret\x1b\\here\x1b]8;;\x07",
    "here",
  ],
  ["titles, pictures and what is cut off go", "\x1b]0;t\x07a\x1bPq123\x1b\\b\x1b_Gx\x1b\\c\x1b", "abc"],
  ["cells of a picture are blank", "\u{10EEEE}\u0305\u030d\u{10EEEE}\u0305x", "  x"],
  ["controls go", "a\x07\x08\rb\x9bc", "abc"],
])("%s", (_, frame, row) => {
  expect(plainRows(frame)).toEqual([row]);
});

test("each line is a row", () => {
  expect(plainRows("one\ntwo\n")).toEqual(["one", "two", ""]);
});

/** The screen that is drawn for the next start; a frame that is too short is not saved. */
function drawnForNextStart({ ports, screen }: Mounted): Screen {
  let drawn = screen;
  const captureFrame = (): string => {
    drawn = ports.store.screen;
    return "";
  };
  const file = { file: "/nowhere/frame", key: "", profile: "work" };
  saveOrDeleteFrame(
    ports,
    { size: { columns: 60, rows: 20 }, captureFrame } as never,
    { frameFile: () => file } as never,
    { env: {}, profile: "work", enabled: true },
  );
  return drawn;
}

test("nothing that is open or half done at the end is in it", async () => {
  const core = new FakeCore(stateOf([channel("general", { messages: [message("m1", "ana", "hi")] })]));
  const m = await mount(core, { columns: 60, rows: 20 });
  const untouched = drawnForNextStart(m);
  m.change(() => ({ ...untouched, loading: false }));
  await m.press("C-\\", "/");
  await m.type("gen");
  m.change((s) => ({ ...s, hints: {} as never, pendingKey: {} as never, quitArmed: true }));
  expect(m.screen.sidebar).toMatchObject({ over: true, filter: expect.anything() });
  const { cursor: _cursor, ...sidebar } = drawnForNextStart(m).sidebar;
  expect({ ...drawnForNextStart(m), sidebar }).toEqual(untouched);
  m.unmount();
});
