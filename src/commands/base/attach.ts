/** Attaches the files that a command names to what it sends, with progress. */
import type { Composer } from "../../core/composer/composer.ts";
import type { Upload } from "../../core/core.ts";
import type { Args, CommandCall } from "./define-command.ts";

/** All of them, or the error of the first that cannot be had. */
export function attachAll(
  call: Pick<CommandCall<Args>, "signal" | "progress">,
  composer: Composer,
  files: readonly string[],
): Promise<Upload[]> {
  let done = 0;
  return composer.attach(files, {
    signal: call.signal,
    onProgress(upload) {
      call.progress(done + upload.sent / Math.max(1, upload.total), files.length, upload.name);
      if (upload.state === "finished") done++;
    },
  });
}
