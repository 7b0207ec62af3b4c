/** A map in cells: coast, borders, trails and rings as dots, places and people as words over them. */
import { Canvas, type DotStyle, type Ink, type InkRun } from "./canvas.ts";
import { placesWithin } from "./places.ts";
import { lengthWords, mercator, type LatLng } from "./projection.ts";
import type { Atlas, Lines } from "./read.ts";
import { cellOf, kmPerCell, roundBelow, type CanvasSize, type MapViewport } from "./view.ts";

/** Somebody, or something, at a place. */
export interface Mark extends LatLng {
  /** What is drawn at the place: one cell. */
  sign: string;
  /** Beside it; cells as in `cells`. */
  label: string;
  /** Told back with the words, for their colour. */
  kind: string;
  /** Where it was before, oldest first. */
  trail: readonly LatLng[];
  /** The trail is mine. */
  mine: boolean;
}

/** Words over the dots. */
interface Words {
  text: string;
  kind: string;
}

/** A part of a row: dots, or words. */
export type RowPart = InkRun | Words;

export interface MapDrawing extends CanvasSize {
  view: MapViewport;
  style: DotStyle;
  /** Absent: only marks, trails and rings are drawn. */
  atlas: Atlas | undefined;
  /** The last stands over the others. */
  marks: readonly Mark[];
  /** Places are named. */
  names: boolean;
  /** Cells of a text on this terminal. */
  cells(text: string): number;
}

/** Kilometres a cell below which the coast is no help, and where rings take its place. */
const COAST_FROM_KM = 0.1;
const RINGS_BELOW_KM = 0.6;
/** Degrees a cell from which the coarse lines do. */
const FAR_FROM = 1;
const MOST_NAMES = 40;

type Dots = (x: number, y: number) => { x: number; y: number };

/** From degrees on the map to dots of the canvas. */
function dotsOf(canvas: Canvas, { longitude, latitude, scale }: MapViewport): Dots {
  const per = canvas.width / canvas.columns / scale;
  const middle = mercator(latitude);
  return (x, y) => ({
    x: (x - longitude) * per + canvas.width / 2,
    y: (middle - y) * per + canvas.height / 2,
  });
}

function drawLines(canvas: Canvas, lines: Lines, view: MapViewport, ink: Ink): void {
  const { points, starts, boxes } = lines;
  const toDots = dotsOf(canvas, view);
  const halfX = (canvas.columns / 2) * view.scale;
  const halfY = canvas.rows * view.scale;
  const middle = mercator(view.latitude);
  for (const turn of [-360, 0, 360]) {
    const x = view.longitude - turn;
    for (let piece = 0; piece + 1 < starts.length; piece++) {
      if (boxes[piece * 4]! > x + halfX || boxes[piece * 4 + 2]! < x - halfX) continue;
      if (boxes[piece * 4 + 1]! > middle + halfY || boxes[piece * 4 + 3]! < middle - halfY) continue;
      for (let at = starts[piece]! + 1; at < starts[piece + 1]!; at++) {
        const a = toDots(points[at * 2 - 2]! + turn, points[at * 2 - 1]!);
        const b = toDots(points[at * 2]! + turn, points[at * 2 + 1]!);
        canvas.stroke(a.x, a.y, b.x, b.y, ink);
      }
    }
  }
}

function drawTrail(canvas: Canvas, { trail, mine, ...mark }: Mark, view: MapViewport): void {
  const per = { x: canvas.width / canvas.columns, y: canvas.height / canvas.rows };
  const dots = [...trail, mark].map((position) => {
    const { x, y } = cellOf(position, view, canvas);
    return { x: x * per.x, y: y * per.y };
  });
  for (const [i, to] of dots.entries()) {
    const from = dots[i - 1];
    if (from) canvas.stroke(from.x, from.y, to.x, to.y, mine ? "track" : "trail");
  }
}

/** A ring around the middle of the map, where coast and towns are too coarse to tell how far things are. */
function drawRing(
  canvas: Canvas,
  view: MapViewport,
): { text: string; at: { x: number; y: number } } | undefined {
  const cell = kmPerCell(view);
  if (cell > RINGS_BELOW_KM) return undefined;
  const km = roundBelow(Math.min(canvas.rows, canvas.columns / 2) * cell * 0.9);
  const [radiusX, radiusY] = [km / cell, km / cell / 2];
  const [across, down] = [canvas.width / canvas.columns, canvas.height / canvas.rows];
  const steps = Math.max(24, Math.round(radiusX * 6));
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI;
    const x = canvas.columns / 2 + radiusX * Math.cos(angle);
    const y = canvas.rows / 2 + radiusY * Math.sin(angle);
    canvas.dot(Math.round(x * across), Math.round(y * down), "ring");
  }
  return { text: lengthWords(km), at: { x: canvas.columns / 2, y: canvas.rows / 2 - radiusY } };
}

