/** The bridge from the store to React: a pane draws again only when what it selects is another value. */
import { useSyncExternalStore } from "react";
import type { Model } from "./screen/store.ts";
import type { Ui } from "./ui.ts";

/** `select` gives the same object for the same picture (memoLast); panes that did not change are skipped. */
export function useModel<T>(ui: Ui, select: (model: Model) => T): T {
  return useSyncExternalStore(ui.store.subscribe, () => select(ui.store.get()));
}
