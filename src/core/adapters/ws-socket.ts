/** The socket port over ws: text frames up to the accepted limit, no compression, one close whatever happens. */
import https from "node:https";
import { WebSocket } from "ws";
import { ACCEPTED_FRAME_LIMIT, CLOSE_WAIT } from "../../wire/constants.ts";
import { failureFacts } from "../../model/transport.ts";
import { PortFailure, type Socket, type SocketHandlers, type SocketPort } from "../base/ports.ts";

/** Bytes of a refused upgrade's body that are read. */
const REFUSAL_LIMIT = 64 * 1024;
/** Milliseconds for the rest of a refused upgrade's body. */
const REFUSAL_WAIT = 1000;

const OPTIONS: WebSocket.ClientOptions & { closeTimeout: number } = {
  maxPayload: ACCEPTED_FRAME_LIMIT,
  perMessageDeflate: false,
  closeTimeout: CLOSE_WAIT,
  followRedirects: false,
};

export function createWsSocket(): SocketPort {
  return (url: string, handlers: SocketHandlers): Socket => {
    // The library connects by itself where no agent is named; the process's own agent knows of proxies.
    const socket = new WebSocket(
      url,
      /^wss:/i.test(url) ? { ...OPTIONS, agent: https.globalAgent } : OPTIONS,
    );
    let closed = false;
    const close = (code: number, reason: string): void => {
      if (closed) return;
      closed = true;
      handlers.close(code, reason);
    };
    socket.on("message", (data: Buffer, isBinary) => {
      if (!isBinary && !closed) handlers.message(data.toString("utf8"));
    });
    socket.on("unexpected-response", (_request, response) => {
      let body = "";
      const done = (): void => {
        clearTimeout(timer);
        if (closed) return;
        handlers.refused?.(response.statusCode ?? 0, body);
        socket.terminate();
        close(1006, "");
      };
      const timer = setTimeout(() => response.destroy(), REFUSAL_WAIT);
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        body += chunk;
        if (body.length > REFUSAL_LIMIT) response.destroy();
      });
      response.once("close", done);
      response.on("error", () => undefined);
    });
    // An error is always followed by a close; its text may hold the address, the facts do not.
    socket.on("error", (error) => {
      const { kind, reason, neverSent, system, obstacle } = failureFacts(error);
      if (!closed) handlers.failed?.(new PortFailure(kind, reason, neverSent, system, obstacle));
    });
    socket.on("close", (code, reason) => close(code, reason.toString("utf8")));
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text, () => undefined);
      },
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
    };
  };
}
