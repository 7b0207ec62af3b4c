/** Uploads the files named in a command and attaches them to its message, with progress. */
import type { Composer } from "../../core/composer/composer.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Args, CommandCall } from "./define-command.ts";
import type { PlannedSteps } from "./planned-steps.ts";

/** Uploads all files, or throws the error of the first that fails. */
export function uploadAndAttach(
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

/** Uploads the files; a dry run only plans each upload and returns the attachments without addresses. */
export async function attachOrPlan(
  call: Pick<CommandCall<Args>, "signal" | "progress" | "dry">,
  composer: Composer,
  files: readonly string[],
  steps: PlannedSteps,
): Promise<{ attachments?: Attachment[] }> {
  if (!call.dry) await uploadAndAttach(call, composer, files);
  if (!call.dry || files.length === 0) return {};
  for (const file of files) await steps.take(() => uploadAndAttach(call, composer, [file]));
  const attachments = composer.attachments.state().uploads.map(({ attachment }) => attachment);
  composer.attachments.clear();
  return { attachments };
}
