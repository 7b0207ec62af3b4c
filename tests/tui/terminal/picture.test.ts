/** Pictures of the screen as SVG: colours, wide glyphs and the cursor are drawn in their cells. */
import { expect, test } from "vitest";
import { Pty } from "../../support/pty.ts";

test("a screen with colours, wide and special characters is drawn on its grid", async () => {
  await using pty = Pty.spawn(
    "sh",
    [
      "-c",
      String.raw`printf '\033[1;31mred\033[0m \033[48;2;1;2;3m日本\033[0m <&>\r\n\033[7minv\033[0m ▀ \033[4mline\033[0m \033[2m▌\033[0m'; read wait`,
    ],
    { cols: 20, rows: 4 },
  );
  await pty.waitFor("line");
  const svg = pty.picture({ cellWidth: 10, cellHeight: 20, title: "a & b" });
  expect(svg).toContain('width="220" height="126"');
  expect(svg).toMatch(/<text xml:space="preserve" x="10"[^>]*fill="#e06c75" font-weight="bold">red<\/text>/);
  // 日 starts at cell 4 and 本 at cell 6; the background spans two cells each.
  expect(svg).toMatch(/<text xml:space="preserve" x="50"[^>]*>日<\/text>/);
  expect(svg).toMatch(/<text xml:space="preserve" x="70"[^>]*>本<\/text>/);
  expect(svg).toContain('<rect x="50" y="36" width="20.3" height="20.3" fill="#010203"/>');
  expect(svg).toContain("&lt;&amp;&gt;");
  expect(svg).toContain("a &amp; b");
  expect(svg).toMatch(/fill="#16181d">inv<\/text>/);
  expect(svg).toContain('text-decoration="underline">line</text>');
  expect(svg).toContain('<rect x="50" y="56" width="10.3" height="10.3" fill="#d7dae0"/>');
  expect(svg).toContain('<rect x="120" y="56" width="5.3" height="20.3" fill="#d7dae0" opacity="0.6"/>');
  expect(svg).toMatch(/<rect x="130" y="56" width="10" height="20" fill="#ffffff" opacity="0.45"\/>/);
  expect(pty.cell(0, 0)).toMatchObject({ char: "r", bold: true, fg: "#e06c75" });
  expect(pty.find("本")).toEqual({ x: 6, y: 0 });
});
