/** Renders maps in the colours of the theme. */
import type { DotStyle, Ink } from "../../atlas/canvas.ts";
import { drawMap, scaleBar, type MapDrawing, type Mark, type RowPart } from "../../atlas/draw.ts";
import type { LatLng } from "../../atlas/projection.ts";
import type { Atlas } from "../../atlas/read.ts";
import { fitView, regionOf, type CanvasSize, type MapViewport } from "../../atlas/view.ts";
import { cellWidth } from "../../text/width.ts";
import type { Theme } from "./theme.ts";

/** How maps are drawn here; the atlas is there once one was wanted. */
export interface Maps {
  /** Somebody wants to see them; the atlas finds places anyhow. */
  readonly drawn: boolean;
  readonly style: DotStyle;
  readonly atlas: Atlas | undefined;
  /** Something is drawn that the atlas belongs to: loads it, the first time. */
  want(): void;
}

/** Somebody on the map. */
export interface MapPin extends LatLng {
  /** A name, cleaned. */
  label: string;
  color: (text: string) => string;
  trail: readonly LatLng[];
  mine: boolean;
}

interface MapLook {
  theme: Theme;
  maps: Maps;
}

/** What a person is on the map, apart from the name. */
const signOf = ({ mine }: MapPin, style: DotStyle): string => (style === "ascii" ? "@" : mine ? "◉" : "●");

const inkStyles = (theme: Theme): Readonly<Record<Ink, (text: string) => string>> => ({
  ring: theme.dim,
  border: theme.dim,
  coast: theme.accent,
  trail: theme.warn,
  track: theme.own,
});

/** Without colours a trail is no line like the others: a sign of its own. */
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

/** The map, a string a row, each as wide as asked; the last pin stands over the others. */
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

/** How long things on the map are: `├────┤ 20 km`. */
export function scaleRow(view: MapViewport, { theme, maps }: MapLook): string {
  const { text, cells } = scaleBar(view, 12);
  const middle = Math.max(0, cells - 2);
  const bar = maps.style === "ascii" ? `|${"-".repeat(middle)}|` : `├${"─".repeat(middle)}┤`;
  return theme.dim(`${bar} ${text}`);
}

const CARD_ROWS = 6;
const CARD_LEAST = 24;
const CARD_MOST = 40;
/** Cells between the two maps of a card. */
const BETWEEN = 2;

/** The small map of a card: where in the world it is, and how somebody moved there, beside it where there is room. */
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
