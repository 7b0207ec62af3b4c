/** The provider on big data: the channel list and search over 10,000 channels with 1,000,000 messages, a page anywhere in a channel of 1,000,000. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { signToken } from "../../src/wire/token.ts";
import { bigData, MANY, ONE, RARE_WORDS, READER, type Size } from "./big-data.ts";
import { median } from "./measure.ts";
import type { Figure } from "./report.ts";
import { Stage } from "./stage.ts";

const ROUNDS = 40;

export async function run(): Promise<Figure[]> {
  return [...(await on(MANY, many)), ...(await on(ONE, one))];
}

/** Starts the built provider on an existing data folder; the only writes are those that reading causes. */
async function on(size: Size, measure: (reader: Reader) => Promise<Figure[]>): Promise<Figure[]> {
  const folder = bigData(size);
  const stage = new Stage();
  const place = path.join(stage.env.XDG_DATA_HOME!, "parley");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  symlinkSync(folder, path.join(place, "local"));
  stage.start();
  const reader = new Reader(stage);
  try {
    return await measure(reader);
  } finally {
    reader.end();
    await stage.end();
  }
}

const MINE = { members: { $in: [READER] } };

async function many(reader: Reader): Promise<Figure[]> {
  const list = await reader.time("list", () =>
    reader.ask("POST", "/channels", {
      body: {
        filter_conditions: MINE,
        sort: [{ field: "last_updated", direction: -1 }],
        limit: 30,
        message_limit: 25,
      },
    }),
  );
  const found = await reader.time("search", (n) =>
    reader.ask("GET", "/search", {
      payload: { filter_conditions: MINE, query: RARE_WORDS[n % RARE_WORDS.length], limit: 10 },
    }),
  );
  const memory = reader.memory();
  return [
    {
      name: "30 channels × 25 messages of 10,000 channels",
      unit: "ms",
      measured: list,
      budget: 50,
      scaled: true,
    },
    { name: "search of a word in 1,000,000 messages", unit: "ms", measured: found, budget: 50, scaled: true },
    { name: "memory of the provider there", unit: "MiB", measured: memory, budget: 200 },
  ];
}

async function one(reader: Reader): Promise<Figure[]> {
  const year = 300 * 86_400_000;
  const page = await reader.time(
    "page",
    (n) =>
      reader.ask("POST", "/channels/messaging/room-0/query", {
        body: {
          messages: {
            limit: 25,
            // Every round uses another position, alternating between recent and old.
            created_at_before: new Date(Date.UTC(2026, 0, 10) + ((n * 0.618) % 1) * year).toISOString(),
          },
        },
      }),
    ROUNDS * 3,
  );
  return [
    {
      name: "a page anywhere in a channel of 1,000,000",
      unit: "ms",
      measured: page,
      budget: 5,
      scaled: true,
    },
  ];
}

interface Asked {
  body?: unknown;
  payload?: unknown;
}

/** One client on one keep-alive connection, and the provider process it queries. */
class Reader {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  private readonly address: Stage["address"];
  private readonly token: string;

  constructor(stage: Stage) {
    this.address = stage.address;
    this.token = signToken({ user_id: READER }, this.address.secret);
  }

  /** Milliseconds from the request to the last byte of its response. */
  ask(method: string, route: string, { body, payload }: Asked = {}): Promise<number> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const query = new URLSearchParams({
      api_key: this.address.apiKey,
      user_id: READER,
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const request = http.request(
        `${this.address.url}${route}?${query}`,
        {
          method,
          agent: this.agent,
          headers: {
            authorization: this.token,
            "stream-auth-type": "jwt",
            ...(text === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          },
        },
        (answer) =>
          answer.resume().on("end", () => {
            if (answer.statusCode! < 300) resolve(performance.now() - began);
            else reject(new Error(`${method} ${route}: ${answer.statusCode}`));
          }),
      );
      request.on("error", reject).end(text);
    });
  }

  /** The median of the rounds, alternating with an empty call; the times of both and the provider's CPU time go to stderr. */
  async time(name: string, call: (n: number) => Promise<number>, rounds = ROUNDS): Promise<number> {
    for (let n = 0; n < 5; n++) await call(n);
    const times: number[] = [];
    const empty: number[] = [];
    const before = this.cpu();
    for (let n = 0; n < rounds; n++) {
      times.push(await call(n));
      empty.push(await this.ask("GET", "/hi"));
    }
    const own = (this.cpu() - before) / rounds;
    process.stderr.write(
      `  ${name}: median ${median(times).toFixed(1)} ms, an empty call ${median(empty).toFixed(1)} ms, CPU ${own.toFixed(1)} ms a round\n`,
    );
    return median(times);
  }

  /** Milliseconds of CPU time used by the provider, in steps of ten. */
  private cpu(): number {
    const stat = readFileSync(`/proc/${this.address.pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  }

  /** Resident memory in MiB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.address.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
  }

  end(): void {
    this.agent.destroy();
  }
}
