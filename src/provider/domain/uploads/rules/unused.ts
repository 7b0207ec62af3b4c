/** Removes uploaded files that only deleted messages, channels and users named (specification/attachments.md §3). */
import type { DueWork } from "../../../base/ports.ts";
import { isQueued } from "../../../store/erasures.ts";
import { hasUnusedFiles, isUsed, removeUpload, settleFile, unusedFiles } from "../storage/uses.ts";

const FILES_PER_STEP = 50;

/** Waits until the files of an older version's messages are noted: until then a file may seem unused. */
export const unusedFilesWork: DueWork = {
  name: "files of deleted content",
  next: (db) => (hasUnusedFiles(db) && !isQueued(db, "upgrade", "files") ? 0 : undefined),
  run({ db, uploads }) {
    for (const file of unusedFiles(db, FILES_PER_STEP)) {
      const path = isUsed(db, file) ? undefined : removeUpload(db, file);
      if (path !== undefined) uploads?.discard(path);
      settleFile(db, file);
    }
  },
};
