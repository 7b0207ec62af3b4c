/** Deletes an uploaded file by its address. */
import { CommandError, command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Delete an uploaded file; messages keep its address",
  changes: "provider",
  examples: [
    "file delete http://127.0.0.1:4100/files/7f3c/report.pdf --yes",
    "file delete -c messaging:ops http://127.0.0.1:4100/files/7f3c/a.png --picture --yes",
  ],
  args: {
    url: { kind: "text", positional: true, help: "Its address, as printed by upload" },
    channel: { kind: "channel", short: "c", help: "The channel it was uploaded to" },
    picture: { kind: "flag", help: "The file is a picture" },
  },
  confirm: ({ url }) => ({ level: "moderate", question: `Delete ${url} for everybody?` }),
  async run(call) {
    const { url, channel, picture } = call.args;
    if (!/^https?:\/\//.test(url)) throw new CommandError("usage", `'${url}' is not an address of a file.`);
    const query = { url };
    if (channel === undefined) await call.core.call(picture ? "deleteImage" : "deleteFile", { query });
    else {
      const path = pathOf(await cidOf(call, channel));
      await call.core.call(picture ? "deleteChannelImage" : "deleteChannelFile", { path, query });
    }
    return { url, deleted: true };
  },
  show: ({ url }) => `${url} is deleted`,
});
