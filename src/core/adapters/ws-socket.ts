/** The socket port over ws: text frames up to the accepted limit, no compression, exactly one close. */
import https from "node:https";
import { WebSocket } from "ws";
import { ACCEPTED_FRAME_LIMIT, CLOSE_WAIT } from "../../wire/constants.ts";
import { failureFacts } from "../../model/transport.ts";
import { PortFailure, type Socket, type SocketHandlers, type SocketPort } from "../base/ports.ts";
import { PlainPorts } from "./tls-port.ts";

/** Bytes read of the body of a refused upgrade. */
const REFUSAL_LIMIT = 64 * 1024;
/** Milliseconds to wait for the body of a refused upgrade. */
const REFUSAL_WAIT = 1000;

const OPTIONS: WebSocket.ClientOptions & { closeTimeout: number } = {
  maxPayload: ACCEPTED_FRAME_LIMIT,
  perMessageDeflate: false,
  closeTimeout: CLOSE_WAIT,
  followRedirects: false,
};

export function createWsSocket(): SocketPort {
  const ports = new PlainPorts();
  return (url: string, handlers: SocketHandlers): Socket => {
    // Without an agent ws would connect directly; the global agent uses the proxy.
    const socket = new WebSocket(
      url,
      /^wss:/i.test(url) ? { ...OPTIONS, agent: https.globalAgent } : OPTIONS,
    );
    let closed = false;
    let opened = false;
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
      const finish = (): void => {
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
      response.once("close", finish);
      response.on("error", () => undefined);
    });
    // A close always follows an error. The error's text may contain the URL, so only its facts are passed on.
    let explained = Promise.resolve();
    const explain = async (error: Error): Promise<void> => {
      const { kind, reason, neverSent, system, obstacle } = failureFacts(error, opened || undefined);
      const failure = new PortFailure(kind, reason, neverSent, system, obstacle);
      const explanation = opened ? failure : await ports.explain(url, failure);
      if (!closed) handlers.failed?.(explanation);
    };
    socket.on("open", () => (opened = true));
    socket.on("error", (error) => (explained = explain(error)));
    socket.on("close", (code, reason) => void explained.then(() => close(code, reason.toString("utf8"))));
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text, () => undefined);
      },
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
    };
  };
}
