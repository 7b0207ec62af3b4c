/** Random numbers and ids from the machine's cryptographic source. */
import { randomInt, randomUUID } from "node:crypto";
import type { Random } from "../base/ports.ts";

const STEPS = 2 ** 47;

export function createSystemRandom(): Random {
  return { float: () => randomInt(STEPS) / STEPS, uuid: () => randomUUID() };
}
