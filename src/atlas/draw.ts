/** Draws a map in terminal cells: coast, borders, trails and rings as dots, with place names and people as text over them. */
import { Canvas, type DotStyle, type Ink, type InkRun } from "./canvas.ts";
import { placesWithin } from "./places.ts";
import { formatLength, mercator, type LatLng } from "./projection.ts";
import type { Atlas, Lines } from "./read.ts";
import { cellOf, kmPerCell, roundDown, type CanvasSize, type MapViewport } from "./view.ts";

/** A person or another marker on the map. */
export interface Mark extends LatLng {
  /** The character drawn at the position, one cell wide. */
  symbol: string;
  /** Text beside the symbol; its width is measured with `cells`. */
  label: string;
  /** Returned with the text, so that the caller can colour it. */
  kind: string;
  /** Earlier positions, oldest first. */
  trail: readonly LatLng[];
  /** The trail belongs to the current user. */
  mine: boolean;
}

/** Text drawn over the dots. */
interface MapText {
  text: string;
  kind: string;
}

/** A part of a row: dots or text. */
export type RowPart = InkRun | MapText;

export interface MapDrawing extends CanvasSize {
  view: MapViewport;
  style: DotStyle;
  /** Absent: only marks, trails and rings are drawn. */
  atlas: Atlas | undefined;
  /** Later marks are drawn over earlier ones. */
  marks: readonly Mark[];
  /** Whether names of towns are shown. */
  names: boolean;
  /** Width of a text on this terminal, in cells. */
  cellsOf(text: string): number;
}

/** Kilometres per cell: below the first no coast is drawn, up to the second a distance ring is. */
const MIN_COAST_KM = 0.1;
const MAX_RING_KM = 0.6;
/** Degrees per cell from which the coarse layer is used. */
const MIN_COARSE_SCALE = 1;
const MAX_NAMES = 40;

type ToDots = (x: number, y: number) => { x: number; y: number };

/** Converts map coordinates to dots of the canvas. */
function dotsOf(canvas: Canvas, { longitude, latitude, scale }: MapViewport): ToDots {
  const dotsPerDegree = canvas.width / canvas.columns / scale;
  const middle = mercator(latitude);
  return (x, y) => ({
    x: (x - longitude) * dotsPerDegree + canvas.width / 2,
    y: (middle - y) * dotsPerDegree + canvas.height / 2,
  });
}

function drawLines(canvas: Canvas, lines: Lines, view: MapViewport, ink: Ink): void {
  const { points, starts, boxes } = lines;
  const toDots = dotsOf(canvas, view);
  const halfX = (canvas.columns / 2) * view.scale;
  const halfY = canvas.rows * view.scale;
  const middle = mercator(view.latitude);
  for (const worldOffset of [-360, 0, 360]) {
    const x = view.longitude - worldOffset;
    for (let piece = 0; piece + 1 < starts.length; piece++) {
      if (boxes[piece * 4]! > x + halfX || boxes[piece * 4 + 2]! < x - halfX) continue;
      if (boxes[piece * 4 + 1]! > middle + halfY || boxes[piece * 4 + 3]! < middle - halfY) continue;
      for (let at = starts[piece]! + 1; at < starts[piece + 1]!; at++) {
        const a = toDots(points[at * 2 - 2]! + worldOffset, points[at * 2 - 1]!);
        const b = toDots(points[at * 2]! + worldOffset, points[at * 2 + 1]!);
        canvas.stroke(a.x, a.y, b.x, b.y, ink);
      }
    }
  }
}

function drawTrail(canvas: Canvas, { trail, mine, ...mark }: Mark, view: MapViewport): void {
  const dotsPerCell = { x: canvas.width / canvas.columns, y: canvas.height / canvas.rows };
  const dots = [...trail, mark].map((position) => {
    const { x, y } = cellOf(position, view, canvas);
    return { x: x * dotsPerCell.x, y: y * dotsPerCell.y };
  });
  for (const [i, to] of dots.entries()) {
    const from = dots[i - 1];
    if (from) canvas.stroke(from.x, from.y, to.x, to.y, mine ? "track" : "trail");
  }
}

/** A ring around the centre as a measure of distance when zoomed in so far that coast and towns are too coarse. */
function drawRing(
  canvas: Canvas,
  view: MapViewport,
): { text: string; at: { x: number; y: number } } | undefined {
  const cell = kmPerCell(view);
  if (cell > MAX_RING_KM) return undefined;
  const km = roundDown(Math.min(canvas.rows, canvas.columns / 2) * cell * 0.9);
  const [radiusX, radiusY] = [km / cell, km / cell / 2];
  const [across, down] = [canvas.width / canvas.columns, canvas.height / canvas.rows];
  const steps = Math.max(24, Math.round(radiusX * 6));
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI;
    const x = canvas.columns / 2 + radiusX * Math.cos(angle);
    const y = canvas.rows / 2 + radiusY * Math.sin(angle);
    canvas.dot(Math.round(x * across), Math.round(y * down), "ring");
  }
  return { text: formatLength(km), at: { x: canvas.columns / 2, y: canvas.rows / 2 - radiusY } };
}

