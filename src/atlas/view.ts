/** Which part of the world a map shows: its middle, and how many degrees a cell is wide. */
import { kmPerDegree, mercator, unMercator, type LatLng } from "./projection.ts";

export interface MapViewport extends LatLng {
  /** Degrees of longitude a cell. */
  scale: number;
}

export interface CanvasSize {
  columns: number;
  rows: number;
}

/** Ten metres a cell, and the whole world in forty. */
const CLOSEST = 0.0001;
const FARTHEST = 8;
/** A few steps of a walk do not fill the map. */
const NEAREST_FIT = 0.0005;
/** A region: some ninety kilometres in forty cells of Europe. */
const REGION = 0.04;

const within = (scale: number): number => Math.max(CLOSEST, Math.min(FARTHEST, scale));
const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

/** The surroundings of a place. */
export const regionOf = (position: LatLng): MapViewport => ({ ...positionOf(position), scale: REGION });

const positionOf = ({ latitude, longitude }: LatLng): LatLng => ({ latitude, longitude });

/** All these places with air around them, in steps so that a growing trail does not make the map breathe. */
export function fitted(positions: readonly LatLng[], { columns, rows }: CanvasSize): MapViewport | undefined {
  const [first] = positions;
  if (!first) return undefined;
  // The nearer way round the world.
  const xs = positions.map(({ longitude }) => first.longitude + wrapped(longitude - first.longitude));
  const ys = positions.map(({ latitude }) => mercator(latitude));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [lower, upper] = [Math.min(...ys), Math.max(...ys)];
  // A cell is twice as high as it is wide.
  const wanted = Math.max((right - left) / columns, (upper - lower) / (rows * 2)) * 1.5;
  const scale = within(2 ** Math.ceil(Math.log2(Math.max(wanted, NEAREST_FIT))));
  return { longitude: wrapped((left + right) / 2), latitude: unMercator((lower + upper) / 2), scale };
}

/** Closer by 1, farther by −1. */
export const zoomed = (view: MapViewport, by: 1 | -1): MapViewport => ({
  ...view,
  scale: within(view.scale * 2 ** -by),
});

/** Moved by cells. */
export function panned(view: MapViewport, right: number, down: number): MapViewport {
  const y = Math.max(-170, Math.min(170, mercator(view.latitude) - down * 2 * view.scale));
  return { ...view, longitude: wrapped(view.longitude + right * view.scale), latitude: unMercator(y) };
}

/** Where a place stands, in cells from the top left; it may lie outside. */
export function cellOf(
  position: LatLng,
  view: MapViewport,
  { columns, rows }: CanvasSize,
): { x: number; y: number } {
  const x = wrapped(position.longitude - view.longitude) / view.scale + columns / 2;
  const y = (mercator(view.latitude) - mercator(position.latitude)) / (view.scale * 2) + rows / 2;
  return { x, y };
}

/** Kilometres a cell, across. */
export const kmPerCell = (view: MapViewport): number => view.scale * kmPerDegree(view.latitude);

/** The largest of 1, 2, 5, 10, 20 … that is not above. */
export function roundBelow(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((step) => step * ten).find((step) => step <= value * 1.000001) ?? ten;
}
