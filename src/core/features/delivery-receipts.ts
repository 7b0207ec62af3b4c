/** Confirms the delivery of other people's messages, at most once a second for all channels together (R-READ-11). */
import { DELIVERED_THROTTLE } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Services } from "../http/services.ts";

interface DeliveryDeps extends Pick<Services, "call" | "clock" | "log" | "userId"> {
  machine: Pick<StateMachine, "state">;
  /** A call without a connection is a script looking in, not a device that receives. */
  connected(): boolean;
}

export class DeliveryReceipts {
  readonly #deps: DeliveryDeps;
  /** Channel → id of the message that was confirmed last. */
  readonly #confirmed = new Map<string, string>();
  readonly #waiting = new Map<string, { id: string; createdAt: string }>();
  #timer: Timer | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Channels of a query: their newest message of somebody else has come too. */
  queried(states: readonly ChannelState[]): void {
    if (!this.#deps.connected()) return;
    const me = this.#deps.userId();
    for (const { channel, messages, read } of states) {
      const foreign = messages?.findLast(({ user, parent_id }) => !parent_id && user?.id !== me);
      if (!foreign) continue;
      const own = read?.find(({ user }) => user.id === me);
      // What was confirmed or read before needs no second word.
      const known = [own?.last_delivered_at, own?.last_read].some(
        (at) => at !== undefined && compareTimes(foreign.created_at, at) <= 0,
      );
      if (!known) this.#note(channel.cid, foreign.id, foreign.created_at);
    }
  }

  /** A message was told: one of somebody else is confirmed. */
  heard(event: AnyEvent): void {
    if (event.type !== "message.new" && event.type !== "notification.message_new") return;
    const message = event.message as
      | { id?: unknown; created_at?: unknown; user?: { id?: unknown } }
      | undefined;
    if (!event.cid || !message || message.user?.id === this.#deps.userId()) return;
    if (typeof message.id === "string" && typeof message.created_at === "string")
      this.#note(event.cid, message.id, message.created_at);
  }

  /** Ends the timer and forgets what was confirmed. */
  forget(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#confirmed.clear();
  }

  #note(cid: string, id: string, createdAt: string): void {
    const { channels, me } = this.#deps.machine.state();
    if (channels.get(cid)?.channel.config?.delivery_events !== true) return;
    if (me?.privacy_settings?.delivery_receipts?.enabled === false) return;
    if (this.#confirmed.get(cid) === id || compareTimes(createdAt, this.#waiting.get(cid)?.createdAt) <= 0)
      return;
    this.#waiting.set(cid, { id, createdAt });
    this.#timer ??= this.#deps.clock.setTimeout(() => this.#confirm(), DELIVERED_THROTTLE);
  }

  #confirm(): void {
    this.#timer = undefined;
    const list = [...this.#waiting].map(([cid, { id }]) => ({ cid, id }));
    this.#waiting.clear();
    for (const { cid, id } of list) this.#confirmed.set(cid, id);
    if (list.length === 0) return;
    this.#deps
      .call("markDelivered", { body: { latest_delivered_messages: list } })
      .catch((error: Error) => this.#deps.log.debug("confirming delivery failed", { error: error.message }));
  }
}
