/** Sends a message that carries a poll made for it; the poll of a message that was certainly not sent is deleted again. */
import type { Core, SendOutcome, Sent } from "../../core/core.ts";
import type { Poll } from "../../wire/entities/poll.ts";
import { withHint } from "../../model/errors.ts";

/** How long the end of a run waits for the poll to go, milliseconds. */
const LAST_CALL = 2000;

/** Errors that come before anything was sent. */
const BEFORE_SENDING = new Set(["LocalError", "StoreFailure"]);

interface Ended {
  name?: string;
  hint?: string;
  neverSent?: boolean;
}

/** A message that may have been sent, or can still be, keeps its poll. Throws what `send` throws; the hint names a poll that is left. */
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

/** That the poll stays is no reason to hide why the send failed. */
async function takeBack(core: Core, { id }: Poll, ended: Ended): Promise<void> {
  const args = { path: { poll_id: id }, query: {}, signal: AbortSignal.timeout(LAST_CALL) };
  await core.call("deletePoll", args).catch(() => {
    addHint(ended, `parley poll delete ${id} removes the poll that was left`);
  });
}

const addHint = (ended: Ended, more: string): unknown =>
  withHint(ended, ended.hint === undefined ? more : `${ended.hint}; ${more}`);
