/** Downloads attached files into `files/`, named by the hash of their bytes, so that equal ones are stored once. */
import { createHash } from "node:crypto";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { aboutFile, makeFolders } from "../../model/files/leftovers.ts";
import { storageKind } from "../../model/files/storage.ts";
import { publicGet } from "../../model/public-get.ts";
import { safeUrl } from "../../text/safe-url.ts";
import { MAX_REDIRECTS } from "../transfer.ts";
import { filesFolder, withArchiveFailure, inTransaction, type OpenArchive } from "./open.ts";

/** Time limit per file, in milliseconds. */
const FILE_TIMEOUT = 10 * 60_000;

export interface DownloadOptions {
  /** `host:port` of the provider, which may be a private address; all others must be public. */
  providerHost: string;
  maxBytes: number;
  signal: AbortSignal;
}

interface PendingFile {
  message_id: string;
  n: number;
  url: string;
}

/** The outcome of one file: stored, skipped because of its size, or failed. */
type FetchResult = PendingFile & ({ hash: string } | { skipped: string } | { failed: string });

class FileTooBig extends Error {}

/** Number of files not yet downloaded. */
export const pendingFiles = ({ db }: OpenArchive): number =>
  Number(db.prepare("SELECT count(*) n FROM attachments WHERE state = 'pending'").get()?.n);

/** Downloads one file after the other and records each once it is on disk. A full disk ends the run; other failures are yielded. */
export async function* fetchFiles(
  archive: OpenArchive,
  options: DownloadOptions,
): AsyncIterable<FetchResult> {
  const folder = filesFolder(archive.folder);
  const unmake = withArchiveFailure(archive.folder, () => makeFolders(folder, 0o700));
  try {
    yield* fetchInto(archive, folder, options);
  } finally {
    // Nothing could be had.
    unmake();
  }
}

async function* fetchInto(
  archive: OpenArchive,
  folder: string,
  options: DownloadOptions,
): AsyncIterable<FetchResult> {
  const next = archive.db.prepare(
    `SELECT message_id, n, url FROM attachments WHERE state = 'pending' AND (message_id, n) > (?, ?)
     ORDER BY message_id, n LIMIT 1`,
  );
  let last: [string, number] = ["", -1];
  for (;;) {
    options.signal.throwIfAborted();
    const row = next.get(...last) as unknown as PendingFile | undefined;
    if (!row) return;
    last = [row.message_id, row.n];
    yield await fetchPending(archive, folder, row, options);
  }
}

async function fetchPending(
  archive: OpenArchive,
  folder: string,
  row: PendingFile,
  options: DownloadOptions,
): Promise<FetchResult> {
  try {
    const file = await downloadOne(row.url, folder, options);
    recordStored(archive, row, file);
    return { ...row, hash: file.hash };
  } catch (error) {
    options.signal.throwIfAborted();
    if (storageKind(error) === "full") throw aboutFile(error, path.join(folder, "fetching.part"));
    const reason = (error as Error).message;
    const skipped = error instanceof FileTooBig;
    inTransaction(archive, () =>
      archive.db
        .prepare("UPDATE attachments SET state = ?, reason = ? WHERE message_id = ? AND n = ?")
        .run(skipped ? "skipped" : "failed", reason, row.message_id, row.n),
    );
    return skipped ? { ...row, skipped: reason } : { ...row, failed: reason };
  }
}

interface StoredFile {
  hash: string;
  bytes: number;
  mime: string;
}

function recordStored(archive: OpenArchive, row: PendingFile, { hash, bytes, mime }: StoredFile): void {
  inTransaction(archive, () => {
    archive.db.prepare("INSERT OR IGNORE INTO files VALUES (?, ?, ?)").run(hash, bytes, mime);
    archive.db
      .prepare(
        "UPDATE attachments SET state = 'stored', hash = ?, reason = NULL WHERE message_id = ? AND n = ?",
      )
      .run(hash, row.message_id, row.n);
  });
}

/** Follows redirects; every hop must be an allowed address. */
async function responseOf(
  address: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = safeUrl(address);
  for (let hop = 0; url; hop++) {
    const response = await publicGet(url, { Accept: "*/*" }, { allow: [options.providerHost] }, signal);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status <= 299) return response;
    response.destroy();
    const { location } = response.headers;
    if (status < 300 || status > 399 || location === undefined)
      throw new Error(`the address answered ${status}`);
    if (hop >= MAX_REDIRECTS) throw new Error("too many redirects");
    const to = URL.canParse(location, url.href) ? safeUrl(new URL(location, url.href).href) : undefined;
    if (to && to.protocol !== "https:" && url.protocol === "https:")
      throw new Error("the address leads from https to http");
    url = to;
  }
  throw new Error("the address is not http or https");
}

/** Downloads a file into a folder, named by the hash of its bytes. Throws when it cannot be had, or is too big. */
export async function downloadOne(
  address: string,
  folder: string,
  options: DownloadOptions,
): Promise<StoredFile> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(FILE_TIMEOUT)]);
  const response = await responseOf(address, options, signal);
  // Only one run writes here, so a leftover of a killed run can be overwritten.
  const partFile = path.join(folder, "fetching.part");
  const hash = createHash("sha256");
  let bytes = 0;
  const counter = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      hash.update(piece);
      if (bytes > options.maxBytes) done(new FileTooBig(`it is bigger than ${options.maxBytes} bytes`));
      else done(null, piece);
    },
  });
  try {
    if (Number(response.headers["content-length"] ?? 0) > options.maxBytes)
      throw new FileTooBig(`it is bigger than ${options.maxBytes} bytes`);
    await pipeline(response, counter, createWriteStream(partFile, { mode: 0o600, flush: true }), { signal });
    const name = hash.digest("hex");
    const file = path.join(folder, name);
    if (existsSync(file)) rmSync(partFile);
    else renameSync(partFile, file);
    return { hash: name, bytes, mime: (response.headers["content-type"] ?? "").split(";")[0]!.trim() };
  } catch (error) {
    response.destroy();
    rmSync(partFile, { force: true });
    throw error;
  }
}
