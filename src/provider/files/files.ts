/** Uploaded files: receives, records, deletes and serves them. */
import { cidOfPath } from "../base/channel-path.ts";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { UPLOADS_PER_USER } from "../../wire/constants.ts";
import type { Fields } from "../../wire/json-object.ts";
import {
  ApiProblem,
  type RouteCall,
  type Handler,
  type HandlersOf,
  type Reply,
  type UploadRoute,
} from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";
import { readApp } from "../store/app-settings.ts";
import { parseJson } from "../base/json.ts";
import type { Domain } from "../base/ports.ts";
import type { Database } from "../base/database.ts";
import { PART_SUFFIX, removeUnfinished, sendFile } from "./disk.ts";
import { gifAt } from "./gifs.ts";
import { receive, requireSize, type ReceivedFile } from "./multipart.ts";
import {
  checkConfig,
  storedFileName,
  cleanMimeType,
  detectType,
  isImageUpload,
  isMedia,
  sizeLimit,
} from "./rules.ts";
import { checkSizes } from "./upload-sizes.ts";
import type { Signer } from "./sign.ts";
import { actingUser } from "../base/acting-user.ts";

const PATH = /^\/files\/([\da-f]{8}-[\da-f-]{27})\/([^/]+)$/;

interface FilesContext {
  folder: string;
  db: Database;
  domain: Pick<Domain, "requireUpload" | "canDeleteUpload">;
  signer: Signer;
  uuid(): string;
  now(): number;
  reportError(error: unknown): void;
}

/** The channel of the path, if the route has one; code 4 for an invalid type or id. */
const cidOf = ({ path }: RouteCall): string | undefined =>
  path.type === undefined ? undefined : cidOfPath(path);

const isImageRoute = ({ name }: RouteCall): boolean =>
  name === "uploadImage" || name === "uploadChannelImage";

type Transact = <T>(run: () => T) => Promise<T>;
type UploadReply = Omit<Reply<UploadRoute>, "duration">;

/** The file that a dry run announces in place of its bytes. Throws as for a received one. */
function announced(
  { name, mime_type, size }: Fields,
  accept: (name: string, mimeType: string) => number,
): ReceivedFile {
  if (typeof name !== "string" || typeof size !== "number") throw invalidField("file", "is required");
  const mimeType = detectType(name, typeof mime_type === "string" ? mime_type : undefined, new Uint8Array());
  requireSize(size, accept(name, mimeType));
  return { name, mimeType, size, fields: {} };
}

export class Files {
  readonly #context: FilesContext;
  /** The uploads that are being received, by user. */
  readonly #running = new Map<string, number>();

  constructor(context: FilesContext) {
    this.#context = context;
    mkdirSync(context.folder, { recursive: true, mode: 0o700 });
    removeUnfinished(context.folder);
  }

