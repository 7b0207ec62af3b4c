/** Moves a live location along positions that come in: the first at once, then the newest at the end of each window (LU-6). */
import { LOCATION_UPDATE_THROTTLE } from "../../wire/constants.ts";
import { positionOf } from "./position.ts";
import type { Position } from "../../model/locations.ts";

interface Following {
  /** Texts in pieces, a position on each line. */
  input: AsyncIterable<string>;
  /** Where it is already: an unchanged position is not sent again. */
  from: Position;
  send(position: Position): Promise<void>;
  /** The location is over: nothing more can be sent. Any other failure is tried again with the next position (LU-8). */
  ends(error: unknown): boolean;
  /** Waits that many milliseconds; rejects when the run is stopped. */
  wait(ms: number): Promise<void>;
  now(): number;
}

async function* linesOf(input: AsyncIterable<string>): AsyncIterable<string> {
  let rest = "";
  for await (const piece of input) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}

/** Numbers of the lines that are no position are added to `wrong`; empty ones are nothing at all. */
async function* positions(input: AsyncIterable<string>, wrong: number[]): AsyncIterable<Position> {
  let n = 0;
  for await (const line of linesOf(input)) {
    n++;
    const position = positionOf(line);
    if (position) yield position;
    else if (line.trim() !== "") wrong.push(n);
  }
}

/** Ends with the input, when its last position has been sent; `wrong` are the numbers of lines that are no position. */
export async function followPositions({
  input,
  from,
  send,
  ends,
  wait,
  now,
}: Following): Promise<{ sent: number; wrong: number[] }> {
  let sent = 0;
  const wrong: number[] = [];
  let here = from;
  let newest: Position | undefined;
  let free = 0;
  let sending: Promise<void> | undefined;

  /** One at a time: what comes meanwhile replaces what waits. */
  const drain = async (): Promise<void> => {
    while (newest) {
      const left = free - now();
      if (left > 0) await wait(left);
      const next: Position = newest;
      newest = undefined;
      if (next.latitude === here.latitude && next.longitude === here.longitude) continue;
      free = now() + LOCATION_UPDATE_THROTTLE;
      try {
        await send(next);
        here = next;
        sent++;
      } catch (error) {
        if (ends(error)) throw error;
      }
    }
  };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const coming = positions(input, wrong)[Symbol.asyncIterator]();
  for (;;) {
    // A location that has ended ends this as well, however long the input stays quiet.
    const { done, value } = await Promise.race([coming.next(), failed.promise]);
    if (done) break;
    newest = value;
    sending ??= drain()
      .catch(failed.reject)
      .finally(() => {
        sending = undefined;
      });
  }
  await sending;
  // A refusal that came with the last position is thrown here.
  await Promise.race([failed.promise, undefined]);
  return { sent, wrong };
}
