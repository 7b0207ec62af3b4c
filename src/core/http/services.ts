/** Dependencies that most parts of core share: calls, time, random numbers, the log, the state and the user. */
import type { State } from "../../model/state.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import type { ApiCall } from "../base/api-types.ts";

export interface Services {
  call: ApiCall;
  clock: Clock;
  random: Random;
  log: Log;
  state(): State;
  userId(): string | undefined;
  /** Provider time, milliseconds (specification/wire.md §7). */
  now(): number;
}
