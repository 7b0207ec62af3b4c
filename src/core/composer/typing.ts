/** Sends typing signals: a start at most every TYPING_START_THROTTLE, a stop when the text is empty or no key is pressed (R-TYPE-1, -2, -4, -8). */
import { TYPING_EXPIRY, TYPING_START_THROTTLE } from "../../wire/constants.ts";
import { placeKey } from "../../model/select.ts";
import type { ThreadRef, State } from "../../model/state.ts";
import type { Clock, Timer } from "../base/ports.ts";

export interface TypingSignals {
  /** A key stroke left this text; `""` stops. */
  typed(place: ThreadRef, text: string): void;
  /** The text was sent (R-SEND-12). */
  sent(place: ThreadRef): void;
  close(): void;
}

interface TypingOptions {
  clock: Clock;
  state(): State;
  /** Posts the event; its failure is nobody's concern. */
  send(place: ThreadRef, type: "typing.start" | "typing.stop"): void;
  /** The user's own switch, default on. */
  publishes?(): boolean;
}

interface Running {
  place: ThreadRef;
  /** Monotonic milliseconds of the last start sent. */
  startedAt: number;
  rest: Timer;
}

export function createTyping({ clock, state, send, publishes }: TypingOptions): TypingSignals {
  const running = new Map<string, Running>();

  function allowed(place: ThreadRef): boolean {
    if (publishes && !publishes()) return false;
    if (state().me?.privacy_settings?.typing_indicators?.enabled === false) return false;
    const channel = state().channels.get(place.cid)?.channel;
    if (!channel || channel.config?.typing_events === false) return false;
    return channel.own_capabilities?.includes("send-typing-events") ?? true;
  }

  function stop(place: ThreadRef): void {
    const run = running.get(placeKey(place));
    if (!run) return;
    clock.clearTimeout(run.rest);
    running.delete(placeKey(place));
    send(place, "typing.stop");
  }

  return {
    typed(place, text) {
      // A command is said to nobody, so nobody waits for it; two slashes begin a text.
      if (text === "" || /^\/(?!\/)/.test(text)) return stop(place);
      if (!allowed(place)) return;
      const before = running.get(placeKey(place));
      clock.clearTimeout(before?.rest);
      const now = clock.monotonic();
      const due = !before || now - before.startedAt >= TYPING_START_THROTTLE;
      running.set(placeKey(place), {
        place,
        startedAt: due ? now : before.startedAt,
        rest: clock.setTimeout(() => stop(place), TYPING_EXPIRY),
      });
      if (due) send(place, "typing.start");
    },
    sent: stop,
    close() {
      for (const run of running.values()) clock.clearTimeout(run.rest);
      running.clear();
    },
  };
}
