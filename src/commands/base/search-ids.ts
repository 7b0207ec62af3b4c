/** Resolves the names in a typed search to ids: at the provider, or among what is on this machine (specification/search.md §6). */
import { isDirect, titledChannel, type TitledChannel } from "../../model/channels.ts";
import { channelsOfName, HERE, unknownName, usersNamed } from "../../model/search-names.ts";
import type { SearchIds, SearchQuery } from "../../model/search-query.ts";
import { QUERY_CHANNELS_LIMIT, QUERY_USERS_LIMIT } from "../../wire/constants.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { User } from "../../wire/entities/user.ts";
import { splitCid } from "../../wire/ids.ts";
import { readChannel } from "./args.ts";
import { CommandError, type Args, type Call } from "./define-command.ts";
import { cidOf } from "./resolve-channel.ts";

type SearchCall = Pick<Call<Args>, "core" | "channelType" | "currentChannel" | "dry">;

/** Where names are looked up. */
interface Directory {
  users(name: string): Promise<readonly User[]>;
  channels(name: string): Promise<readonly TitledChannel[]>;
  /** The direct channel with a user. */
  direct(name: string): Promise<readonly string[]>;
}

/** Most pages of the user's channels that are read for the beginning of an id, which no filter finds. */
const MAX_PAGES = 10;

/** Throws `CommandError` (usage) for a name that nothing has. */
async function idsIn(directory: Directory, call: SearchCall, query: SearchQuery): Promise<SearchIds> {
  const me = call.core.userId;
  const users: string[] = [];
  const cids: string[] = [];
  for (const name of query.from) users.push(...usersNamed(await directory.users(name), name, me));
  for (const name of query.in) cids.push(...(await cidsNamed(directory, call, name)));
  return { users: [...new Set(users)], cids: [...new Set(cids)] };
}

async function cidsNamed(directory: Directory, call: SearchCall, name: string): Promise<string[]> {
  if (name.startsWith("@")) return [...(await directory.direct(readChannel(name, call.channelType)))];
  if (name === HERE && call.currentChannel !== undefined) return [call.currentChannel];
  if (splitCid(name)) return [readChannel(name, call.channelType)];
  const found = channelsOfName(await directory.channels(name), name, call.core.userId);
  if (found.length > 0) return found;
  throw new CommandError("usage", `${unknownName("in", name)}.`, "parley channel list shows them.");
}

/** Looks names up at the provider. */
export function searchIds(call: SearchCall, query: SearchQuery): Promise<SearchIds> {
  const { core } = call;
  const mine: Filter = core.userId === undefined ? {} : { members: { $in: [core.userId] } };
  const page = async (filter: Filter, offset = 0): Promise<TitledChannel[]> => {
    const { channels } = await core.call("queryChannels", {
      body: {
        filter_conditions: filter,
        sort: [{ field: "last_message_at", direction: -1 }],
        limit: QUERY_CHANNELS_LIMIT[1],
        offset,
        message_limit: 1,
        state: true,
        watch: false,
      },
    });
    return channels.map(titledChannel);
  };
  return idsIn(
    {
      async users(name) {
        if (name === "me") return [];
        const query = {
          filter_conditions: {
            $or: [{ id: name }, { id: { $autocomplete: name } }, { name: { $autocomplete: name } }],
          },
          limit: QUERY_USERS_LIMIT[1],
          presence: false,
          include_deactivated_users: true,
        };
        return (await core.call("queryUsers", { query })).users;
      },
      async channels(name) {
        const bare = name.replace(/^#/, "");
        const named = [{ name: { $autocomplete: bare } }, { "member.user.name": { $autocomplete: bare } }];
        const ofDefaultType = { cid: `${call.channelType}:${bare}` };
        const found = await page({ $or: [ofDefaultType, { ...mine, $or: [{ id: bare }, ...named] }] });
        for (let n = 0; found.length === 0 && n < MAX_PAGES; n++) {
          const all = await page(mine, n * QUERY_CHANNELS_LIMIT[1]);
          if (channelsOfName(all, name, core.userId).length > 0 || all.length < QUERY_CHANNELS_LIMIT[1])
            return all;
        }
        return found;
      },
      direct: async (name) => [await cidOf(call, name)],
    },
    call,
    query,
  );
}

/** Looks names up among the channels and their members in the cache. */
export function heldSearchIds(call: SearchCall, query: SearchQuery): Promise<SearchIds> {
  const channels = query.from.length + query.in.length > 0 ? call.core.heldChannels().map(titledChannel) : [];
  const members = channels.flatMap((channel) => [...channel.members.values()]);
  return idsIn(
    {
      users: async () => [
        ...new Map(members.flatMap(({ user }) => (user ? [[user.id, user]] : []))).values(),
      ],
      channels: async () => channels,
      async direct(name) {
        const found = channelsOfName(channels.filter(isDirect), name, call.core.userId);
        if (found.length > 0) return found;
        throw new CommandError("usage", `${unknownName("in", name)}.`, "Write type:id.");
      },
    },
    call,
    query,
  );
}
