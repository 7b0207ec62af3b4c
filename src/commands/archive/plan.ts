/** The dry run of an archive: counts what would be read. */
import type { ArchiveReadOptions } from "../../jobs/archive/meta.ts";
import { count } from "../../text/words.ts";
import type { View } from "../base/define-command.ts";
import { fetchChannel, selectedChannels } from "./read/channels.ts";
import type { ReadContext } from "./read/requests.ts";

export interface ArchivePlan {
  archive: string;
  channels: number;
  /** Absent unless the provider counts the messages of all these channels, and all of them would be read. */
  messages?: number;
  dry_run: true;
}

export async function planArchive(
  context: ReadContext,
  archive: string,
  options: ArchiveReadOptions & { lookBack?: number },
): Promise<ArchivePlan> {
  const counts = new Map<string, number | undefined>();
  const isNamed = options.channels.length > 0;
  for await (const { cid, message_count: known } of selectedChannels(context, options))
    counts.set(cid, isNamed ? (await fetchChannel(context, cid)).channel.message_count : known);
  const known = [...counts.values()].filter((one) => one !== undefined);
  // An update reads what is new, and what may have changed within its look-back.
  const isPart = [options.since, options.until, options.lookBack].some((bound) => bound !== undefined);
  const messages = known.reduce((sum, one) => sum + one, 0);
  return {
    archive,
    channels: counts.size,
    ...(isPart || known.length < counts.size ? {} : { messages }),
    dry_run: true,
  };
}

/** `3 channels with 12 messages`, or only the channels if the messages are not known without reading them. */
export const plannedText = ({ channels, messages }: Pick<ArchivePlan, "channels" | "messages">): string =>
  messages === undefined
    ? `${count(channels, "channel")}, whose messages are not counted before they are read`
    : `${count(channels, "channel")} with ${count(messages, "message")}`;

export const planView = (plan: ArchivePlan): View => ({
  kind: "line",
  text: `would read ${plannedText(plan)}, into ${plan.archive}`,
});
