/** JSON-RPC 2.0 over lines: answers requests of the other side and waits for answers to ours. */
import { type InputStream, type OutputStream, readLines } from "../../base/stdio.ts";
import { isObject } from "../../../wire/json-object.ts";

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

type Fault = NonNullable<Message["error"]>;

const NO_MESSAGE: Fault = { code: CODES.invalid, message: "A message is a JSON object." };
const NO_BATCHES: Fault = {
  code: CODES.invalid,
  message: "Batches are not taken in this version of the protocol: send one message a line.",
};

/** An error that answers no request that could be told. */
const unasked = (error: Fault): Message => ({ id: null as never, error });

export const noMethod = (method: string): RpcError =>
  new RpcError(CODES.method, `There is no method ${method}.`);
export const badParams = (why: string): RpcError => new RpcError(CODES.params, why);

/** Answers a request; `signal` is aborted when the other side takes it back. */
type Handler = (method: string, params: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;

export class Peer {
  readonly #out: OutputStream;
  readonly #running = new Map<string | number, AbortController>();
  readonly #waiting = new Map<string | number, PromiseWithResolvers<unknown>>();
  #asked = 0;
  /** Whether several messages may come as one list; one version of the protocol alone has them. */
  takesBatches = false;

  constructor(out: OutputStream) {
    this.#out = out;
  }

  /** Until the input ends; what runs then is called off. */
  async serve(input: InputStream, signal: AbortSignal, handle: Handler): Promise<void> {
    const running = new Set<Promise<void>>();
    for await (const line of readLines(input, signal)) {
      if (line.trim() === "") continue;
      const done = this.#line(line, handle).finally(() => running.delete(done));
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

  async #line(line: string, handle: Handler): Promise<void> {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#put(unasked({ code: CODES.parse, message: "That is not JSON." }));
    }
    if (!Array.isArray(value) || value.length === 0) return this.#put(await this.#take(value, handle));
    if (!this.takesBatches) return this.#put(unasked(NO_BATCHES));
    const answers = await Promise.all(value.map((one) => this.#take(one, handle)));
    this.#put(answers.filter((one) => one !== undefined));
  }

  /** The answer of one message, where it wants one. */
  async #take(message: unknown, handle: Handler): Promise<Message | undefined> {
    if (!isObject(message)) return unasked(NO_MESSAGE);
    const { id, method, ...rest } = message as Message;
    if (method === undefined) return void this.#settle({ id, ...rest });
    const params = isObject(rest.params) ? rest.params : {};
    if (method === "notifications/cancelled")
      return void this.#running.get(params.requestId as string | number)?.abort();
    if (id === undefined) return undefined;
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      return { id, result: await handle(method, params, abort.signal) };
    } catch (error) {
      // Whoever took a request back waits for no answer.
      if (abort.signal.aborted) return undefined;
      const code = error instanceof RpcError ? error.code : CODES.inside;
      return { id, error: { code, message: (error as Error).message } };
    } finally {
      this.#running.delete(id);
    }
  }

  #settle({ id, result, error }: Message): void {
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  /** One message, or the answers of a batch; nothing where nobody wants an answer. */
  #put(messages: Message | readonly Message[] | undefined): void {
    if (messages === undefined) return;
    const whole = (one: Message): Message => ({ jsonrpc: "2.0", ...one });
    if (!Array.isArray(messages))
      return void this.#out.write(`${JSON.stringify(whole(messages as Message))}\n`);
    if (messages.length > 0) this.#out.write(`${JSON.stringify(messages.map(whole))}\n`);
  }
}
