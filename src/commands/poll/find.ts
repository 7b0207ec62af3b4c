/** Finds polls and options named by arguments; a poll can be named by its id or its message. */
import type { Poll } from "../../wire/entities/poll.ts";
import type { Message } from "../../wire/entities/message.ts";
import { type Args, type CommandCall, CommandError } from "../base/define-command.ts";
import { NOT_FOUND } from "../../wire/errors.ts";

/** Argument of commands that vote in the poll of a message. */
export const POLL_MESSAGE = {
  kind: "message",
  place: "positional",
  means: "poll",
  help: "The message that contains the poll",
} as const;

/** Argument that names a poll. */
export const POLL = {
  kind: "text",
  place: "positional",
  means: "poll",
  help: "The poll, or the message that contains it",
} as const;

type Asking = Pick<CommandCall<Args>, "core">;

const absent = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === NOT_FOUND;

/** The message and its poll. Throws `CommandError` (notFound) without a poll. */
export async function carrying(call: Asking, id: string): Promise<{ message: Message; poll: Poll }> {
  const { message } = await call.core.call("getMessage", { path: { id } });
  if (!message.poll)
    throw new CommandError(
      "notFound",
      message.poll_id ? `The poll of message ${id} was deleted.` : `Message ${id} carries no poll.`,
    );
  return { message, poll: message.poll };
}

export async function pollOf(call: Asking, id: string): Promise<Poll> {
  try {
    return (await call.core.call("getPoll", { path: { poll_id: id } })).poll;
  } catch (error) {
    if (!absent(error)) throw error;
    try {
      return (await carrying(call, id)).poll;
    } catch (second) {
      if (absent(second)) throw error;
      throw second;
    }
  }
}

/** Finds an option by id, text or number (from 1). */
export function optionOf(poll: Poll, wanted: string): Poll["options"][number] {
  const plain = wanted.trim().toLowerCase();
  const found =
    poll.options.find(({ id }) => id === wanted) ??
    poll.options.find(({ text }) => text.trim().toLowerCase() === plain) ??
    (/^\d{1,3}$/.test(plain) ? poll.options[Number(plain) - 1] : undefined);
  if (found) return found;
  throw new CommandError(
    "notFound",
    `The poll has no option '${wanted}'.`,
    poll.options.map(({ text }, i) => `${i + 1} ${text}`).join(", "),
  );
}
