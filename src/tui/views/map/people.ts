/** The people on a map: those who share a live location in the channel, and the author of the opened message. */
import type { ChannelEntry, HeldMessage, Trail } from "../../../model/state.ts";
import { userName } from "../../../model/channels.ts";
import { timeToMs } from "../../../wire/time.ts";
import { hasPosition, type SharedLocation } from "../../../wire/entities/location.ts";
import type { MapPin } from "../../render/map.ts";
import { authorColor, type Theme } from "../../render/theme.ts";

/** Somebody on the map. */
export interface PersonOnMap extends MapPin {
  /** The message that carries the location. */
  id: string;
  /** Until when it is live, ms; absent = it does not move. */
  until?: number;
}

interface Given {
  entry: ChannelEntry | undefined;
  /** The message that was opened, where it is held. */
  message: HeldMessage | undefined;
  theme: Theme;
  me: string | undefined;
}

/** The one of the opened message first, then those who joined, each with a name that tells them apart. */
export function peopleOf({ entry, message, theme, me }: Given): PersonOnMap[] {
  const person = (
    id: string,
    location: SharedLocation,
    user: string,
    name: string,
    trail: Trail,
  ): PersonOnMap => {
    const mine = user === me;
    return {
      id,
      latitude: location.latitude,
      longitude: location.longitude,
      label: name,
      color: mine ? theme.own : authorColor(theme, user),
      trail,
      mine,
      ...(location.end_at !== undefined && { until: timeToMs(location.end_at) }),
    };
  };
  const opened = message?.shared_location;
  const first =
    message && opened && hasPosition(opened)
      ? [person(message.id, opened, message.user.id, userName(message.user), message.trail ?? [])]
      : [];
  const others = (entry?.liveLocations ?? []).flatMap((location) => {
    const { message_id: id = "", user_id: user = "", trail = [] } = location;
    if (id === message?.id || !hasPosition(location)) return [];
    const known = entry!.members.get(user)?.user ?? { id: user };
    return [person(id, location, user, userName(known), trail)];
  });
  return [...first, ...others];
}

/** The one that the map follows. */
export const followed = (people: readonly PersonOnMap[], id: string): PersonOnMap | undefined =>
  people.find((person) => person.id === id) ?? people[0];
