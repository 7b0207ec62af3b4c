/** A robot that writes many messages into one channel, as fast as clients take them or at a given rate. */
import { splitCid } from "../../wire/ids.ts";
import type { RobotHost } from "./host.ts";

export interface FloodOrder {
  cid: string;
  userId: string;
  count: number;
  /** Messages a second; absent = as fast as every connection takes them. */
  rate?: number;
  /** Characters of each text; 80 when absent. */
  size?: number;
}

/** One transaction holds at most this many messages. */
const BATCH = 200;
const TICK_MS = 10;

/** Text number `n`: begins with its number so that a reader can tell them apart, exactly `size` characters. */
export function floodText(n: number, size = 80): string {
  const head = `flood ${n} `;
  return (
    head +
    "the quick brown fox jumps over the lazy dog and back again, then it rests a while ".repeat(
      Math.ceil(size / 80),
    )
  ).slice(0, size);
}

/** Resolves with the number of messages written, fewer when `stopped` said so. */
export async function flood(
  host: RobotHost,
  order: FloodOrder,
  stopped: () => boolean = () => false,
): Promise<number> {
  const at = splitCid(order.cid);
  if (!at) throw new Error(`${order.cid} is not a channel`);
  const run = host.uuid().slice(0, 8);
  let written = 0;
  const write = (many: number): void =>
    host.together(() => {
      for (let n = 0; n < many; n++, written++)
        host.perform("sendMessage", {
          path: at,
          body: {
            message: {
              id: `${order.userId}-flood-${run}-${written}`,
              text: floodText(written, order.size),
              user_id: order.userId,
            },
            skip_enrich_url: true,
          },
        });
    });
  const began = host.now();
  while (written < order.count && !stopped()) {
    const due =
      order.rate === undefined
        ? order.count
        : Math.floor(((host.now() - began) / 1_000_000) * order.rate) + 1;
    const many = Math.min(BATCH, order.count - written, due - written);
    if (many > 0) write(many);
    await host.drained();
    await new Promise<void>((next) => host.after(order.rate === undefined ? 0 : TICK_MS, next));
  }
  return written;
}
