/** Changes the text of a message. */
import { loadMentionMarkup } from "../../model/mentions.ts";
import { CommandError, command } from "../base/define-command.ts";
import { textOf } from "../base/text.ts";
import { MENTION, nameMentions, requireNamed } from "../base/mentions.ts";

export default command({
  summary: "Edit the text of a message",
  changes: "provider",
  chatAlias: "edit",
  examples: [
    "message edit ana-7f3c the release is at eleven",
    'echo "the release is at noon" | parley message edit ana-7f3c -',
  ],
  args: {
    message: { kind: "message", positional: true, defaultMessage: "mine", help: "The message" },
    text: { kind: "words", positional: "rest", help: "The new text, or - for standard input" },
    mention: MENTION,
  },
  async run(call) {
    const text = await textOf(call, call.args.text);
    if (text.trim() === "")
      throw new CommandError("usage", "The new text is empty.", "parley message delete <message>");
    const { args, core } = call;
    const asked = await requireNamed(call, text, args.mention);
    const { message } = await core.call("getMessage", { path: { id: args.message } });
    const composer = core.composer({ cid: message.cid }, { transient: true });
    composer.typed(text, text.length);
    const mentioned = message.mentioned_users ?? [];
    composer.suggestions.restore(text, mentioned);
    if (text.includes("@")) await loadMentionMarkup();
    await nameMentions(call, composer, args.text, asked);
    const ids = [...new Set([...asked.keys(), ...composer.mentions().ids])];
    const before = mentioned.map(({ id }) => id);
    const isSame = ids.length === before.length && before.every((id) => ids.includes(id));
    const reply = await core.call("updateMessagePartial", {
      path: { id: args.message },
      body: { set: { text, ...(isSame ? {} : { mentioned_users: ids }) } },
    });
    return reply.message;
  },
});
