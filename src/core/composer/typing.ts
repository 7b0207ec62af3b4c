/** Sends typing signals: a start at most every TYPING_START_THROTTLE, a stop when the text is empty or no key is pressed (R-TYPE-1, -2, -4, -8). */
import { TYPING_EXPIRY, TYPING_START_THROTTLE } from "../../wire/constants.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef, State } from "../../model/state.ts";
import type { Clock, Timer } from "../base/ports.ts";

export interface TypingSignals {
  /** The user changed the text; `""` stops. */
  typed(place: ThreadRef, text: string): void;
  /** The text was sent (R-SEND-12). */
  sent(place: ThreadRef): void;
  close(): void;
}

interface TypingOptions {
  clock: Clock;
  state(): State;
  /** Sends the event; failures are ignored. */
  send(place: ThreadRef, type: "typing.start" | "typing.stop"): void;
  /** The user's setting, default on. */
  publishes?(): boolean;
}

interface TypingRun {
  place: ThreadRef;
  /** Monotonic milliseconds of the last start sent. */
  startedAt: number;
  stopTimer: Timer;
}

export function createTyping({ clock, state, send, publishes }: TypingOptions): TypingSignals {
  const running = new Map<string, TypingRun>();

  function canSend(place: ThreadRef): boolean {
    if (publishes && !publishes()) return false;
    if (state().me?.privacy_settings?.typing_indicators?.enabled === false) return false;
    const channel = state().channels.get(place.cid)?.channel;
    if (!channel || channel.config?.typing_events === false) return false;
    return channel.own_capabilities?.includes("send-typing-events") ?? true;
  }

  function stop(place: ThreadRef): void {
    const run = running.get(placeKey(place));
    if (!run) return;
    clock.clearTimeout(run.stopTimer);
    running.delete(placeKey(place));
    send(place, "typing.stop");
  }

  return {
    typed(place, text) {
      // Commands send no typing events; two slashes begin an ordinary text.
      if (text === "" || /^\/(?!\/)/.test(text)) return stop(place);
      const before = running.get(placeKey(place));
      const now = clock.monotonic();
      const due = !before || now - before.startedAt >= TYPING_START_THROTTLE;
      if (due && !canSend(place)) return;
      clock.clearTimeout(before?.stopTimer);
      running.set(placeKey(place), {
        place,
        startedAt: due ? now : before.startedAt,
        stopTimer: clock.setTimeout(() => stop(place), TYPING_EXPIRY),
      });
      if (due) send(place, "typing.start");
    },
    sent: stop,
    close() {
      for (const run of running.values()) clock.clearTimeout(run.stopTimer);
      running.clear();
    },
  };
}
