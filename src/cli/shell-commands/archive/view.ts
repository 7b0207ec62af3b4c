/** `parley archive view`: opens the chat screen on an archive, which main.ts starts. */
import { command } from "../../../commands/base/define-command.ts";
import { FOLDER } from "../../../commands/archive/open-archive.ts";
import { viewArchive } from "../../../commands/archive/view-archive.ts";
import { ExitError } from "../../base/exit.ts";
import type { Shell } from "../../base/shell.ts";

export default command({
  shell: true,
  summary: "Read an archive on the screen, without any provider",
  examples: ["archive view ~/archive", "archive view ~/archive messaging:ops"],
  args: {
    folder: { ...FOLDER, optional: true, help: "The folder of the archive (default: this one)" },
    channel: { kind: "channel", positional: true, optional: true, help: "Open this channel first" },
    plain: { kind: "flag", help: "Print plain lines and never redraw" },
  },
  async run(shell: Shell, { folder = ".", channel }) {
    if (!shell.tty.in || !shell.tty.out)
      throw new ExitError(
        2,
        "An archive is viewed on a terminal.",
        `parley archive show ${folder} works in a pipe.`,
      );
    return viewArchive(folder, channel, (source) =>
      shell.host.screen({ ...(channel !== undefined && { channel }), readOnly: true, source }),
    );
  },
});
