/** Uploads files to a channel; their addresses come back. */
import type { Attachment } from "../wire/attachment.ts";
import type { Upload } from "../core/core.ts";
import { attach } from "./base/attach.ts";
import { command } from "./base/define-command.ts";
import { cidOf } from "./base/place.ts";

interface Uploaded {
  name: string;
  size: number;
  url: string;
  attachment: Attachment;
  /** With --message: the message they went out with. */
  message_id?: string;
}

function uploadedOf({ name, total, attachment }: Upload): Uploaded {
  return {
    name,
    size: attachment.file_size ?? total,
    url: attachment.asset_url ?? attachment.image_url ?? "",
    attachment,
  };
}

export default command({
  summary: "Upload files to a channel",
  examples: [
    "upload -c messaging:ops report.pdf",
    "upload -c messaging:ops --message a.png b.png",
    "make log | parley upload -c messaging:ops -",
  ],
  args: {
    files: { kind: "list", place: "positional", help: "The files, or - for standard input" },
    message: { kind: "flag", help: "Send them to the channel as a message, too" },
    channel: { kind: "channel", short: "c", here: true, help: "The channel" },
  },
  async *run(call): AsyncIterable<Uploaded> {
    const { args, core } = call;
    const cid = await cidOf(call, args.channel);
    const composer = core.composer({ cid }, { transient: true });
    if (args.message) {
      const uploads = await attach(call, composer, args.files);
      const outcome = await composer.send()!.outcome;
      if (outcome.state === "failed") throw outcome.error;
      // Told only now: nobody shall take half of it for done.
      yield* uploads.map((upload) => ({ ...uploadedOf(upload), message_id: outcome.message.id }));
      return;
    }
    // Each is told as it comes, and none keeps a slot of a message.
    for (const [n, file] of args.files.entries()) {
      const progress = (done: number, _of: number, name: string): void =>
        call.progress(n + done, args.files.length, name);
      const uploads = await attach({ ...call, progress }, composer, [file]);
      composer.clear();
      yield* uploads.map(uploadedOf);
    }
  },
  show: (file) => ({
    kind: "table",
    columns: ["name", "size", "url"],
    rows: [[file.name, file.size, file.url]],
  }),
});
