/** Makes a robot do something, and prints the result. */
import { duration } from "../../../../text/times.ts";
import { count } from "../../../../text/words.ts";
import { ExitError, exitOf } from "../../../base/exit.ts";
import type { Shell } from "../../../base/shell.ts";
import { showOne } from "../../../output/results.ts";
import { hintOtherType } from "../../../run/channel-hint.ts";

/** The channel that a robot acts in. */
export const ROBOT_CHANNEL = { kind: "channel", positional: true, help: "The channel" } as const;

/** The user that a robot acts as. */
export const ROBOT = { kind: "user", default: "robot", help: "The user to act as" } as const;

/** Sends a robot command to the embedded provider and prints the result. */
export async function commandRobot(shell: Shell, verb: "robot" | "flood", body: object): Promise<number> {
  const { cid } = body as { cid?: string };
  if (cid?.startsWith("@"))
    throw new ExitError(
      2,
      "A robot needs the id of a channel",
      "For example '#general' or messaging:general",
    );
  const { duration: _duration, ...done } = await shell.host.local
    .control(verb, { ...body })
    .catch(async (error: unknown) => {
      if (cid !== undefined && exitOf(error) === 3) await hintChannel(shell, error);
      throw error;
    });
  return showOne(shell, done, describeResult(done));
}

/** The demo's #ops is of another type than `#ops` means. */
async function hintChannel(shell: Shell, error: unknown): Promise<void> {
  const missing = Object.assign(error as Error, { about: "channel" });
  const opened = await shell.host.open({ profile: "local", server: true, inMemory: true });
  try {
    await hintOtherType(opened.core, shell, missing);
  } finally {
    await opened.close();
  }
}

/** The result in words: the message's id, or a count. */
function describeResult(done: Record<string, unknown>): string {
  if (typeof done.written === "number") return `${count(done.written, "message")} written`;
  if (typeof done.for_ms === "number") return `types for ${duration(done.for_ms)}`;
  return String(Object.values(done)[0] ?? "");
}
