/** Finds out whether a plain connection broke because its port speaks TLS (specification/errors.md §3). */
import type { TLSSocket } from "node:tls";
import { ENCRYPTED_PORT } from "../../model/obstacles.ts";
import { PortFailure } from "../base/ports.ts";

/** How long the other side may take to speak TLS, milliseconds. */
const PROBE_TIME = 1000;

async function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const [{ connect }, { isIP }] = await Promise.all([import("node:tls"), import("node:net")]);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket: TLSSocket = connect({
    host,
    port: Number(port || 80),
    ...(isIP(host) === 0 && { servername: host }),
    // Nothing is sent: the question is whether there is a handshake, not with whom.
    rejectUnauthorized: false,
  });
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => socket.destroy(), PROBE_TIME);
    socket.once("secureConnect", () => {
      resolve(true);
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** Explains broken plain connections; each address is asked once, and never when it has answered before. */
export class PlainPorts {
  readonly #encrypted = new Map<string, Promise<boolean>>();

  /** It gave an answer that is no error of a TLS port, so it speaks HTTP. */
  answered(url: string): void {
    if (/^http:/i.test(url)) this.#encrypted.set(new URL(url).host, Promise.resolve(false));
  }

  /** The failure, or that the port of this `http` or `ws` address speaks TLS. */
  async explain(url: string, failure: PortFailure): Promise<PortFailure> {
    if (!/^(?:http|ws):/i.test(url) || failure.kind !== "network" || failure.neverSent) return failure;
    return (await this.isEncrypted(url))
      ? new PortFailure("network", ENCRYPTED_PORT.reason, true, failure.system, ENCRYPTED_PORT)
      : failure;
  }

  isEncrypted(url: string): Promise<boolean> {
    const address = new URL(url);
    const found = this.#encrypted.get(address.host) ?? speaksTls(address);
    this.#encrypted.set(address.host, found);
    return found;
  }
}
