/** Sends a message with a new poll; if the message was certainly not sent, the poll is deleted again. */
import type { Core, SendOutcome, Sent } from "../../core/core.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { withHint } from "../../model/errors.ts";

/** Timeout of deleting the poll, in milliseconds. */
const LAST_CALL = 2000;

/** Errors thrown before anything was sent. */
const BEFORE_SENDING = new Set(["LocalError", "StoreFailure"]);

interface Ended {
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
    if (outcome.state === "failed" && outcome.gone) await takeBack(core, poll, outcome.error);
    return outcome;
  } catch (error) {
    const ended = error as Ended;
    if (ended.neverSent ?? BEFORE_SENDING.has(ended.name ?? "")) await takeBack(core, poll, ended);
    else addHint(ended, `parley poll delete ${poll.id} removes its poll if the message was not sent`);
    throw error;
  }
}

/** Deletes the poll; a failure only adds a hint, as the error of the send matters more. */
async function takeBack(core: Core, { id }: Poll, ended: Ended): Promise<void> {
  const args = { path: { poll_id: id }, query: {}, signal: AbortSignal.timeout(LAST_CALL) };
  await core.call("deletePoll", args).catch(() => {
    addHint(ended, `parley poll delete ${id} removes the poll that was left`);
  });
}

const addHint = (ended: Ended, more: string): unknown =>
  withHint(ended, ended.hint === undefined ? more : `${ended.hint}; ${more}`);
