/** The dry run of an archive: counts what would be read. */
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import type { View } from "../base/define-command.ts";
import { selectedChannels } from "./read/channels.ts";
import type { ReadContext } from "./read/requests.ts";

export interface ArchivePlan {
  archive: string;
  channels: number;
  /** Only of channels whose type counts messages. */
  messages: number;
  dry_run: true;
}

export async function planArchive(
  context: ReadContext,
  archive: string,
  options: ArchiveReadOptions,
): Promise<ArchivePlan> {
  const counts = new Map<string, number>();
  for await (const { cid, message_count: count = 0 } of selectedChannels(context, options))
    counts.set(cid, count);
  const messages = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { archive, channels: counts.size, messages, dry_run: true };
}

export const planView = ({ archive, channels, messages }: ArchivePlan): View => ({
  kind: "line",
  text: `would read ${channels} ${channels === 1 ? "channel" : "channels"}${messages > 0 ? ` with ${messages} counted messages` : ""} into ${archive}`,
});
