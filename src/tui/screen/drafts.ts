/** The drafts that the screen lists: those of this machine, and those of other devices. */
import type { Core } from "../../core/core.ts";
import type { LocalDraft } from "../../core/store/store.ts";
import { placeKey } from "./place-key.ts";

/**
 * Drafts with text by `placeKey`, newest first. Drafts of other devices are listed where this machine has none, and not
 * in places whose composer is `cleared`: it had taken them over, and they are about to be deleted.
 */
export function draftsByPlace(
  core: Pick<Core, "drafts" | "providerDrafts">,
  cleared: (key: string) => boolean = () => false,
): ReadonlyMap<string, LocalDraft> {
  const own = new Map(core.drafts().map((draft) => [placeKey(draft), draft]));
  const others = core.providerDrafts
    .state()
    .map((draft) => [placeKey(draft), draft] as const)
    .filter(([key]) => !own.has(key) && !cleared(key));
  return new Map(
    [...own, ...others]
      .filter(([, { text }]) => text.trim() !== "")
      .toSorted(([, a], [, b]) => b.updatedAt - a.updatedAt),
  );
}
