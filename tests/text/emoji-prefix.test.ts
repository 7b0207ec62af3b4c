/** The build's cheaper emoji test finds the same clusters as the width library, for every emoji. */
import { expect, test } from "vitest";
import { EMOJI_PREFIX } from "../../scripts/patches/string-width.ts";
import { isEmoji } from "../../src/text/sanitize.ts";
import { allEmoji } from "../../src/text/emoji.ts";
import { spread } from "../support/proof.ts";

const original = /^(?:\p{RGI_Emoji}|\p{Regional_Indicator}{1,2}|[\d#*]\u{FE0F})/v;
const cheap = new RegExp(String.raw`^(?:${EMOJI_PREFIX}|\p{Regional_Indicator}{1,2}|[\d#*]\u{FE0F})`, "v");
/** Counts the skin-tone modifiers without a base from index `from` on, where the library counts them after its match. */
const strays = (text: string, from: number): number =>
  [...text.matchAll(/(?<![\p{Emoji_Modifier_Base}\u{200D}])\p{Emoji_Modifier}/gv)].filter(
    ({ index }) => index >= from,
  ).length;

/** Code points up to the last emoji, without the halves of pairs. */
const POINTS = spread(
  Array.from({ length: 0x1fc00 }, (_, code) => code).filter(
    (code) => code >= 0x20 && (code < 0xd800 || code >= 0xe000),
  ),
  20_000,
);

function agree(cluster: string): void {
  const [a, b] = [original.exec(cluster)?.[0], cheap.exec(cluster)?.[0]];
  if (
    (a === undefined) !== (b === undefined) ||
    strays(cluster, a?.length ?? 0) !== strays(cluster, b?.length ?? 0)
  )
    expect.fail(`${JSON.stringify(cluster)}: ${a} and ${b}`);
}

test("every named emoji is matched by both, alone and followed by modifiers", () => {
  const all = allEmoji().map(({ emoji }) => emoji);
  expect(all.length).toBeGreaterThan(1500);
  for (const emoji of all)
    for (const tail of ["", "\u{fe0f}", "\u{fe0e}", "\u{1f3fd}", "\u{fe0f}\u{1f3fd}", "\u{200d}", "\u{301}"])
      agree(emoji + tail);
});

test("every code point is matched by both or neither, alone and followed by modifiers", () => {
  for (const code of POINTS) {
    const text = String.fromCodePoint(code);
    for (const tail of ["", "\u{fe0f}", "\u{1f3fb}", "\u{200d}\u{1f525}", "\u{20e3}", "\u{fe0f}\u{20e3}"])
      agree(text + tail);
  }
});

test("isEmoji is true exactly for real emoji, for every code point with modifiers", () => {
  for (const code of POINTS) {
    const text = String.fromCodePoint(code);
    for (const tail of [
      "",
      "\u{fe0f}",
      "\u{1f3fb}",
      "\u{1f3ff}",
      "\u{fe0f}\u{1f3fb}",
      "\u{20e3}",
      "\u{fe0f}\u{20e3}",
    ])
      if (isEmoji(text + tail) !== /^\p{RGI_Emoji}$/v.test(text + tail))
        expect.fail(JSON.stringify(text + tail));
  }
});
