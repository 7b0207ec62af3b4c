/** Saves files of messages: asks which, and once in which folder; shows the progress. */
import path from "node:path";
import type { SavableFile } from "../../../model/message-links.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { errorWords, attempt, openPicker, showError, showNotice } from "../../screen/notices.ts";
import { resolvePath, shortPath } from "./paths.ts";

type SavePorts = Pick<Ports, "core" | "store" | "disk" | "downloads">;

/** Saves the only file, or lets the user choose among several. */
export function saveMessageFiles(ports: SavePorts, files: readonly SavableFile[]): void {
  if (files.length === 0) return showNotice(ports, words.files.noFile);
  if (files.length === 1) return saveFiles(ports, files);
  const choices = [
    { label: words.files.all(files.length), choose: () => saveFiles(ports, files) },
    ...files.map((file) => ({ label: cleanLine(file.name), choose: () => saveFiles(ports, [file]) })),
  ];
  openPicker(ports, { title: words.files.saveWhich, choices });
}

/** Asks for the folder first if the setting is empty. */
function saveFiles(ports: SavePorts, files: readonly SavableFile[]): void {
  const folder = ports.downloads.folder();
  if (folder === "") attempt(ports, askFolder(ports, files));
  else void saveAll(ports, files, resolvePath(folder, ports.disk));
}

/** Opens the folder chooser at `~/Downloads` if that exists, else at home. */
async function askFolder({ store, disk }: SavePorts, saving: readonly SavableFile[]): Promise<void> {
  const { home } = disk;
  const downloads = path.join(home, "Downloads");
  const folder = (await disk.entryAt(downloads))?.kind === "folder" ? downloads : home;
  store.update((s) =>
    popupPushed(s, {
      kind: "files",
      purpose: "save",
      home,
      folder,
      query: "",
      selected: 0,
      marked: [],
      saving,
    }),
  );
}

/** Saves in the chosen folder, which becomes the setting. */
export function saveInto(ports: SavePorts, folder: string, files: readonly SavableFile[]): void {
  attempt(ports, ports.downloads.choose(folder));
  void saveAll(ports, files, folder);
}

/** Saves one file after the other; a failure is shown, and the next file follows. */
async function saveAll(ports: SavePorts, files: readonly SavableFile[], folder: string): Promise<void> {
  for (const file of files)
    try {
      const onProgress = (done: number, total: number): void => showProgress(ports, file, done, total);
      const saved = await ports.downloads.save(file, folder, onProgress);
      showNotice(ports, words.notices.saved(cleanLine(shortPath(saved, ports.disk.home))), "success");
    } catch (error) {
      const reason = errorWords(error);
      showError(ports, new Error(words.files.notSaved(cleanLine(file.name), reason)));
    } finally {
      showProgress(ports, file);
    }
}

/** Redraws only when the whole percent has changed. */
function showProgress({ store }: SavePorts, file: SavableFile, done?: number, total = 0): void {
  store.update((s) => {
    const { [file.url]: before, ...others } = s.saves;
    if (done === undefined) return before === undefined ? s : { ...s, saves: others };
    const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
    return before === percent ? s : { ...s, saves: { ...others, [file.url]: percent } };
  }, false);
}
