/** The outbox: writes are durable before they show, sent one at a time a lane, repeated here and nowhere else (D1–D5, decisions 16). */
import type { Message } from "../../wire/message.ts";
import type { User } from "../../wire/user.ts";
import type { Composition, Core, Place, SendOutcome } from "../core.ts";
import type { Clock, Log, Random } from "../ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Store } from "../store/store.ts";

export interface OutboxOptions {
  store: Store;
  call: Core["call"];
  machine: StateMachine;
  clock: Clock;
  random: Random;
  log: Log;
  userId(): string | undefined;
  /** The author of echoes. */
  user?(): User | undefined;
  /** Process that owns new rows: `pid:starttime`, see store/owner.ts. */
  owner: string;
  /** False: rows wait for the network without trying. Absent = always. */
  online?(): boolean;
}

export interface SendWait {
  /** Milliseconds after which the outcome is `waiting`; absent = until it is decided. */
  waitMs?: number;
  /** Decisions 17: a row never sent is taken back when the wait is over; the outcome's message is `failed`. */
  withdraw?: boolean;
}

export interface Outbox {
  /** Durable, then visible, then sent (D1). Throws `StoreFailure` and changes nothing when the disk refuses; throws `LocalError` for an empty text (R-SEND-3) or one that is too long (R-SEND-2). */
  send(
    place: Place,
    composition: Composition,
    wait?: SendWait,
  ): { id: string; outcome: Promise<SendOutcome> };
  /** These resolve when the provider has accepted; they reject with its refusal. */
  edit(message: Message, set: Record<string, unknown>, unset?: string[]): Promise<void>;
  remove(message: Message, how?: { hard?: boolean; forMe?: boolean }): Promise<void>;
  react(message: Message, type: string, options?: { score?: number; unique?: boolean }): Promise<void>;
  unreact(message: Message, type: string): Promise<void>;
  /** A failed or parked row is tried again with the same id (R-SEND-8). */
  retry(messageId: string): void;
  /** Forgets a row that is not on the wire (R-SEND-10). */
  drop(messageId: string): void;
  /** Starts what may start; call after the link opened, a token was renewed or the machine woke. */
  drain(): void;
  /** Takes rows of an earlier run from the store into the state: own ones always, those of dead owners with the lease. */
  resume(): void;
  /** Waits until no call is on the wire, then ends the timers; rows stay. */
  close(): Promise<void>;
}
