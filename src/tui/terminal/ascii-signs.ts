/** Signs and lines of the screen in ASCII, each of one cell, for a locale without Unicode (specification/screen.md §8). */

/** A sign, and what stands for it. */
const SIGNS = new Map(
  (
    "·. ×x –- —- ‘' ’' “\" ”\" •* …~ ‹< ›> «< »> ←< ↑^ →> ↓v ↪> ↳> ⏎< ─- ━= │| ┃| ┄. ▀^ ▁_ ▂_ ▃- ▄_ ▅- ▆= ▇= ▌> ▎| ▐| ░. " +
    "▸> ▾v ◆* ◉@ ○o ◌o ●* ★* ☐_ ☑x ✎/ ✓+ ✕x ✗x"
  )
    .split(" ")
    .map(([sign, ascii]) => [sign!, ascii!]),
);

/** Arrows, lines, blocks, shapes and the patterns that maps are made of; letters and emoji stay. */
const DRAWN = /[«·»×–—‘’“”•…‹›←-⇿⏎─-◿★☐-☒✎✓-✘⠀-⣿]/gu;

function asciiOf(sign: string): string {
  const known = SIGNS.get(sign);
  if (known !== undefined) return known;
  if (sign >= "\u2800") return sign === "\u2800" ? " " : ".";
  if (sign < "\u2500") return "-";
  return sign < "\u2580" ? "+" : "#";
}

/** The same text, its signs replaced one by one. */
export const asciiSigns = (text: string): string => text.replace(DRAWN, asciiOf);