  #record(
    cid: string | undefined,
    userId: string | undefined,
    id: string,
    file: {
      name: string;
      mimeType: string;
      size: number;
    },
  ): string {
    const { db, now, signer } = this.#context;
    const storedPath = `/files/${id}/${encodeURIComponent(file.name)}`;
    db.run(
      "INSERT INTO upload (path, cid, user_id, mime_type, size, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      storedPath,
      cid ?? null,
      userId ?? null,
      file.mimeType,
      file.size,
      now(),
    );
    return signer.sign(storedPath);
  }

  /**
   * Receives one upload. `transact` runs the synchronous parts in the shared transaction: the permission check before a byte is
   * read, and the record once the last byte is on disk.
   */
  async upload(call: RouteCall, request: IncomingMessage, transact: Transact): Promise<UploadReply> {
    const id = this.#context.uuid();
    const target = path.join(this.#context.folder, id);
    const part = target + PART_SUFFIX;
    return this.#allowed(call, transact, async () => {
      const received = await receive(request, part, this.#acceptor(call));
      try {
        return await this.#recorded(call, received, transact, { id, ready: () => rename(part, target) });
      } catch (error) {
        await rm(target, { force: true });
        await rm(part, { force: true });
        throw error;
      }
    });
  }

  /** A dry run of an upload: checks and records it in transactions that are undone; of a form the bytes are counted, else the size is believed. */
  async tryUpload(call: RouteCall, sent: IncomingMessage | Fields, transact: Transact): Promise<UploadReply> {
    return this.#allowed(call, transact, async () => {
      const accept = this.#acceptor(call);
      const received =
        sent instanceof IncomingMessage ? await receive(sent, undefined, accept) : announced(sent, accept);
      return this.#recorded(call, received, transact, { id: this.#context.uuid() });
    });
  }

  /** Runs an upload once it is known that the caller may send files there. */
  async #allowed(call: RouteCall, transact: Transact, run: () => Promise<UploadReply>): Promise<UploadReply> {
    const cid = cidOf(call);
    if (call.caller.kind === "anonymous") throw ApiProblem.notAllowed("anonymous users cannot upload");
    if (cid !== undefined) await transact(() => this.#context.domain.requireUpload(call, cid));
    return this.#counted(call.caller.kind === "user" ? call.caller.userId : undefined, run);
  }

  /** Runs an upload as one of its sender's; a server may send any number. */
  async #counted<T>(sender: string | undefined, run: () => Promise<T>): Promise<T> {
    if (sender === undefined) return run();
    const running = this.#running.get(sender) ?? 0;
    if (running >= UPLOADS_PER_USER)
      throw ApiProblem.rateLimit(`a user may send at most ${UPLOADS_PER_USER} files at the same time`);
    this.#running.set(sender, running + 1);
    try {
      return await run();
    } finally {
      const left = this.#running.get(sender)! - 1;
      if (left > 0) this.#running.set(sender, left);
      else this.#running.delete(sender);
    }
  }

  /** Checks name and type of the file, and returns the most bytes it may have. */
  #acceptor(call: RouteCall): (name: string, type: string) => number {
    const app = readApp(this.#context.db);
    const image = isImageRoute(call);
    return (name, type) => {
      const mimeType = cleanMimeType(type);
      const clean = storedFileName(name);
      if (image && !isImageUpload(clean, mimeType))
        throw invalidField("file", "is not an image", "only images may be uploaded here");
      const config =
        mimeType.startsWith("image/") || image ? app.image_upload_config : app.file_upload_config;
      checkConfig(config, clean, mimeType);
      return sizeLimit(config);
    };
  }

  /** Checks the fields beside the file, and records it once it is `ready`. */
  async #recorded(
    call: RouteCall,
    { name, mimeType, size, fields }: ReceivedFile,
    transact: Transact,
    { id, ready }: { id: string; ready?: () => Promise<void> },
  ): Promise<UploadReply> {
    const sizes = isImageRoute(call) ? fields.upload_sizes : undefined;
    const owner = ownerOf(call, fields.user);
    if (sizes !== undefined) checkSizes(sizes);
    await ready?.();
    const file = await transact(() =>
      this.#record(cidOf(call), owner, id, {
        name: storedFileName(name),
        mimeType: cleanMimeType(mimeType),
        size,
      }),
    );
    // Images are never resized here, so the answer lists no produced sizes.
    return { file, ...(sizes === undefined ? {} : { upload_sizes: [] }) };
  }

  /** Stores bytes made inside the provider; call inside a transaction. */
  store(cid: string, name: string, mimeType: string, bytes: Uint8Array): string {
    const id = this.#context.uuid();
    writeFileSync(path.join(this.#context.folder, id), bytes, { mode: 0o600, flag: "wx", flush: true });
    return this.#record(cid, undefined, id, { name: storedFileName(name), mimeType, size: bytes.length });
  }

  /** Deletes the record (UP-6); the caller removes the bytes after the commit. */
  #delete(call: RouteCall): { reply: Reply<"deleteFile">; storedPath: string } {
    const { db, domain } = this.#context;
    const cid = cidOf(call);
    const isModerator = cid !== undefined && domain.canDeleteUpload(call, cid);
    if (!call.query.url?.trim()) throw invalidField("url", "is required");
    const storedPath = pathOf(call.query.url);
    const row =
      storedPath === undefined
        ? undefined
        : db.get<{ cid: string | null; user_id: string | null }>(
            "SELECT cid, user_id FROM upload WHERE path = ?",
            storedPath,
          );
    if (!row || storedPath === undefined || row.cid !== (cid ?? null))
      throw ApiProblem.notFound("no such file");
    const { kind, userId } = call.caller;
    const allowed = isModerator || kind === "server" || (kind === "user" && row.user_id === userId);
    if (!allowed) throw ApiProblem.notAllowed("only the uploader or a moderator may delete a file");
    db.run("DELETE FROM upload WHERE path = ?", storedPath);
    return { reply: {}, storedPath };
  }

  /** Removes the bytes in the next turn. A crash before that leaves a file without a record, which no address reaches. */
  discard(storedPath: string): void {
    setImmediate(() => this.#removeBytes(storedPath));
  }

  /** Removes the bytes unless the record still exists, which means that the commit failed. */
  #removeBytes(storedPath: string): void {
    const { db, folder, reportError } = this.#context;
    try {
      if (db.has("SELECT 1 FROM upload WHERE path = ?", storedPath)) return;
      rmSync(path.join(folder, PATH.exec(storedPath)![1]!), { force: true });
    } catch (error) {
      reportError(error);
    }
  }

  handlers(): HandlersOf<"deleteFile" | "deleteImage" | "deleteChannelFile" | "deleteChannelImage"> {
    const remove: Handler<"deleteFile"> = (call) => {
      const { reply, storedPath } = this.#delete(call);
      this.discard(storedPath);
      return reply;
    };
    return {
      deleteFile: remove,
      deleteImage: remove,
      deleteChannelFile: remove,
      deleteChannelImage: remove,
    };
  }

  /** Serves a signed address: 403 for a forged or expired one, 404 for a deleted file. Needs no token (specification/embedded-provider.md §2). */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<void> {
    const gif = gifAt(pathname);
    if (gif) {
      response.writeHead(200, {
        ...headers,
        "Content-Type": "image/gif",
        "Content-Length": gif.length,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "public, max-age=86400, immutable",
      });
      return void response.end(request.method === "HEAD" ? undefined : gif);
    }
    const { signer, db, folder } = this.#context;
    signer.requireSigned(pathname, query);
    const row = db.get<{ mime_type: string; size: number }>(
      "SELECT mime_type, size FROM upload WHERE path = ?",
      pathname,
    );
    const parts = PATH.exec(pathname);
    if (!row || !parts) throw ApiProblem.notFound("no such file");
    const file = path.join(folder, parts[1]!);
    await sendFile(request, response, file, {
      ...headers,
      "Content-Type": row.mime_type,
      "Content-Disposition": `${isMedia(row.mime_type) ? "inline" : "attachment"}; filename*=UTF-8''${strictEncode(parts[2]!)}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": "private, max-age=86400",
    });
  }
}

/** The owner of the file; a server names the user in the part `user` or in the query. */
function ownerOf(call: RouteCall, part: string | undefined): string | undefined {
  if (call.caller.kind !== "server") return call.caller.userId;
  try {
    return actingUser({ user: parseJson(part ?? "") }, call.query);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    throw invalidField("user", "is not a user", "user must be a JSON object with an id");
  }
}

/** Also escapes `'()*!`, which encodeURIComponent leaves but RFC 8187 does not allow in a header value. */
function strictEncode(encoded: string): string {
  return encoded.replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The stored path of a file address; host and signature do not matter. */
function pathOf(url: string): string | undefined {
  const storedPath = /^(?:https?:\/\/[^/?#]+)?(\/files\/[^/?#]+\/[^/?#]+)/.exec(url)?.[1];
  return storedPath && PATH.test(storedPath) ? storedPath : undefined;
}
