/** Renders a shared location: a row of words and a small map. */
import { nearestPlace } from "../../atlas/places.ts";
import { formatLength } from "../../atlas/projection.ts";
import type { Places } from "../../atlas/read.ts";
import type { ClientMessage } from "../../model/state.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { duration } from "../../text/times.ts";
import { cellWidth } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { timeToMs } from "../../wire/time.ts";
import { displayName, railed, safeLine, type RowContext, nameStyle } from "./context.ts";
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

/** Kind, time left, position and nearest town, in this order so that a narrow pane cuts the least important part. */
export function locationRows(location: SharedLocation, width: number, ctx: RowContext): string[] {
  const { theme, maps } = ctx;
  const inner = width - 2;
  const live = isLive(location, ctx.now);
  const label =
    location.end_at === undefined ? words.location.static : live ? words.location.live : words.location.ended;
  const positioned = hasPosition(location);
  const left = live ? words.location.left(timeLeft(location, ctx.now)) : "";
  const near = positioned && maps?.atlas ? nearWords(maps.atlas.places, location) : "";
  const head = safeLine(ctx, label, inner);
  const facts = [left, positioned ? positionWords(location) : words.location.unknown, near];
  const details = safeLine(ctx, facts.filter(Boolean).join(" · "), inner - cellWidth(head) - 3);
  const styled = live ? theme.good(head) : theme.bold(head);
  return railed(ctx, [details ? `${styled} ${theme.dim("·")} ${details}` : styled]);
}

/** The map, if maps are drawn, and for one's own live location the button that ends it. */
export function locationMapRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const { shared_location: location, user } = message;
  if (!location) return [];
  const mine = user.id === ctx.me.id;
  const button = safeLine(ctx, words.map.sharing.button, width - 2);
  const stopButton = mine && isLive(location, ctx.now) ? [spot(ctx, "stop", ctx.theme.accent(button))] : [];
  return railed(ctx, [...mapFor(message, location, width - 2, ctx), ...stopButton]);
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
  return cardMap(pin, width, { theme, maps }).map((row) => spot(ctx, "map", row));
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
