/** Shared by the archive commands: opening the folder and its errors. */
import type { OpenArchive } from "../../jobs/archive/open.ts";
import { asStoreFailure, StoreFailure } from "../../model/files/storage.ts";
import { firstFew } from "../../text/words.ts";
import { CommandError, type ArgRow, type Args, type Call } from "../base/define-command.ts";

/** First argument of all archive commands. */
export const FOLDER = {
  kind: "file",
  positional: true,
  value: "folder",
  help: "The folder of the archive",
} as const satisfies ArgRow;

/** What to do about a damaged archive. */
export const DAMAGED_HINT = "Create it again, or use an undamaged copy.";

/** A failure of the folder, with what to do about it. */
const archiveFailure = (error: unknown, folder: string): unknown =>
  hinted(asStoreFailure(error, folder, folder));

function hinted(failure: unknown): unknown {
  if (failure instanceof StoreFailure && failure.kind === "damaged") failure.hint = DAMAGED_HINT;
  return failure;
}

/** Runs `work` on an archive and closes it. Throws `CommandError`: notFound without an archive, conflict while another run writes it, or for the folder of something else. */
export async function onArchive<T, A extends OpenArchive>(
  open: () => A,
  work: (archive: A) => Promise<T> | T,
): Promise<T> {
  const archive = await openChecked(open);
  try {
    return await work(archive);
  } catch (error) {
    throw archiveFailure(error, archive.folder);
  } finally {
    archive.close();
  }
}

/** Like `onArchive`, for iterables. */
export async function* eachOfArchive<T>(
  open: () => OpenArchive,
  work: (archive: OpenArchive) => Iterable<T> | AsyncIterable<T>,
): AsyncIterable<T> {
  const archive = await openChecked(open);
  try {
    yield* work(archive);
  } catch (error) {
    throw archiveFailure(error, archive.folder);
  } finally {
    archive.close();
  }
}

async function openChecked<A extends OpenArchive>(open: () => A): Promise<A> {
  const { ArchiveBusy, FolderTaken, NoArchive } = await import("../../jobs/archive/open.ts");
  try {
    return open();
  } catch (error) {
    if (error instanceof NoArchive)
      throw new CommandError("notFound", error.message, "parley archive create <folder> creates one.");
    if (error instanceof ArchiveBusy)
      throw new CommandError("conflict", error.message, "Wait until it has ended, then run this again.");
    if (error instanceof FolderTaken)
      throw new CommandError(
        "conflict",
        error.message,
        "Give the archive a folder of its own, or move that file away.",
      );
    throw hinted(error);
  }
}

/** Tells people, who can look at the screen, how an archive is read there. */
export function noteView({ machine, note }: Pick<Call<Args>, "machine" | "note">, folder: string): void {
  if (machine?.terminal) note?.(`parley archive view ${folder} shows it on the screen`);
}

/** Throws `CommandError` (notFound) for a channel that the archive does not have. */
export function requireArchived({ db, folder }: OpenArchive, cid: string): void {
  if (db.prepare("SELECT 1 FROM channels WHERE cid = ?").get(cid)) return;
  throw new CommandError("notFound", `${folder} has no channel ${cid}.`, `parley archive stats ${folder}`);
}

/** Throws `CommandError` (partial) when rows were left out because they are damaged. */
export function requireUndamaged(folder: string, { damaged }: { damaged: ReadonlySet<string> }): void {
  const list = [...damaged];
  if (list.length === 0) return;
  throw new CommandError(
    "partial",
    `${list.length} ${list.length === 1 ? "row" : "rows"} of ${folder} cannot be read and ${list.length === 1 ? "is" : "are"} left out: ${firstFew(list)}.`,
    `parley archive verify ${folder}`,
  );
}
