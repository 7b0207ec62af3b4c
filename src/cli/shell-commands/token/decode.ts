/** `parley token decode`: prints header, claims and expiry of a token, without checking the signature. */
import { command } from "../../../commands/base/define-command.ts";
import { textOf } from "../../../commands/base/text.ts";
import { NOT_A_TOKEN, readToken } from "../../../wire/token.ts";
import { timeFromSeconds } from "../../../wire/time.ts";
import { ExitError } from "../../base/exit.ts";
import { jsonText } from "../../output/json.ts";
import { readText, write } from "../../base/stdio.ts";
import { printNotice, type Shell } from "../../base/shell.ts";

export default command({
  shell: true,
  summary: "Decode a token without verifying its signature",
  skipsConfig: true,
  examples: ["token decode - < token.txt", "parley local token bob | parley token decode -"],
  allowsDryRun: true,
  args: {
    token: {
      kind: "text",
      positional: true,
      optional: true,
      default: "-",
      help: "The token; - reads standard input",
    },
  },
  async run(shell: Shell, { token }) {
    if (token !== "-")
      throw new ExitError(
        2,
        "A token on the command line can be seen by everyone on this machine.",
        "Pipe it in: parley token decode - < token.txt",
      );
    const read = readToken((await textOf({ input: () => readText(shell.in, shell.signal) }, "-")).trim());
    if (!read) throw new ExitError(7, NOT_A_TOKEN);
    await write(shell.out, `${jsonText({ header: read.header, claims: read.claims }, shell.tty.out)}\n`);
    const { exp } = read.claims;
    if (typeof exp === "number") {
      const isExpired = exp * 1000 <= Date.now();
      printNotice(
        shell,
        `${isExpired ? "expired" : "expires"} ${timeFromSeconds(exp) ?? "in no year of the calendar"}`,
      );
    }
    return 0;
  },
});
