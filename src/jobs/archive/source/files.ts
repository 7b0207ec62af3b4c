/** Serves the files of an archive to this machine, so that what shows, plays, saves or opens an attachment finds them. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream";
import { filesFolder, type OpenArchive } from "../open.ts";
import type { ArchivedFile } from "../read.ts";

interface FileServer {
  host: string;
  addressOf(file: Pick<ArchivedFile, "hash" | "name">): string;
  close(): void;
}

/** Whatever a file is, a browser neither runs it nor takes it for another kind. */
const HARMLESS = { "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox" };

/** The address cannot be guessed, so that no page and no other person of this machine reads the files. */
function answer(
  { folder, db }: OpenArchive,
  secret: string,
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
): void {
  const [, given, hash = ""] = url.split("/");
  const file =
    method === "GET" && given === secret
      ? db.prepare("SELECT hash, bytes, mime FROM files WHERE hash = ?").get(hash)
      : undefined;
  if (!file) return void response.writeHead(404).end();
  const content = createReadStream(path.join(filesFolder(folder), String(file.hash)));
  content.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(404).end()));
  content.once("open", () => {
    const type = String(file.mime || "application/octet-stream");
    response.writeHead(200, { ...HARMLESS, "Content-Type": type, "Content-Length": Number(file.bytes) });
    pipeline(content, response, () => {});
  });
}

/** Undefined for an archive without files. */
export async function serveFiles(archive: OpenArchive): Promise<FileServer | undefined> {
  if (archive.db.prepare("SELECT 1 FROM files").get() === undefined) return undefined;
  const secret = randomUUID();
  const server = createServer((request, response) => answer(archive, secret, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    addressOf: ({ hash, name }) => `http://${host}/${secret}/${hash}/${encodeURIComponent(name ?? "file")}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
