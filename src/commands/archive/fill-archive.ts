/** Fills an archive in a new or resumed run: channels, then files, then the manifest. */
import type { OpenArchive } from "../../jobs/archive/open.ts";
import type { ArchiveCounts, GapRow } from "../../jobs/archive/counts.ts";
import type { ArchiveReadOptions, ArchiveRun } from "../../jobs/archive/meta.ts";
import type { ArchiveWriter } from "../../jobs/archive/writer.ts";
import type { User } from "../../wire/entities/user.ts";
import { PageSize } from "../../model/page-size.ts";
import { QUERY_MEMBERS_LIMIT, QUERY_MESSAGES_LIMIT } from "../../wire/constants.ts";
import { addressLabel, addressOf } from "../../model/address.ts";
import { count, firstFew } from "../../text/words.ts";
import {
  CommandError,
  fieldsView,
  type Args,
  type Call,
  type Machine,
  type View,
} from "../base/define-command.ts";
import { selectedChannels } from "./read/channels.ts";
import { ChannelReader } from "./read/read-channel.ts";
import { inParallel, type ReadContext } from "./read/requests.ts";

const PARALLEL_CHANNELS = 3;

/** Rows per commit; a killed run reads up to this many again. */
const ROWS_PER_COMMIT = 1000;

export interface ArchiveResult extends ArchiveCounts {
  archive: string;
  run: ArchiveRun["kind"];
  /** Whether an interrupted run was continued. */
  resumed: boolean;
  missing: GapRow[];
}

type FillCall = Pick<Call<Args>, "core" | "signal" | "now" | "progress"> & {
  machine: Pick<Machine, "about" | "announceLongRun" | "version">;
  /** What an import has: `host:port` whose files are fetched also where others stay addresses, and people who are in no channel. */
  imported?: { filesOf: string; people(): AsyncIterable<User> };
};

interface NewRun {
  kind: "create" | "update" | "import";
  options: ArchiveReadOptions & { lookBack?: number };
}

/** Reads everything, without search index and manifest. Throws `CommandError` (conflict) for an archive of another profile or user. */
export async function readInto(
  call: FillCall,
  archive: OpenArchive,
  newRun: NewRun,
  beforeEnd: () => void = () => {},
): Promise<Pick<ArchiveResult, "run" | "resumed">> {
  const { beginRun, endRun, runsOf, interruptedRun } = await import("../../jobs/archive/meta.ts");
  call.machine.announceLongRun();
  await checkOrigin(call, archive);
  // A finished run is repeated only when its manifest is missing.
  const [finishedRun] = newRun.kind === "create" ? runsOf(archive.db) : [];
  const previousRun = interruptedRun(archive.db) ?? finishedRun;
  const now = (): string => new Date(call.now()).toISOString();
  const run =
    previousRun ?? beginRun(archive.db, { ...newRun, version: call.machine.version, started_at: now() });
  await readAll(call, archive, run);
  if (call.imported) archive.db.prepare(FETCH_FROM).run(`http://${call.imported.filesOf}/`);
  if (call.imported || run.options.attachments === "download") await fetchAll(call, archive, run);
  beforeEnd();
  endRun(archive.db, run, now());
  return { run: run.kind, resumed: previousRun !== undefined };
}

/** Reads everything, then builds the search index and the manifest. Throws like `readInto`. */
export async function fillArchive(
  call: FillCall,
  archive: OpenArchive,
  newRun: NewRun,
): Promise<ArchiveResult> {
  const { fillWords } = await import("../../jobs/archive/schema.ts");
  const read = await readInto(call, archive, newRun, () => {
    call.progress(1, 1, "writing the index");
    fillWords(archive.db);
  });
  const { writeManifest } = await import("../../jobs/archive/manifest.ts");
  const { counts, gaps } = await writeManifest(archive);
  return { archive: archive.folder, ...read, ...counts, missing: gaps };
}

/** An archive belongs to one app and user, as others may see other messages; `from` names them by the profile, for people. */
async function checkOrigin({ machine }: FillCall, { db, folder }: OpenArchive): Promise<void> {
  const { readMeta, writeMeta } = await import("../../jobs/archive/meta.ts");
  const { app, profile, user, provider } = await machine.about();
  const [from, owner] = [profile, app].map((where) => (user === "" ? where : `${user} at ${where}`)) as [
    string,
    string,
  ];
  const [fromBefore, ownerBefore] = [readMeta(db, "from"), readMeta(db, "owner")];
  // Archives of earlier versions name the profile alone.
  const isNamed = fromBefore === from && isSameAddress(readMeta(db, "provider"), app);
  if (fromBefore === undefined || (ownerBefore === undefined && isNamed)) {
    for (const [key, value] of Object.entries({ from, owner, provider, user })) writeMeta(db, key, value);
  } else if (isImported(ownerBefore) && ownerBefore !== owner)
    throw new CommandError(
      "conflict",
      `${folder} was imported from ${fromBefore}: no provider has what is newer.`,
      "Import a newer export into a folder of its own; parley archive merge joins them.",
    );
  else if (ownerBefore !== owner)
    throw new CommandError(
      "conflict",
      fromBefore === from
        ? `${folder} belongs to ${ownerBefore ?? `${from}, as it was`}, not to ${owner}.`
        : `${folder} belongs to ${fromBefore}, not to ${from}.`,
      "Give it another folder; parley archive merge joins them.",
    );
}

/** Ends the owner of an archive that no app can bring up to date. */
export const IMPORTED = "@import";

/** Whether all that was merged into an archive was imported. */
const isImported = (owner: string | undefined): boolean =>
  owner?.split("+").every((one) => one.endsWith(IMPORTED)) === true;

