/** Makes an archive of an export of another service, by way of an embedded provider that is gone afterwards. */
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import type { ImportTotals } from "../../jobs/check-import.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Unused } from "../../wire/entities/import.ts";
import { count } from "../../text/words.ts";
import {
  CommandError,
  command,
  type Args,
  type Call,
  type OwnProvider,
  type View,
} from "../base/define-command.ts";
import { convertForeign } from "../import/convert.ts";
import { allPeople } from "../import/everything.ts";
import { EXPORT_FILE, EXPORT_SOURCES } from "../import/sources.ts";
import { unusedError, unusedLines } from "../import/unused.ts";
import { importFile } from "../import/upload.ts";
import { archiveResultView, fillArchive, gapError, IMPORTED, type ArchiveResult } from "./fill-archive.ts";
import { FOLDER, noteView, onArchive } from "./open-archive.ts";
import { READ_ARGS, readSize } from "./options.ts";

interface ImportedArchive extends ArchiveResult {
  /** What the export has and the archive does not, by reason. */
  unused: Unused[];
}

/** What a dry run found in the export. */
interface ArchiveImportPlan extends Omit<ImportTotals, "items"> {
  archive: string;
  unused: Unused[];
  dry_run: true;
}

export default command({
  summary: "Make an archive of an export of another service",
  changes: "local",
  examples: [
    "archive import ~/history slack-export.zip",
    "archive import ~/history result.json --attachments download",
  ],
  args: {
    folder: { ...FOLDER, help: "The folder of the new archive" },
    file: { kind: "file", positional: true, help: `An import file, ${EXPORT_FILE}` },
    source: {
      kind: "choice",
      choices: EXPORT_SOURCES,
      default: "auto",
      help: "What kind of file it is; auto detects it",
    },
    attachments: {
      ...READ_ARGS.attachments,
      help: "link keeps the addresses of files that are not in the export, download fetches them",
    },
    maxFileSize: READ_ARGS.maxFileSize,
  },
  shellOnly: "works on files",
  offline: true,
  async run(call): Promise<ImportedArchive | ArchiveImportPlan> {
    const { folder, file: named, attachments, maxFileSize } = call.args;
    const options: ArchiveReadOptions = {
      channels: [],
      threads: true,
      attachments: attachments as "link" | "download",
      ...(maxFileSize !== undefined && { maxFileSize: readSize("max-file-size", maxFileSize) }),
    };
    await requireNew(folder);
    const file = (await call.localFile?.(named)) ?? named;
    const { makeTemporaryFolder } = await import("../../model/files/temporary-folder.ts");
    const { rm } = await import("node:fs/promises");
    const work = makeTemporaryFolder();
    try {
      const converted = await convertTo(call, file, work);
      const done = call.dry ? planOf(call, converted) : await importInto(call, converted, options);
      for (const line of unusedLines(done.unused)) call.note?.(line);
      if (!call.dry) noteView(call, folder);
      return done;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
  show: (done): View => ("dry_run" in done ? planView(done) : archiveResultView(done)),
  fault: (done) =>
    unusedError(done.unused) ??
    ("dry_run" in done ? undefined : gapError(done, "Import it again, into a folder of its own.")),
});

type ImportCall = Pick<
  Call<Args>,
  "core" | "signal" | "now" | "progress" | "machine" | "localFile" | "channelType" | "random"
> & { args: { folder: string; file: string; source: string } };

/** A file of import items that an import accepts, and what its conversion left out. */
interface Converted {
  items: string;
  unused: Unused[];
  totals: ImportTotals;
}

/** `work` is a folder for temporary files. Throws `CommandError` for a file that cannot be imported. */
async function convertTo(call: ImportCall, file: string, work: string): Promise<Converted> {
  const { join } = await import("node:path");
  const { source, file: named } = call.args;
  const { channelType, signal, progress } = call;
  const now = call.now();
  const out = join(work, "items.jsonl");
  const unused = await convertForeign({ file, source, items: out, channelType, signal, now });
  const items = unused === undefined ? file : out;
  const { checkImport, noItems } = await import("../../jobs/check-import.ts");
  const totals = noItems();
  for await (const fault of checkImport(items, { existing: false, now, signal, progress }, totals))
    throw new CommandError("rejected", `Item ${fault.item} of ${named}: ${fault.error}`);
  return { items, unused: unused ?? [], totals };
}

const planView = ({ archive, channels, users, messages, reactions }: ArchiveImportPlan): View => ({
  kind: "line",
  text: `would write ${count(channels, "channel")}, ${count(users, "person", "people")}, ${count(messages, "message")} and ${count(reactions, "reaction")} into ${archive}`,
});

function planOf({ args: { folder } }: ImportCall, { totals, unused }: Converted): ArchiveImportPlan {
  const { items: _, ...counts } = totals;
  return { archive: folder, ...counts, unused, dry_run: true };
}

async function importInto(
  call: ImportCall,
  { items, unused }: Converted,
  options: ArchiveReadOptions,
): Promise<ImportedArchive> {
  const { clearArchive, writeArchive } = await import("../../jobs/archive/open.ts");
  return onArchive(
    () => writeArchive(call.args.folder, { create: true }),
    async (archive) => {
      if (await isUnfinished(archive)) clearArchive(archive);
      try {
        return await call.machine!.onEmptyProvider(async (provider) => {
          const more = await importItems(call, provider, items);
          const done = await fillFrom(call, provider, { archive, items, options });
          return { ...done, unused: [...unused, ...more] };
        });
      } catch (error) {
        archive.withdraw?.();
        throw error;
      }
    },
  );
}

/** Returns what the provider did not take. */
async function importItems(call: ImportCall, { core }: OwnProvider, file: string): Promise<Unused[]> {
  const { result } = await importFile({ ...call, core, dry: false, args: { file } });
  return result?.unused ?? [];
}

/** The origin of the archive is the export: the ids in it are of another service than those of any app. */
async function fillFrom(
  call: ImportCall,
  { core, url, apiKey }: OwnProvider,
  { archive, items, options }: { archive: OpenArchive; items: string; options: ArchiveReadOptions },
): Promise<ArchiveResult> {
  const { basename } = await import("node:path");
  const { signal, now, progress, machine } = call;
  const origin = { profile: basename(call.args.file), user: "", provider: url, app: `${apiKey}${IMPORTED}` };
  return fillArchive(
    {
      core,
      signal,
      now,
      progress,
      machine: { ...machine!, about: () => Promise.resolve(origin) },
      imported: { filesOf: new URL(url).host, people: () => importedPeople({ ...call, core }, items) },
    },
    archive,
    { kind: "import", options },
  );
}

/** Everybody of the export, also those in no channel; the user of this machine, whom the provider knows too, is not among them. */
async function* importedPeople(call: ImportCall, items: string): AsyncIterable<User> {
  const { readItems } = await import("../../jobs/items.ts");
  const { readImportItem } = await import("../../wire/imports/forms.ts");
  const ids = new Set<unknown>();
  for await (const { text } of readItems(items, { signal: call.signal })) {
    const item = readImportItem(text);
    if ("data" in item && item.type === "user") ids.add(item.data.id);
  }
  for await (const user of allPeople(call)) if (ids.has(user.id)) yield user;
}

/** Before an export is read, which takes long. Throws `CommandError` (conflict) for an archive that is there. */
async function requireNew(folder: string): Promise<void> {
  const { archiveFile, manifestFile, readArchive, requireFree } = await import("../../jobs/archive/open.ts");
  const { existsSync } = await import("node:fs");
  if (![archiveFile(folder), manifestFile(folder)].some((file) => existsSync(file))) return;
  await onArchive(() => {
    requireFree(folder);
    return readArchive(folder);
  }, isUnfinished);
}

/** Whether an import was killed before its end; it is begun anew. Throws `CommandError` (conflict) for any other archive. */
async function isUnfinished({ db, folder }: OpenArchive): Promise<boolean> {
  const { runsOf } = await import("../../jobs/archive/meta.ts");
  const { hasManifest } = await import("../../jobs/archive/manifest.ts");
  const runs = runsOf(db);
  if (runs.every(({ kind }) => kind === "import") && !hasManifest(folder)) return runs.length > 0;
  throw new CommandError(
    "conflict",
    `${folder} holds an archive already.`,
    "Import into a folder of its own; parley archive merge joins archives.",
  );
}
