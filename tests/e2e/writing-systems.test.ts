/** Writing systems whose widths terminals measure differently: the borders of the screen still line up. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

const TEXTS = [
  "हिन्दी में किताब, क्षत्रिय र्‍य",
  "বাংলা ভাষায় লেখা",
  "தமிழ் நிகழ்வு",
  "తెలుగు మరియు ಕನ್ನಡ",
  "മലയാളം, සිංහල",
  "กำลังน้ำ ນ້ຳ",
  "ភាសាខ្មែរ မြန်မာ",
  "👩‍👩‍👧 👍🏽 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
];

let home: Home;
beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("hindi", ["ana", "bob"]);
  await home.call("PATCH", "/channels/messaging/hindi", {
    user_id: "ana",
    set: { name: "हिन्दी", topic: "किताब தமிழ் กำ" },
  });
  for (const text of TEXTS) await home.say("messaging:hindi", "bob", { text });
  await home.say("messaging:hindi", "bob", { text: `**${TEXTS[0]}** ${TEXTS.join(" ")}` });
});
afterAll(() => home.end());

/** Cells where a line between the panes is out of place. */
function misplacedBorders(screen: Pty): string[] {
  const rule = screen.line(screen.rows - 3);
  const columns = [...rule].flatMap((sign, x) => (sign === "┴" ? [x] : []));
  expect([/^[─┴]+$/.test(rule), columns.length > 0]).toEqual([true, true]);
  // Below the title, which has no lines.
  return Array.from({ length: screen.rows - 4 }, (_, y) => y + 1).flatMap((y) =>
    columns
      .map((x) => ({ x, char: screen.cell(x, y)!.char }))
      .filter(({ char }) => char !== "│")
      .map(({ x, char }) => `(${x}, ${y}) is “${char}”`),
  );
}

test.each([
  ["grapheme clusters", true],
  ["code points", false],
])(
  "in a terminal that counts %s the borders line up, also while typing and with a panel open",
  async (_, graphemes) => {
    await using screen = home.screen(["chat", "messaging:hindi"], { cols: 120, rows: 40, graphemes });
    await screen.waitFor("● online");
    await screen.waitFor("မြန်မာ".slice(0, 2));
    await screen.settle();
    expect(misplacedBorders(screen)).toEqual([]);
    screen.type("नमस्ते किताब");
    screen.key("C-t");
    await screen.waitFor("Esc ×");
    await screen.settle();
    expect(misplacedBorders(screen)).toEqual([]);
    screen.key("esc");
    screen.key("esc");
    screen.key("k");
    screen.key("k");
    await screen.settle();
    expect(misplacedBorders(screen)).toEqual([]);
  },
);
