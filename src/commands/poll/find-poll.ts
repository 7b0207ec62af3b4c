/** Finds polls and options named by arguments; a poll can be named by its id or its message. */
import type { Poll } from "../../wire/entities/poll.ts";
import type { Message } from "../../wire/entities/message.ts";
import { type Args, type Call, CommandError } from "../base/define-command.ts";
import { isNotFound } from "../../wire/errors.ts";

/** Argument of commands that vote in the poll of a message. */
export const POLL_MESSAGE = {
  kind: "message",
  positional: true,
  defaultMessage: "poll",
  help: "The message that contains the poll",
} as const;

/** Argument that names a poll. */
export const POLL = {
  kind: "text",
  positional: true,
  defaultMessage: "poll",
  help: "The poll, or the message that contains it",
} as const;

type PollCall = Pick<Call<Args>, "core">;

/** The message and its poll. Throws `CommandError` (notFound) without a poll. */
export async function messageWithPoll(call: PollCall, id: string): Promise<{ message: Message; poll: Poll }> {
  const { message } = await call.core.call("getMessage", { path: { id } });
  if (!message.poll)
    throw new CommandError(
      "notFound",
      message.poll_id ? `The poll of message ${id} was deleted.` : `Message ${id} has no poll.`,
    );
  return { message, poll: message.poll };
}

export async function pollOf(call: PollCall, id: string): Promise<Poll> {
  try {
    return (await call.core.call("getPoll", { path: { poll_id: id } })).poll;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    try {
      return (await messageWithPoll(call, id)).poll;
    } catch (second) {
      if (isNotFound(second)) throw error;
      throw second;
    }
  }
}

/** Finds an option by id, text or number (from 1). */
export function optionOf(poll: Poll, named: string): Poll["options"][number] {
  const normalised = named.trim().toLowerCase();
  const found =
    poll.options.find(({ id }) => id === named) ??
    poll.options.find(({ text }) => text.trim().toLowerCase() === normalised) ??
    (/^\d{1,3}$/.test(normalised) ? poll.options[Number(normalised) - 1] : undefined);
  if (found) return found;
  throw new CommandError(
    "notFound",
    `The poll has no option '${named}'.`,
    poll.options.map(({ text }, i) => `${i + 1} ${text}`).join(", "),
  );
}
