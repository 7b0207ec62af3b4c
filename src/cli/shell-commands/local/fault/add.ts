/** `parley local fault add`: makes requests to the embedded provider fail or answer late. */
import { command } from "../../../../commands/base/define-command.ts";
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import { type Shell, printNotice } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";
import { effectOf, type ShownFault } from "./fault.ts";

export default command({
  shell: true,
  summary: "Make matching requests fail, stall or be cut off",
  examples: [
    "local fault add 'POST */message' --status 429 --times 3",
    "local fault add 'GET /channels*' --delay 2s",
    "local fault add 'POST */message' --drop answer --times 1",
    "local fault add --drop-ws",
  ],
  args: {
    match: {
      kind: "text",
      value: "request",
      positional: true,
      optional: true,
      help: "Method (or *) and path, in which * matches anything",
    },
    status: { kind: "number", help: "Answer with this HTTP status" },
    code: { kind: "number", help: "Answer with this error code of the protocol" },
    delay: { kind: "duration", value: "length", help: "Delay the answer: 500ms, 2s" },
    drop: {
      kind: "choice",
      choices: ["request", "answer"],
      help: "Cut the connection before the request is handled, or instead of the answer",
    },
    times: { kind: "number", from: 1, help: "How many requests (default: until cleared)" },
    dropWs: { kind: "flag", help: "Close every open WebSocket now" },
  },
  async run(shell: Shell, args) {
    const { dropWs, delay: delay_ms, match, status, code, drop, times } = args;
    const { local } = shell.host;
    const isForRequests = [status, code, delay_ms, drop, times].some((one) => one !== undefined);
    if (match === undefined && (!dropWs || isForRequests))
      throw new ExitError(
        2,
        "Name the requests that should fail.",
        "For example 'POST */message' --status 429",
      );
    // A fault that is refused cuts nothing.
    const fault =
      match === undefined ? undefined : await addFault(local, { match, status, code, delay_ms, drop, times });
    if (dropWs) {
      const { dropped } = await local.control("fault", { do: "drop-ws" });
      const ended = `${count(Number(dropped), "connection")} ended`;
      if (fault === undefined) return showOne(shell, { dropped }, ended);
      printNotice(shell, ended);
    }
    const often = times === undefined ? "" : `, ${times === 1 ? "once" : `${times} times`}`;
    return showOne(shell, fault!, `${fault!.id}: ${fault!.match} ${effectOf(fault!)}${often}`);
  },
});

async function addFault(local: Shell["host"]["local"], order: object): Promise<ShownFault> {
  const { fault } = await local.control("fault", { do: "add", ...order });
  return fault as unknown as ShownFault;
}
