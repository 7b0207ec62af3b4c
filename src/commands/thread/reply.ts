/** Replies in a thread; its channel is found by the message. */
import type { Message } from "../../wire/entities/message.ts";
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
    silent: send.args.silent,
    skipPush: send.args.skipPush,
    skipEnrich: send.args.skipEnrich,
    custom: send.args.custom,
    id: send.args.id,
    idempotencyKey: send.args.idempotencyKey,
  },
  async run(call): Promise<SentMessage> {
    const { message, ...rest } = call.args;
    const { cid, parentId } = await findThread(call, message);
    const args = { ...rest, channel: cid, thread: parentId, pin: false, system: false };
    return (await send.run({ ...call, args })) as SentMessage;
  },
  show: (message) => idView(message),
});
