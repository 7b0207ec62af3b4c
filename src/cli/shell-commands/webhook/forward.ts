/** Forwards received webhooks: to one address, or by event type to those of a file; each address gets each webhook once. */
import { readObjectFile } from "../../../commands/base/json.ts";
import { ExitError } from "../../base/exit.ts";
import type { Received } from "./received.ts";

/** Addresses that are tried for events of a type: `message.new`, `message.*` or `*`. */
interface Target {
  types: string;
  url: string;
}

/** How an address answered. */
interface Forwarded {
  url: string;
  status: number;
}

/** `localhost:3000/h`, `127.0.0.1:3000`: an address without http:// before it. */
const HOST = /^(?:localhost(?=[:/]|$)|[\w.-]+(?=:\d)|\[[\da-f:]+\](?=:\d))(?::\d+)?(?:\/|$)/i;
/** `3000`, `:3000/h`: on this machine. */
const PORT = /^:?\d+(?:\/|$)/;

function addressOf(text: string): string | undefined {
  const local = PORT.test(text) ? `localhost:${text.replace(/^:/, "")}` : text;
  const url = URL.parse(HOST.test(local) ? `http://${local}` : local);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Throws `ExitError` 2 for an address that nothing can be forwarded to. */
export function forwardAddress(text: string, where = "--forward-to must be"): string {
  const address = addressOf(text);
  if (address !== undefined) return address;
  throw new ExitError(2, `${where} an http or https address, not '${text}'.`);
}

/** The targets of the flags. Throws `ExitError` 2 for an address, `CommandError` for a file that cannot be read. */
export async function readTargets(
  forwardTo: string | undefined,
  forwardFile: string | undefined,
): Promise<Target[]> {
  const all = forwardTo === undefined ? [] : [{ types: "*", url: forwardAddress(forwardTo) }];
  if (forwardFile === undefined) return all;
  const file = await readObjectFile({}, forwardFile);
  const listed = Object.entries(file).flatMap(([types, value]) =>
    [value].flat().map((text) => ({
      types,
      url: forwardAddress(String(text), `${forwardFile}: the value of ${types} must be`),
    })),
  );
  const wrong = listed.find(({ types }) => !/^(?:\*|[\w.]+(?:\.\*)?)$/.test(types));
  if (wrong)
    throw new ExitError(
      2,
      `${forwardFile}: '${wrong.types}' is no event type.`,
      "Write message.new, message.* or *.",
    );
  if (listed.length === 0) throw new ExitError(2, `${forwardFile} names no address.`);
  return [...all, ...listed];
}

function matches(types: string, type: string): boolean {
  return types === "*" || types === type || (types.endsWith(".*") && type.startsWith(types.slice(0, -1)));
}

const isAccepted = (status: number): boolean => status >= 200 && status <= 299;

/** The status for the provider: the first refusal, since a 2xx would end its tries. */
export const worstStatus = (forwarded: readonly Forwarded[]): number | undefined =>
  (forwarded.find(({ status }) => !isAccepted(status)) ?? forwarded[0])?.status;

/** Webhooks whose answers are remembered; the provider gives up on a webhook long before. */
const REMEMBERED = 10_000;

export class Forwarder {
  readonly #targets: readonly Target[];
  /** Deliveries that run or need no other try, by address and id. */
  readonly #sent = new Map<string, Promise<number>>();

  constructor(targets: readonly Target[]) {
    this.#targets = targets;
  }

  /**
   * Forwards to every address that wants this type. The provider repeats a webhook that is not answered in time: a
   * repeated one waits for the answer to the first, and goes only to addresses that have refused it or were not reached.
   */
  async forward(received: Received, type: string): Promise<Forwarded[]> {
    const urls = this.#targets.filter(({ types }) => matches(types, type)).map(({ url }) => url);
    return Promise.all(
      [...new Set(urls)].map(async (url) => ({ url, status: await this.#deliver(url, received) })),
    );
  }

  #deliver(url: string, received: Received): Promise<number> {
    if (received.id === "") return forwardReceived(url, received);
    const key = `${url} ${received.id}`;
    return this.#sent.get(key) ?? this.#first(key, url, received);
  }

  #first(key: string, url: string, received: Received): Promise<number> {
    const sending = forwardReceived(url, received);
    this.#sent.set(key, sending);
    if (this.#sent.size > REMEMBERED) this.#sent.delete(this.#sent.keys().next().value!);
    void sending.then((status) => {
      if (!isAccepted(status) && status !== NO_ANSWER) this.#sent.delete(key);
    });
    return sending;
  }
}

/** Time limit for the answer to a forwarded webhook, ms. */
const ANSWER_MS = 60_000;
/** The status of a receiver that has not answered in time; it may still be at work. */
const NO_ANSWER = 504;

/** Forwards a webhook and returns the status of the answer: 504 on timeout, 502 if the connection fails. */
export async function forwardReceived(
  url: string,
  { headers, body }: Pick<Received, "headers" | "body">,
): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body: Buffer.from(body, "base64"),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return (error as Error).name === "TimeoutError" ? NO_ANSWER : 502;
  }
}
