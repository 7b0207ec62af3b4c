/** Downloads the files that a person has sent, and lists them. */
import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolders } from "../../model/files/leftovers.ts";
import { storageKind } from "../../model/files/storage.ts";
import type { DownloadOptions } from "../../jobs/archive/files.ts";
import { isLoopback } from "../../model/loopback.ts";
import type { Args, Call } from "../base/define-command.ts";
import type { CollectedData, DataFile } from "./collect.ts";
import type { Proof } from "./proof.ts";

/** Bytes of one file at most. */
const MAX_BYTES = 1024 ** 3;

interface SentFiles {
  /** `sent-files.ndjson`: each file with its message, and where it lies or why it could not be had. */
  list: DataFile;
  files: Proof["files"];
  missing: number;
}

/** Downloads into `files` of the folder `out`; a file that cannot be had is counted and named. */
export async function downloadSent(
  call: Pick<Call<Args>, "signal" | "progress">,
  { user, messages }: Pick<CollectedData, "user" | "messages">,
  { out, provider }: { out: string; provider: string },
): Promise<SentFiles> {
  const { sentFile } = await import("../../jobs/archive/writer.ts");
  const { host: providerHost = "", hostname = "" } = URL.parse(provider) ?? {};
  const sent = messages.flatMap(({ id, attachments }) =>
    (attachments ?? []).map((one) => ({
      message_id: id,
      name: one.title ?? one.fallback,
      url: sentFile(one),
    })),
  );
  // A hosted provider keeps files at another address; what an embedded one has is its own.
  const isKept = (url: string | undefined): boolean =>
    url !== undefined && (!isLoopback(hostname) || URL.parse(url)?.host === providerHost);
  const all = [...sent, { name: "picture", url: user.image }].filter(({ url }) => isKept(url));
  const files = new Map<string, Proof["files"][number]>();
  const lines: object[] = [];
  let missing = 0;
  const unmake = all.length > 0 ? makeFolders(path.join(out, "files"), 0o700) : () => {};
  for (const one of all) {
    call.progress(lines.length, all.length, "files");
    try {
      const options = { providerHost, maxBytes: MAX_BYTES, signal: call.signal };
      const file = await download(one as { url: string; name?: string }, out, options);
      files.set(file.name, file);
      lines.push({ ...one, file: file.name });
    } catch (error) {
      call.signal.throwIfAborted();
      // A full disk is not the fault of the file.
      if (storageKind(error) === "full") {
        for (const name of files.keys()) rmSync(path.join(out, name), { force: true });
        unmake();
        throw error;
      }
      missing++;
      lines.push({ ...one, missing: (error as Error).message });
    }
  }
  unmake();
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { list: { name: "sent-files.ndjson", text }, files: [...files.values()], missing };
}

async function download(
  { url, name }: { url: string; name?: string },
  out: string,
  options: DownloadOptions,
): Promise<Proof["files"][number]> {
  const { downloadOne } = await import("../../jobs/archive/files.ts");
  const { copyName } = await import("../../jobs/export/text-output.ts");
  const folder = path.join(out, "files");
  const { hash, bytes } = await downloadOne(url, folder, options);
  const target = copyName(hash, name ?? null);
  renameSync(path.join(folder, hash), path.join(out, target));
  return { name: target, bytes, sha256: hash };
}