/** Words that stand in rows, each cell taken once. */
class Labels {
  readonly #cells: (text: string) => number;
  readonly #size: CanvasSize;
  readonly #rows: { x: number; cells: number; words: Words }[][];

  constructor(size: CanvasSize, cells: (text: string) => number) {
    this.#size = size;
    this.#cells = cells;
    this.#rows = Array.from({ length: size.rows }, () => []);
  }

  /** Puts a text where it fits whole and nothing stands yet, with a blank between; false where not. */
  put(x: number, y: number, words: Words): boolean {
    const row = this.#rows[y];
    const cells = this.#cells(words.text);
    if (!row || x < 0 || x + cells > this.#size.columns) return false;
    if (row.some((other) => x < other.x + other.cells + 1 && other.x < x + cells + 1)) return false;
    row.push({ x, cells, words });
    return true;
  }

  row(y: number): readonly { x: number; cells: number; words: Words }[] {
    return this.#rows[y]!.toSorted((a, b) => a.x - b.x);
  }
}

/** The sign and the name beside it: right of it, else left, else the sign alone. */
function putMark(labels: Labels, mark: Mark, drawing: MapDrawing): void {
  const { x, y } = cellOf(mark, drawing.view, drawing);
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const { sign, label, kind } = mark;
  const beside = label === "" ? [] : [`${sign} ${label}`, `${label} ${sign}`];
  const cells = drawing.cells(label) + 1;
  if (beside[0] !== undefined && labels.put(column, row, { text: beside[0], kind })) return;
  if (beside[1] !== undefined && labels.put(column - cells, row, { text: beside[1], kind })) return;
  labels.put(column, row, { text: sign, kind });
}

function putNames(labels: Labels, drawing: MapDrawing): void {
  const { atlas, view } = drawing;
  if (!atlas || !drawing.names) return;
  const most = Math.min(MOST_NAMES, Math.ceil((drawing.columns * drawing.rows) / 40));
  const inside = (position: LatLng): boolean => {
    const { x, y } = cellOf(position, view, drawing);
    return x >= 0 && y >= 0 && x < drawing.columns && y < drawing.rows;
  };
  for (const place of placesWithin(atlas.places, inside, most)) {
    const { x, y } = cellOf(place, view, drawing);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const cells = drawing.cells(place.name) + 1;
    if (!labels.put(column, row, { text: `·${place.name}`, kind: "place" }))
      labels.put(column - cells + 1, row, { text: `${place.name}·`, kind: "place" });
  }
}

/** The map, row by row, each of exactly as many cells as there are columns. */
export function drawMap(drawing: MapDrawing): RowPart[][] {
  const { columns, rows, style, view, atlas, marks } = drawing;
  const canvas = new Canvas(columns, rows, style);
  const ring = drawRing(canvas, view);
  const layer = view.scale >= FAR_FROM ? atlas?.far : atlas?.near;
  if (layer && kmPerCell(view) >= COAST_FROM_KM) {
    drawLines(canvas, layer.borders, view, "border");
    drawLines(canvas, layer.coast, view, "coast");
  }
  for (const mark of marks) drawTrail(canvas, mark, view);
  const labels = new Labels(drawing, drawing.cells);
  for (const mark of marks.toReversed()) putMark(labels, mark, drawing);
  if (ring) {
    const [x, y] = [Math.round(ring.at.x - drawing.cells(ring.text) / 2), Math.round(ring.at.y)];
    labels.put(x, y, { text: ring.text, kind: "ring" });
  }
  putNames(labels, drawing);
  return Array.from({ length: rows }, (_, y) => {
    const parts: RowPart[] = [];
    let column = 0;
    for (const { x, cells, words } of labels.row(y)) {
      parts.push(...canvas.runs(y, column, x), words);
      column = x + cells;
    }
    return [...parts, ...canvas.runs(y, column, columns)];
  });
}

/** A length that the map shows, and how many cells it is: for a bar under it. */
export function scaleBar(view: MapViewport, most: number): { text: string; cells: number } {
  const cell = kmPerCell(view);
  const km = roundBelow(Math.max(cell, most * cell));
  return { text: lengthWords(km), cells: Math.max(1, Math.round(km / cell)) };
}
