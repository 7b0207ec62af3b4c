/** Uploads the files that stand beside an import file, and writes the file anew with their addresses. */
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Core } from "../../core/core.ts";
import type { Unused } from "../../wire/entities/import.ts";
import { blockedWhy } from "../../text/words.ts";
import { isObject } from "../../wire/json-object.ts";
import { uploadAndAttach } from "../base/attach.ts";
import { CommandError, type Args, type Call } from "../base/define-command.ts";

type UploadCall = Pick<Call<Args>, "core" | "signal" | "progress">;

interface Ready {
  /** The import file to send. */
  file: string;
  /** Files that the provider did not accept. */
  refused: Unused[];
  remove(): Promise<void>;
}

/** Returns the file itself if nothing stands beside it. Throws `CommandError` for a file that is missing, and what an upload throws. */
export async function withUploadedFiles(call: UploadCall, file: string): Promise<Ready> {
  const { hasTakenFiles } = await import("../../jobs/foreign/base/taken-files.ts");
  if (!(await hasTakenFiles(file))) return { file, refused: [], remove: async () => {} };
  const { rm } = await import("node:fs/promises");
  const { join, basename } = await import("node:path");
  const { makeTemporaryFolder } = await import("../../model/files/temporary-folder.ts");
  const folder = makeTemporaryFolder();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const ready = { file: join(folder, basename(file)), refused: [], remove };
    await writeReady(call, file, ready);
    return ready;
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeReady(call: UploadCall, file: string, ready: Ready): Promise<void> {
  const { readItems } = await import("../../jobs/items.ts");
  const { createWriteStream } = await import("node:fs");
  const { pipeline } = await import("node:stream/promises");
  const uploads = new TakenUploads(call, file, ready.refused);
  async function* lines(): AsyncIterable<string> {
    for await (const { text } of readItems(file, { signal: call.signal }))
      yield `${text.includes(".files/") ? await uploads.replaceIn(text) : text}\n`;
  }
  await pipeline(lines, createWriteStream(ready.file, { flags: "wx", mode: 0o600 }), { signal: call.signal });
}

class TakenUploads {
  readonly #call: UploadCall;
  readonly #file: string;
  readonly #refused: Unused[];
  readonly #composer: ReturnType<Core["composer"]>;

  constructor(call: UploadCall, file: string, refused: Unused[]) {
    this.#call = call;
    this.#file = file;
    this.#refused = refused;
    this.#composer = call.core.composer({ cid: "" }, { transient: true });
  }

  /** The item with the addresses of the uploaded files; what is no message with attachments stays as it is. */
  async replaceIn(text: string): Promise<string> {
    const { parseBounded } = await import("../../wire/bounded-json.ts");
    const item = parseBounded(text, "item");
    const data = isObject(item) && item.type === "message" ? item.data : undefined;
    if (!isObject(data) || !Array.isArray(data.attachments)) return text;
    const before = await this.#storedAttachments(String(data.id));
    const attachments: Attachment[] = [];
    for (const [n, one] of (data.attachments as Attachment[]).entries())
      attachments.push(await this.#replaced(one, before[n]));
    return JSON.stringify({ ...(item as object), data: { ...data, attachments } });
  }

  /** An import that is repeated does not upload its files again. */
  async #storedAttachments(id: string): Promise<Attachment[]> {
    try {
      return (await this.#call.core.call("getMessage", { path: { id } })).message.attachments ?? [];
    } catch (error) {
      if ((error as { status?: number }).status === 404) return [];
      throw error;
    }
  }

  async #replaced(one: Attachment, stored: Attachment | undefined): Promise<Attachment> {
    const { takenFile } = await import("../../jobs/foreign/base/taken-files.ts");
    const path = takenFile(one?.image_url ?? one?.asset_url, this.#file);
    if (path === undefined) return one;
    if (stored && stored.title === one.title && (stored.image_url ?? stored.asset_url)) return stored;
    const { image_url: _, asset_url: __, ...rest } = one;
    const uploaded = await this.#upload(path);
    return { ...uploaded, ...rest, ...(uploaded.type ? { type: uploaded.type } : {}) };
  }

  /** The attachment of the uploaded file; empty if the provider does not accept it. */
  async #upload(path: string): Promise<Attachment> {
    const { lstat } = await import("node:fs/promises");
    const { dirname } = await import("node:path");
    const folder = await lstat(dirname(path)).catch(() => undefined);
    const info = await lstat(path).catch(() => undefined);
    // A link could lead to any file of this machine.
    if (!folder?.isDirectory() || !info?.isFile())
      throw new CommandError(
        "rejected",
        `${path} is missing.`,
        "Convert the export again, and keep the folder of its files.",
      );
    try {
      const [upload] = await uploadAndAttach(this.#call, this.#composer, [path]);
      return upload!.attachment;
    } catch (error) {
      const { upload } = error as { upload?: { state: string; reason?: string } };
      if (upload?.state !== "blocked") throw error;
      this.#refused.push({
        kind: "file",
        reason: `${path}: ${blockedWhy(upload.reason ?? "")}`,
        count: 1,
        lost: true,
      });
      return {};
    } finally {
      this.#composer.clear();
    }
  }
}
