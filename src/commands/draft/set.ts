/** Saves the user's draft of a channel or thread at the provider, or changes those of a file; an empty one deletes it (DR-2). */
import type { Draft } from "../../wire/entities/draft.ts";
import { isBulkSet, SET_FILE_ARGS, setFields } from "../base/bulk/set-from-file.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";
import { textOf } from "../base/text.ts";
import { settableDrafts } from "./settable-drafts.ts";

const ARGS = {
  channel: { kind: "channel", short: "c", defaultsToCurrent: true, orFile: true, help: "The channel" },
  text: {
    kind: "words",
    positional: "rest",
    orFile: true,
    help: "The text, or - for standard input",
  },
  thread: { kind: "message", help: "Use the draft of this thread" },
  quote: { kind: "message", help: "Quote this message" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

type SetCall = Call<typeof ARGS>;
/** What was saved; nothing of an empty text. */
interface Saved {
  draft?: Pick<Draft, "channel_cid">;
}

async function changeOne(call: SetCall): Promise<Saved> {
  const { args } = call;
  const text = await textOf(call, args.text!);
  const path = pathOf(await cidOf(call, args.channel!));
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
}

/** Changes the texts of the drafts of a file. */
async function* changeMany(call: SetCall): AsyncIterable<Saved> {
  const { text, channel, thread, quote } = call.args;
  if ([text, channel, thread, quote].some((one) => one !== undefined))
    throw new CommandError("usage", "A text goes with one draft; a file says what each becomes.");
  for await (const draft of setFields(call, [], {}, settableDrafts(call.core))) yield { draft };
}

export default command({
  summary: "Save a draft for a channel or thread at the provider",
  changes: "provider",
  examples: [
    "draft set -c messaging:ops almost done",
    "draft set -c '#ops' --thread ana-7f3c -",
    "parley draft list --csv > drafts.csv; parley draft set --file drafts.csv",
  ],
  args: ARGS,
  needsStore: isBulkSet,
  run: (call): Promise<Saved> | AsyncIterable<Saved> =>
    isBulkSet(call.args) ? changeMany(call) : changeOne(call),
  show: ({ draft }) => (draft ? `saved for ${draft.channel_cid}` : "no draft is kept: the text is empty"),
});
