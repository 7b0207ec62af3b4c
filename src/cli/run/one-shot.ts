/** Waits until the message of a single command is sent or refused before the command ends (specification/sending.md §3). */
import type { Parked, Steps } from "../../core/core.ts";
import type { Opened } from "../../open.ts";
import { failureOf } from "../../wire/errors.ts";
import type { Message } from "../../wire/entities/message.ts";
import { ExitError, type ExitContext } from "../base/exit.ts";
import { say, type Shell } from "../base/shell.ts";

export interface RunOptions {
  /** Stays in the outbox and counts as done when it cannot be sent now. */
  queue?: boolean;
  /** What the command can be told about the message it sends, for the hints. */
  takes?: { queue?: boolean; id?: boolean };
}

const NOT_SENT = "the message was not sent:";

function neverSent({ lost }: Pick<Opened, "lost">, { takes }: RunOptions, parked?: Parked): ExitError {
  const queued = takes?.queue ? ", or add --queue" : "";
  if (parked) return limited(parked, queued);
  const { because, hint = `run the same command again${queued}` } = lost() ?? {};
  return unsent(new ExitError(10, `${NOT_SENT} the provider cannot be reached`, hint, because));
}

/** The provider answers, and takes no more of this user or in this channel yet. */
function limited({ reason, left }: Parked, queued: string): ExitError {
  const when = left === undefined ? "later" : `in ${Math.max(1, Math.ceil(left / 1000))} s`;
  const hint = `run the same command again ${when}, or give it a longer --max-wait${queued}`;
  const because = failureOf(reason).reason || reason;
  return unsent(new ExitError(10, `${NOT_SENT} the provider takes no more for now`, hint, because));
}

/** What was made for the message can be taken back. */
const unsent = (error: ExitError): ExitError => Object.assign(error, { neverSent: true });

/** Never sent → taken back, 10. Sent without an answer → looked up by its id; not there → 11 with the way to look. */
export function settling(shell: Shell, opened: Opened, options: RunOptions): NonNullable<Steps["settle"]> {
  let isTold = false;
  return async (id, outcome) => {
    const calledOff = aborted(shell.signal);
    const end = await Promise.race([outcome, calledOff.promise]).finally(calledOff.forget);
    if (end === "aborted") {
      // A send that was called off is not sent later by somebody else's run.
      void opened.giveUp(0);
      opened.core.drop(id, true);
      const cancelled = new ExitError(130, "Cancelled.");
      throw opened.maybeSent() ? cancelled : unsent(cancelled);
    }
    // Checks of our own throw before the outbox holds a row: this one was taken back because nothing could be sent.
    if (end.state === "failed" && end.error.name === "LocalError")
      throw neverSent(opened, options, end.parked);
    if (end.state === "failed") aboutItsChannel(end.error);
    if (end.state !== "waiting") return end;
    if (options.queue) {
      if (!isTold)
        say(shell, "not sent yet: what waits is sent by an open screen, or by parley outbox retry");
      isTold = true;
      return end;
    }
    // No send leaves from here on; one that has left may still be answered.
    await opened.giveUp(LAST_LOOK);
    const found = opened.maybeSent() ? await lookFor(opened, id, shell.signal) : undefined;
    if (found) return { state: "received", message: found };
    // Nothing is sent behind the user's back after this run.
    opened.core.drop(id, true);
    if (!opened.maybeSent()) throw neverSent(opened, options);
    const { because } = opened.lost() ?? {};
    const again = options.takes?.id ? "; with that --id the same command sends it once at most" : "";
    const look = `parley message get ${id} looks for it${again}`;
    throw new ExitError(11, "no clear answer arrived: the message may have been sent", look, because);
  };
}

/** The provider's code for what is not there: of a send that is the channel. */
const NOT_FOUND = 16;

/** The outbox made the call, so nobody noted what it was about. */
function aboutItsChannel(error: Error): void {
  const context = error as ExitContext;
  if (context.code === NOT_FOUND) context.about = "channel";
}

/** A run may send thousands: what listens for its end goes away with each. */
function aborted(signal: AbortSignal): { promise: Promise<"aborted">; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<"aborted">();
  const told = (): void => resolve("aborted");
  if (signal.aborted) told();
  signal.addEventListener("abort", told, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", told) };
}

/** At least this long is looked for what may have arrived, also when the time of the run is over; milliseconds. */
const LAST_LOOK = 500;

async function lookFor(opened: Opened, id: string, signal: AbortSignal): Promise<Message | undefined> {
  const time = AbortSignal.timeout(Math.max(LAST_LOOK, Math.ceil(Math.min(opened.left(), 60_000))));
  const how = { path: { id }, signal: AbortSignal.any([signal, time]), retries: 2 };
  try {
    return (await opened.core.call("getMessage", how)).message;
  } catch {
    return undefined;
  }
}
