/** Every fault between a program and its provider: how it begins, how it ends, and whether the program must notice it at once. */
import type { FaultProxy, RequestFault } from "./fault-proxy.ts";
import { spread } from "./proof.ts";
import { CUT_FRAME, ODD_FRAMES, WRONG_FRAMES, closeFrame } from "./wrong-frames.ts";

/** The parts that a fault acts on: the program's proxy, and the provider process. */
export interface Scene {
  proxy: FaultProxy;
  /** SIGSTOP and SIGCONT. */
  stopProvider(on: boolean): void;
}

export interface Fault {
  begin(scene: Scene): unknown;
  end(scene: Scene): unknown;
  /** `ends`: the connection breaks and the screen shows it; `silent`: only a missing answer reveals it; `none`: everything keeps working. */
  shows: "ends" | "silent" | "none";
}

const nothing = (): void => undefined;

const answer = (status: number, headers = "", type = "application/json", body?: string): RequestFault => ({
  kind: "answer",
  status,
  type,
  headers,
  body: body ?? JSON.stringify({ code: status === 429 ? 9 : -1, message: "injected", StatusCode: status }),
  after: false,
});

/** Every request gets this fault, and open connections are reset. */
const always = (fault: RequestFault): Fault => ({
  begin({ proxy }) {
    proxy.always = fault;
    proxy.drop("reset");
  },
  end: ({ proxy }) => (proxy.always = undefined),
  shows: "ends",
});

const injected = (bytes: Buffer, how?: "reset" | "fin"): Fault => ({
  begin: ({ proxy }) => proxy.inject(bytes, how),
  end: nothing,
  shows: "ends",
});

/** RFC 6455 §7.4: codes a peer may send, codes it may not, and the ranges for libraries and applications. */
export const CLOSE_CODES = [
  ...Array.from({ length: 16 }, (_, n) => 1000 + n),
  1999,
  2999,
  3000,
  3999,
  ...Array.from({ length: 10 }, (_, n) => 4000 + n),
  4401,
  4999,
  0,
  999,
  5000,
  65_535,
];

const HTML = "<!doctype html><title>Sign in</title><h1>Welcome to the hotel</h1>";

/** Values that no client may obey literally. */
const RETRY_AFTER = ["99999999999", "-1", "soon", "Wed, 21 Oct 2099 07:28:00 GMT", "0", "1e9"];

export const FAULTS: Readonly<Record<string, Fault>> = {
  "connections are reset": {
    begin({ proxy }) {
      proxy.refuses = true;
      proxy.drop("reset");
    },
    end: ({ proxy }) => (proxy.refuses = false),
    shows: "ends",
  },
  "connections are refused": {
    begin: ({ proxy }) => proxy.stop(),
    end: ({ proxy }) => proxy.listen(),
    shows: "ends",
  },
  "a black hole": {
    begin: ({ proxy }) => (proxy.hole = true),
    end: ({ proxy }) => (proxy.hole = false),
    shows: "silent",
  },
  "half open: nothing arrives there": {
    begin: ({ proxy }) => (proxy.deaf = "up"),
    end: ({ proxy }) => (proxy.deaf = undefined),
    shows: "silent",
  },
  "half open: nothing arrives here": {
    begin: ({ proxy }) => (proxy.deaf = "down"),
    end: ({ proxy }) => (proxy.deaf = undefined),
    shows: "silent",
  },
  ...Object.fromEntries(Object.entries(WRONG_FRAMES).map(([name, bytes]) => [name, injected(bytes)])),
  "a frame that is cut off": injected(CUT_FRAME, "fin"),
  "frames that mean nothing": { ...injected(Buffer.concat(ODD_FRAMES)), shows: "none" },
  ...Object.fromEntries(CLOSE_CODES.map((code) => [`close code ${code}`, injected(closeFrame(code))])),
  "500 for everything": always(answer(500)),
  "503 without a body": always(answer(503, "", "text/plain", "")),
  ...Object.fromEntries(
    RETRY_AFTER.map((value) => [
      `429 with Retry-After ${value}`,
      always(answer(429, `Retry-After: ${value}\r\nX-RateLimit-Reset: ${value}\r\n`)),
    ]),
  ),
  "a page of HTML for everything": always(answer(200, "", "text/html", HTML)),
  "an empty object for everything": always(answer(200, "", "application/json", "{}")),
  "what is no JSON": always(answer(200, "", "application/json", '{"channel":')),
  "a redirect to elsewhere": always(answer(302, "Location: http://127.0.0.1:9/\r\n", "text/html", "")),
  "every answer is reset in the middle": {
    ...always({ kind: "cut", direction: "down", at: 120, how: "reset" }),
    shows: "ends",
  },
  "every request is reset in the middle": always({ kind: "cut", direction: "up", at: 120, how: "reset" }),
  "the work is done and every answer is lost": {
    begin: ({ proxy }) => (proxy.always = { kind: "hang" }),
    end({ proxy }) {
      proxy.always = undefined;
      proxy.drop("reset");
    },
    // The socket still delivers events, also those of the user's own messages.
    shows: "none",
  },
  "everything comes twice": {
    begin: ({ proxy }) => (proxy.twice = true),
    end: ({ proxy }) => (proxy.twice = false),
    shows: "none",
  },
  slow: {
    begin: ({ proxy }) => (proxy.latency = 250),
    end: ({ proxy }) => (proxy.latency = 0),
    shows: "none",
  },
  "a byte at a time": {
    begin: ({ proxy }) => (proxy.slices = true),
    end: ({ proxy }) => (proxy.slices = false),
    shows: "none",
  },
  flapping: {
    begin({ proxy }) {
      const timer = setInterval(() => proxy.drop("reset"), 300);
      flaps.set(proxy, timer);
    },
    end: ({ proxy }) => clearInterval(flaps.get(proxy)),
    shows: "ends",
  },
  "WebSockets do not get through": {
    begin({ proxy }) {
      proxy.socketsBlocked = true;
      proxy.drop("reset", true);
    },
    end: ({ proxy }) => (proxy.socketsBlocked = false),
    shows: "none",
  },
  "the provider is stopped": {
    begin: (scene) => scene.stopProvider(true),
    end: (scene) => scene.stopProvider(false),
    shows: "silent",
  },
};

/** Groups of similar faults, of which the suite takes one of each. */
const KINDS = [/^close code /, /^429 /, new RegExp(`^(${Object.keys(WRONG_FRAMES).join("|")})$`)];

/** Names of all faults in the proof; in the suite one of each group and `others` of the rest. */
export function chosenFaults(others: number): string[] {
  const names = Object.keys(FAULTS);
  const kind = (name: string): RegExp | undefined => KINDS.find((one) => one.test(name));
  return [...KINDS, undefined].flatMap((one) =>
    spread(
      names.filter((name) => kind(name) === one),
      one ? 1 : others,
    ),
  );
}

const flaps = new WeakMap<FaultProxy, NodeJS.Timeout>();
