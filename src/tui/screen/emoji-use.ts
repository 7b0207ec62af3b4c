/** Favourite and recently used emoji, saved for the next start. */
import type { Core } from "../../core/core.ts";

const MOST = 20;

type Memory = Pick<Core, "remember" | "keep">;

/** Names: favourites in the order they became so, the others the newest first. */
export interface LikedEmoji {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

export const likedEmoji = (core: Pick<Memory, "remember">): LikedEmoji => ({
  favourites: core.remember<string[]>("favouriteEmoji") ?? [],
  recent: core.remember<string[]>("emoji") ?? [],
});

/** Each once, as lists begin with them. */
export const firstOf = ({ favourites, recent }: LikedEmoji): string[] => [
  ...new Set([...favourites, ...recent]),
];

export function usedEmoji(core: Memory, name: string): void {
  const { recent } = likedEmoji(core);
  if (recent[0] === name) return;
  core.keep("emoji", [name, ...recent.filter((one) => one !== name)].slice(0, MOST));
}

/** Among the favourites it is, or no longer. */
export function favouriteToggled(core: Memory, name: string): void {
  const { favourites } = likedEmoji(core);
  const without = favourites.filter((one) => one !== name);
  core.keep(
    "favouriteEmoji",
    without.length < favourites.length ? without : [...favourites, name].slice(-MOST),
  );
}
