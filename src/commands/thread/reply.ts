/** Replies in a thread; its channel is found by the message. */
import type { Message } from "../../wire/entities/message.ts";
import { withHint } from "../../model/errors.ts";
import { NOT_ALLOWED } from "../../wire/errors.ts";
import { command, idView } from "../base/define-command.ts";
import type { ReceivedMessage } from "../../model/client-message.ts";
import send from "../message/send.ts";
import { findThread } from "./find-thread.ts";

type SentMessage = Message & Pick<ReceivedMessage, "status">;

export default command({
  summary: "Reply in a thread",
  changes: "provider",
  chatAlias: "reply",
  examples: ["thread reply ana-7f3c on my way", "echo done | parley thread reply ana-7f3c -"],
  args: {
    message: { kind: "message", positional: true, help: "A message of the thread" },
    text: { kind: "words", positional: "rest", optional: true, help: "The text, or - for standard input" },
    file: send.args.file,
    alsoInChannel: send.args.alsoInChannel,
    mention: send.args.mention,
    onlyFor: {
      ...send.args.onlyFor,
      help: "Show it only to these users and yourself (default: who sees the named message, if that is restricted)",
    },
    silent: send.args.silent,
    skipPush: send.args.skipPush,
    skipEnrich: send.args.skipEnrich,
    custom: send.args.custom,
    id: send.args.id,
    idempotencyKey: send.args.idempotencyKey,
  },
  async run(call): Promise<SentMessage> {
    const { message, ...rest } = call.args;
    const { cid, parentId, audience } = await findThread(call, message);
    const onlyFor = rest.onlyFor.length > 0 ? rest.onlyFor : audience.filter((id) => id !== call.core.userId);
    const args = { ...rest, onlyFor, channel: cid, thread: parentId, pin: false, system: false };
    try {
      return (await send.run({ ...call, args })) as SentMessage;
    } catch (error) {
      const isKept = onlyFor.length > 0 && rest.onlyFor.length === 0;
      if (!isKept || (error as { code?: unknown }).code !== NOT_ALLOWED) throw error;
      throw withHint(
        error,
        `the message is only for some; parley send --thread ${parentId} -c ${cid} shows a reply to all`,
      );
    }
  },
  show: (message) => idView(message),
});
