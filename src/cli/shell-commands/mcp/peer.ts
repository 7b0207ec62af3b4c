/** JSON-RPC 2.0 over lines, in both directions. */
import { type InputStream, type OutputStream, readLines } from "../../base/stdio.ts";
import { isObject } from "../../../wire/json-object.ts";
import { parseBounded } from "../../../wire/bounded-json.ts";

interface Message {
  jsonrpc?: "2.0";
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** An error answered with a JSON-RPC error code. */
class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
  }
}

const CODES = {
  parse: -32_700,
  invalid: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const;

type Fault = NonNullable<Message["error"]>;

const INVALID_MESSAGE: Fault = { code: CODES.invalid, message: "A message is a JSON object." };
const NO_BATCHES: Fault = {
  code: CODES.invalid,
  message: "This version of the protocol has no batches: send one message per line.",
};

const INVALID_REQUEST: Fault = {
  code: CODES.invalid,
  message: "The method of a message is a text, and the id of a request a text or a number.",
};

const isId = (id: unknown): boolean => typeof id === "string" || typeof id === "number";

/** An error answer to a message without a readable id. */
const unidentified = (error: Fault): Message => ({ id: null as never, error });

export const noMethod = (method: string): RpcError =>
  new RpcError(CODES.method, `There is no method ${method}.`);
export const badParams = (reason: string): RpcError => new RpcError(CODES.params, reason);

/** Answers a request; `signal` aborts when the other side cancels it. */
type Handler = (method: string, params: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;

export class Peer {
  readonly #out: OutputStream;
  readonly #running = new Map<string | number, AbortController>();
  readonly #pending = new Map<string | number, PromiseWithResolvers<unknown>>();
  #requests = 0;
  /** Accepts several messages as one list, which only one version of the protocol has. */
  acceptsBatches = false;

  constructor(out: OutputStream) {
    this.#out = out;
  }

  /** Serves until the input ends, then aborts running requests. */
  async serve(input: InputStream, signal: AbortSignal, handle: Handler): Promise<void> {
    const running = new Set<Promise<void>>();
    for await (const line of readLines(input, signal)) {
      if (line.trim() === "") continue;
      const done = this.#handleLine(line, handle).finally(() => running.delete(done));
      running.add(done);
    }
    for (const one of this.#running.values()) one.abort();
    for (const { reject } of this.#pending.values()) reject(new Error("The other side has gone."));
    await Promise.allSettled(running);
  }

  notify(method: string, params: object): void {
    this.#send({ method, params: params as Record<string, unknown> });
  }

  /** Sends a request; rejects when it is answered with an error. */
  request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const id = `parley-${++this.#requests}`;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    const onAbort = (): void => answer.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#send({ id, method, params: params as Record<string, unknown> });
    return answer.promise.finally(() => {
      signal.removeEventListener("abort", onAbort);
      this.#pending.delete(id);
    });
  }

  async #handleLine(line: string, handle: Handler): Promise<void> {
    const value = parseBounded(line, "item");
    if (value === undefined) {
      return this.#send(unidentified({ code: CODES.parse, message: "That is not JSON." }));
    }
    if (!Array.isArray(value) || value.length === 0)
      return this.#send(await this.#handleMessage(value, handle));
    if (!this.acceptsBatches) return this.#send(unidentified(NO_BATCHES));
    const answers = await Promise.all(value.map((one) => this.#handleMessage(one, handle)));
    this.#send(answers.filter((one) => one !== undefined));
  }

  /** Handles one message and returns its answer, if it expects one. */
  async #handleMessage(message: unknown, handle: Handler): Promise<Message | undefined> {
    if (!isObject(message)) return unidentified(INVALID_MESSAGE);
    const { id, method, ...rest } = message as Message;
    if (method === undefined) return void this.#settle({ id, ...rest });
    if (typeof method !== "string" || (id !== undefined && !isId(id)))
      return { ...unidentified(INVALID_REQUEST), ...(isId(id) && { id: id! }) };
    const params = isObject(rest.params) ? rest.params : {};
    if (method === "notifications/cancelled")
      return void this.#running.get(params.requestId as string | number)?.abort();
    if (id === undefined) return undefined;
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      if ((rest.params ?? undefined) !== undefined && !isObject(rest.params))
        throw badParams("params must be an object.");
      return { id, result: await handle(method, params, abort.signal) };
    } catch (error) {
      // A cancelled request gets no answer.
      if (abort.signal.aborted) return undefined;
      const code = error instanceof RpcError ? error.code : CODES.internal;
      return { id, error: { code, message: (error as Error).message } };
    } finally {
      this.#running.delete(id);
    }
  }

  #settle({ id, result, error }: Message): void {
    const answer = id === undefined ? undefined : this.#pending.get(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  /** Sends a message or the answers of a batch; undefined or an empty batch sends nothing. */
  #send(messages: Message | readonly Message[] | undefined): void {
    if (messages === undefined) return;
    const withVersion = (one: Message): Message => ({ jsonrpc: "2.0", ...one });
    if (!Array.isArray(messages))
      return void this.#out.write(`${JSON.stringify(withVersion(messages as Message))}\n`);
    if (messages.length > 0) this.#out.write(`${JSON.stringify(messages.map(withVersion))}\n`);
  }
}
