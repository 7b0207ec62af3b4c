/** How `set --file` reads and writes channels: a page in a request, hidden ones too. */
import type { Core } from "../../core/core.ts";
import { settableData } from "../../wire/bodies/channels.ts";
import { QUERY_CHANNELS_LIMIT } from "../../wire/constants.ts";
import { builtInFields } from "../../wire/custom.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import { readChannel } from "../base/args.ts";
import { CommandError } from "../base/define-command.ts";
import { oneByOne, type Settable } from "../base/bulk/set-from-file.ts";
import { pathOf } from "../base/resolve-channel.ts";

/** Fields that stay text even if they look like numbers. */
export const TEXTS_OF_CHANNELS: readonly string[] = ["name", "image", "team", "auto_translation_language"];

/** What `channel list` has besides the fields of a channel. */
const OF_THE_LIST = new Set(["unread", "read"]);

async function channelsNow(core: Pick<Core, "call">, ids: readonly string[]): Promise<Map<string, Channel>> {
  const found = new Map<string, Channel>();
  for (const hidden of [{}, { hidden: true }]) {
    const left = ids.filter((cid) => !found.has(cid));
    if (left.length === 0) break;
    const body = {
      filter_conditions: { cid: { $in: left }, ...hidden },
      limit: left.length,
      message_limit: 1,
      member_limit: 1,
      state: true,
      watch: false,
    };
    const { channels } = await core.call("queryChannels", { body });
    for (const { channel } of channels) found.set(channel.cid, channel);
  }
  return found;
}

/** A cid in a file; undefined for a text that is none. */
function cidIn(text: string, channelType: string): string | undefined {
  try {
    const cid = readChannel(text, channelType);
    pathOf(cid);
    return cid;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

export const settableChannels = (core: Pick<Core, "call">, channelType: string): Settable<Channel> => ({
  noun: "channel",
  form: {
    ids: ["cid", "channel"],
    known: ["cid", "name", "image", "team", "frozen", "cooldown", "filter_tags"],
    texts: TEXTS_OF_CHANNELS,
    lists: ["filter_tags"],
    readId: (text) => cidIn(text, channelType),
  },
  isSettable: (name) =>
    (!builtInFields("channel").has(name) || Object.hasOwn(settableData, name)) && !OF_THE_LIST.has(name),
  pageSize: QUERY_CHANNELS_LIMIT[1],
  now: (ids) => channelsNow(core, ids),
  ...oneByOne(
    async (cid, body) => (await core.call("updateChannelPartial", { path: pathOf(cid), body })).channel,
  ),
});
