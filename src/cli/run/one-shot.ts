/** Waits until the message of a single command is sent or refused before the command ends (specification/sending.md §3). */
import { receivedMessage } from "../../model/client-message.ts";
import type { Parked, Steps } from "../../core/core.ts";
import type { Opened } from "../../open.ts";
import { failureOf, NOT_FOUND } from "../../wire/errors.ts";
import type { Message } from "../../wire/entities/message.ts";
import { ExitError, type ErrorFacts } from "../base/exit.ts";
import { printNotice, type Shell } from "../base/shell.ts";

export interface RunOptions {
  /** A message that cannot be sent now stays in the outbox, and the command succeeds. */
  queue?: boolean;
  /** Which flags the command has, for the hints. */
  accepts?: { queue?: boolean; id?: boolean };
}

const NOT_SENT = "the message was not sent:";

function neverSent(
  { lastFailure }: Pick<Opened, "lastFailure">,
  { accepts }: RunOptions,
  parked?: Parked,
): ExitError {
  const queueHint = accepts?.queue ? ", or add --queue" : "";
  if (parked) return rateLimited(parked, queueHint);
  const { because, hint = `run the same command again${queueHint}` } = lastFailure() ?? {};
  return markNeverSent(new ExitError(10, `${NOT_SENT} the provider cannot be reached`, hint, because));
}

/** A rate limit of the user or the channel outlasted the wait. */
function rateLimited({ reason, left }: Parked, queueHint: string): ExitError {
  const when = left === undefined ? "later" : `in ${Math.max(1, Math.ceil(left / 1000))} s`;
  const hint = `run the same command again ${when}, or with a longer --max-wait${queueHint}`;
  const because = failureOf(reason).reason || reason;
  return markNeverSent(
    new ExitError(10, `${NOT_SENT} the provider accepts no more messages for now`, hint, because),
  );
}

/** Marks that nothing was sent, so that a poll or file created for the message can be removed. */
const markNeverSent = (error: ExitError): ExitError => Object.assign(error, { neverSent: true });

/** A message never sent is withdrawn (exit 10); one without an answer is looked up by its id, and if not found the outcome is unknown (11). */
export function settleSend(shell: Shell, opened: Opened, options: RunOptions): NonNullable<Steps["settle"]> {
  let hasNotified = false;
  return async (id, outcome) => {
    const abort = aborted(shell.signal);
    const result = await Promise.race([outcome, abort.promise]).finally(abort.forget);
    if (result === "aborted") {
      // A cancelled message must not be sent later by another process.
      await opened.giveUp(0);
      opened.core.drop(id, true);
      const cancelled = new ExitError(130, "Cancelled.");
      throw opened.maybeSent() ? cancelled : markNeverSent(cancelled);
    }
    // Local checks throw before the outbox stores a row, so a LocalError here means that the row was withdrawn unsent.
    if (result.state === "failed" && result.error.name === "LocalError")
      throw neverSent(opened, options, result.parked);
    if (result.state === "failed") markChannelMissing(result.error);
    if (result.state !== "waiting") return result;
    if (options.queue) {
      if (!hasNotified)
        printNotice(shell, "not sent yet: an open screen or parley outbox retry will send it");
      hasNotified = true;
      return result;
    }
    // No further attempt is made; an attempt in flight may still be answered.
    await opened.giveUp(LAST_LOOKUP_MS);
    const found = opened.maybeSent() ? await findSent(opened, id, shell.signal) : undefined;
    if (found) return { state: "received", message: receivedMessage(found), found: true };
    // Nothing may be sent after this run has ended.
    opened.core.drop(id, true);
    if (!opened.maybeSent()) throw neverSent(opened, options);
    const { because } = opened.lastFailure() ?? {};
    const repeatHint = options.accepts?.id
      ? "; repeating the command with that --id cannot send it twice"
      : "";
    const hint = `run parley message get ${id} to check${repeatHint}`;
    throw new ExitError(11, "no clear answer arrived: the message may have been sent", hint, because);
  };
}

/** For a send, "not found" means the channel. Sends go through the outbox, where the guard cannot mark the error. */
function markChannelMissing(error: Error): void {
  const context = error as ErrorFacts;
  if (context.code === NOT_FOUND) context.about = "channel";
}

/** A promise for the abort; `forget` removes its listener, since a run may send thousands of messages. */
function aborted(signal: AbortSignal): { promise: Promise<"aborted">; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<"aborted">();
  const onAbort = (): void => resolve("aborted");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}

/** Minimum time for looking up a message that may have arrived, even if the time limit has passed; ms. */
const LAST_LOOKUP_MS = 500;

async function findSent(opened: Opened, id: string, signal: AbortSignal): Promise<Message | undefined> {
  const limit = AbortSignal.timeout(Math.max(LAST_LOOKUP_MS, Math.ceil(Math.min(opened.timeLeft(), 60_000))));
  const options = { path: { id }, signal: AbortSignal.any([signal, limit]), retries: 2 };
  try {
    return (await opened.core.call("getMessage", options)).message;
  } catch {
    return undefined;
  }
}
