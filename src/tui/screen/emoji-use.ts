/** Favourite and recently used emoji, saved for the next start. */
import type { Core } from "../../core/core.ts";

const MOST = 20;

type Storage = Pick<Core, "remember" | "keep">;

/** Names: favourites in the order they became so, the others the newest first. */
export interface PreferredEmoji {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

export const preferredEmoji = (core: Pick<Storage, "remember">): PreferredEmoji => ({
  favourites: core.remember<string[]>("favouriteEmoji") ?? [],
  recent: core.remember<string[]>("emoji") ?? [],
});

/** Each once, as lists begin with them. */
export const preferredFirst = ({ favourites, recent }: PreferredEmoji): string[] => [
  ...new Set([...favourites, ...recent]),
];

export function recordEmojiUse(core: Storage, name: string): void {
  const { recent } = preferredEmoji(core);
  if (recent[0] === name) return;
  core.keep("emoji", [name, ...recent.filter((one) => one !== name)].slice(0, MOST));
}

/** Among the favourites it is, or no longer. */
export function toggleFavouriteEmoji(core: Storage, name: string): void {
  const { favourites } = preferredEmoji(core);
  const without = favourites.filter((one) => one !== name);
  core.keep(
    "favouriteEmoji",
    without.length < favourites.length ? without : [...favourites, name].slice(-MOST),
  );
}
