/** A proxy between the commands of a home and its provider that writes answers otherwise, or refuses calls. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseObject } from "../../src/wire/json-object.ts";
import type { Home } from "../support/home.ts";

export interface AnswerProxy {
  close(): void;
}

interface Ways {
  /** Changes the JSON of an answer. */
  write?(answer: Record<string, unknown>): void;
  /** The status of a call that does not reach the provider. */
  refuse?(call: { url: URL; body: string }): number | undefined;
}

/** Starts the proxy and makes the profile `odd`, which is ana behind it, the current one. */
export async function startAnswerProxy(home: Home, { write, refuse }: Ways): Promise<AnswerProxy> {
  const { url: target, apiKey } = home.provider()!;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString();
    const url = new URL(request.url!, target);
    const refused = refuse?.({ url, body });
    if (refused !== undefined) return void response.writeHead(refused).end("refused on the way");
    const { host: _host, "content-length": _length, connection: _connection, ...headers } = request.headers;
    const hasBody = request.method !== "GET" && request.method !== "DELETE";
    const answer = await fetch(url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(hasBody && { body }),
    });
    const text = await answer.text();
    const value = answer.ok ? parseObject(text) : undefined;
    if (value) write?.(value);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(value ? JSON.stringify(value) : text);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { out: token } = await home.sh("parley user token ana");
  const login = `parley login odd --url ${own} --key ${apiKey} --with-token --no-test`;
  const { code, err } = await home.sh(`printf %s '${token.trim()}' | ${login}`);
  if (code !== 0) throw new Error(err);
  return { close: () => void server.close() };
}
