/** Finds the channels in which the provider would send a campaign's message to people (RUN-4, RUN-5). */
import { QUERY_CHANNELS_LIMIT } from "../../../wire/constants.ts";
import type { CampaignInput } from "../../../wire/bodies/campaigns.ts";
import type { Filter } from "../../../wire/entities/query.ts";
import type { User } from "../../../wire/entities/user.ts";
import { makeCid } from "../../../wire/ids.ts";
import { listChannels } from "../../base/lists/channels.ts";
import type { Person } from "./exclusions.ts";
import { inGroups, type AudienceCall } from "./people.ts";
import { objectsFor, renderFor } from "./render.ts";

/** What the id of a channel begins with that is identified by its members. */
const DISTINCT = "!members-";

/** Person → the channel that is there for them; people without one are missing. */
export async function channelsFor(
  call: AudienceCall,
  fields: CampaignInput,
  sender: User,
  people: readonly Pick<Person, "id" | "user">[],
): Promise<Map<string, string>> {
  const template = fields.channel_template;
  return template?.id === undefined
    ? channelsOfTwo(call, sender.id, people, template?.type)
    : namedChannels(call, fields, sender, people);
}

async function namedChannels(
  call: AudienceCall,
  fields: CampaignInput,
  sender: User,
  people: readonly Pick<Person, "id" | "user">[],
): Promise<Map<string, string>> {
  const { type } = fields.channel_template!;
  const cids = new Map<string, string>();
  for (const person of people) {
    const { channelId = "" } = renderFor(fields, objectsFor(sender, person));
    cids.set(person.id, makeCid(type, channelId));
  }
  const there = new Set<string>();
  for (const part of inGroups([...new Set(cids.values())], QUERY_CHANNELS_LIMIT[1]))
    for await (const { channel } of channelsBy(call, { cid: { $in: part } })) there.add(channel.cid);
  return new Map([...cids].filter(([, cid]) => there.has(cid)));
}

/** Without a template the newest `messaging` channel of the two, else the one that is identified by them. */
async function channelsOfTwo(
  call: AudienceCall,
  sender: string,
  people: readonly Pick<Person, "id">[],
  type: string | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, { cid: string; at: string }>();
  const ids = people.map(({ id }) => id);
  for (const group of inGroups(ids, QUERY_CHANNELS_LIMIT[1])) {
    const filter: Filter = {
      $and: [{ type: type ?? "messaging" }, { members: { $in: [sender] } }, { members: { $in: group } }],
    };
    for await (const { channel, members } of channelsBy(call, filter)) {
      const person = members.find(({ user_id: id }) => id !== sender)?.user_id;
      const isOfTwo = members.length === 2 && (type === undefined || channel.id.startsWith(DISTINCT));
      const at = channel.last_message_at ?? channel.created_at;
      if (person && isOfTwo && at >= (found.get(person)?.at ?? ""))
        found.set(person, { cid: channel.cid, at });
    }
  }
  return new Map(Array.from(found, ([person, { cid }]) => [person, cid]));
}

const channelsBy = ({ core, signal }: AudienceCall, filter: Filter) =>
  listChannels({ limit: Infinity }, { filter, created: "oldest" }, async (query, once) => {
    signal.throwIfAborted();
    const body = { ...query, state: true, watch: false, message_limit: 1, member_limit: 3 };
    return (await core.call("queryChannels", { body, ...once })).channels;
  });
