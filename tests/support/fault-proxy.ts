/** A TCP proxy between core and provider that breaks connections in every way a network does, and only on demand. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export type Ending = "reset" | "fin";

export type RequestFault =
  /** The connection ends after this many bytes of the request or the reply. */
  | { kind: "cut"; direction: "up" | "down"; at: number; how: Ending }
  /** An injected answer instead of the provider's; `after` = the provider has processed the request. */
  | { kind: "answer"; status: number; type: string; body: string; headers?: string; after: boolean }
  /** The provider processes the request and the answer never arrives. */
  | { kind: "hang" };

/** Byte counts of one request. */
export interface Passed {
  line: string;
  up: number;
  down: number;
}

interface Exchange extends Passed {
  fault: RequestFault | undefined;
}

const REQUEST = /^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS) \S+/;
/** Bytes of one chunk that are sent one by one while slicing; the rest follows whole. */
const SLICED = 160;

export class FaultProxy {
  /** Port of the provider, read for each connection: it may come back on another one. */
  readonly #target: () => number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /** Faults for the next requests whose request line matches. */
  readonly armed: { match: RegExp; fault: RequestFault }[] = [];
  readonly passed: Passed[] = [];
  /** Delay of each chunk in milliseconds. */
  latency = 0;
  /** Bytes are sent one by one. */
  slices = false;
  /** WebSockets are refused while HTTP works. */
  socketsBlocked = false;
  /** Connections are reset as soon as they are accepted. */
  refuses = false;
  /** Fault of every request that has no other. */
  always: RequestFault | undefined;
  /** Everything from the provider is sent twice. */
  twice = false;
  #port = 0;
  #hole = false;
  #deaf: "up" | "down" | undefined;
  faults = 0;
  url = "";

