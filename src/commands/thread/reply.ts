/** Replies in a thread; its channel is found by the message. */
import type { Message } from "../../wire/entities/message.ts";
import { command, idView } from "../base/define-command.ts";
import type { ReceivedMessage } from "../../model/client-message.ts";
import { trustPeople } from "../message/require-people.ts";
import send, { refusedAsPrivate } from "../message/send.ts";
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
      help: "Show it only to these users and yourself, - to everybody (default: who sees the named message)",
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
    const isChosen = rest.onlyFor.length > 0;
    if (!isChosen) trustPeople(call.core, audience);
    const onlyFor = isChosen ? rest.onlyFor : [...audience];
    const args = { ...rest, onlyFor, channel: cid, thread: parentId, pin: false, system: false };
    const sent = send.run({ ...call, args }) as Promise<SentMessage>;
    return isChosen ? sent : sent.catch(refusedAsPrivate);
  },
  show: (message) => idView(message),
});
