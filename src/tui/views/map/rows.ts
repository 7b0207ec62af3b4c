/** Draws the rows of the map panel: the map, and the list of people below it. */
import { direction, distance, formatLength } from "../../../atlas/projection.ts";
import type { CanvasSize, MapViewport } from "../../../atlas/view.ts";
import { countdown } from "../../../text/times.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { nearWords } from "../../render/location.ts";
import { firstView, mapRows, scaleRow, type Maps } from "../../render/map.ts";
import type { Theme } from "../../render/theme.ts";
import type { Rect } from "../../screen/layout.ts";
import { followedPerson, type PersonOnMap } from "./people.ts";
import type { MapPanel } from "./state.ts";

interface MapLook {
  theme: Theme;
  maps: Maps;
}

/** The size of the map in its pane; the other rows are for the people and the line between. */
export function mapCells(rect: Rect, people: number): CanvasSize {
  const list = Math.min(Math.max(1, people), Math.max(1, Math.floor(rect.height / 3)));
  return { columns: Math.max(1, rect.width), rows: Math.max(1, rect.height - list - 1) };
}

/** The visible part of the world: as moved by hand, else around the followed person. */
export function viewportOf(
  panel: MapPanel,
  people: readonly PersonOnMap[],
  cells: CanvasSize,
  maps: Maps,
): MapViewport | undefined {
  const person = followedPerson(people, panel.id);
  if (!person) return undefined;
  const initial = firstView(person, cells, maps);
  const { centre, scale = initial.scale } = panel;
  if (centre) return { ...centre, scale };
  return panel.scale === undefined
    ? initial
    : { latitude: person.latitude, longitude: person.longitude, scale };
}

/** The map and its scale; the followed person is drawn on top of the others. */
export function panelMap(
  panel: MapPanel,
  people: readonly PersonOnMap[],
  rect: Rect,
  look: MapLook,
): string[] {
  const cells = mapCells(rect, people.length);
  const view = viewportOf(panel, people, cells, look.maps);
  const person = followedPerson(people, panel.id);
  if (!view || !person) return [];
  const drawOrder = [...people.filter((each) => each !== person).toReversed(), person];
  const left = panel.centre ? words.map.free : words.map.follows(person.label);
  const scale = scaleRow(view, look);
  const room = cells.columns - cellWidth(scale) - 3;
  const line = ` ${scale}  ${look.theme.dim(truncate(left, Math.max(0, room)))}`;
  return [...mapRows(view, cells, drawOrder, look), line];
}

/** `12:40 left`, or that the location is static or has ended. */
function timeText({ until }: PersonOnMap, now: number): string {
  if (until === undefined) return words.location.static;
  return until > now ? words.location.left(countdown(until - now)) : words.location.ended;
}

/** Distance and direction from `from`; for `from` itself, the nearest town. */
function distanceText(person: PersonOnMap, from: PersonOnMap, { maps }: MapLook): string {
  if (person !== from) return `${formatLength(distance(from, person))} ${direction(from, person)}`;
  return maps.atlas ? nearWords(maps.atlas.places, person) : "";
}

/** A row for each person: name, time left, and distance from the user, else from the followed person. */
export function peopleRows(
  people: readonly PersonOnMap[],
  { id, width, now }: { id: string; width: number; now: number },
  look: MapLook,
): string[] {
  const { theme } = look;
  const followed = followedPerson(people, id);
  const from = people.find(({ mine }) => mine) ?? followed!;
  return people.map((person) => {
    const mark = person === followed ? theme.accent("▌") : " ";
    const name = truncate(person.mine ? words.map.me : person.label, Math.max(1, Math.floor(width / 3)));
    const facts = [timeText(person, now), distanceText(person, from, look)].filter(Boolean).join(" · ");
    const room = Math.max(0, width - cellWidth(name) - 5);
    return `${mark}${theme.bold(person.color(name))} ${theme.dim("·")} ${truncate(facts, room)}`;
  });
}
