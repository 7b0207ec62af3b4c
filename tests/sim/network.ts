/** A seeded network between one simulated client and the simulated provider: losses at any point, delays, duplicates, silence. */
import {
  PortFailure,
  type HttpReply,
  type HttpRequest,
  type RequestPort,
  type Socket,
  type SocketHandlers,
  type SocketPort,
} from "../../src/core/base/ports.ts";
import type { Packet } from "../../src/provider/realtime/hub.ts";
import type { Dice } from "../support/seeded.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";
import { match } from "../../src/wire/endpoints/match.ts";
import type { SimProvider, SimSocket } from "./provider.ts";

export type CallFault =
  /** No connection is made, so nothing is sent. */
  | "refused"
  | "requestLost"
  /** The request arrives long after the client has given up. */
  | "requestLate"
  | "replyLost"
  | "replyHangs"
  | "replyCut"
  | "badGateway"
  | "badGatewayAfter"
  | "internal"
  | "tooMany";

export const CALL_FAULTS: readonly CallFault[] = [
  "refused",
  "requestLost",
  "requestLate",
  "replyLost",
  "replyHangs",
  "replyCut",
  "badGateway",
  "badGatewayAfter",
  "internal",
  "tooMany",
];

const html = (status: number): HttpReply => ({
  status,
  headers: { "content-type": "text/html" },
  text: `<!doctype html><title>${status}</title><h1>gateway</h1>`,
});

interface Pipe {
  broke(code: number): void;
  /** Neither end receives anything any more. */
  mute(): void;
}

/** Random choices by name and number: an extra request of one kind changes nothing for the other kinds. */
class Luck {
  readonly #dice: Dice;
  readonly #counts = new Map<string, number>();

  constructor(random: Dice) {
    this.#dice = random;
  }

  next(kind: string): { name: string; dice: Dice } {
    const n = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, n);
    const name = `${kind} ${n}`;
    return { name, dice: this.#dice.fork(name) };
  }
}

/** The operation of a request, without the ids in its path. */
function operationOf({ method, url }: HttpRequest): string {
  const { pathname, searchParams } = new URL(url);
  const found = match(method, pathname);
  const name = found.kind === "found" ? found.name : pathname;
  if (name !== "longPoll") return name;
  return searchParams.has("close") ? "longPoll close" : searchParams.has("json") ? "longPoll open" : name;
}

/** The request for a provider that supports neither idempotency keys nor event counts. */
function forgotten(request: HttpRequest): HttpRequest {
  const { "idempotency-key": _key, ...headers } = request.headers;
  const url = new URL(request.url);
  url.searchParams.delete("after");
  return { ...request, headers, url: url.href };
}

export class SimNetwork {
  readonly #clock: VirtualClock;
  readonly #luck: Luck;
  readonly #provider: SimProvider;
  readonly #given: Record<string, CallFault>;
  /** Faults of calls so far, by operation and number. */
  readonly happened: Record<string, CallFault> = {};
  readonly #pipes = new Set<Pipe>();
  /** False once the program was killed: it neither sends nor receives, and what is left of it must come to an end. */
  alive = true;
  /** Probability of a fault in one call. */
  trouble = 0;
  /** Faults of the next calls; used before random ones. */
  readonly queued: CallFault[] = [];
  /** Nothing gets through; calls are refused. */
  cut = false;
  /** WebSockets are refused, HTTP works. */
  socketsBlocked = false;
  /** Probability that a frame arrives twice. */
  doubles = 0;
  /** The provider supports nothing outside the protocol. */
  forgetful = false;
  /** Maximum milliseconds in one direction. */
  latency = 20;
  /** Number of faults that happened. */
  count = 0;

  constructor(
    clock: VirtualClock,
    random: Dice,
    provider: SimProvider,
    given: Record<string, CallFault> = {},
  ) {
    this.#clock = clock;
    this.#luck = new Luck(random);
    this.#provider = provider;
    this.#given = given;
  }

