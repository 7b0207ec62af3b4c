/** Confirms the delivery of other users' messages, at most once a second for all channels together (R-READ-11). */
import { DELIVERED_THROTTLE } from "../../wire/constants.ts";
import type { ChannelState } from "../../wire/entities/channel.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { compareTimes } from "../../wire/time.ts";
import type { Timer } from "../base/ports.ts";
import type { StateMachine } from "../state/machine.ts";
import type { Services } from "../http/services.ts";

interface DeliveryDeps extends Pick<Services, "call" | "clock" | "log" | "userId"> {
  machine: Pick<StateMachine, "state">;
  /** Without a connection this is a script's single call, not a device that receives messages. */
  isConnected(): boolean;
}

export class DeliveryReceipts {
  readonly #deps: DeliveryDeps;
  /** Channel → id of the last confirmed message. */
  readonly #confirmed = new Map<string, string>();
  readonly #waiting = new Map<string, { id: string; createdAt: string }>();
  #timer: Timer | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Confirms the newest message of another user in each queried channel. */
  onQueried(states: readonly ChannelState[]): void {
    if (!this.#deps.isConnected()) return;
    const me = this.#deps.userId();
    for (const { channel, messages, read } of states) {
      const received = messages?.findLast(({ user, parent_id }) => !parent_id && user?.id !== me);
      if (!received) continue;
      const own = read?.find(({ user }) => user.id === me);
      // Already confirmed or read.
      const known = [own?.last_delivered_at, own?.last_read].some(
        (at) => at !== undefined && compareTimes(received.created_at, at) <= 0,
      );
      if (!known) this.#queue(channel.cid, received.id, received.created_at);
    }
  }

  onEvent(event: AnyEvent): void {
    if (event.type !== "message.new" && event.type !== "notification.message_new") return;
    const message = event.message as
      | { id?: unknown; created_at?: unknown; user?: { id?: unknown } }
      | undefined;
    if (!event.cid || !message || message.user?.id === this.#deps.userId()) return;
    if (typeof message.id === "string" && typeof message.created_at === "string")
      this.#queue(event.cid, message.id, message.created_at);
  }

  reset(): void {
    this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#confirmed.clear();
  }

  #queue(cid: string, id: string, createdAt: string): void {
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
