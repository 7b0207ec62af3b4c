/** An archive in the place of a provider: answers the reading calls of a client from the archive's tables, in this process. */
import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { HttpReply, RequestPort, SocketHandlers, SocketPort } from "../../../core/base/ports.ts";
import { storageKind } from "../../../model/files/storage.ts";
import type { EndpointName } from "../../../wire/endpoints/index.ts";
import { splitCid } from "../../../wire/ids.ts";
import { match } from "../../../wire/endpoints/match.ts";
import { CODES, INPUT_ERROR, NOT_ALLOWED, NOT_FOUND, type Code } from "../../../wire/errors.ts";
import { parseObject, type Fields } from "../../../wire/json-object.ts";
import type { OwnUser } from "../../../wire/entities/user.ts";
import type { OpenArchive } from "../open.ts";
import { ANSWERS } from "./answers.ts";
import { archivedMessage } from "./messages.ts";
import { serveFiles } from "./files.ts";
import { Shelf } from "./shelf.ts";

/** What a client needs to read an archive. */
export interface ArchiveSource {
  /** Whose archive it is, or a reader where that is nobody in it. */
  user: { id: string; name?: string };
  /** `host:port` of the files that are in the archive; absent without any. */
  fileHost?: string;
  /** The rows that could not be read so far. */
  damaged: ReadonlySet<string>;
  request: RequestPort;
  socket: SocketPort;
  close(): void;
}

/** A call that is refused, with its reason. */
const refusal = (code: Code, reason: string): HttpReply => {
  const { status } = CODES[code];
  return { status, headers: {}, text: JSON.stringify({ code, message: reason, StatusCode: status }) };
};

/** Only what another run holds up is worth another try. */
function failure(error: unknown, folder: string): HttpReply {
  const kind = storageKind(error);
  if (kind === "busy") return refusal(-1, `${folder} is being written by another run.`);
  if (kind === "damaged")
    return refusal(INPUT_ERROR, `${folder} is damaged: see parley archive verify ${folder}`);
  return refusal(INPUT_ERROR, `${folder} cannot be read: ${(error as Error).message}`);
}

/** The parameters of a request: its path, its query or the payload in it, and its body. */
function parametersOf(url: URL, path: Record<string, string>, body: unknown): Fields {
  const query = Object.fromEntries(url.searchParams);
  const payload = parseObject(query.payload ?? "{}") ?? {};
  return { ...query, ...payload, ...(typeof body === "string" && parseObject(body)), ...path };
}

function answering(shelf: Shelf, folder: string): RequestPort {
  return async ({ method, url: address, body }) => {
    const url = new URL(address);
    const found = match(method, url.pathname);
    if (found.kind !== "found") return refusal(NOT_FOUND, "The protocol has no such call.");
    const answer = ANSWERS[found.name as EndpointName];
    if (!answer)
      return found.row.safe
        ? refusal(NOT_FOUND, "An archive does not have this.")
        : refusal(NOT_ALLOWED, "An archive is only read: nothing is sent or changed.");
    // What has come so far is drawn before the next is read.
    await turn();
    try {
      const result = await answer(shelf, parametersOf(url, found.path, body));
      if (result === undefined) return refusal(NOT_FOUND, `${folder} does not have this.`);
      return { status: 200, headers: {}, text: JSON.stringify({ ...result, duration: "0ms" }) };
    } catch (error) {
      return failure(error, folder);
    }
  };
}

/** Connections on which nothing happens but what is sent to them. */
function quietSockets(me: OwnUser): { socket: SocketPort; send(event: object): void } {
  const open = new Set<SocketHandlers>();
  const now = (): string => new Date().toISOString();
  return {
    send(event) {
      for (const { message } of open) message(JSON.stringify({ created_at: now(), ...event }));
    },
    socket(_url, handlers) {
      const id = randomUUID();
      const beat = (more: object): void =>
        void setImmediate(() => {
          const event = { type: "health.check", cid: "*", connection_id: id, created_at: now(), ...more };
          if (open.has(handlers)) handlers.message(JSON.stringify(event));
        });
      const close = (code: number, reason = ""): void => {
        if (open.delete(handlers)) setImmediate(() => handlers.close(code, reason));
      };
      open.add(handlers);
      beat({ me });
      return { send: () => beat({}), close, terminate: () => close(1006) };
    },
  };
}

/** The screen is shown before all messages are looked through for pins, ms. */
const PINS_DELAY = 500;

/** Looks for the pinned messages, and tells of each as of one that was just pinned. */
function tellPins(shelf: Shelf, send: (event: object) => void): void {
  const tell = (id: string): void => {
    const message = archivedMessage(shelf, id);
    if (!message?.pinned) return;
    const { cid, user } = message;
    send({
      type: "message.updated",
      cid,
      channel_type: splitCid(cid)?.type,
      channel_id: splitCid(cid)?.id,
      message,
      user,
    });
  };
  // What cannot be read is told by the calls that read it.
  const start = (): void => void shelf.pins.find(shelf.db, tell).catch(() => undefined);
  setTimeout(start, PINS_DELAY).unref();
}

/** Takes no lock: a run may go on writing meanwhile. Close it before the archive. */
export async function openArchiveSource(archive: OpenArchive): Promise<ArchiveSource> {
  const files = await serveFiles(archive);
  const shelf = new Shelf(archive.db, files?.addressOf);
  const { id, name } = shelf.me;
  const { socket, send } = quietSockets(shelf.ownUser());
  tellPins(shelf, send);
  return {
    user: { id, ...(name !== undefined && { name }) },
    ...(files && { fileHost: files.host }),
    damaged: shelf.reader.rows.damaged,
    request: answering(shelf, archive.folder),
    socket,
    close() {
      shelf.pins.stop();
      files?.close();
    },
  };
}
