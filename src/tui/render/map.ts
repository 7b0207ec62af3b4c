/** Renders maps in the colours of the theme. */
import type { DotStyle, Ink } from "../../atlas/canvas.ts";
import { drawMap, scaleBar, type MapDrawing, type Mark, type RowPart } from "../../atlas/draw.ts";
import type { LatLng } from "../../atlas/projection.ts";
import type { Atlas } from "../../atlas/read.ts";
import { fitView, regionOf, type CanvasSize, type MapViewport } from "../../atlas/view.ts";
import { cellWidth } from "../../text/width.ts";
import type { Theme } from "./theme.ts";

/** How maps are drawn; the atlas is undefined until it is loaded. */
export interface Maps {
  /** Maps are shown; if false, the atlas is still used to find places. */
  readonly drawn: boolean;
  readonly style: DotStyle;
  readonly atlas: Atlas | undefined;
  /** Loads the atlas, the first time. */
  want(): void;
}

/** A person on the map. */
export interface MapPin extends LatLng {
  /** A sanitised name. */
  label: string;
  color: (text: string) => string;
  trail: readonly LatLng[];
  mine: boolean;
}

interface MapLook {
  theme: Theme;
  maps: Maps;
}

/** The symbol of a person. */
const signOf = ({ mine }: MapPin, style: DotStyle): string => (style === "ascii" ? "@" : mine ? "◉" : "●");

const inkStyles = (theme: Theme): Readonly<Record<Ink, (text: string) => string>> => ({
  ring: theme.dim,
  border: theme.dim,
  coast: theme.accent,
  trail: theme.warn,
  track: theme.own,
});

/** Without colours a trail is drawn with its own symbol, to differ from other lines. */
function trailSigns(text: string, { theme, maps }: MapLook): string {
  return theme.level > 0 ? text : text.replace(/\S/gu, maps.style === "ascii" ? "*" : "•");
}

function painted(part: RowPart, pins: readonly MapPin[], look: MapLook): string {
  const { theme } = look;
  if ("kind" in part) {
    if (part.kind === "place" || part.kind === "ring") return theme.dim(part.text);
    return theme.bold(pins[Number(part.kind)]!.color(part.text));
  }
  if (part.ink === undefined) return part.text;
  const trail = part.ink === "trail" || part.ink === "track";
  return inkStyles(theme)[part.ink](trail ? trailSigns(part.text, look) : part.text);
}

/** The rows of the map; later pins cover earlier ones. */
export function mapRows(
  view: MapViewport,
  { columns, rows }: CanvasSize,
  pins: readonly MapPin[],
  look: MapLook,
): string[] {
  const { style, atlas, want } = look.maps;
  if (!atlas) want();
  const marks = pins.map((pin, i): Mark => ({ ...pin, sign: signOf(pin, style), kind: String(i) }));
  const drawing: MapDrawing = { view, columns, rows, style, atlas, marks, names: true, cells: cellWidth };
  return drawMap(drawing).map((parts) => parts.map((part) => painted(part, pins, look)).join(""));
}

/** The scale of the map: `├────┤ 20 km`. */
export function scaleRow(view: MapViewport, { theme, maps }: MapLook): string {
  const { text, cells } = scaleBar(view, 12);
  const middle = Math.max(0, cells - 2);
  const bar = maps.style === "ascii" ? `|${"-".repeat(middle)}|` : `├${"─".repeat(middle)}┤`;
  return theme.dim(`${bar} ${text}`);
}

const CARD_ROWS = 6;
const CARD_LEAST = 24;
const CARD_MOST = 40;
/** Columns between the two maps of a card. */
const BETWEEN = 2;

/** The small map of a card: the region, and beside it the trail if there is one and enough room. */
export function cardMap(pin: MapPin, width: number, look: MapLook): string[] {
  if (width < CARD_LEAST) return [];
  const moved = pin.trail.length > 0;
  const both = moved && width >= 2 * CARD_LEAST + BETWEEN;
  const columns = Math.min(CARD_MOST, both ? Math.floor((width - BETWEEN) / 2) : width);
  const size = { columns, rows: CARD_ROWS };
  const close = moved ? fitView([pin, ...pin.trail], size) : undefined;
  const drawn = (view: MapViewport): string[] => mapRows(view, size, [pin], look);
  const region = regionOf(pin);
  if (!both || !close) return drawn(close ?? region);
  const beside = drawn(close);
  return drawn(region).map((row, i) => `${row}${" ".repeat(BETWEEN)}${beside[i]}`);
}
