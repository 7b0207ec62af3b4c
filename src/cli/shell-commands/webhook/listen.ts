/** `parley webhook listen`: a server on loopback that checks, prints, stores and forwards webhooks. */
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { rowView, type ArgValues, command, type Args } from "../../../commands/base/define-command.ts";
import type { EventHook } from "../../../wire/entities/app.ts";
import {
  verifyWebhook,
  WEBHOOK_ATTEMPT_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
} from "../../../wire/entities/webhook.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { endlessOutput, openResults } from "../../output/results.ts";
import { callDefaults, guardedCore } from "../../run/run.ts";
import { Forwarder, readTargets, worstStatus } from "./forward.ts";
import { eventOf, eventType, webhookHeaders, type Received } from "./received.ts";

/** Bigger bodies are refused, bytes. */
const MAX_BODY = 1024 * 1024;

interface ListenOptions {
  secret: string;
  forwarder: Forwarder;
  /** Called for each webhook with a valid signature; awaited before the answer is sent. */
  onReceived(
    received: Received,
    event: unknown,
    forwarded: Awaited<ReturnType<Forwarder["forward"]>>,
  ): Promise<void>;
}

/** The body of a request, or undefined if it is too big. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Answers each request; a request with another host, as by DNS rebinding from a browser, is refused. */
class Receiver {
  readonly #options: ListenOptions;
  readonly #seen = new Set<string>();

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.statusCode = await this.#status(request);
    response.end();
  }

  async #status(request: IncomingMessage): Promise<number> {
    const { headers, method } = request;
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "")) return 421;
    if (method !== "POST") return 405;
    const body = await bodyOf(request);
    if (!body) return 413;
    const { secret, forwarder, onReceived } = this.#options;
    const signature = headers[WEBHOOK_SIGNATURE_HEADER.toLowerCase()];
    if (!verifyWebhook(body, String(signature), secret)) return 401;
    const id = String(headers[WEBHOOK_ID_HEADER.toLowerCase()] ?? "");
    const received = {
      received_at: new Date().toISOString(),
      id,
      attempt: Number(headers[WEBHOOK_ATTEMPT_HEADER.toLowerCase()] ?? 1),
      duplicate: id !== "" && this.#seen.has(id),
      headers: webhookHeaders(headers),
      body: body.toString("base64"),
    };
    this.#seen.add(id);
    const event = eventOf(body);
    const forwarded = await forwarder.forward(received, eventType(event));
    await onReceived(received, event, forwarded);
    return worstStatus(forwarded) ?? 200;
  }
}

/** Throws `ExitError` 2 for flags that cannot have an effect. */
async function requireUsable(shell: Shell, args: ArgValues<typeof WEBHOOK_LISTEN_ARGS>): Promise<void> {
  if (args.out === "-")
    throw new ExitError(2, "--out must name a file: standard output has the webhooks already.");
  if (args.register && (await shell.host.identity()).kind !== "local")
    throw new ExitError(
      2,
      "--register works only with the embedded provider: no other can reach this machine.",
    );
}

/** Adds a hook for this address to the app; the returned function removes it. */
async function register(shell: Shell, url: string): Promise<() => Promise<void>> {
  // Without the signal of the run: the hook is also removed after Ctrl-C.
  const { signal: _, ...calls } = callDefaults(shell);
  const opened = await shell.host.open({ server: true, inMemory: true, calls });
  const core = guardedCore(shell, opened, "webhook listen");
  const change = async (update: (hooks: EventHook[]) => EventHook[]): Promise<void> => {
    const { app } = await core.call("getApp", {});
    await core.call("updateApp", { body: { event_hooks: update(app.event_hooks ?? []) } as never });
  };
  const hook = {
    hook_type: "webhook",
    enabled: true,
    event_types: [],
    webhook_url: url,
  } as never as EventHook;
  await change((hooks) => [...hooks, hook]);
  return async () => {
    await change((hooks) => hooks.filter(({ webhook_url: other }) => other !== url)).finally(() =>
      opened.close(),
    );
  };
}

async function listening(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new ExitError(6, `Port ${port} is in use.`, "Leave --port out to get a free one.");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const WEBHOOK_LISTEN_ARGS = {
  port: { kind: "number", from: 0, to: 65_535, help: "TCP port on loopback; 0 picks a free one" },
  forwardTo: {
    kind: "text",
    value: "url",
    help: "Forward each webhook unchanged to this address (localhost:3000/hooks)",
  },
  forwardFile: {
    kind: "file",
    help: "Forward by event type, from a YAML or JSON file: a line is message.new, message.* or *, and its address",
  },
  out: { kind: "file", help: "Record each webhook in this file for webhook replay" },
  register: { kind: "flag", help: "Have the embedded provider send its webhooks here while this runs" },
  exitAfter: { kind: "duration", value: "time", help: "Stop after this time" },
} as const satisfies Args;

export default command({
  shell: true,
  summary: "Receive webhooks on this machine, verify and print them",
  examples: [
    "webhook listen --register --jq .event.type",
    "webhook listen --port 4200 --forward-to localhost:3000/hooks --out hooks.ndjson",
    "webhook listen --register --forward-file targets.yaml",
  ],
  args: WEBHOOK_LISTEN_ARGS,
  async run(shell: Shell, args) {
    const { port = 0, forwardTo, forwardFile, out, exitAfter } = args;
    const results = openResults(endlessOutput(shell), true, true);
    await requireUsable(shell, args);
    const forwarder = new Forwarder(await readTargets(forwardTo, forwardFile));
    const { secret } = await shell.host.app();
    const receiver = new Receiver({
      secret,
      forwarder,
      async onReceived(received, event, targets) {
        if (out !== undefined) appendFileSync(out, `${JSON.stringify(received)}\n`);
        const { headers: _headers, body: _body, ...rest } = received;
        const status = worstStatus(targets);
        const forwarded = status === undefined ? {} : { forwarded: status };
        await results.item(
          { ...rest, ...forwarded, ...(forwardFile !== undefined && { targets }), event },
          rowView({ id: rest.id, type: eventType(event), attempt: rest.attempt, ...forwarded }),
        );
      },
    });
    const server = createServer(
      (request, response) => void receiver.answer(request, response).catch(() => response.destroy()),
    );
    const url = await listening(server, port);
    // Emptied only now: a run that cannot listen leaves an earlier recording alone.
    if (out !== undefined) writeFileSync(out, "", { mode: 0o600 });
    printNotice(shell, `listening at ${url}`);
    const unregister = args.register ? await register(shell, url) : undefined;
    try {
      return await untilEnd(shell, exitAfter);
    } finally {
      await unregister?.();
      server.close();
      server.closeAllConnections();
      await results.end();
    }
  },
});

/** Resolves to the exit code when the run is interrupted, times out, or its output is closed. */
function untilEnd({ signal, out }: Shell, exitAfter: number | undefined): Promise<number> {
  return new Promise((resolve) => {
    const timer = exitAfter === undefined ? undefined : setTimeout(() => resolve(0), exitAfter);
    const end = (code: number) => (): void => {
      clearTimeout(timer);
      resolve(code);
    };
    if (signal.aborted) end(130)();
    signal.addEventListener("abort", end(130), { once: true });
    out.once("close", end(0));
  });
}
