/** A webhook receiver on this machine: records every request and answers as the test sets. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- looked into by every test in its own way
  json: any;
}

type Answer = { status?: number; json?: unknown; text?: string; never?: boolean };

export class Listener {
  readonly received: ReceivedRequest[] = [];
  answer: (posted: ReceivedRequest) => Answer = () => ({});
  #server: http.Server;
  #wake: (() => void)[] = [];

  constructor() {
    this.#server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts);
        const posted = {
          path: request.url!,
          headers: request.headers,
          body,
          json: JSON.parse(body.toString("utf8")),
        };
        this.received.push(posted);
        const { status = 200, json, text, never } = this.answer(posted);
        this.#wake.splice(0).forEach((wake) => wake());
        if (never) return;
        response.writeHead(status, status === 302 ? { Location: "http://192.0.2.1/" } : {});
        response.end(text ?? (json === undefined ? "" : JSON.stringify(json)));
      });
    });
  }

  async open(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits for a request that fits; if none comes, the test's time limit ends the wait. */
  async until(fits: (posted: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    for (;;) {
      const found = this.received.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
