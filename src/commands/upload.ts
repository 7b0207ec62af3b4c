/** Uploads files and prints their addresses. */
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Upload } from "../core/core.ts";
import { TransportError } from "../model/errors.ts";
import { uploadAndAttach, attachOrPlan } from "./base/attach.ts";
import { CommandError, command, rowView, type Args, type Call } from "./base/define-command.ts";
import { PlannedSteps } from "./base/planned-steps.ts";
import { sleep } from "./base/poll-task.ts";
import { cidOf } from "./base/resolve-channel.ts";
import { Outcomes } from "./base/bulk/outcomes.ts";

interface Uploaded {
  name: string;
  size: number;
  url: string;
  attachment: Attachment;
  /** With --message: the message they were sent with. */
  message_id?: string;
}

function uploadResult({ name, total, attachment }: Upload): Uploaded {
  return {
    name,
    size: attachment.file_size ?? total,
    url: attachment.asset_url ?? attachment.image_url ?? "",
    attachment,
  };
}

/** Retries of an interrupted upload, and the delay before each in milliseconds. */
const MAX_RETRIES = 2;
const RETRY_DELAY = 500;

/** Whether the connection broke, so that the upload can be retried; one that stood still has taken enough time. */
const isInterrupted = ({ cause }: Error): boolean =>
  cause instanceof TransportError && cause.retryable && cause.kind !== "timeout";

async function withRetries<T>(
  { signal }: Pick<Call<Args>, "signal">,
  run: () => Promise<T>,
  composer: { clear(): void },
): Promise<T> {
  for (let retriesLeft = MAX_RETRIES; ; retriesLeft--)
    try {
      return await run();
    } catch (error) {
      if (retriesLeft === 0 || !isInterrupted(error as Error)) throw error;
      composer.clear();
      await sleep(RETRY_DELAY, signal);
    }
}

export default command({
  summary: "Upload files and print their addresses",
  group: "Daily",
  changes: "provider",
  examples: [
    "upload report.pdf",
    "upload https://example.org/logo.png --name brand.png",
    "upload -c messaging:ops report.pdf",
    "upload -c messaging:ops --message a.png b.png",
    "make log | parley upload -c messaging:ops --name build.log -",
  ],
  args: {
    files: {
      kind: "list",
      positional: true,
      help: "Files, URLs, or - for standard input",
    },
    message: { kind: "flag", help: "Also send them to the channel as a message" },
    channel: { kind: "channel", short: "c", help: "The channel (default: none)" },
    name: { kind: "text", help: "Name to give the file" },
  },
  async *run(call): AsyncIterable<Uploaded> {
    const { args, core } = call;
    if (args.name !== undefined && args.files.length > 1)
      throw new CommandError("usage", "--name can name only one file.");
    const channel = args.channel ?? call.currentChannel;
    if (args.message && channel === undefined)
      throw new CommandError("usage", "--message needs a channel.", "Give -c <channel>.");
    const cid = channel === undefined ? "" : await cidOf(call, channel);
    const composer = core.composer({ cid }, { transient: true });
    if (args.message) {
      const planned = await attachOrPlan(call, composer, args.files, new PlannedSteps(call.dry));
      const { uploads } = composer.attachments.state();
      const outcome = await composer.send(planned)!.outcome;
      if (outcome.state === "failed") throw outcome.error;
      // Yielded only now: before, the message could still fail.
      yield* uploads.map((upload) => ({ ...uploadResult(upload), message_id: outcome.message.id }));
      return;
    }
    // Each file is yielded when uploaded; a refused one does not stop the others.
    const outcomes = new Outcomes();
    for (const [n, file] of args.files.entries()) {
      const progress = (done: number, _of: number, name: string): void =>
        call.progress(n + done, args.files.length, name);
      const uploads = await outcomes.try(file, () =>
        withRetries(call, () => uploadAndAttach({ ...call, progress }, composer, [file]), composer),
      );
      composer.clear();
      yield* (uploads ?? []).map(uploadResult);
    }
    outcomes.end();
  },
  show: (file) => rowView({ name: file.name, size: file.size, url: file.url }),
});
