/** Archives of slackdump: its database, its chunk files and its dumps of single channels. Its export form is Slack's own. */
import { isObject } from "../../../wire/json-object.ts";
import type { ExportFiles } from "../base/foreign-files.ts";
import type { ForeignFormat, ForeignReader, ForeignScope } from "../base/format.ts";
import { BadExport } from "../base/zip.ts";
import { SlackPeople } from "../slack/people.ts";
import { conversationIn, SlackReader } from "../slack/reader.ts";
import { ChunkRows } from "./chunks.ts";
import { DatabaseRows, isArchiveDatabase } from "./database.ts";
import { DumpRows, isDumpFile } from "./dump.ts";
import type { SlackdumpRows } from "./rows.ts";
import { SlackdumpSource } from "./source.ts";

export default {
  title: "slackdump",
  reads: "its database, or the folder of an archive, of chunks or of dumps",
  help: `Slack is also read from slackdump: the database or folder of an archive, chunk
files (*.json.gz) and dumps of single channels. What is in several runs of it is
read once, the newest of it; ids are those of a Slack export.`,
  detect: async (files) => {
    const rows = await rowsOf(files);
    rows?.close();
    return rows !== undefined;
  },
  open: openSlackdump,
} satisfies ForeignFormat;

/** Which files of a folder are looked into. */
const DATABASE = /\.(sqlite3?|db)$/i;

async function rowsOf(files: ExportFiles): Promise<SlackdumpRows | undefined> {
  for (const file of files.files)
    if ((files.files.length === 1 || DATABASE.test(file.name)) && (await isArchiveDatabase(files, file)))
      return new DatabaseRows(files, file);
  const chunks = await ChunkRows.find(files);
  if (chunks) return chunks;
  return (await isDumpFile(files)) ? new DumpRows(files) : undefined;
}

async function openSlackdump(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader> {
  const rows = await rowsOf(files);
  if (!rows) throw new BadExport(`${files.source} is no archive of slackdump.`);
  const people = new SlackPeople(scope.people);
  for await (const user of rows.users(scope.tally))
    if (!isObject(user) || !people.addListed(user, scope.now))
      scope.tally.add("person", "without a valid id");
  const source = new SlackdumpSource(rows, scope);
  await source.findUploads(files);
  for await (const { fields, members } of rows.channels(scope.tally)) {
    const { is_im: direct, is_mpim: group, user } = fields as Record<string, unknown>;
    const channel = conversationIn(fields, direct === true || group === true);
    if (!channel) scope.tally.add("channel", "without a valid id");
    else source.addChannel({ ...channel, members: members ?? channel.members ?? [user] });
  }
  return new SlackReader(source, scope, people);
}
