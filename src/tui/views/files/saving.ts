/** Saves files of messages: which of them, in which folder (asked once), and their progress. */
import path from "node:path";
import type { SavableFile } from "../../../model/message-links.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { errorWords } from "../../screen/error-words.ts";
import { attempt, showError, showNotice, openPicker } from "../../screen/notices.ts";
import { resolved, shortPath } from "./paths.ts";

type Saving = Pick<Ports, "core" | "store" | "disk" | "downloads">;

/** Names and addresses hold no line ends: both are clean. */
const written = (files: readonly SavableFile[]): string =>
  files.map(({ name, url }) => `${name}\n${url}`).join("\n");

/** The files that the value of a choice stands for. */
export function readFiles(value: string): SavableFile[] {
  const lines = value.split("\n");
  return lines.flatMap((name, i) => (i % 2 === 0 ? [{ name, url: lines[i + 1]! }] : []));
}

/** One is saved at once, of several it is asked which. */
export function saveOf(ports: Saving, files: readonly SavableFile[]): void {
  if (files.length === 0) return showNotice(ports, words.files.noFile);
  if (files.length === 1) return saveFiles(ports, files);
  const choices = [
    { label: words.files.all(files.length), value: written(files) },
    ...files.map((file) => ({ label: cleanLine(file.name), value: written([file]) })),
  ];
  openPicker(ports, { name: "save", title: words.files.saveWhich, choices });
}

/** Asks for the folder where none was chosen yet. */
export function saveFiles(ports: Saving, files: readonly SavableFile[]): void {
  const { downloads, disk } = ports;
  const folder = downloads.folder();
  if (folder !== "") return void saveAll(ports, files, resolved(folder, disk));
  const usual = path.join(disk.home, "Downloads");
  attempt(
    ports,
    disk.look(usual).then((found) => askFolder(ports, found?.kind === "folder" ? usual : disk.home, files)),
  );
}

function askFolder({ store, disk }: Saving, folder: string, saving: readonly SavableFile[]): void {
  const { home } = disk;
  const asked = {
    kind: "files",
    purpose: "save",
    home,
    folder,
    query: "",
    selected: 0,
    marked: [],
    saving,
  } as const;
  store.update((s) => popupPushed(s, asked));
}

/** The folder was chosen: it is the setting from now on. */
export function saveInto(ports: Saving, folder: string, files: readonly SavableFile[]): void {
  attempt(ports, ports.downloads.choose(folder));
  void saveAll(ports, files, folder);
}

/** One after the other; what fails is told and the next one follows. */
async function saveAll(ports: Saving, files: readonly SavableFile[], folder: string): Promise<void> {
  for (const file of files)
    try {
      const saved = await ports.downloads.save(file, folder, (done, total) =>
        shown(ports, file, { done, total }),
      );
      showNotice(ports, words.notices.saved(cleanLine(shortPath(saved, ports.disk.home))), "success");
    } catch (error) {
      const why = errorWords(error);
      showError(ports, new Error(words.files.notSaved(cleanLine(file.name), why)));
    } finally {
      shown(ports, file, undefined);
    }
}

/** Drawn where the percent is another one. */
function shown({ store }: Saving, file: SavableFile, at: { done: number; total: number } | undefined): void {
  store.update((s) => {
    const { [file.url]: before, ...others } = s.saves;
    if (!at) return before === undefined ? s : { ...s, saves: others };
    const part = at.total > 0 ? Math.floor((100 * at.done) / at.total) : 0;
    return before === part ? s : { ...s, saves: { ...others, [file.url]: part } };
  }, false);
}
