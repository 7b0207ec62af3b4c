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
  readonly enabled: boolean;
  readonly style: DotStyle;
  readonly atlas: Atlas | undefined;
  /** Loads the atlas, the first time. */
  load(): void;
}

/** A person on the map. */
export interface MapPin extends LatLng {
  /** A sanitised name. */
  label: string;
  color: (text: string) => string;
  trail: readonly LatLng[];
  mine: boolean;
}

interface MapContext {
  theme: Theme;
  maps: Maps;
}

/** The symbol of a person. */
const pinSymbol = ({ mine }: MapPin, style: DotStyle): string => (style === "ascii" ? "@" : mine ? "◉" : "●");

const inkStyles = (theme: Theme): Readonly<Record<Ink, (text: string) => string>> => ({
  ring: theme.dim,
  border: theme.dim,
  coast: theme.accent,
  trail: theme.warn,
  track: theme.own,
});

/** Without colours a trail is drawn with its own symbol, to differ from other lines. */
function trailSymbols(text: string, { theme, maps }: MapContext): string {
  return theme.level > 0 ? text : text.replace(/\S/gu, maps.style === "ascii" ? "*" : "•");
}

function stylePart(part: RowPart, pins: readonly MapPin[], ctx: MapContext): string {
  const { theme } = ctx;
  if ("kind" in part) {
    if (part.kind === "place" || part.kind === "ring") return theme.dim(part.text);
    return theme.bold(pins[Number(part.kind)]!.color(part.text));
  }
  if (part.ink === undefined) return part.text;
  const trail = part.ink === "trail" || part.ink === "track";
  return inkStyles(theme)[part.ink](trail ? trailSymbols(part.text, ctx) : part.text);
}

/** The rows of the map; later pins cover earlier ones. */
export function mapRows(
  view: MapViewport,
  { columns, rows }: CanvasSize,
  pins: readonly MapPin[],
  ctx: MapContext,
): string[] {
  const { style, atlas, load } = ctx.maps;
  if (!atlas) load();
  const marks = pins.map((pin, i): Mark => ({ ...pin, symbol: pinSymbol(pin, style), kind: String(i) }));
  const drawing: MapDrawing = { view, columns, rows, style, atlas, marks, names: true, cellsOf: cellWidth };
  return drawMap(drawing).map((parts) => parts.map((part) => stylePart(part, pins, ctx)).join(""));
}

/** The scale of the map: `├────┤ 20 km`. */
export function scaleRow(view: MapViewport, { theme, maps }: MapContext): string {
  const { text, cells } = scaleBar(view, 12);
  const middle = Math.max(0, cells - 2);
  const bar = maps.style === "ascii" ? `|${"-".repeat(middle)}|` : `├${"─".repeat(middle)}┤`;
  return theme.dim(`${bar} ${text}`);
}

const CARD_ROWS = 6;
const MIN_CARD_COLUMNS = 24;
const MAX_CARD_COLUMNS = 40;
/** Columns between the two maps of a card. */
const CARD_GAP = 2;

/** The small map of a card: the region, and beside it the trail if there is one and enough room. */
export function cardMap(pin: MapPin, width: number, ctx: MapContext): string[] {
  if (width < MIN_CARD_COLUMNS) return [];
  const hasTrail = pin.trail.length > 0;
  const both = hasTrail && width >= 2 * MIN_CARD_COLUMNS + CARD_GAP;
  const columns = Math.min(MAX_CARD_COLUMNS, both ? Math.floor((width - CARD_GAP) / 2) : width);
  const size = { columns, rows: CARD_ROWS };
  const trailView = hasTrail ? fitView([pin, ...pin.trail], size) : undefined;
  const render = (view: MapViewport): string[] => mapRows(view, size, [pin], ctx);
  const region = regionOf(pin);
  if (!both || !trailView) return render(trailView ?? region);
  const trailRows = render(trailView);
  return render(region).map((row, i) => `${row}${" ".repeat(CARD_GAP)}${trailRows[i]}`);
}
