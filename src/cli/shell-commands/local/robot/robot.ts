/** Sends an order to a robot, and describes what it did. */
import { duration } from "../../../../text/times.ts";
import { count } from "../../../../text/words.ts";
import { ExitError } from "../../../base/exit.ts";
import type { Shell } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";

/** Gives an order to the embedded provider and shows what came of it. */
export async function order(shell: Shell, verb: "robot" | "flood", body: object): Promise<number> {
  const { cid } = body as { cid?: string };
  if (cid?.startsWith("@"))
    throw new ExitError(
      2,
      "A robot needs a channel's own name",
      "For example '#general' or messaging:general",
    );
  const { duration: _duration, ...done } = await shell.host.local.control(verb, { ...body });
  return showOne(shell, done, told(done));
}

/** What was done: the message's id, or how much. */
function told(done: Record<string, unknown>): string {
  if (typeof done.written === "number") return `${count(done.written, "message")} written`;
  if (typeof done.for_ms === "number") return `types for ${duration(done.for_ms)}`;
  return String(Object.values(done)[0] ?? "");
}
