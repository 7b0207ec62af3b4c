/** What the outbox is given, and how long a send waits for its outcome. */
import type { User } from "../../wire/entities/user.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Store } from "../store/store.ts";
import type { Services } from "../http/services.ts";

export interface OutboxOptions extends Pick<Services, "call" | "clock" | "random" | "log" | "userId"> {
  store: Store;
  machine: StateMachine;
  /** The author of echoes. */
  user?(): User | undefined;
  /** The user's own limit of a text, in UTF-16 units; absent = the channel's (R-SEND-2). */
  maximum?: number | undefined;
  /** Process that owns new rows: `pid:starttime`, see model/owner.ts. */
  owner: string;
  /** False: rows wait for the network without trying. Absent = always. */
  online?(): boolean;
  /** The link waits for a sign-in, and so do the rows. */
  refused?(): boolean;
}

export interface SendWait {
  /** Milliseconds after which the outcome is `waiting`; absent = until it is decided. */
  waitMs?: number;
  /** A row that was never sent is taken back when the wait is over, or at once when only a new sign-in could help; the outcome's message is `failed` (specification/sending.md §3). */
  withdraw?: boolean;
  /** The composition did not come from the composer: the draft of its place stays. */
  keepDraft?: boolean;
}