/** Whether an app is at this address; the address of the embedded provider changes. */
const isSameAddress = (provider: string | undefined, app: string): boolean =>
  app.endsWith("@local") || (provider !== undefined && app.endsWith(`@${addressLabel(addressOf(provider))}`));

async function readAll(call: FillCall, archive: OpenArchive, run: ArchiveRun): Promise<void> {
  const { ArchiveWriter } = await import("../../jobs/archive/writer.ts");
  const writing = { n: run.n, now: () => new Date(call.now()).toISOString() };
  const writer = new ArchiveWriter(archive, writing, run.options.attachments === "download", ROWS_PER_COMMIT);
  try {
    await readChannels(writer, call, archive, run);
    for await (const user of call.imported?.people() ?? []) writer.user(user);
  } finally {
    writer.flush();
  }
}

async function readChannels(
  writer: ArchiveWriter,
  call: FillCall,
  archive: OpenArchive,
  run: ArchiveRun,
): Promise<void> {
  const { gapsOf } = await import("../../jobs/archive/counts.ts");
  const { cidsIn } = await import("../../jobs/archive/read.ts");
  const { runsOf } = await import("../../jobs/archive/meta.ts");
  let read = 0;
  let done = 0;
  let total = 1;
  const showProgress = (text: string): void => call.progress(done, total, text);
  const { core, signal, now } = call;
  const onUnread: ReadContext["onUnread"] = (...items) => writer.unread(...items);
  const context: ReadContext = { core, signal, now, showProgress, onUnread };
  const onMessages = (messages: number): void => {
    read += messages;
    showProgress(`${read} messages`);
  };
  const cids = new Set<string>();
  for await (const { cid } of selectedChannels(context, run.options)) cids.add(cid);
  total = Math.max(cids.size, 1);
  const lastRunAt = runsOf(archive.db).findLast(
    ({ n, kind, ended_at: ended }) => n < run.n && kind !== "merge" && ended !== null,
  )?.started_at;
  const pageSizes = {
    messages: new PageSize(QUERY_MESSAGES_LIMIT[1]),
    members: new PageSize(QUERY_MEMBERS_LIMIT[1]),
  };
  const readerOf = (cid: string): ChannelReader =>
    new ChannelReader({ ...context, writer, run, pageSizes, lastRunAt, onMessages }, cid);
  if (run.kind === "update") {
    for (const cid of cidsIn(archive.db)) if (!cids.has(cid)) await readerOf(cid).markIfGone();
    for (const { cid, part } of gapsOf(archive.db)) {
      const [, unread, id] = /^(?:(unread:message)|message|thread):(.+)$/s.exec(part) ?? [];
      if (id !== undefined) await readerOf(cid).repair(id, unread === undefined ? part : `message:${id}`);
    }
  }
  await inParallel(cids, PARALLEL_CHANNELS, async (cid) => {
    await readerOf(cid).read();
    done++;
    showProgress(`${read} messages`);
  });
  writer.forgetRead(run.started_at);
}

const FETCH_FROM = "UPDATE attachments SET state = 'pending' WHERE state = 'link' AND instr(url, ?) = 1";

const DEFAULT_MAX_SIZE = 100 * 1024 * 1024;

async function fetchAll(call: FillCall, archive: OpenArchive, run: ArchiveRun): Promise<void> {
  const { fetchFiles, pendingFiles } = await import("../../jobs/archive/files.ts");
  const { statements } = await import("../../jobs/archive/statements.ts");
  const total = pendingFiles(archive);
  const { provider } = await call.machine.about();
  const providerHost = URL.parse(provider)?.host ?? "";
  const write = statements(archive.db);
  let done = 0;
  const maxBytes = run.options.maxFileSize ?? DEFAULT_MAX_SIZE;
  for await (const file of fetchFiles(archive, { providerHost, maxBytes, signal: call.signal })) {
    call.progress(++done, total, "files");
    const part = `file:${file.message_id}:${file.n}`;
    if ("failed" in file) {
      const at = new Date(call.now()).toISOString();
      write("gap").run("", part, null, `${file.url}: ${file.failed}`, at, null);
    } else write("deleteGap").run("", part);
  }
}

/** The error (partial) for missing parts. */
export function gapError(
  { gaps, missing, archive }: Pick<ArchiveResult, "gaps" | "missing" | "archive">,
  hint = `parley archive update ${archive} asks for them again.`,
): CommandError | undefined {
  if (gaps === 0) return undefined;
  return new CommandError("partial", gapSentences(missing, " and kept as it came").join(" "), hint);
}

/** What is missing, and what could not be read; `kept` says where that is, as it came. */
export function gapSentences(gaps: readonly GapRow[], kept: string): string[] {
  const { missing = [], unread = [] } = Object.groupBy(gaps, (gap) => (gap.unread ? "unread" : "missing"));
  const named = missing.map(
    ({ cid, part, reason }) => `${[cid, part].filter(Boolean).join(" ")} (${reason})`,
  );
  const items = unread.map(({ cid, part }) => [cid, part.replace("unread:", "")].filter(Boolean).join(" "));
  return [
    ...(named.length === 0
      ? []
      : [`${count(named.length, "part is", "parts are")} missing: ${firstFew(named)}.`]),
    ...(items.length === 0
      ? []
      : [
          `${count(items.length, "item is", "items are")} not written as documented${kept}: ${firstFew(items)}.`,
        ]),
  ];
}

export const archiveResultView = ({
  archive,
  messages,
  replies,
  channels,
  reactions,
  users,
  files,
  gaps,
}: ArchiveResult): View =>
  fieldsView({
    archive,
    channels,
    users,
    messages,
    replies,
    reactions,
    files,
    missing: gaps,
  });
