/** Moves a live location along incoming positions: the first at once, then the newest at the end of each interval (LU-6). */
import { LOCATION_UPDATE_THROTTLE } from "../../wire/constants.ts";
import { textLines } from "../base/text.ts";
import { positionOf } from "./position.ts";
import type { Position } from "../../model/locations.ts";

interface FollowOptions {
  /** Text with one position per line, in pieces. */
  input: AsyncIterable<string>;
  /** The current position; unchanged positions are not sent. */
  from: Position;
  send(position: Position): Promise<void>;
  /** Whether an error ends the location; after others, the next position is tried (LU-8). */
  endsLocation(error: unknown): boolean;
  /** Waits some milliseconds; rejects when the run is aborted. */
  wait(ms: number): Promise<void>;
  now(): number;
}

/** Numbers of invalid lines are added to `invalid`; empty lines are skipped. */
async function* positions(input: AsyncIterable<string>, invalid: number[]): AsyncIterable<Position> {
  let n = 0;
  for await (const line of textLines(input)) {
    n++;
    const position = positionOf(line);
    if (position) yield position;
    else if (line.trim() !== "") invalid.push(n);
  }
}

/** Resolves after the input has ended and its last position was sent; `invalid` are the numbers of invalid lines. */
export async function followPositions({
  input,
  from,
  send,
  endsLocation,
  wait,
  now,
}: FollowOptions): Promise<{ sent: number; invalid: number[] }> {
  let sent = 0;
  const invalid: number[] = [];
  let current = from;
  let newest: Position | undefined;
  let nextSendAt = 0;
  let sending: Promise<void> | undefined;

  /** Sends one position at a time; a newer one replaces the waiting one. */
  const drain = async (): Promise<void> => {
    while (newest) {
      const delay = nextSendAt - now();
      if (delay > 0) await wait(delay);
      const next: Position = newest;
      newest = undefined;
      if (next.latitude === current.latitude && next.longitude === current.longitude) continue;
      nextSendAt = now() + LOCATION_UPDATE_THROTTLE;
      try {
        await send(next);
        current = next;
        sent++;
      } catch (error) {
        if (endsLocation(error)) throw error;
      }
    }
  };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const positionIterator = positions(input, invalid)[Symbol.asyncIterator]();
  for (;;) {
    // An ended location also ends this loop while the input is quiet.
    const { done, value } = await Promise.race([positionIterator.next(), failed.promise]);
    if (done) break;
    newest = value;
    sending ??= drain()
      .catch(failed.reject)
      .finally(() => {
        sending = undefined;
      });
  }
  await sending;
  // Throws a refusal of the last position.
  await Promise.race([failed.promise, undefined]);
  return { sent, invalid };
}
