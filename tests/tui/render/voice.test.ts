/** A voice message shows its loudness and length, with and without colours, and plain words for a screen reader. */
import { expect, test } from "vitest";
import type { ClientMessage } from "../../../src/model/state.ts";
import { plain } from "../../../src/text/width.ts";
import { messageRows } from "../../../src/tui/render/message.ts";
import { spoken } from "../../../src/tui/render/spoken.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { context, message, NOW } from "./messages.ts";

const voice = (more: object = {}): ClientMessage =>
  message({
    text: "",
    attachments: [
      {
        type: "voiceRecording",
        title: "note.aac",
        duration: 74,
        waveform_data: [0, 0.1, 0.4, 0.8, 0.3],
        ...more,
      },
    ],
  });
const rows = (held: ClientMessage, width: number, level: 0 | 3): string[] =>
  messageRows(held, context({ width, theme: makeTheme(level) }));

test.each([
  [80, 0],
  [40, 0],
  [40, 3],
] as const)("at %i cells and colour level %i", (width, level) => {
  const shown = rows(voice(), width, level);
  expect(shown.map(plain).map((row) => row.trimEnd())).toMatchSnapshot();
  expect(shown.some((row) => row.includes("\x1b"))).toBe(level > 0);
});

test("many values are reduced to the available width, invalid ones are silence, and none draw no row", () => {
  const long = rows(voice({ waveform_data: Array.from({ length: 300 }, (_, i) => (i % 10) / 10) }), 30, 0);
  expect(long.every((row) => row.length <= 30)).toBe(true);
  expect(rows(voice({ waveform_data: ["x", null] }), 80, 0).join("\n")).toContain("▁▁ 1:14");
  expect(rows(voice({ waveform_data: [] }), 80, 0)).toHaveLength(1);
  expect(rows(voice({ type: "audio" }), 80, 0)).toHaveLength(1);
});

test("a screen reader gets kind and length", () => {
  expect(spoken(voice(), { utc: true, now: NOW, me: "me" })).toMatch(/note\.aac · voice message · 1:14$/);
});
