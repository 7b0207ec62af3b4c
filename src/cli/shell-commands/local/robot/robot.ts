/** Makes a robot do something, and prints the result. */
import { duration } from "../../../../text/times.ts";
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import type { Shell } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";

/** Sends a robot command to the embedded provider and prints the result. */
export async function commandRobot(shell: Shell, verb: "robot" | "flood", body: object): Promise<number> {
  const { cid } = body as { cid?: string };
  if (cid?.startsWith("@"))
    throw new ExitError(
      2,
      "A robot needs the id of a channel",
      "For example '#general' or messaging:general",
    );
  const { duration: _duration, ...done } = await shell.host.local.control(verb, { ...body });
  return showOne(shell, done, describeResult(done));
}

/** The result in words: the message's id, or a count. */
function describeResult(done: Record<string, unknown>): string {
  if (typeof done.written === "number") return `${count(done.written, "message")} written`;
  if (typeof done.for_ms === "number") return `types for ${duration(done.for_ms)}`;
  return String(Object.values(done)[0] ?? "");
}
