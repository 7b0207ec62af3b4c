/** Uploads files to a channel; their addresses come back. */
import { CommandFault, command } from "./kit.ts";
import { cidOf } from "./place.ts";

export default command({
  summary: "Upload files to a channel",
  examples: ["upload -c messaging:ops report.pdf", "make log | parley upload -c messaging:ops -"],
  args: {
    files: { kind: "list", place: "positional", help: "The files, or - for standard input" },
    channel: { kind: "channel", place: "flag", short: "c", here: true, help: "The channel" },
  },
  needs: "api",
  async *run(call) {
    const { args, core } = call;
    const cid = await cidOf(call, args.channel);
    for (const [n, file] of args.files.entries()) {
      const upload = await core.upload(cid, file, {
        signal: call.signal,
        onProgress: (u) => call.progress(n + u.sent / Math.max(1, u.total), args.files.length, u.name),
      });
      if (upload.state !== "finished")
        throw new CommandFault(
          "rejected",
          `${upload.name} was not uploaded: ${upload.reason ?? upload.state}.`,
        );
      const { attachment } = upload;
      yield {
        name: upload.name,
        size: attachment.file_size ?? upload.total,
        url: attachment.asset_url ?? attachment.image_url ?? "",
        attachment,
      };
    }
  },
  show: (file) => ({
    kind: "table",
    columns: ["name", "size", "url"],
    rows: [[file.name, file.size, file.url]],
  }),
});
