/** Merges archives into a new or existing one; a dry run shows what each would add. */
import type { OpenArchive } from "../../jobs/archive/open.ts";
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { ArchiveOrigin, MergeCounts } from "../../jobs/archive/merge.ts";
import { CommandError, command, rowView } from "../base/define-command.ts";
import { FOLDER, onArchive } from "./open-archive.ts";

export default command({
  summary: "Merge archives; the newest version of each item wins",
  changes: "local",
  examples: [
    "archive merge all.archive ana.archive bo.archive -n",
    "archive merge all.archive ana.archive bo.archive",
  ],
  args: {
    folder: { ...FOLDER, help: "The target folder: new, or an existing archive" },
    from: {
      kind: "list",
      positional: true,
      value: "file",
      help: "The archives to merge; they are left unchanged",
    },
    force: {
      kind: "flag",
      help: "Also merge archives of other profiles and users, whose ids may mean something else",
    },
  },
  streams: () => "finite",
  shellOnly: "works on files",
  offline: true,
  async *run(call): AsyncIterable<MergeCounts> {
    const { folder, from, force } = call.args;
    const { archiveFile, newDatabase, readArchive, requireFree, writeArchive } =
      await import("../../jobs/archive/open.ts");
    const { mergeFrom, optionsOf, originOf, isSameOrigin, finishMerge } =
      await import("../../jobs/archive/merge.ts");
    const { existsSync, realpathSync } = await import("node:fs");
    const isNew = !existsSync(archiveFile(folder));
    const origins: ArchiveOrigin[] = [];
    const parts: ArchiveReadOptions[] = [];
    for (const one of isNew ? from : [folder, ...from])
      await onArchive(
        () => readArchive(one),
        (archive) => {
          const origin = originOf(archive);
          if (origin && !origins.some((other) => isSameOrigin(other, origin))) origins.push(origin);
          parts.push(...optionsOf(archive));
        },
      );
    if (!isNew && from.some((one) => realpathSync(one) === realpathSync(folder)))
      throw new CommandError("usage", `${folder} cannot be merged into itself.`);
    if (origins.length > 1 && !force)
      throw new CommandError(
        "conflict",
        `These archives have ${origins.length} owners: ${origins.map(({ from }) => from).join(", ")}.`,
        "Add --force if all come from one provider.",
      );
    const open = (): OpenArchive => {
      requireFree(folder);
      return call.dry && isNew ? newDatabase(":memory:") : writeArchive(folder, { create: true });
    };
    yield* await onArchive(open, async (archive) => {
      const done = from.map((one) => mergeFrom(archive, one, !call.dry));
      if (call.dry) call.note?.(`would merge this into ${folder}:`);
      if (!call.dry) {
        const { version } = call.machine!;
        const now = new Date(call.now()).toISOString();
        await finishMerge(archive, origins, { version, now, parts });
      }
      return done;
    });
  },
  show: ({ archive, channels, messages, newer, reactions, files }) =>
    rowView({ archive, channels, messages, newer, reactions, files }),
});
