/** The part of the world a map shows: its centre and its scale. */
import { kmPerDegree, mercator, inverseMercator, type LatLng } from "./projection.ts";

export interface MapViewport extends LatLng {
  /** Degrees of longitude per cell. */
  scale: number;
}

export interface CanvasSize {
  columns: number;
  rows: number;
}

/** Limits of the scale: about ten metres per cell, and the whole world in forty cells. */
const MIN_SCALE = 0.0001;
const MAX_SCALE = 8;
/** Smallest scale chosen by `fitView`, so that a few steps do not fill the map. */
const MIN_FIT_SCALE = 0.0005;
/** Scale of a region: about ninety kilometres in forty cells in Europe. */
const REGION_SCALE = 0.04;

const clampScale = (scale: number): number => Math.max(MIN_SCALE, Math.min(MAX_SCALE, scale));
const wrapLongitude = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

export const regionOf = (position: LatLng): MapViewport => ({ ...positionOf(position), scale: REGION_SCALE });

const positionOf = ({ latitude, longitude }: LatLng): LatLng => ({ latitude, longitude });

/** The view that shows all positions with a margin; scales are powers of two, so that a growing trail rarely rescales the map. */
export function fitView(
  positions: readonly LatLng[],
  { columns, rows }: CanvasSize,
): MapViewport | undefined {
  const [first] = positions;
  if (!first) return undefined;
  // Measured from the first position the shorter way round the world.
  const xs = positions.map(({ longitude }) => first.longitude + wrapLongitude(longitude - first.longitude));
  const ys = positions.map(({ latitude }) => mercator(latitude));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [lower, upper] = [Math.min(...ys), Math.max(...ys)];
  // A cell is twice as high as it is wide.
  const needed = Math.max((right - left) / columns, (upper - lower) / (rows * 2)) * 1.5;
  const scale = clampScale(2 ** Math.ceil(Math.log2(Math.max(needed, MIN_FIT_SCALE))));
  return {
    longitude: wrapLongitude((left + right) / 2),
    latitude: inverseMercator((lower + upper) / 2),
    scale,
  };
}

/** Zooms in by 1 or out by -1. */
export const zoomed = (view: MapViewport, by: 1 | -1): MapViewport => ({
  ...view,
  scale: clampScale(view.scale * 2 ** -by),
});

/** Moves the view by cells. */
export function panned(view: MapViewport, right: number, down: number): MapViewport {
  const y = Math.max(-170, Math.min(170, mercator(view.latitude) - down * 2 * view.scale));
  return {
    ...view,
    longitude: wrapLongitude(view.longitude + right * view.scale),
    latitude: inverseMercator(y),
  };
}

/** A position in cells from the top left; it may be outside the canvas. */
export function cellOf(
  position: LatLng,
  view: MapViewport,
  { columns, rows }: CanvasSize,
): { x: number; y: number } {
  const x = wrapLongitude(position.longitude - view.longitude) / view.scale + columns / 2;
  const y = (mercator(view.latitude) - mercator(position.latitude)) / (view.scale * 2) + rows / 2;
  return { x, y };
}

/** Kilometres per cell, horizontally. */
export const kmPerCell = (view: MapViewport): number => view.scale * kmPerDegree(view.latitude);

/** The largest of 1, 2, 5, 10, 20 … that is at most `value`. */
export function roundDown(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((step) => step * ten).find((step) => step <= value * 1.000001) ?? ten;
}
