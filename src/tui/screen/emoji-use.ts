/** Saves favourite and recently used emoji. */
import type { Core } from "../../core/core.ts";

const MAX_EMOJI = 20;

type Storage = Pick<Core, "remember" | "keep">;

/** Emoji names: favourites in the order they were added, recent ones newest first. */
export interface PreferredEmoji {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

export const preferredEmoji = (core: Pick<Storage, "remember">): PreferredEmoji => ({
  favourites: core.remember<string[]>("favouriteEmoji") ?? [],
  recent: core.remember<string[]>("emoji") ?? [],
});

/** Favourites, then recent ones, without duplicates. */
export const preferredFirst = ({ favourites, recent }: PreferredEmoji): string[] => [
  ...new Set([...favourites, ...recent]),
];

export function recordEmojiUse(core: Storage, name: string): void {
  const { recent } = preferredEmoji(core);
  if (recent[0] === name) return;
  core.keep("emoji", [name, ...recent.filter((emoji) => emoji !== name)].slice(0, MAX_EMOJI));
}

export function toggleFavouriteEmoji(core: Storage, name: string): void {
  const { favourites } = preferredEmoji(core);
  const remaining = favourites.filter((emoji) => emoji !== name);
  core.keep(
    "favouriteEmoji",
    remaining.length < favourites.length ? remaining : [...favourites, name].slice(-MAX_EMOJI),
  );
}
