/** Uploads files to a channel; their addresses come back. */
import type { Attachment } from "../wire/attachment.ts";
import { CommandError, command } from "./base/define-command.ts";
import { cidOf } from "./base/place.ts";

interface Uploaded {
  name: string;
  size: number;
  url: string;
  attachment: Attachment;
  /** With --message: the message they went out with. */
  message_id?: string;
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
    message: {
      kind: "flag",
      place: "flag",
      optional: true,
      help: "Send them to the channel as a message, too",
    },
    channel: { kind: "channel", place: "flag", short: "c", here: true, help: "The channel" },
  },
  needs: "api",
  async *run(call): AsyncIterable<Uploaded> {
    const { args, core } = call;
    const cid = await cidOf(call, args.channel);
    const done: Uploaded[] = [];
    for (const [n, file] of args.files.entries()) {
      const upload = await core.upload(cid, file, {
        signal: call.signal,
        onProgress: (u) => call.progress(n + u.sent / Math.max(1, u.total), args.files.length, u.name),
      });
      if (upload.state !== "finished")
        throw new CommandError(
          "rejected",
          `${upload.name} was not uploaded: ${upload.reason ?? upload.state}.`,
        );
      const { attachment } = upload;
      const uploaded = {
        name: upload.name,
        size: attachment.file_size ?? upload.total,
        url: attachment.asset_url ?? attachment.image_url ?? "",
        attachment,
      };
      if (args.message) done.push(uploaded);
      else yield uploaded;
    }
    if (!args.message) return;
    const sent = core.send({ cid }, { text: "", attachments: done.map(({ attachment }) => attachment) });
    const outcome = await sent.outcome;
    if (outcome.state === "failed") throw outcome.error;
    // Told only now: nobody shall take half of it for done.
    yield* done.map((uploaded) => ({ ...uploaded, message_id: outcome.message.id }));
  },
  show: (file) => ({
    kind: "table",
    columns: ["name", "size", "url"],
    rows: [[file.name, file.size, file.url]],
  }),
});
