/** Hostile messages drawn in a terminal emulator: their rows change no mode, title, clipboard or other row. */
import xterm from "@xterm/headless";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messageRows } from "../../../src/tui/render/message.ts";
import { makeTheme } from "../../../src/tui/render/theme.ts";
import { hostile } from "../../text/hostile.ts";
import { context, group, message } from "./messages.ts";

const COLUMNS = 90;
const ROWS = 120;
let terminal: InstanceType<typeof xterm.Terminal>;
const events: string[] = [];
const write = (text: string): Promise<void> => new Promise((done) => terminal.write(text, done));

beforeAll(() => {
  terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 0 });
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onData((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onBell(() => events.push("bell"));
  for (const id of [0, 4, 7, 9, 10, 11, 12, 50, 52, 66, 99, 104, 133, 777, 1337])
    terminal.parser.registerOscHandler(id, (data) => {
      events.push(`osc ${id} ${data}`);
      return true;
    });
  terminal.parser.registerDcsHandler({ final: "q" }, () => {
    events.push("dcs");
    return true;
  });
});
afterAll(() => terminal.dispose());

/** Column of the sentinel characters, to the right of every row. */
const EDGE = 88;

/**
 * Draws each row on its own line, without autowrap as on the real screen, with a sentinel behind it. A row that moved the
 * cursor, cleared, scrolled or left a style on damages a sentinel.
 */
async function expectRowsContained(rows: readonly string[]): Promise<void> {
  const drawn = rows.map((row, y) => `\x1b[${y + 1};1H${row}\x1b[${y + 1};${EDGE}Hz`).join("");
  await write(`\x1b[0m\x1b[?7l\x1b[2J${drawn}`);
  const rowText = (y: number): string => JSON.stringify(rows[y]);
  expect(terminal.buffer.active.type).toBe("normal");
  expect(events).toEqual([]);
  rows.forEach((_, y) => {
    const cell = terminal.buffer.active.getLine(y)!.getCell(EDGE - 1)!;
    if (cell.getChars() !== "z" || !cell.isAttributeDefault())
      throw new Error(`the sentinel is gone behind ${rowText(y)}`);
  });
  expect(terminal.buffer.active.cursorY).toBe(rows.length - 1);
}

test("the test notices a title, a reply request and damage to other rows", async () => {
  await write("\x1b]0;pwned\x07\x1b[6n");
  expect(events.length).toBe(2);
  events.length = 0;
  await expect(expectRowsContained(["a", "b\x1b[2J", "c"])).rejects.toThrow("sentinel");
  await expect(expectRowsContained(["a\x1b[31m", "b"])).rejects.toThrow("sentinel");
});

test("no row of the corpus does more than write on its own line", async () => {
  await write("\x1b[?7h");
  const modes = JSON.stringify(terminal.modes);
  const ctx = context({ width: 84, theme: makeTheme(3), hyperlinks: true });
  const rows = new Set<string>();
  for (const text of hostile)
    for (const row of messageRows(
      message({
        text,
        user: { id: text, name: text },
        attachments: [{ title: text, asset_url: `https://a.example/${text}`, text }],
        reaction_groups: { [text || "like"]: group(1, 15) },
      }),
      ctx,
    ))
      rows.add(row);
  expect(rows.size).toBeGreaterThan(3000);
  const all = [...rows];
  for (let at = 0; at < all.length; at += ROWS) await expectRowsContained(all.slice(at, at + ROWS));
  await write("\x1b[?7h");
  expect(JSON.stringify(terminal.modes)).toBe(modes);
});
