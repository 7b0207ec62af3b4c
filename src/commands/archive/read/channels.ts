/** Lists the channels to archive: named ones, or all of the user, including hidden ones. */
import type { Channel, ChannelState } from "../../../wire/entities/channel.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import { unreadItems } from "../../../wire/raw-items.ts";
import { QUERY_MEMBERS_LIMIT } from "../../../wire/constants.ts";
import { listChannels } from "../../base/lists/channels.ts";
import { readFilter } from "../../base/lists/filter.ts";
import { lookUpChannel } from "../../../model/look-up-channel.ts";
import { retryRateLimited, type ReadContext } from "./requests.ts";

/** With as many members as a list of channels may have. */
export const fetchChannel = (context: ReadContext, cid: string): Promise<ChannelState> =>
  retryRateLimited(context, () =>
    lookUpChannel(context.core, cid, { state: true, message_limit: 1, member_limit: QUERY_MEMBERS_LIMIT[1] }),
  );

const channelsBy = (context: ReadContext, filter: Filter): AsyncIterable<ChannelState> =>
  listChannels({ limit: Infinity }, { filter }, async (query, once) => {
    const body = { ...query, state: true, watch: false, message_limit: 1, member_limit: 1 };
    const { channels } = await retryRateLimited(context, () =>
      context.core.call("queryChannels", { body, ...once }),
    );
    context.onUnread?.("", "channel", unreadItems(channels));
    return channels;
  });

type ListedChannel = Pick<Channel, "cid" | "message_count">;

interface ChannelSelection {
  /** Cids; empty = all channels of the user or of the filter. */
  channels: readonly string[];
  filter?: string | undefined;
}

export async function* selectedChannels(
  context: ReadContext,
  { channels, filter }: ChannelSelection,
): AsyncIterable<ListedChannel> {
  for (const cid of channels) yield { cid };
  if (channels.length > 0) return;
  const me = context.core.userId;
  const base: Filter =
    filter !== undefined ? readFilter(filter) : me === undefined ? {} : { members: { $in: [me] } };
  for await (const { channel } of channelsBy(context, base)) yield channel;
  // Hidden channels must be requested explicitly.
  if (me === undefined || filter !== undefined) return;
  for await (const { channel } of channelsBy(context, { ...base, hidden: true })) yield channel;
}