  constructor(target: () => number) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** Listens on a free port the first time, later on the same port again. */
  async listen(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(this.#port, "127.0.0.1", done));
    this.#port = (this.#server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}`;
    return this;
  }
  get port(): number {
    return this.#port;
  }
  get target(): number {
    return this.#target();
  }
  get hole(): boolean {
    return this.#hole;
  }
  /** Silently blocks both directions; switching it off delivers what was held back. */
  set hole(on: boolean) {
    this.#hole = on;
    for (const pair of this.#pairs) pair.hold(on);
  }

  get deaf(): "up" | "down" | undefined {
    return this.#deaf;
  }
  /** Half open: bytes in this direction are silently lost, the other direction works; switching it off resets the connections that lost bytes. */
  set deaf(direction: "up" | "down" | undefined) {
    this.#deaf = direction;
    if (direction === undefined) for (const pair of this.#pairs) if (pair.lost > 0) pair.end("reset");
  }

  /** Sends these bytes to the client of every open WebSocket; with `how` the connection then ends. */
  inject(bytes: Buffer, how?: Ending): void {
    this.faults += 1;
    for (const pair of this.#pairs) if (pair.isSocket) pair.inject(bytes, how);
  }

  /** Stops listening until `listen` is called again: the system refuses connections. */
  async stop(): Promise<void> {
    this.faults += 1;
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.drop("reset");
    await closed;
  }

  arm(match: RegExp, fault: RequestFault): void {
    this.armed.push({ match, fault });
  }

  /** Ends every connection now; with `sockets` only WebSockets. */
  drop(how: Ending, sockets = false): void {
    this.faults += 1;
    for (const pair of this.#pairs) if (!sockets || pair.isSocket) pair.end(how);
  }

  /** Starts a request and chooses its fault. */
  begin(line: string): Exchange {
    const at = this.armed.findIndex(({ match }) => match.test(line));
    const fault = at < 0 ? this.always : this.armed.splice(at, 1)[0]!.fault;
    if (fault) this.faults += 1;
    const exchange: Exchange = { line, up: 0, down: 0, fault };
    this.passed.push(exchange);
    if (this.passed.length > 50) this.passed.shift();
    return exchange;
  }

  #accept(client: Socket): void {
    client.on("error", () => undefined);
    if (this.refuses) return void client.resetAndDestroy();
    const pair = new Pair(this, client, connect(this.#target(), "127.0.0.1"), () => this.#pairs.delete(pair));
    this.#pairs.add(pair);
    if (this.#hole) pair.hold(true);
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) pair.end("reset");
    if (this.#server.listening) await new Promise<void>((done) => this.#server.close(() => done()));
  }
}

class Pair {
  readonly #proxy: FaultProxy;
  readonly #client: Socket;
  readonly #provider: Socket;
  #exchange: Exchange | undefined;
  #over = false;
  readonly #gone: () => void;
  /** Chunks keep their order, whatever the delay of each. */
  #queue: Promise<void> = Promise.resolve();
  #back: Promise<void> = Promise.resolve();
  isSocket = false;
  /** Bytes that were dropped. */
  lost = 0;

  constructor(proxy: FaultProxy, client: Socket, provider: Socket, gone: () => void) {
    this.#proxy = proxy;
    this.#client = client;
    this.#provider = provider;
    this.#gone = gone;
    for (const socket of [client, provider]) {
      socket.setNoDelay(true);
      socket.on("error", () => this.end("reset"));
      socket.on("close", () => this.end("reset"));
    }
    client.on("data", (chunk: Buffer) => (this.#queue = this.#later(this.#queue, () => this.#up(chunk))));
    provider.on("data", (chunk: Buffer) => (this.#back = this.#later(this.#back, () => this.#down(chunk))));
    client.on("end", () => void this.#queue.then(() => provider.end()));
    provider.on("end", () => void this.#back.then(() => client.end()));
  }

  /** Without latency there is no extra turn, so that a cut falls exactly at its byte. */
  #later(before: Promise<void>, run: () => void): Promise<void> {
    const ms = this.#proxy.latency;
    const wait = async (): Promise<void> => {
      await before;
      if (ms) await new Promise((done) => setTimeout(done, ms));
      run();
    };
    return wait();
  }

  hold(on: boolean): void {
    for (const socket of [this.#client, this.#provider])
      if (on) socket.pause();
      else socket.resume();
  }

  end(how: Ending): void {
    if (this.#over) return;
    this.#over = true;
    if (how === "reset") {
      this.#client.resetAndDestroy();
      this.#provider.resetAndDestroy();
    } else {
      // Bytes already written arrive before the FIN.
      this.#client.destroySoon();
      this.#provider.destroySoon();
    }
    this.#gone();
  }

  inject(bytes: Buffer, how: Ending | undefined): void {
    this.#write(this.#client, bytes);
    if (how) this.end(how);
  }

  #write(to: Socket, chunk: Buffer): void {
    if (this.#over || to.destroyed || chunk.length === 0) return;
    const sliced = this.#proxy.slices ? Math.min(SLICED, chunk.length) : 0;
    for (let i = 0; i < sliced; i++) to.write(chunk.subarray(i, i + 1));
    if (sliced < chunk.length) to.write(chunk.subarray(sliced));
  }

  #up(raw: Buffer): void {
    if (this.#over) return;
    if (this.#proxy.deaf === "up") return void (this.lost += raw.length);
    const line = this.isSocket ? undefined : REQUEST.exec(raw.subarray(0, 300).toString("latin1"))?.[0];
    if (line) {
      if (/^GET \/connect\b/.test(line)) {
        if (this.#proxy.socketsBlocked) return this.end("reset");
        this.isSocket = true;
      }
      this.#exchange = this.#proxy.begin(line);
    }
    // Rewrites the host: the provider serves its own host name only.
    const chunk = this.isSocket || line ? this.#rename(raw) : raw;
    const exchange = this.#exchange;
    const fault = exchange?.fault;
    if (
      exchange &&
      fault?.kind === "cut" &&
      fault.direction === "up" &&
      exchange.up + chunk.length >= fault.at
    ) {
      this.#write(this.#provider, chunk.subarray(0, fault.at - exchange.up));
      return this.end(fault.how);
    }
    if (fault?.kind === "answer" && !fault.after) return this.#answer(fault);
    if (exchange) exchange.up += chunk.length;
    this.#write(this.#provider, chunk);
  }

  #down(chunk: Buffer): void {
    if (this.#over) return;
    if (this.#proxy.deaf === "down") return void (this.lost += chunk.length);
    const exchange = this.#exchange;
    const fault = exchange?.fault;
    if (fault?.kind === "hang") return;
    if (fault?.kind === "answer") return this.#answer(fault);
    if (
      exchange &&
      fault?.kind === "cut" &&
      fault.direction === "down" &&
      exchange.down + chunk.length >= fault.at
    ) {
      this.#write(this.#client, chunk.subarray(0, fault.at - exchange.down));
      return this.end(fault.how);
    }
    if (exchange) exchange.down += chunk.length;
    this.#write(this.#client, chunk);
    if (this.#proxy.twice) this.#write(this.#client, chunk);
  }

  #answer(fault: Extract<RequestFault, { kind: "answer" }>): void {
    const head = `HTTP/1.1 ${fault.status} Fault\r\nContent-Type: ${fault.type}\r\n${fault.headers ?? ""}`;
    this.#client.write(
      `${head}Content-Length: ${Buffer.byteLength(fault.body)}\r\nConnection: close\r\n\r\n${fault.body}`,
    );
    this.end("fin");
  }

  #rename(raw: Buffer): Buffer {
    const ours = `127.0.0.1:${this.#proxy.port}`;
    const at = raw.indexOf(ours);
    if (at < 0) return raw;
    const theirs = Buffer.from(`127.0.0.1:${this.#proxy.target}`);
    return Buffer.concat([raw.subarray(0, at), theirs, raw.subarray(at + ours.length)]);
  }
}
