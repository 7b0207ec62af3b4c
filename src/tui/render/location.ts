/** Renders a shared location: a small map, or a row of words. */
import { nearestPlace } from "../../atlas/places.ts";
import { formatLength } from "../../atlas/projection.ts";
import type { Places } from "../../atlas/read.ts";
import type { ClientMessage } from "../../model/state.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { duration } from "../../text/times.ts";
import { cellWidth } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { timeToMs } from "../../wire/time.ts";
import { displayName, safeLine, type RowContext, nameStyle } from "./context.ts";
import { cardMap } from "./map.ts";
import { spot } from "./spots.ts";
import { hasPosition, type SharedLocation } from "../../wire/entities/location.ts";
import { isLive, type Position } from "../../model/locations.ts";

/** `59.32510°N 18.07110°E` */
export function positionWords({ latitude, longitude }: SharedLocation): string {
  const north = `${Math.abs(latitude).toFixed(5)}°${latitude < 0 ? "S" : "N"}`;
  return `${north} ${Math.abs(longitude).toFixed(5)}°${longitude < 0 ? "W" : "E"}`;
}

/** `59.32510, 18.07110`, for the clipboard. */
export const coordinates = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

const labelOf = (location: SharedLocation, live: boolean): string =>
  location.end_at === undefined ? words.location.static : live ? words.location.live : words.location.ended;

/** A map in a frame that says where and how long; without a map one row of words. For one's own live location also the button that ends it. */
export function locationRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const { shared_location: location, user } = message;
  if (!location) return [];
  const map = mapFor(message, location, width, ctx);
  const isOwnLive = user.id === ctx.me.id && isLive(location, ctx.now);
  const button = safeLine(ctx, words.map.sharing.button, width);
  return [
    ...(map.length > 0 ? map : [locationWords(location, width, ctx)]),
    ...(isOwnLive ? [spot(ctx, "stop", ctx.theme.accent(button))] : []),
  ];
}

/** Kind, time left, position and nearest town, in this order so that a narrow pane cuts the least important part. */
export function locationWords(location: SharedLocation, width: number, ctx: RowContext): string {
  const { theme } = ctx;
  const live = isLive(location, ctx.now);
  const positioned = hasPosition(location);
  const left = live ? words.location.left(timeLeft(location, ctx.now)) : "";
  const head = safeLine(ctx, labelOf(location, live), width);
  const facts = [left, positioned ? positionWords(location) : words.location.unknown, nearest(location, ctx)];
  const details = safeLine(ctx, facts.filter(Boolean).join(" · "), width - cellWidth(head) - 3);
  const styled = live ? theme.good(head) : theme.bold(head);
  return details ? `${styled} ${theme.dim("·")} ${details}` : styled;
}

const nearest = (location: SharedLocation, { maps }: RowContext): string =>
  hasPosition(location) && maps?.atlas ? nearWords(maps.atlas.places, location) : "";

/** The town at the left of the frame, at the right how long a live location goes on, or its kind, and below the position. */
function frameLabels(
  location: SharedLocation,
  ctx: RowContext,
): { title: string; state: string; position: string } {
  const live = isLive(location, ctx.now);
  const position = positionWords(location);
  return {
    title: nearest(location, ctx) || position,
    position,
    state: live ? words.location.left(timeLeft(location, ctx.now)) : labelOf(location, live),
  };
}

function mapFor(
  { user, trail = [] }: ClientMessage,
  location: SharedLocation,
  width: number,
  ctx: RowContext,
): string[] {
  const { theme, maps, me } = ctx;
  if (!maps?.enabled || !hasPosition(location)) return [];
  const { latitude, longitude } = location;
  const mine = user.id === me.id;
  const color = nameStyle(ctx, user.id);
  const pin = { latitude, longitude, label: displayName(ctx, user, 16), color, trail, mine };
  return cardMap(pin, frameLabels(location, ctx), width, { theme, maps }).map((row) => spot(ctx, "map", row));
}

/** `near Stockholm`, with the distance if it is at least 1 km. */
export function nearWords(places: Places, position: SharedLocation): string {
  const nearest = nearestPlace(places, position);
  if (!nearest) return "";
  const { place, distance } = nearest;
  return words.location.near(cleanLine(place.name), distance < 1 ? "" : formatLength(distance));
}

/** The time left in whole minutes, so that a row changes once a minute. */
export function timeLeft(location: SharedLocation, now: number): string {
  const left = timeToMs(location.end_at ?? "") - now;
  return left > 60_000 ? duration(Math.ceil(left / 60_000) * 60_000) : "under a minute";
}
