/** Sends a message with a new poll; if the message was certainly not sent, the poll is deleted again. */
import type { Core, SendOutcome, Sent } from "../../core/core.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { withHint } from "../../model/errors.ts";

/** Timeout of deleting the poll, in milliseconds. */
const DELETE_TIMEOUT = 2000;

/** Errors thrown before anything was sent. */
const BEFORE_SENDING = new Set(["LocalError", "StoreFailure"]);

interface SendError {
  name?: string;
  hint?: string;
  neverSent?: boolean;
}

/** Keeps the poll of a message that may have been sent. Throws the error of `send`, with a hint about a poll that is left. */
export async function sendWithPoll(
  core: Core,
  poll: Poll | undefined,
  send: () => Sent,
): Promise<SendOutcome> {
  if (!poll) return send().outcome;
  try {
    const outcome = await send().outcome;
    if (outcome.state === "failed" && outcome.gone) await deletePollAgain(core, poll, outcome.error);
    return outcome;
  } catch (error) {
    const failure = error as SendError;
    if (failure.neverSent ?? BEFORE_SENDING.has(failure.name ?? ""))
      await deletePollAgain(core, poll, failure);
    else addHint(failure, `parley poll delete ${poll.id} removes its poll if the message was not sent`);
    throw error;
  }
}

/** Deletes the poll; a failure only adds a hint, as the error of the send matters more. */
async function deletePollAgain(core: Core, { id }: Poll, failure: SendError): Promise<void> {
  const args = { path: { poll_id: id }, query: {}, signal: AbortSignal.timeout(DELETE_TIMEOUT) };
  await core.call("deletePoll", args).catch(() => {
    addHint(failure, `parley poll delete ${id} removes the poll that was left`);
  });
}

const addHint = (ended: SendError, more: string): unknown =>
  withHint(ended, ended.hint === undefined ? more : `${ended.hint}; ${more}`);
