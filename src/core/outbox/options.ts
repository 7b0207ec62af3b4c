/** Options of the outbox and of a single send. */
import type { User } from "../../wire/entities/user.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Store } from "../store/store.ts";
import type { Services } from "../http/services.ts";

export interface OutboxOptions extends Pick<Services, "call" | "clock" | "random" | "log" | "userId"> {
  store: Store;
  machine: StateMachine;
  user?(): User | undefined;
  /** Longest text set by the user, UTF-16 units, if that is less than the channel's limit (R-SEND-2). */
  maximum?: number | undefined;
  /** False: a location is refused before anything is stored (R-LOC-6). */
  locations?: boolean | undefined;
  /** Process that owns new rows: `pid:starttime`, see model/owner.ts. */
  owner: string;
  /** False: rows wait for the network without a try. Absent = always true. */
  online?(): boolean;
  /** Whether the connection waits for a sign-in: rows wait too. */
  refused?(): boolean;
}

export interface SendWait {
  /** Milliseconds after which the outcome is `waiting`; absent = no limit. */
  waitMs?: number;
  /** Withdraw an unsent row when the wait is over, or at once when it needs a new sign-in; the outcome is `failed` (specification/sending.md §3). */
  withdraw?: boolean;
  /** The message does not come from the composer: keep the draft. */
  keepDraft?: boolean;
}
