/** Attaches the files that a command names to what it sends, with progress. */
import type { Composer } from "../../core/composer/composer.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Args, CommandCall } from "./define-command.ts";
import type { PlannedSteps } from "./planned-steps.ts";

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

/** Files of a message. A dry run plans each upload, and gives what the message would hold of them: all but their addresses. */
export async function attachOrPlan(
  call: Pick<CommandCall<Args>, "signal" | "progress" | "dry">,
  composer: Composer,
  files: readonly string[],
  steps: PlannedSteps,
): Promise<{ attachments?: Attachment[] }> {
  if (!call.dry) await attachAll(call, composer, files);
  if (!call.dry || files.length === 0) return {};
  for (const file of files) await steps.take(() => attachAll(call, composer, [file]));
  const attachments = composer.attachments.state().uploads.map(({ attachment }) => attachment);
  composer.attachments.clear();
  return { attachments };
}