/** Texts placed in rows without overlapping. */
class Labels {
  readonly #cells: (text: string) => number;
  readonly #size: CanvasSize;
  readonly #rows: { x: number; cells: number; words: MapText }[][];

  constructor(size: CanvasSize, cells: (text: string) => number) {
    this.#size = size;
    this.#cells = cells;
    this.#rows = Array.from({ length: size.rows }, () => []);
  }

  /** Places a text if it fits completely and leaves a blank to its neighbours; false otherwise. */
  tryPlace(x: number, y: number, words: MapText): boolean {
    const row = this.#rows[y];
    const cells = this.#cells(words.text);
    if (!row || x < 0 || x + cells > this.#size.columns) return false;
    if (row.some((other) => x < other.x + other.cells + 1 && other.x < x + cells + 1)) return false;
    row.push({ x, cells, words });
    return true;
  }

  row(y: number): readonly { x: number; cells: number; words: MapText }[] {
    return this.#rows[y]!.toSorted((a, b) => a.x - b.x);
  }
}

/** Draws the symbol with its label to the right, else to the left, else the symbol alone. */
function placeMark(labels: Labels, mark: Mark, drawing: MapDrawing): void {
  const { x, y } = cellOf(mark, drawing.view, drawing);
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const { symbol, label, kind } = mark;
  const variants = label === "" ? [] : [`${symbol} ${label}`, `${label} ${symbol}`];
  const cells = drawing.cellsOf(label) + 1;
  if (variants[0] !== undefined && labels.tryPlace(column, row, { text: variants[0], kind })) return;
  if (variants[1] !== undefined && labels.tryPlace(column - cells, row, { text: variants[1], kind })) return;
  labels.tryPlace(column, row, { text: symbol, kind });
}

/** Names of towns, where they cover no line. */
function placeNames(labels: Labels, canvas: Canvas, drawing: MapDrawing): void {
  const { atlas, view } = drawing;
  if (!atlas || !drawing.names) return;
  const limit = Math.min(MAX_NAMES, Math.ceil((drawing.columns * drawing.rows) / 40));
  const inside = (position: LatLng): boolean => {
    const { x, y } = cellOf(position, view, drawing);
    return x >= 0 && y >= 0 && x < drawing.columns && y < drawing.rows;
  };
  const tryName = (x: number, y: number, text: string, cells: number): boolean =>
    canvas
      .inkRuns(y, Math.max(0, x), Math.min(drawing.columns, x + cells))
      .every(({ ink }) => ink === undefined) && labels.tryPlace(x, y, { text, kind: "place" });
  for (const place of placesWithin(atlas.places, inside, limit)) {
    const { x, y } = cellOf(place, view, drawing);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const cells = drawing.cellsOf(place.name) + 2;
    if (!tryName(column, row, `· ${place.name}`, cells))
      tryName(column - cells + 1, row, `${place.name} ·`, cells);
  }
}

/** The rows of the map; each fills exactly `columns` cells. */
export function drawMap(drawing: MapDrawing): RowPart[][] {
  const { columns, rows, style, view, atlas, marks } = drawing;
  const canvas = new Canvas(columns, rows, style);
  const ring = drawRing(canvas, view);
  const layer = view.scale >= MIN_COARSE_SCALE ? atlas?.far : atlas?.near;
  if (layer && kmPerCell(view) >= MIN_COAST_KM) {
    drawLines(canvas, layer.borders, view, "border");
    drawLines(canvas, layer.coast, view, "coast");
  }
  for (const mark of marks) drawTrail(canvas, mark, view);
  const labels = new Labels(drawing, drawing.cellsOf);
  for (const mark of marks.toReversed()) placeMark(labels, mark, drawing);
  if (ring) {
    const [x, y] = [Math.round(ring.at.x - drawing.cellsOf(ring.text) / 2), Math.round(ring.at.y)];
    labels.tryPlace(x, y, { text: ring.text, kind: "ring" });
  }
  placeNames(labels, canvas, drawing);
  return Array.from({ length: rows }, (_, y) => {
    const parts: RowPart[] = [];
    let column = 0;
    for (const { x, cells, words } of labels.row(y)) {
      parts.push(...canvas.inkRuns(y, column, x), words);
      column = x + cells;
    }
    return [...parts, ...canvas.inkRuns(y, column, columns)];
  });
}

/** The label and width in cells of a scale bar of at most `maxCells` cells. */
export function scaleBar(view: MapViewport, maxCells: number): { text: string; cells: number } {
  const cell = kmPerCell(view);
  const km = roundDown(Math.max(cell, maxCells * cell));
  return { text: formatLength(km), cells: Math.max(1, Math.round(km / cell)) };
}
