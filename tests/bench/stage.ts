/** A private home with a running embedded provider, its control channel, and screens in terminals connected to it. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { signToken } from "../../src/wire/token.ts";
import { Pty } from "../support/pty.ts";
import { NODE, PARLEY, privateHome, sleep } from "./measure.ts";

/** Figures that the screen writes about itself on SIGUSR2 (src/tui/start/stats.ts). */
export interface Stats {
  /** CPU time of the process since its start in microseconds, user and system. */
  cpu: number;
  /** Bytes. */
  rss: number;
  frames: number;
  writes: number;
  /** UTF-16 units written to the terminal. */
  units: number;
}

export class Stage {
  readonly env = privateHome();
  readonly statsFile = path.join(this.env.HOME!, "stats.json");
  readonly #program: string;

  /** `program`: another build than the one in dist/. */
  constructor(program: string = PARLEY) {
    this.#program = program;
  }

  parley(...args: string[]): string {
    return execFileSync(NODE, [this.#program, ...args], {
      env: this.env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  start(): this {
    this.parley("local", "start");
    return this;
  }

  get address(): { url: string; apiKey: string; secret: string; pid: number } {
    const file = path.join(this.env.XDG_DATA_HOME!, "parley/local/provider.json");
    const found = JSON.parse(readFileSync(file, "utf8")) as {
      url: string;
      pid: number;
      api_key: string;
      secret_file: string;
    };
    return {
      url: found.url,
      pid: found.pid,
      apiKey: found.api_key,
      secret: readFileSync(found.secret_file, "utf8").trim(),
    };
  }

  /** A call with the server's credentials. */
  async call<R = Record<string, unknown>>(method: string, route: string, body?: unknown): Promise<R> {
    const { url, apiKey, secret } = this.address;
    const answer = await fetch(`${url}${route}${route.includes("?") ? "&" : "?"}api_key=${apiKey}`, {
      method,
      headers: {
        authorization: signToken({ server: true }, secret),
        "stream-auth-type": "jwt",
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return JSON.parse(text) as R;
  }

  control(verb: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.call("POST", `/_local/${verb}`, body);
  }

  /** An empty channel with these members, created by the first of them. */
  async channel(id: string, members: string[]): Promise<string> {
    await this.call("POST", `/channels/messaging/${id}/query`, {
      data: { created_by_id: members[0], members, name: id },
    });
    return `messaging:${id}`;
  }

  /** `flags`: of Node. */
  screen(args: string[] = [], size: { cols?: number; rows?: number; flags?: string[] } = {}): Pty {
    return Pty.spawn(NODE, [...(size.flags ?? []), this.#program, ...args], {
      cols: size.cols ?? 120,
      rows: size.rows ?? 40,
      env: { ...this.env, PARLEY_STATS: this.statsFile },
    });
  }

  /** Requests the figures of a screen. */
  async stats(pty: Pty): Promise<Stats> {
    rmSync(this.statsFile, { force: true });
    process.kill(pty.pid, "SIGUSR2");
    for (let n = 0; n < 400; n++) {
      try {
        return JSON.parse(readFileSync(this.statsFile, "utf8")) as Stats;
      } catch {
        await sleep(5);
      }
    }
    throw new Error("the screen did not answer SIGUSR2");
  }

  async end(): Promise<void> {
    try {
      this.parley("local", "stop");
    } catch {
      // The benchmark may already have stopped it.
    }
    await sleep(50);
    rmSync(this.env.HOME!, { recursive: true, force: true });
  }
}
