/** JSON-RPC 2.0 over lines: answers requests of the other side and waits for answers to ours. */
import type { Input, Output } from "../../base/stdio.ts";
import { readLines } from "../../base/stdio.ts";
import { isObject, parseObject } from "../../../wire/json-object.ts";

interface Message {
  jsonrpc?: "2.0";
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** An answer that is an error of the protocol itself. */
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
  inside: -32_603,
} as const;

/** What is wrong with a line that holds no message. */
function faultOf(line: string): NonNullable<Message["error"]> {
  try {
    return {
      code: CODES.invalid,
      message: Array.isArray(JSON.parse(line))
        ? "Batches are not taken: send one message a line."
        : "A message is a JSON object.",
    };
  } catch {
    return { code: CODES.parse, message: "That is not JSON." };
  }
}

export const noMethod = (method: string): RpcError =>
  new RpcError(CODES.method, `There is no method ${method}.`);
export const badParams = (why: string): RpcError => new RpcError(CODES.params, why);

/** Answers a request; `signal` is aborted when the other side takes it back. */
type Handler = (method: string, params: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;

export class Peer {
  readonly #out: Output;
  readonly #running = new Map<string | number, AbortController>();
  readonly #waiting = new Map<string | number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Until the input ends; what runs then is called off. */
  async serve(input: Input, signal: AbortSignal, handle: Handler): Promise<void> {
    const running = new Set<Promise<void>>();
    for await (const line of readLines(input, signal)) {
      if (line.trim() === "") continue;
      const done = this.#take(line, handle).finally(() => running.delete(done));
      running.add(done);
    }
    for (const one of this.#running.values()) one.abort();
    for (const { reject } of this.#waiting.values()) reject(new Error("The other side has gone."));
    await Promise.allSettled(running);
  }

  notify(method: string, params: object): void {
    this.#put({ method, params: params as Record<string, unknown> });
  }

  /** A request of ours; rejects when it is answered with an error. */
  ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const id = `parley-${++this.#asked}`;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const stop = (): void => answer.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#put({ id, method, params: params as Record<string, unknown> });
    return answer.promise.finally(() => {
      signal.removeEventListener("abort", stop);
      this.#waiting.delete(id);
    });
  }

  async #take(line: string, handle: Handler): Promise<void> {
    const message = parseObject(line) as Message | undefined;
    if (message === undefined) return this.#put({ id: null as never, error: faultOf(line) });
    const { id, method } = message;
    if (method === undefined) return this.#settle(message);
    const params = isObject(message.params) ? message.params : {};
    if (method === "notifications/cancelled")
      return void this.#running.get(params.requestId as string | number)?.abort();
    if (id === undefined) return undefined;
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      this.#put({ id, result: await handle(method, params, abort.signal) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : CODES.inside;
      // Whoever took a request back waits for no answer.
      if (!abort.signal.aborted) this.#put({ id, error: { code, message: (error as Error).message } });
    } finally {
      this.#running.delete(id);
    }
  }

  #settle({ id, result, error }: Message): void {
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  #put(message: Message): void {
    this.#out.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
