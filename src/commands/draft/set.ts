/** Saves the user's draft of a channel or thread at the provider; an empty one deletes it (DR-2). */
import type { Draft } from "../../wire/entities/draft.ts";
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { textOf } from "../base/text.ts";

export default command({
  summary: "Save a draft for a channel or thread at the provider",
  changes: "provider",
  examples: ["draft set -c messaging:ops almost done", "draft set -c '#ops' --thread ana-7f3c -"],
  args: {
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    text: { kind: "words", positional: "rest", help: "The text, or - for standard input" },
    thread: { kind: "message", help: "Use the draft of this thread" },
    quote: { kind: "message", help: "Quote this message" },
  },
  async run(call): Promise<{ draft?: Draft }> {
    const { args } = call;
    const text = await textOf(call, args.text);
    const path = pathOf(await cidOf(call, args.channel));
    const { draft } = await call.core.call("saveDraft", {
      path,
      body: {
        message: {
          text,
          ...(args.thread === undefined ? {} : { parent_id: args.thread }),
          ...(args.quote === undefined ? {} : { quoted_message_id: args.quote }),
        },
      },
    });
    return draft ? { draft } : {};
  },
  show: ({ draft }) => (draft ? `saved for ${draft.channel_cid}` : "no draft is kept: the text is empty"),
});