  get #isDark(): boolean {
    return this.cut || !this.alive;
  }

  #way(luck: Dice): number {
    return 1 + luck.below(this.latency);
  }
  #sleep(ms: number): Promise<void> {
    return new Promise((done) => this.#clock.setTimeout(done, ms));
  }

  /** Breaks or silences every WebSocket of this client. */
  breakSockets(how: "reset" | "silence" | number): void {
    this.count += 1;
    for (const pipe of this.#pipes) {
      if (how === "silence") pipe.mute();
      else pipe.broke(how === "reset" ? 1006 : how);
    }
  }

  readonly request: RequestPort = (request) =>
    new Promise<HttpReply>((resolve, reject) => {
      let over = false;
      let hangUp: (() => void) | undefined;
      const end = (run: () => void): void => {
        if (over) return;
        over = true;
        this.#clock.clearTimeout(timer);
        run();
      };
      const fail = (kind: PortFailure["kind"], neverSent = false): void =>
        end(() => {
          hangUp?.();
          reject(new PortFailure(kind, `simulated ${kind}`, neverSent));
        });
      const timer =
        request.timeout > 0 ? this.#clock.setTimeout(() => fail("timeout"), request.timeout) : undefined;
      if (request.signal?.aborted) return fail("abort");
      request.signal?.addEventListener("abort", () => fail("abort"));
      void this.#carry(request, {
        reply: (reply) => end(() => resolve(reply)),
        fail,
        over: () => over,
        hangs: (hang) => (hangUp = hang),
      });
    });

  #faultOf({ name, dice: luck }: ReturnType<Luck["next"]>): CallFault | undefined {
    const chance = luck.chance(this.trouble);
    const drawn = luck.pick(CALL_FAULTS);
    const fault = this.queued.shift() ?? this.#given[name] ?? (chance ? drawn : undefined);
    if (!fault) return undefined;
    this.happened[name] = fault;
    this.count += 1;
    return fault;
  }

  async #carry(
    request: HttpRequest,
    call: {
      reply(reply: HttpReply): void;
      fail(kind: PortFailure["kind"], neverSent?: boolean): void;
      over(): boolean;
      hangs(hang: () => void): void;
    },
  ): Promise<void> {
    const drawn = this.#luck.next(operationOf(request));
    const luck = drawn.dice;
    const fault = this.#faultOf(drawn);
    const provider = this.#provider;
    await this.#sleep(this.#way(luck));
    if (this.#isDark || fault === "refused") return call.fail("network", true);
    if (fault === "requestLost") return call.fail("network");
    if (fault === "badGateway") return call.reply(html(502));
    if (fault === "internal")
      return call.reply({ status: 500, headers: {}, text: '{"code":-1,"message":"internal"}' });
    if (fault === "tooMany")
      return call.reply({
        status: 429,
        headers: {
          "x-ratelimit-limit": "1",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": String(Math.ceil(this.#clock.now() / 1000) + 1 + luck.below(5)),
        },
        text: '{"code":9,"message":"too many","StatusCode":429}',
      });
    if (fault === "requestLate") await this.#sleep(3000 + luck.below(9000));
    const run = provider.run;
    const reply = await provider.handle(this.forgetful ? forgotten(request) : request, call.hangs);
    await this.#sleep(this.#way(luck));
    // The provider died before its reply left, or the network was cut meanwhile.
    if (!provider.lives(run) || this.#isDark) return call.fail("network");
    switch (fault) {
      case "replyLost":
        return call.fail("network");
      case "replyHangs":
        return request.timeout > 0 ? undefined : call.fail("network");
      case "replyCut":
        return call.reply({ ...reply, text: reply.text.slice(0, luck.below(reply.text.length)) });
      case "badGatewayAfter":
        return call.reply(html(502));
      default:
        return call.reply(reply);
    }
  }

  readonly socket: SocketPort = (url: string, handlers: SocketHandlers): Socket => {
    const provider = this.#provider;
    const clock = this.#clock;
    let open = true;
    let muted = false;
    /** Frames keep their order, whatever the delay of each. */
    let due = 0;
    let upDue = 0;
    const luck = this.#luck.next("socket").dice;
    const hear = (run: () => void): void => {
      due = Math.max(due, clock.monotonic() + this.#way(luck));
      clock.setTimeout(() => this.alive && open && !muted && run(), due - clock.monotonic());
    };
    const tell = (run: () => void): void => {
      upDue = Math.max(upDue, clock.monotonic() + this.#way(luck));
      clock.setTimeout(() => !muted && run(), upDue - clock.monotonic());
    };
    const closed = (code: number): void => {
      if (!open) return;
      open = false;
      this.#pipes.delete(pipe);
      handlers.close(code, "");
    };
    const link: SimSocket = {
      connection: undefined,
      backlog: 0,
      send: (packet: Packet) => {
        const times = luck.chance(this.doubles) ? 2 : 1;
        for (let n = 0; n < times; n++) hear(() => handlers.message(packet.text));
      },
      close: (code = 1006, error) => {
        if (error !== undefined) hear(() => handlers.message(error));
        hear(() => closed(code));
        provider.ended(link);
      },
      broke: () => hear(() => closed(1006)),
    };
    const pipe: Pipe = {
      broke: (code) => {
        closed(code);
        provider.ended(link);
      },
      mute: () => {
        muted = true;
        // The provider closes connections that are silent for too long.
        clock.setTimeout(() => provider.ended(link), 60_000);
      },
    };
    this.#pipes.add(pipe);
    tell(() => {
      if (!open) return;
      if (this.#isDark || this.socketsBlocked) return closed(1006);
      void provider.connect(url, link);
    });
    return {
      send: (text) => tell(() => open && text.includes("health.check") && provider.pong(link)),
      close: (code) => {
        if (!muted) tell(() => provider.ended(link));
        clock.setTimeout(() => closed(code), 2);
      },
      terminate: () => {
        if (!muted) tell(() => provider.ended(link));
        clock.setTimeout(() => closed(1006), 1);
      },
    };
  };

  /** The client's process is gone. */
  kill(): void {
    this.alive = false;
    for (const pipe of this.#pipes) pipe.broke(1006);
    this.#pipes.clear();
  }
}
