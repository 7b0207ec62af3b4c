/** Shows the messages of a channel or thread in an archive, offline. */
import type { ArchivedMessage, ArchiveReader, MessageCopy } from "../../jobs/archive/read.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import type { ChannelCounts } from "../../jobs/archive/counts.ts";
import { readChannel } from "../base/args.ts";
import { CommandError, command } from "../base/define-command.ts";
import { isWithin } from "../base/lists/paginate.ts";
import { eachOfArchive, FOLDER, noteView, requireArchived, requireUndamaged } from "./open-archive.ts";
import { channelCountsView } from "./stats.ts";

export default command({
  summary: "Show messages of an archive, oldest first, or its channels",
  changes: "nothing",
  examples: [
    "archive show ~/archive",
    "archive show ~/archive messaging:ops --since 7d --all",
    "archive show ~/archive messaging:ops --thread ana-7f3c",
  ],
  args: {
    folder: FOLDER,
    channel: {
      kind: "text",
      positional: true,
      optional: true,
      help: "The channel (default: list all of them)",
    },
    thread: { kind: "message", help: "Only this thread: the message and its replies" },
    since: { kind: "time", help: "Only from this time on" },
    until: { kind: "time", help: "Only up to this time" },
  },
  shellOnly: "works on files",
  offline: true,
  async *run(call): AsyncIterable<MessageCopy | ChannelCounts> {
    const { folder, channel, thread, since, until } = call.args;
    const { readArchive } = await import("../../jobs/archive/open.ts");
    const { ArchiveReader: Reader, copyOf } = await import("../../jobs/archive/read.ts");
    if (channel === undefined) {
      const { channelCounts } = await import("../../jobs/archive/counts.ts");
      yield* eachOfArchive(
        () => readArchive(folder),
        ({ db }) => channelCounts(db),
      );
      return noteView(call, folder);
    }
    const cid = readChannel(channel, call.channelType);
    function* selectMessages(archive: OpenArchive): Iterable<ArchivedMessage> {
      const reader = new Reader(archive.db);
      requireArchived(archive, cid);
      yield* among(reader);
      requireUndamaged(folder, reader.rows);
    }
    function* among(reader: ArchiveReader): Iterable<ArchivedMessage> {
      if (thread === undefined) return yield* reader.messages(cid, { since, until }, "inChannel");
      const parent = reader.message(thread);
      if (parent === undefined) requireUndamaged(folder, reader.rows);
      if (parent?.message.cid !== cid)
        throw new CommandError("notFound", `${folder} has no message ${thread} in ${cid}.`);
      for (const one of [parent, ...reader.replies(thread)])
        if (isWithin(one.message, since, until)) yield one;
    }
    for await (const { message, reactions, gone } of eachOfArchive(() => readArchive(folder), selectMessages))
      yield copyOf({ ...message, latest_reactions: reactions }, gone);
  },
  show: (one) => ("messages" in one ? channelCountsView(one) : { kind: "messages", messages: [one] }),
});
