/** Downloads the files of messages into `files/`, named by the hash of their bytes, so that equal ones are stored once. */
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { publicGet } from "../../model/public-get.ts";
import { safeUrl } from "../../text/safe-url.ts";
import { filesFolder, withArchiveFailure, inTransaction, type OpenArchive } from "./open.ts";

const HOPS = 3;
/** Of one file; milliseconds. */
const LONGEST = 10 * 60_000;

interface Fetching {
  /** `host:port` of the provider itself, which may be anywhere; all others have to be public. */
  own: string;
  /** Bytes of one file. */
  most: number;
  signal: AbortSignal;
}

interface Pending {
  message_id: string;
  n: number;
  url: string;
}

/** What came of one: stored, left out by its size, or failed. */
type Fetched = Pending & ({ hash: string } | { skipped: string } | { failed: string });

class TooBig extends Error {}

/** How many files are still to be fetched. */
export const pendingFiles = ({ db }: OpenArchive): number =>
  Number(db.prepare("SELECT count(*) n FROM attachments WHERE state = 'pending'").get()?.n);

/** One after the other; each is noted when its file stands. Disk failures end the run, refusals are told. */
export async function* fetchFiles(archive: OpenArchive, how: Fetching): AsyncIterable<Fetched> {
  const folder = filesFolder(archive.folder);
  withArchiveFailure(archive.folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  const next = archive.db.prepare(
    `SELECT message_id, n, url FROM attachments WHERE state = 'pending' AND (message_id, n) > (?, ?)
     ORDER BY message_id, n LIMIT 1`,
  );
  let at: [string, number] = ["", -1];
  for (;;) {
    how.signal.throwIfAborted();
    const row = next.get(...at) as unknown as Pending | undefined;
    if (!row) return;
    at = [row.message_id, row.n];
    yield await one(archive, folder, row, how);
  }
}

async function one(archive: OpenArchive, folder: string, row: Pending, how: Fetching): Promise<Fetched> {
  try {
    const file = await fetchOne(row.url, folder, how);
    note(archive, row, file);
    return { ...row, hash: file.hash };
  } catch (error) {
    how.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    const reason = (error as Error).message;
    const skipped = error instanceof TooBig;
    inTransaction(archive, () =>
      archive.db
        .prepare("UPDATE attachments SET state = ?, reason = ? WHERE message_id = ? AND n = ?")
        .run(skipped ? "skipped" : "failed", reason, row.message_id, row.n),
    );
    return skipped ? { ...row, skipped: reason } : { ...row, failed: reason };
  }
}

interface Stored {
  hash: string;
  bytes: number;
  mime: string;
}

function note(archive: OpenArchive, row: Pending, { hash, bytes, mime }: Stored): void {
  inTransaction(archive, () => {
    archive.db.prepare("INSERT OR IGNORE INTO files VALUES (?, ?, ?)").run(hash, bytes, mime);
    archive.db
      .prepare(
        "UPDATE attachments SET state = 'stored', hash = ?, reason = NULL WHERE message_id = ? AND n = ?",
      )
      .run(hash, row.message_id, row.n);
  });
}

/** The answer behind redirects, each of which has to lead to an allowed address again. */
async function answerOf(address: string, how: Fetching, signal: AbortSignal): Promise<IncomingMessage> {
  let url = safeUrl(address);
  for (let hop = 0; url; hop++) {
    const answer = await publicGet(url, { Accept: "*/*" }, { allow: [how.own] }, signal);
    const status = answer.statusCode ?? 0;
    if (status >= 200 && status <= 299) return answer;
    answer.destroy();
    const { location } = answer.headers;
    if (status < 300 || status > 399 || location === undefined)
      throw new Error(`the address answered ${status}`);
    if (hop >= HOPS) throw new Error("too many redirects");
    url = URL.canParse(location, url.href) ? safeUrl(new URL(location, url.href).href) : undefined;
  }
  throw new Error("it is no http or https address");
}

async function fetchOne(address: string, folder: string, how: Fetching): Promise<Stored> {
  const signal = AbortSignal.any([how.signal, AbortSignal.timeout(LONGEST)]);
  const answer = await answerOf(address, how, signal);
  // One run at a time writes here, so what a killed one left is written over.
  const part = path.join(folder, "fetching.part");
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      hash.update(piece);
      if (bytes > how.most) done(new TooBig(`it is bigger than ${how.most} bytes`));
      else done(null, piece);
    },
  });
  try {
    if (Number(answer.headers["content-length"] ?? 0) > how.most)
      throw new TooBig(`it is bigger than ${how.most} bytes`);
    await pipeline(answer, counted, createWriteStream(part, { mode: 0o600, flush: true }), { signal });
    const name = hash.digest("hex");
    const file = path.join(folder, name);
    if (existsSync(file)) rmSync(part);
    else renameSync(part, file);
    return { hash: name, bytes, mime: (answer.headers["content-type"] ?? "").split(";")[0]!.trim() };
  } catch (error) {
    answer.destroy();
    rmSync(part, { force: true });
    throw error;
  }
}
