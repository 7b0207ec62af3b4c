/** Collects the people on a map: those who share a live location in the channel, and the author of the opened message. */
import type { ChannelEntry, ClientMessage, Trail } from "../../../model/state.ts";
import { userName } from "../../../model/channels.ts";
import { timeToMs } from "../../../wire/time.ts";
import { hasPosition, type SharedLocation } from "../../../wire/entities/location.ts";
import type { MapPin } from "../../render/map.ts";
import { nameStyle, type AuthorContext } from "../../render/context.ts";

export interface PersonOnMap extends MapPin {
  /** The message that carries the location. */
  id: string;
  /** When the live location ends, ms; absent for a static one. */
  until?: number;
}

interface PeopleInput extends AuthorContext {
  entry: ChannelEntry | undefined;
  /** The message that the map was opened for, if it is held. */
  message: ClientMessage | undefined;
}

/** The author of the opened message first, then the live locations of the channel. */
export function peopleOf({ entry, message, ...look }: PeopleInput): PersonOnMap[] {
  const person = (
    id: string,
    location: SharedLocation,
    userId: string,
    name: string,
    trail: Trail,
  ): PersonOnMap => {
    return {
      id,
      latitude: location.latitude,
      longitude: location.longitude,
      label: name,
      color: nameStyle(look, userId),
      trail,
      mine: userId === look.me.id,
      ...(location.end_at !== undefined && { until: timeToMs(location.end_at) }),
    };
  };
  const opened = message?.shared_location;
  const first =
    message && opened && hasPosition(opened)
      ? [person(message.id, opened, message.user.id, userName(message.user), message.trail ?? [])]
      : [];
  const others = (entry?.liveLocations ?? []).flatMap((location) => {
    const { message_id: id = "", user_id: userId = "", trail = [] } = location;
    if (id === message?.id || !hasPosition(location)) return [];
    const user = entry!.members.get(userId)?.user ?? { id: userId };
    return [person(id, location, userId, userName(user), trail)];
  });
  return [...first, ...others];
}

/** The person that the map follows. */
export const followedPerson = (people: readonly PersonOnMap[], id: string): PersonOnMap | undefined =>
  people.find((person) => person.id === id) ?? people[0];
