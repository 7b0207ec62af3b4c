/** Counts the contents of an archive per channel or in total, or lists its gaps. */
import { command, rowOf, rowView, type View } from "../base/define-command.ts";
import type { ChannelCounts, ArchiveCounts, GapRow } from "../../jobs/archive/counts.ts";
import type { OpenArchive } from "../../jobs/archive/open.ts";
import { eachOfArchive, FOLDER } from "./open-archive.ts";

const SUBJECTS = ["channels", "total", "missing"] as const;

export const channelCountsView = (row: ChannelCounts): View =>
  rowOf(row, {
    channel: "cid",
    messages: "messages",
    replies: "replies",
    reactions: "reactions",
    users: "users",
    first: "first_at",
    last: "last_at",
  });

const view = (row: ChannelCounts | ArchiveCounts | GapRow): View => {
  if ("part" in row) return rowOf(row, { channel: "cid", part: "part", reason: "reason" });
  if ("channels" in row) return rowView({ ...row });
  return channelCountsView(row);
};

export default command({
  summary: "Count what an archive contains",
  changes: "nothing",
  examples: ["archive stats ~/archive", "archive stats ~/archive --of total --json"],
  args: {
    folder: FOLDER,
    of: {
      kind: "choice",
      choices: SUBJECTS,
      default: "channels",
      help: "What to count: each channel, the total, or the gaps",
    },
  },
  streams: () => "finite",
  shellOnly: "works on files",
  offline: true,
  async *run(call): AsyncIterable<ChannelCounts | ArchiveCounts | GapRow> {
    const { readArchive } = await import("../../jobs/archive/open.ts");
    const { channelCounts, archiveCounts, gapsOf } = await import("../../jobs/archive/counts.ts");
    const { folder, of } = call.args;
    const counted = ({ db }: OpenArchive): Iterable<ChannelCounts | ArchiveCounts | GapRow> =>
      of === "total" ? [archiveCounts(db)] : of === "missing" ? gapsOf(db) : channelCounts(db);
    yield* eachOfArchive(() => readArchive(folder), counted);
  },
  show: view,
});
