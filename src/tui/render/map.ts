/** Renders maps in the colours of the theme. */
import type { DotStyle, Ink } from "../../atlas/canvas.ts";
import { drawMap, scaleBar, type MapDrawing, type Mark, type RowPart } from "../../atlas/draw.ts";
import type { LatLng } from "../../atlas/projection.ts";
import type { Atlas } from "../../atlas/read.ts";
import { fitView, regionOf, zoomed, type CanvasSize, type MapViewport } from "../../atlas/view.ts";
import { cellWidth, truncate } from "../../text/width.ts";
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
  coast: theme.coast,
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
function scaleText(view: MapViewport, { maps }: Pick<MapContext, "maps">): string {
  const { text, cells } = scaleBar(view, 12);
  const middle = Math.max(0, cells - 2);
  const bar = maps.style === "ascii" ? `|${"-".repeat(middle)}|` : `├${"─".repeat(middle)}┤`;
  return `${bar} ${text}`;
}

export const scaleRow = (view: MapViewport, ctx: MapContext): string => ctx.theme.dim(scaleText(view, ctx));

const WIDE_CARD: CanvasSize = { columns: 50, rows: 7 };
const NARROW_CARD: CanvasSize = { columns: 46, rows: 5 };
const MIN_CARD_COLUMNS = 24;

interface FrameLabels {
  title: string;
  state: string;
  /** In the lower edge, where it fits beside the scale. */
  position: string;
}

/** The upper edge with its labels; what does not fit is cut, the title first. */
function upperEdge({ title, state }: FrameLabels, columns: number, { theme }: MapContext): string {
  const right = truncate(state, columns - 6);
  const left = truncate(title, Math.max(0, columns - cellWidth(right) - 5));
  const line = "─".repeat(Math.max(0, columns - cellWidth(left) - cellWidth(right) - 4));
  return `${theme.line("╭")} ${theme.bold(left)} ${theme.line(line)} ${theme.dim(right)} ${theme.line("╮")}`;
}

/** Whether a view shows where it is: a coast, or two places. */
function showsWhere(view: MapViewport, size: CanvasSize, { style, atlas }: Maps): boolean {
  const parts = drawMap({ view, ...size, style, atlas, marks: [], names: true, cellsOf: cellWidth }).flat();
  const places = parts.filter((part) => "kind" in part && part.kind === "place");
  return places.length > 1 || parts.some((part) => "ink" in part && part.ink === "coast");
}

/** The closest view of a person and their trail that shows where it is, else their region. */
export function firstView(pin: MapPin, size: CanvasSize, maps: Maps): MapViewport {
  const region = regionOf(pin);
  let view = pin.trail.length > 0 ? fitView([pin, ...pin.trail], size) : undefined;
  while (view && view.scale < region.scale && !showsWhere(view, size, maps)) view = zoomed(view, -1);
  return view ?? region;
}

/** The small map of a card in its frame, with the trail in it. */
export function cardMap(pin: MapPin, labels: FrameLabels, width: number, ctx: MapContext): string[] {
  if (width < MIN_CARD_COLUMNS + 2) return [];
  const { columns: most, rows } = width >= 68 ? WIDE_CARD : NARROW_CARD;
  const size = { columns: Math.min(most, width - 2), rows };
  const { theme } = ctx;
  const view = firstView(pin, size, ctx.maps);
  const side = theme.line("│");
  const scale = scaleText(view, ctx);
  const room = size.columns - cellWidth(scale) - 2;
  const fits = cellWidth(labels.position) + 4 <= room;
  const position = fits ? ` ${theme.dim(labels.position)} ` : "";
  const rest = theme.line("─".repeat(Math.max(0, room - cellWidth(position))));
  return [
    upperEdge(labels, size.columns, ctx),
    ...mapRows(view, size, [pin], ctx).map((row) => side + row + side),
    `${theme.line("╰")} ${theme.dim(scale)} ${rest}${position}${theme.line("╯")}`,
  ];
}
