/** Fetches and sends files: the whole may take any time, but it may not stand still for long (specification/security.md §1). */
import { UPLOAD_STALL } from "../wire/constants.ts";
import { TransportError, transportError } from "../model/transport.ts";

interface PatientRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Pieces of the body; `content-length` has to be among the headers. */
  body?: AsyncIterable<Uint8Array>;
  redirect?: "follow" | "error" | "manual";
  signal: AbortSignal;
  /** How long nothing may move, ms; default 30 s. */
  stall?: number;
}

export interface Fetched {
  response: Response;
  /** The body, once. Throws as `fetchPatiently`. */
  pieces(): AsyncGenerator<Uint8Array>;
}

/** Resolves for any status. Throws `TransportError` named after the operation, or the reason of the signal. */
export async function fetchPatiently(op: string, url: string, options: PatientRequest): Promise<Fetched> {
  const { body, signal, stall = UPLOAD_STALL, ...rest } = options;
  const still = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => still.abort(), stall);
  };
  const named = (error: unknown): unknown => {
    signal.throwIfAborted();
    return still.signal.aborted
      ? new TransportError("ETIMEDOUT", `${op} stood still for ${stall / 1000} s`)
      : transportError(op, error);
  };
  async function* sent(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      // Fetch would read on to the end of what it no longer sends.
      if (still.signal.aborted || signal.aborted) return;
      wait();
      yield piece;
    }
    wait();
  }
  async function* pieces(received: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    if (!received) return;
    const reader = received.getReader();
    try {
      for (;;) {
        // The time of the caller between two pieces does not count.
        wait();
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw named(error);
    } finally {
      clearTimeout(timer);
      await reader.cancel().catch(() => undefined);
    }
  }
  wait();
  try {
    const response = await fetch(url, {
      ...rest,
      ...(body && { body: sent(body) as unknown as BodyInit, duplex: "half" }),
      signal: AbortSignal.any([signal, still.signal]),
    });
    return { response, pieces: () => pieces(response.body) };
  } catch (error) {
    throw named(error);
  } finally {
    clearTimeout(timer);
  }
}
