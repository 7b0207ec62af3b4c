/** Opens an archive as what a screen reads instead of a provider. */
import path from "node:path";
import type { ArchiveSource } from "../../jobs/archive/source/source.ts";
import { CommandError } from "../base/define-command.ts";
import { onArchive, requireArchived, requireUndamaged } from "./open-archive.ts";

/** Resolves to what `view` does, which gets the source until then. Throws `CommandError`: notFound, or partial when something of it could not be read. */
export async function viewArchive(
  folder: string,
  channel: string | undefined,
  view: (source: ArchiveSource & { name: string }) => Promise<number>,
): Promise<number> {
  const { readArchive } = await import("../../jobs/archive/open.ts");
  const { openArchiveSource } = await import("../../jobs/archive/source/source.ts");
  return onArchive(
    () => readArchive(folder),
    async (archive) => {
      if (channel !== undefined) requireArchived(archive, channel);
      if (!archive.db.prepare("SELECT 1 FROM channels").get())
        throw new CommandError(
          "notFound",
          `The archive in ${folder} holds no channels.`,
          `parley archive update ${folder} reads them.`,
        );
      const source = await openArchiveSource(archive);
      try {
        const code = await view({ ...source, name: `archive ${path.basename(path.resolve(folder))}` });
        if (code === 0) requireUndamaged(folder, source);
        return code;
      } finally {
        source.close();
      }
    },
  );
}
