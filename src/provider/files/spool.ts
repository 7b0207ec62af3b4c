/** The files of exports and imports: on disk for the jobs, and under signed addresses for clients. */
import {
  closeSync,
  mkdirSync,
  rmSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { IMPORT_FILE_LIMIT, SPOOL_URL_LIFETIME_SECONDS } from "../../wire/constants.ts";
import { ApiProblem, type JobFiles, type SpoolKind } from "../base/handler.ts";
import { PART_SUFFIX, removeUnfinished, sendFile } from "./disk.ts";
import { FilePace, TOO_SLOW } from "./file-pace.ts";
import type { Signer } from "./sign.ts";

const NAME = /^[\da-f-]{36}(?:\.(?:json|jsonl|csv))?$/;
const PATHS: Record<SpoolKind, string> = { exports: "/exports/", imports: "/import_uploads/" };
const TYPES: Record<string, string> = {
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".csv": "text/csv; charset=utf-8",
};

export class SpoolFiles implements JobFiles {
  readonly #folder: string;
  readonly #signer: Signer;

  /** `folder` is the provider's data folder; a subfolder is created for each kind. */
  constructor(folder: string, signer: Signer) {
    this.#folder = folder;
    this.#signer = signer;
    for (const kind of ["exports", "imports"] as const) {
      const subfolder = path.join(folder, kind);
      mkdirSync(subfolder, { recursive: true, mode: 0o700 });
      removeUnfinished(subfolder);
    }
  }

  #file(kind: SpoolKind, name: string): string {
    if (!NAME.test(name)) throw new Error("not the name of a spooled file");
    return path.join(this.#folder, kind, name);
  }

  write(kind: SpoolKind, name: string, offset: number, text: string): number {
    const fd = openSync(this.#file(kind, name), offset === 0 ? "w" : "r+", 0o600);
    try {
      if (fstatSync(fd).size < offset) throw new Error("the spooled file is shorter than it was");
      ftruncateSync(fd, offset);
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length;)
        done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
      return offset + bytes.length;
    } finally {
      closeSync(fd);
    }
  }

  read(kind: SpoolKind, name: string, offset: number, length: number): Buffer {
    const fd = openSync(this.#file(kind, name), "r");
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
    } finally {
      closeSync(fd);
    }
  }

  size(kind: SpoolKind, name: string): number | undefined {
    return statSync(this.#file(kind, name), { throwIfNoEntry: false })?.size;
  }

  remove(kind: SpoolKind, name: string): void {
    rmSync(this.#file(kind, name), { force: true });
  }

  address(kind: SpoolKind, name: string, contents?: "users"): string {
    const prefix = contents === undefined ? "" : `${contents}/`;
    return this.#signer.signFor(PATHS[kind] + prefix + name, SPOOL_URL_LIFETIME_SECONDS);
  }

  kindOf(method: string, pathname: string): SpoolKind | undefined {
    if (pathname.startsWith(PATHS.exports))
      return method === "GET" || method === "HEAD" ? "exports" : undefined;
    return pathname.startsWith(PATHS.imports) && method === "PUT" ? "imports" : undefined;
  }

  /** The file name of a signed address: 403 for a forged or expired one, 404 for an invalid name. The signature replaces a token. */
  #signedName(kind: SpoolKind, pathname: string, query: Record<string, string>): string {
    this.#signer.requireSigned(pathname, query);
    const name = pathname.slice(PATHS[kind].length).replace(/^users\//, "");
    if (!NAME.test(name)) throw ApiProblem.notFound("no such file");
    return name;
  }

  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<void> {
    const file = this.#file("exports", this.#signedName("exports", pathname, query));
    await sendFile(request, response, file, {
      ...headers,
      "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
      "Content-Disposition": `attachment; filename="${path.basename(file)}"`,
      "Cache-Control": "private, no-store",
    });
  }

  /** Streams the body of a PUT to disk; 22 (413) above the limit, 4 when the file was uploaded already. */
  async receive(request: IncomingMessage, pathname: string, query: Record<string, string>): Promise<void> {
    const name = this.#signedName("imports", pathname, query);
    const target = this.#file("imports", name);
    const tooBig = (): ApiProblem => ApiProblem.tooBig(`an import may be at most ${IMPORT_FILE_LIMIT} bytes`);
    if (Number(request.headers["content-length"] ?? 0) > IMPORT_FILE_LIMIT) throw tooBig();
    if (this.size("imports", name) !== undefined) throw ApiProblem.input("this import was uploaded already");
    const part = `${target}${PART_SUFFIX}`;
    // With wx a second upload to the same address is refused instead of mixed in.
    const handle = await open(part, "wx", 0o600).catch(() => {
      throw ApiProblem.input("this import is being uploaded already");
    });
    const tooSlow = Promise.withResolvers<never>();
    const pace = new FilePace(() => tooSlow.reject(ApiProblem.timedOut(TOO_SLOW, { status: 408 })));
    tooSlow.promise.catch(() => {});
    try {
      let size = 0;
      const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
      // The server still reads the rest of a body that is refused half-way, so that the sender gets to the answer.
      for (;;) {
        const { done, value: piece } = await Promise.race([pieces.next(), tooSlow.promise]);
        if (done) break;
        pace.moved(piece.length);
        size += piece.length;
        if (size > IMPORT_FILE_LIMIT) throw tooBig();
        await handle.writeFile(piece);
      }
      await handle.sync();
    } catch (error) {
      await rm(part, { force: true });
      throw error instanceof ApiProblem
        ? error
        : ApiProblem.timedOut("the upload was cut off", { status: 408 });
    } finally {
      pace.stop();
      await handle.close();
    }
    await rename(part, target);
  }
}
