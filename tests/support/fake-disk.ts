/** A fake disk that maps paths to sizes, for the parts of the screen that read the user's files. */
import path from "node:path";
import type { Disk, DiskEntry, Downloads, Profiles } from "../../src/tui/screen/host.ts";

/** `files` = full path → bytes; folders follow from the paths. `/home/me` is home and working folder. */
export function fakeDisk(given: Readonly<Record<string, number>> = {}): Disk {
  const files: Record<string, number> = { ...given };
  const at = (full: string): DiskEntry | undefined => {
    const name = path.basename(full);
    if (Object.hasOwn(files, full)) return { name, kind: "file", size: files[full]! };
    const below = full.endsWith("/") ? full : `${full}/`;
    return Object.keys(files).some((file) => file.startsWith(below)) ? { name, kind: "folder" } : undefined;
  };
  return {
    home: "/home/me",
    cwd: "/home/me",
    entryAt: async (file) => at(file),
    writeTemp: (name, text) => {
      files[`/tmp/${name}`] = text.length;
      return `/tmp/${name}`;
    },
    list: async (folder) => {
      if (at(folder)?.kind !== "folder") throw new Error("No such folder.");
      const below = folder.endsWith("/") ? folder : `${folder}/`;
      const names = Object.keys(files).filter((file) => file.startsWith(below));
      const firsts = new Set(names.map((file) => file.slice(below.length).split("/")[0]!));
      return [...firsts].map((name) => at(below + name)!);
    },
  };
}

/** Fake downloads: nothing is written, `save` only returns the path. */
export function fakeDownloads(more: Partial<Downloads> = {}): Downloads {
  let folder = "";
  return {
    folder: () => folder,
    choose: async (next) => void (folder = next),
    save: async ({ name }, into) => `${into}/${name}`,
    ...more,
  };
}

/** Two profiles; `opened` receives the name of the one that is opened. */
export const fakeProfiles = (opened: (name: string) => void = () => {}): Profiles => ({
  current: "work",
  list: () => [
    { name: "work", about: "hosted · mira" },
    { name: "home", about: "this machine" },
  ],
  open: opened,
  signInDefaults: () => undefined,
  signIn: async () => "",
});
