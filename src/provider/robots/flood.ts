/** A robot that writes many messages into a channel, as fast as possible or at a given rate. */
import { splitCid } from "../../wire/ids.ts";
import { refuseProblems } from "../base/problems.ts";
import type { RobotHost } from "./host.ts";

interface FloodOrder {
  cid: string;
  userId: string;
  count: number;
  /** Messages a second; absent = as fast as every connection receives them. */
  rate?: number;
  /** Characters of each text; 80 when absent. */
  size?: number;
}

const BATCH = 200;
const TICK_MS = 10;

/** Text number `n`, exactly `size` characters; begins with its number so that texts can be told apart. */
export function floodText(n: number, size = 80): string {
  const head = `flood ${n} `;
  return (
    head +
    "the quick brown fox jumps over the lazy dog and back again, then it rests a while ".repeat(
      Math.ceil(size / 80),
    )
  ).slice(0, size);
}

const wholeNumber = (value: unknown, low: number, high: number): value is number =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high;

/** Reads an order of `POST /_local/…`: `{cid, user_id, count, rate?, size?}`. */
export function floodOrder(body: Record<string, unknown>): FloodOrder {
  const { cid, user_id: userId, count, rate, size } = body;
  const fields: Record<string, string> = {};
  if (typeof cid !== "string" || !splitCid(cid)) fields.cid = "must be type:id";
  if (typeof userId !== "string") fields.user_id = "must be a user id";
  if (!wholeNumber(count, 1, 10_000_000)) fields.count = "must be a whole number from 1";
  if (rate !== undefined && !wholeNumber(rate, 1, 100_000)) fields.rate = "must be messages a second";
  if (size !== undefined && !wholeNumber(size, 20, 5000)) fields.size = "must be 20 to 5000 characters";
  refuseProblems(fields);
  return {
    cid: cid as string,
    userId: userId as string,
    count: count as number,
    ...(rate !== undefined && { rate: rate as number }),
    ...(size !== undefined && { size: size as number }),
  };
}

/** Resolves to the number of messages written, fewer when `stopped` returned true. */
export async function flood(
  host: RobotHost,
  order: FloodOrder,
  stopped: () => boolean = () => false,
): Promise<number> {
  const channel = splitCid(order.cid);
  if (!channel) throw new Error(`${order.cid} is not a channel`);
  const run = host.uuid().slice(0, 8);
  let written = 0;
  const write = (size: number): void =>
    host.inOneTransaction(() => {
      for (let n = 0; n < size; n++, written++)
        host.perform("sendMessage", {
          path: channel,
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
  const startedAt = host.now();
  while (written < order.count && !stopped()) {
    const due =
      order.rate === undefined
        ? order.count
        : Math.floor(((host.now() - startedAt) / 1_000_000) * order.rate) + 1;
    const size = Math.min(BATCH, order.count - written, due - written);
    if (size > 0) write(size);
    await host.drained();
    await new Promise<void>((next) => host.after(order.rate === undefined ? 0 : TICK_MS, next));
  }
  return written;
}
