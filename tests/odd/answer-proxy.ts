/** A proxy between a home and its provider that changes answers and events, answers in the provider's place, or breaks them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { parseObject } from "../../src/wire/json-object.ts";
import type { Home } from "../support/home.ts";

export interface AnswerProxy {
  url: string;
  close(): void;
}

/** A call on its way, with the query and body that it asks with. */
export interface ProxiedCall {
  method: string;
  url: URL;
  body: string;
}

export interface ProxiedAnswer {
  status: number;
  text: string;
  headers?: Record<string, string>;
  /** The connection ends after so many characters. */
  cutAt?: number;
  /** Milliseconds before it is sent. */
  wait?: number;
}

export interface Ways {
  /** Changes the JSON of an answer. */
  write?(answer: Record<string, unknown>): void;
  /** The status of a call that does not reach the provider. */
  refuse?(call: ProxiedCall): number | undefined;
  /** Answers in the provider's place, which then does not get the call. */
  instead?(call: ProxiedCall): ProxiedAnswer | undefined;
  /** Replaces the provider's answer. */
  after?(answer: ProxiedAnswer, call: ProxiedCall): ProxiedAnswer;
  /** The events that are delivered in place of one. */
  event?(event: Record<string, unknown>): unknown[];
}

const pause = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));

async function callOf(request: IncomingMessage, target: string): Promise<ProxiedCall & { bytes: Buffer }> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  return { method: request.method!, url: new URL(request.url!, target), body: bytes.toString(), bytes };
}

/** Headers that belong to one connection. */
const OF_CONNECTION = new Set([
  "host",
  "connection",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "keep-alive",
]);
const passedOn = (headers: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.has(name))) as Record<string, string>;

async function forward(
  { method, url, bytes }: ProxiedCall & { bytes: Buffer },
  headers: IncomingMessage["headers"],
): Promise<ProxiedAnswer & { bytes: Buffer }> {
  const hasBody = method !== "GET" && method !== "DELETE";
  const init = { method, headers: passedOn(Object.entries(headers)), redirect: "manual" as const };
  const answer = await fetch(url, { ...init, ...(hasBody && { body: new Uint8Array(bytes) }) });
  const raw = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, text: raw.toString(), bytes: raw, headers: passedOn(answer.headers) };
}

function written(answer: ProxiedAnswer, write: Ways["write"]): ProxiedAnswer {
  const value = write && answer.status < 300 ? parseObject(answer.text) : undefined;
  if (!value) return answer;
  write!(value);
  return { ...answer, text: JSON.stringify(value) };
}

async function reply(response: ServerResponse, answer: ProxiedAnswer, raw?: Buffer): Promise<void> {
  const { status, text, headers = {}, cutAt, wait } = answer;
  if (wait !== undefined) await pause(wait);
  if (cutAt === undefined)
    return void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(raw?.toString() === text ? raw : text);
  response.writeHead(status, { "content-type": "application/json", "content-length": text.length + 1 });
  response.write(text.slice(0, cutAt), () => response.socket?.destroy());
}

/** Joins the sockets of a client and of the provider. */
function joinSockets(server: Server, target: string, ways: Ways): WebSocketServer {
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (client: WebSocket, { url }: IncomingMessage) => {
    const provider = new WebSocket(new URL(url!, target.replace(/^http/, "ws")));
    const early: string[] = [];
    client.on("message", (data) =>
      provider.readyState === provider.OPEN ? provider.send(String(data)) : early.push(String(data)),
    );
    provider.on("open", () => early.forEach((frame) => provider.send(frame)));
    provider.on("message", (data) => {
      const event = ways.event ? parseObject(String(data)) : undefined;
      for (const each of event ? ways.event!(event).map((one) => JSON.stringify(one)) : [String(data)])
        client.send(each);
    });
    for (const [from, to] of [
      [client, provider],
      [provider, client],
    ] as const)
      from.on("error", () => undefined).on("close", () => to.terminate());
  });
  return sockets;
}

/** Starts the proxy in front of a provider. */
export async function startProxy(target: string, ways: Ways): Promise<AnswerProxy> {
  const links = new Set<Socket>();
  const server = createServer(async (request, response) => {
    try {
      const call = await callOf(request, target);
      const refused = ways.refuse?.(call);
      if (refused !== undefined) return void response.writeHead(refused).end("refused on the way");
      const instead = ways.instead?.(call);
      if (instead) return void (await reply(response, instead));
      const answer = await forward(call, request.headers);
      const changed = written(answer, ways.write);
      await reply(response, ways.after?.(changed, call) ?? changed, answer.bytes);
    } catch {
      response.socket?.destroy();
    }
  });
  server.on("connection", (link: Socket) => void links.add(link.once("close", () => links.delete(link))));
  const sockets = joinSockets(server, target, ways);
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    sockets.close();
    server.close();
    for (const link of links) link.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Starts the proxy and makes the profile `odd`, which is ana behind it, the current one. */
export async function startAnswerProxy(home: Home, ways: Ways): Promise<AnswerProxy> {
  const { url, apiKey } = home.provider()!;
  const proxy = await startProxy(url, ways);
  const { out: token } = await home.sh("parley user token ana");
  const login = `parley login odd --url ${proxy.url} --key ${apiKey} --with-token --no-test`;
  const { code, err } = await home.sh(`printf %s '${token.trim()}' | ${login}`);
  if (code !== 0) throw new Error(err);
  return proxy;
}
