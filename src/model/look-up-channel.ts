/** Looks a channel up without creating it: in the list of channels, which every provider of the protocol has. */
import type { QueryChannelsBody } from "../wire/endpoints/index.ts";
import type { ChannelState } from "../wire/entities/channel.ts";
import { distinctLength } from "../wire/reading.ts";
import { ChannelNotFound, TransportError } from "./errors.ts";

/** The part of a client that looking up needs. */
interface ChannelFinder {
  readonly userId: string | undefined;
  call(
    name: "queryChannels",
    args: { body: QueryChannelsBody; retries?: number },
  ): Promise<{ channels: readonly ChannelState[] }>;
}

/** There is a channel, of which too little can be read. */
const unreadable = (): TransportError =>
  new TransportError("ERR_BAD_RESPONSE", "QueryChannels was answered with a channel that cannot be read");

/** What to read of the channel; by default no more than whether it exists. */
interface ChannelReading extends Pick<QueryChannelsBody, "state" | "message_limit" | "member_limit"> {
  retries?: number;
}

const EXISTENCE: ChannelReading = { state: false, message_limit: 1, member_limit: 1 };

/** A provider may refuse the second question, to which only people with hidden channels have an answer. */
const isRefusedFilter = (error: unknown): boolean =>
  [400, 403].includes((error as { status?: number }).status ?? 0);

/**
 * The channel, also one that the user has hidden. Throws `ChannelNotFound` when neither list has it. A query by path is asked only after
 * this, since it would create the channel (specification/channels.md §2).
 */
export async function lookUpChannel(
  core: ChannelFinder,
  cid: string,
  { retries, ...reading }: ChannelReading = EXISTENCE,
): Promise<ChannelState> {
  const ask = async (more: { hidden?: true }): Promise<ChannelState | undefined> => {
    const filter_conditions = { cid, ...more };
    const body = { filter_conditions, limit: 1, watch: false, ...reading };
    const { channels } = await core.call("queryChannels", {
      body,
      ...(retries !== undefined && { retries }),
    });
    const found = channels.find(({ channel }) => channel.cid === cid);
    if (!found && distinctLength(channels) > channels.length) throw unreadable();
    return found;
  };
  const shown = await ask({});
  if (shown) return shown;
  // Nothing is hidden from a server.
  const hidden =
    core.userId === undefined
      ? undefined
      : await ask({ hidden: true }).catch((error: unknown) => {
          if (!isRefusedFilter(error)) throw error;
          return undefined;
        });
  if (hidden) return hidden;
  throw new ChannelNotFound(cid);
}

/** The channels in the answer to a call: they exist, so querying them creates nothing. */
export function listedCids({ name, reply }: { name: string; reply?: unknown }): string[] {
  if (name !== "queryChannels" || reply === undefined) return [];
  return (reply as { channels: readonly ChannelState[] }).channels.map(({ channel }) => channel.cid);
}
