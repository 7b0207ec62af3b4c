/** Favourite and recent emoji: which are kept beyond twenty, and in which order they are offered. */
import { expect, test } from "vitest";
import {
  preferredEmoji,
  preferredFirst,
  recordEmojiUse,
  toggleFavouriteEmoji,
} from "../../../src/tui/screen/emoji-use.ts";

const names = Array.from({ length: 21 }, (_, n) => `emoji${n}`);

function memory(): Parameters<typeof toggleFavouriteEmoji>[0] {
  const kept = new Map<string, unknown>();
  return { remember: (key) => kept.get(key) as never, keep: (key, value) => void kept.set(key, value) };
}

test("beyond twenty the newest favourite and the newest use replace the oldest", () => {
  const core = memory();
  for (const name of names) toggleFavouriteEmoji(core, name);
  for (const name of names) recordEmojiUse(core, name);
  const { favourites, recent } = preferredEmoji(core);
  expect(favourites).toEqual(names.slice(1));
  expect(recent).toEqual(names.slice(1).toReversed());
});

test("a favourite that is chosen again is none any more, and one that was used is offered once", () => {
  const core = memory();
  for (const name of ["tea", "cup", "tea"]) toggleFavouriteEmoji(core, name);
  for (const name of ["pot", "cup", "tea", "pot"]) recordEmojiUse(core, name);
  expect(preferredFirst(preferredEmoji(core))).toEqual(["cup", "pot", "tea"]);
});
