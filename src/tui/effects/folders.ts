/** Loads the folder shown in the file browser. */
import { popupChanged, topPopup } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import type { DiskEntry } from "../screen/host.ts";
import type { Reads } from "../screen/store.ts";
import { typedFolder, isFolderRead } from "../views/files/browser.ts";

type Needs = Pick<Ports, "disk" | "store">;

/** Returns a function to call after every change of the model. */
export function folderReader({ disk, store }: Needs): (model: Reads<"popups">) => void {
  /** The folder being read. */
  let reading: string | undefined;
  const showListing = (folder: string, entries: readonly DiskEntry[], fault?: string): void => {
    reading = undefined;
    const listing = { folder, entries, ...(fault !== undefined && { fault }) };
    store.update((s) =>
      popupChanged(s, (popup) =>
        popup.kind === "files" && typedFolder(popup).folder === folder ? { ...popup, listing } : popup,
      ),
    );
  };
  return ({ screen }) => {
    const popup = topPopup(screen);
    if (popup?.kind !== "files" || isFolderRead(popup)) return;
    const { folder } = typedFolder(popup);
    if (reading === folder) return;
    reading = folder;
    disk.list(folder).then(
      (entries) => showListing(folder, entries),
      (error: Error) => showListing(folder, [], error.message),
    );
  };
}
