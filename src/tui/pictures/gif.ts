/** Reads the frames of a GIF: each on its whole canvas, as few and as slow as a terminal can show. */
import type { GifReader } from "omggif";
import type { Pixels } from "./size.ts";
import { MAX_PIXELS } from "./limits.ts";

/** Milliseconds: at most ten pictures a second. */
const LEAST_MS = 100;
/** Shorter delays mean "some time" everywhere, in units of the file (10 ms). */
const LEAST_DELAY = 2;
/** All frames together, pixels. */
const MAX_WORK = 8 * MAX_PIXELS;

/** A frame of the file, and how long it and those after it that are left out are shown. */
interface Shown {
  at: number;
  ms: number;
}

/** Throws for what is no GIF, and for a canvas or a frame that is too large. */
export async function openGif(bytes: Uint8Array): Promise<GifReader> {
  // In the bundle this package has only a default export.
  const { default: omggif } = await import("omggif");
  const gif = new omggif.GifReader(bytes);
  if (!(gif.width > 0 && gif.height > 0 && gif.width * gif.height <= MAX_PIXELS))
    throw new RangeError("too many pixels");
  for (let at = 0; at < gif.numFrames(); at++) {
    const { x, y, width, height } = gif.frameInfo(at);
    // Its pixels would be unpacked before they are found to be outside.
    if (x + width > gif.width || y + height > gif.height)
      throw new RangeError("a frame outside of its picture");
  }
  return gif;
}

export function firstGifFrame(gif: GifReader): { rgba: Uint8Array; size: Pixels } {
  const rgba = new Uint8Array(gif.width * gif.height * 4);
  gif.decodeAndBlitFrameRGBA(0, rgba);
  return { rgba, size: { width: gif.width, height: gif.height } };
}

/** The frames to show, at most so many; the time of one that is left out goes to the one before it. */
export function framePlan(delays: readonly number[], most: number): Shown[] {
  let plan: Shown[] = [];
  for (const [at, delay] of delays.entries()) {
    const ms = (delay < LEAST_DELAY ? LEAST_DELAY * 5 : delay) * 10;
    const last = plan.at(-1);
    if (last && last.ms < LEAST_MS) last.ms += ms;
    else plan.push({ at, ms });
  }
  while (plan.length > most)
    plan = plan.flatMap(({ at, ms }, i) => (i % 2 === 0 ? [{ at, ms: ms + (plan[i + 1]?.ms ?? 0) }] : []));
  return plan.map(({ at, ms }) => ({ at, ms: Math.max(LEAST_MS, ms) }));
}

/** A hole where the frame was. */
function clear(rgba: Uint8Array, canvasWidth: number, frame: ReturnType<GifReader["frameInfo"]>): void {
  for (let row = frame.y; row < frame.y + frame.height; row++) {
    const from = (row * canvasWidth + frame.x) * 4;
    rgba.fill(0, from, from + frame.width * 4);
  }
}

/** The canvas at each frame of the plan, until the next one is asked for. Throws if the file is too much work. */
export function* framesOf(
  gif: GifReader,
  plan: readonly Shown[],
): Generator<{ rgba: Uint8Array; ms: number }> {
  if (gif.width * gif.height * gif.numFrames() > MAX_WORK) throw new RangeError("too many pixels");
  let rgba = new Uint8Array(gif.width * gif.height * 4);
  const due = new Map(plan.map(({ at, ms }) => [at, ms]));
  for (let at = 0; at <= (plan.at(-1)?.at ?? -1); at++) {
    const frame = gif.frameInfo(at);
    // 2: the frame is cleared afterwards, 3: what was there before comes back.
    const before = frame.disposal === 3 ? rgba.slice() : undefined;
    gif.decodeAndBlitFrameRGBA(at, rgba);
    const ms = due.get(at);
    if (ms !== undefined) yield { rgba: rgba.slice(), ms };
    if (before) rgba = before;
    else if (frame.disposal === 2) clear(rgba, gif.width, frame);
  }
}

export const delaysOf = (gif: GifReader): number[] =>
  Array.from({ length: gif.numFrames() }, (_, at) => gif.frameInfo(at).delay);
