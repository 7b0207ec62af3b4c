/** Searches an archive offline. */
import type { MessageCopy } from "../../jobs/archive/read.ts";
import { unsearchable } from "../../model/search-query.ts";
import { goneText } from "../../text/words.ts";
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { foundView } from "../base/found-message.ts";
import { eachOfArchive, FOLDER, requireArchived, requireUndamaged } from "./open-archive.ts";

export default command({
  summary: "Search the messages of an archive, newest first",
  changes: "nothing",
  examples: [
    "archive search ~/archive tea kettle",
    "archive search ~/archive release --user ana --since 90d",
  ],
  args: {
    folder: FOLDER,
    words: {
      kind: "words",
      positional: "rest",
      help: "Each word matches the beginning of a word in the message",
    },
    channel: { kind: "channel", short: "c", help: "Only in this channel" },
    user: { kind: "user", help: "Only messages by this user" },
    since: { kind: "time", help: "Only messages since this time" },
    until: { kind: "time", help: "Only messages up to this time" },
  },
  shellOnly: "works on files",
  offline: true,
  async *run(call): AsyncIterable<MessageCopy> {
    const { folder, words, channel, user, since, until } = call.args;
    const fault = unsearchable(words);
    if (fault !== undefined) throw new CommandError("usage", `${fault}.`);
    if (words.trim() === "") throw new CommandError("usage", "Nothing to search for.", "Give a word.");
    const { readArchive } = await import("../../jobs/archive/open.ts");
    const { searchArchive } = await import("../../jobs/archive/search.ts");
    const { ArchiveReader } = await import("../../jobs/archive/read.ts");
    const cids = channel === undefined ? [] : [readChannel(channel, call.channelType)];
    yield* eachOfArchive(
      () => readArchive(folder),
      function* (archive) {
        for (const cid of cids) requireArchived(archive, cid);
        const reader = new ArchiveReader(archive.db);
        yield* searchArchive(reader, { words, cids, user, since, until });
        requireUndamaged(folder, reader.rows);
      },
    );
  },
  show: (message) =>
    foundView(message.gone_at === undefined ? message : { ...message, text: goneText(message.text) }),
});
