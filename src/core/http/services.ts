/** What most parts of core work with: calls, time, chance, the log, the state, and who the user is. */
import type { State } from "../../model/state.ts";
import type { Clock, Log, Random } from "../base/ports.ts";
import type { ApiCall } from "./caller.ts";

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
