/** A stand-in for an embedded provider: it proves that it knows the folder's secret and then behaves as the test wants. */
import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

export interface StandIn {
  readonly url: string;
  /** All requests except those of the proof: `METHOD /path`. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** Above every possible process id, so that no signal reaches anybody. */
const NO_PROCESS = 99_999_999;

type Answer = (request: IncomingMessage, response: ServerResponse, at: string) => void;

/** Writes an address file that points to the stand-in; other files in the folder stay. */
export async function standIn(
  folder: string,
  answer: Answer,
  more: Record<string, unknown> = {},
): Promise<StandIn> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secretFile = path.join(folder, "secret");
  let secret = randomBytes(32).toString("base64url");
  try {
    secret = readFileSync(secretFile, "utf8").trim();
  } catch {
    writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 });
  }
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    const at = new URL(request.url ?? "/", "http://x").pathname;
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      if (at === "/hi") return void response.end("{}");
      if (at === "/_local/prove") {
        const { nonce } = JSON.parse(body) as { nonce: string };
        const proof = createHmac("sha256", secret).update(`parley prove\n${nonce}`).digest("hex");
        return void response.end(JSON.stringify({ proof, pid: NO_PROCESS }));
      }
      seen.push(`${request.method} ${at}`);
      answer(request, response, at);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    path.join(folder, "provider.json"),
    JSON.stringify({
      url,
      pid: NO_PROCESS,
      api_key: "local_x",
      secret_file: secretFile,
      version: "999.0.0",
      ...more,
    }),
    { mode: 0o600 },
  );
  return {
    url,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
