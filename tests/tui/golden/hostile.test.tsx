/** Hostile names and texts change only their own cells: no control reaches the terminal, no row grows (specification/security.md §2). */
import blns from "big-list-of-naughty-strings" with { type: "json" };
import { afterEach, expect, test } from "vitest";
import { FakeCore, channel, message, stateOf, user } from "../../support/fake-core.ts";
import { mount, type Mounted } from "../../support/mount.tsx";

let m: Mounted | undefined;
afterEach(() => m?.unmount());

const ATTACKS = [
  "\x1b[2J\x1b[H",
  "\x1b]0;owned\x07",
  "\x1b]52;c;ZXZpbA==\x07",
  "\x1b[?1049l",
  "\x1bPq#0\x1b\\",
  "\x9b31m",
  "\x1b]8;;https://evil.example\x07click",
  "\r\n\n\n\x08\x08\x08",
  "\u202egnp.exe\u2066",
  "a\u0300".repeat(50) + "\u0300".repeat(300),
  "👩‍👩‍👧‍👦".repeat(40),
  "\ud800",
  "\u{e0041}\u{e007f}",
];

/** The sequences Parley itself writes; once they are removed, no ESC may remain. */
const OURS =
  /\x1b\[[\d;:]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?(?:2026|25|1049|7|2004|1004|1000|1002|1006)[hl]|\x1b\[\d*(?:[ABCDEGJK]|;\d*[Hf])|\x1b\[[HJK]|\x1b\[\d+ q|\x1b\[[<>][\d;]*[um]|\x1b\[2[23];2t|\x1b\]2;[^\x07\x1b]*\x07/g;

for (const [columns, rows] of [
  [120, 40],
  [60, 20],
] as const)
  test(`hostile names, channels, texts, notices and drafts stay in their cells at ${columns} × ${rows}`, async () => {
    const all = [...ATTACKS, ...(blns as string[]).slice(0, 120)];
    const bad = (i: number): string => all[i % all.length]!;
    const messages = all.map((text, i) => ({
      ...message(`m${i}`, "ana", text, { minute: i * 6 }),
      user: user(`u${i}`, { name: bad(i + 1) }),
    }));
    const core = new FakeCore(
      stateOf([
        channel("general", {
          messages,
          name: bad(0),
          typing: [{ user: user("x", { name: bad(2) }), since: 0 }],
        }),
        ...ATTACKS.map((name, i) => channel(`c${i}`, { name, unread: i })),
      ]),
    );
    m = await mount(core, { columns, rows });
    core.notify({ level: "error", text: ATTACKS.join(" ") });
    await m.settle();
    await m.press("esc", "g", "G", "k", "k", "C-k", "esc", "esc");
    await m.paste(ATTACKS[0]! + ATTACKS[8]!);
    const raw = m.writes.join("");
    // oxlint-disable-next-line no-control-regex
    expect(
      raw.replace(OURS, "").match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g),
    ).toBeNull();
    expect(raw).not.toContain("]52;");
    expect(raw).not.toContain("\x1b]0;");
    const lines = m.text().split("\n");
    const { rules, divider } = m.model.layout;
    expect(lines.at(-1)).toMatch(/^ WRITE {2}/);
    for (let y = 1; y < divider!; y++) for (const x of rules) expect(m.cell(x, y)).toBe("│");
    expect(lines[divider!]).toMatch(/^[─┴]+$/);
    expect(m.left).toBe(false);
  });
