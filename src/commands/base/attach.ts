/** Uploads the files named in a command and attaches them to its message, with progress. */
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { Composer } from "../../core/composer/composer.ts";
import type { Upload } from "../../core/core.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import { CommandError, type Args, type Call } from "./define-command.ts";
import type { PlannedSteps } from "./planned-steps.ts";

/** Throws `CommandError` (notAllowed, or conflict where uploads are off) before a byte leaves (R-ATT-3). */
async function requireUploadRight({ core }: Pick<Call<Args>, "core">, cid: string): Promise<void> {
  if (core.userId === undefined || cid === "") return;
  const { channels }: { channels?: ChannelState[] } = await core.call("queryChannels", {
    body: {
      filter_conditions: { cid },
      limit: 1,
      message_limit: 1,
      member_limit: 1,
      state: true,
      watch: false,
    },
  });
  const channel = channels?.[0]?.channel;
  const capabilities = channel?.own_capabilities ?? [];
  if (channel?.config?.uploads === false)
    throw new CommandError("conflict", `Channel type ${channel.type} has no uploads.`);
  // For a channel that is not listed, or without capabilities in its answer, the provider decides.
  if (capabilities.length > 0 && !capabilities.includes("upload-file"))
    throw new CommandError("notAllowed", `You are not allowed to upload files in channel ${cid}.`);
}

/** Uploads all files, or throws the error of the first that fails. */
export function uploadAndAttach(
  call: Pick<Call<Args>, "core" | "signal" | "progress">,
  composer: Composer,
  files: readonly string[],
): Promise<Upload[]> {
  let done = 0;
  let right: Promise<void> | undefined;
  return composer.attach(files, {
    beforeBytes: () => (right ??= requireUploadRight(call, composer.place.cid)),
    signal: call.signal,
    onProgress(upload) {
      call.progress(done + upload.sent / Math.max(1, upload.total), files.length, upload.name);
      if (upload.state === "finished") done++;
    },
  });
}

/** Uploads the files; a dry run only plans each upload and returns the attachments without addresses. */
export async function attachOrPlan(
  call: Pick<Call<Args>, "core" | "signal" | "progress" | "dry">,
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
