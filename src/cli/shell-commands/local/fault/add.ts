/** `parley local fault add`: makes requests to the embedded provider fail or answer late. */
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import { type Shell, printNotice } from "../../../base/shell.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import { effectOf, type ShownFault } from "./fault.ts";
import type { ADD_FAULT_ARGS } from "./args.ts";

const add: ShellRun<typeof ADD_FAULT_ARGS> = async (shell, args) => {
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
};

async function addFault(local: Shell["host"]["local"], order: object): Promise<ShownFault> {
  const { fault } = await local.control("fault", { do: "add", ...order });
  return fault as unknown as ShownFault;
}
export default add;
