/** JSON output: one message per line, or one document with all channels. */
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";

interface MessageJson {
  [key: string]: unknown;
}

/** A message with reactions, votes, files and replies, using field names of the protocol. */
function messageJson({ message, reactions, votes, replies, gone, paths }: Exported): MessageJson {
  const {
    own_reactions: _own,
    latest_reactions: _latest,
    draft: _draft,
    reminder: _reminder,
    ...rest
  } = message;
  return {
    ...rest,
    reactions,
    ...(votes.length > 0 ? { votes } : {}),
    ...(paths.size > 0 ? { files: Object.fromEntries(paths) } : {}),
    ...(gone === undefined ? {} : { gone_at: gone }),
    ...(replies.length > 0 ? { replies: replies.map(messageJson) } : {}),
  };
}

export const ndjsonForm = (): ExportForm => ({
  message: (message) => `${JSON.stringify(messageJson(message))}\n`,
});

export function jsonForm(): ExportForm {
  let channels = 0;
  let messages = 0;
  return {
    begin: () => "[",
    channel({ channel, members, reads }: ExportedChannel) {
      messages = 0;
      const head = JSON.stringify({ channel, members: [...members()], reads: [...reads()] });
      return `${channels++ > 0 ? "," : ""}\n${head.slice(0, -1)},"messages":[`;
    },
    message: (message) => `${messages++ > 0 ? "," : ""}\n${JSON.stringify(messageJson(message))}`,
    endChannel: () => "]}",
    end: () => "\n]\n",
  };
}
