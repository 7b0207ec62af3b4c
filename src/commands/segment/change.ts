/** Targets named on the line or one a line of a file, in parts as big as a call takes. */
import { SEGMENT_TARGETS_PER_CALL } from "../../wire/constants.ts";
import { CommandError } from "../base/define-command.ts";
import type { Args, CommandCall, Values } from "../base/define-command.ts";
import { textOf } from "../base/text.ts";

export const TARGETS = {
  segment: { kind: "text", place: "positional", help: "The segment" },
  targets: {
    kind: "list",
    place: "positional",
    optional: true,
    help: "User ids, or type:id of channels",
  },
  file: { kind: "file", short: "f", value: "file", help: "One a line; - reads standard input" },
} as const satisfies Args;

type Given = Values<typeof TARGETS>;

async function idsOf(
  call: Pick<CommandCall<Args>, "input">,
  { targets = [], file }: Given,
): Promise<string[]> {
  let text = "";
  if (file === "-") text = await textOf(call, "-");
  else if (file !== undefined) {
    const { readFile } = await import("node:fs/promises");
    text = await readFile(file, "utf8");
  }
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const ids = [...new Set([...targets.map((id) => id.replace(/^@/, "")), ...lines])];
  if (ids.length === 0) throw new CommandError("usage", "Nobody is named: add targets, or --file.");
  return ids;
}

/** How many ids were sent. */
export async function changeTargets(
  call: CommandCall<typeof TARGETS>,
  route: "addSegmentTargets" | "deleteSegmentTargets",
): Promise<{ segment: string; targets: number }> {
  const { segment } = call.args;
  const ids = await idsOf(call as never, call.args);
  for (let i = 0; i < ids.length; i += SEGMENT_TARGETS_PER_CALL) {
    call.signal.throwIfAborted();
    const part = ids.slice(i, i + SEGMENT_TARGETS_PER_CALL);
    await call.core.call(route, { path: { id: segment }, body: { target_ids: part } });
    call.progress(i + part.length, ids.length, "targets");
  }
  return { segment, targets: ids.length };
}
