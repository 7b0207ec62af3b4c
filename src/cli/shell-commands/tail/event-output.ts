/** Prints each followed event, or gives it to a command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { withoutSecrets } from "../../base/child-env.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { write } from "../../base/stdio.ts";
import { jsonText } from "../../output/json.ts";
import { eventText } from "./event-text.ts";
import type { Take } from "./follower.ts";

interface OutputOptions {
  /** No more is wanted when the text of a message matches. */
  match?: RegExp | undefined;
  exec?: string | undefined;
}

export function eventOutput(
  shell: Shell,
  { match, exec }: OutputOptions,
): { take: Take; enough: Promise<void> } {
  const enough = Promise.withResolvers<void>();
  return {
    enough: enough.promise,
    async take(event, where) {
      shell.counts.items++;
      if (exec === undefined) await write(shell.out, await eventText(shell, event, where));
      else await handOver(shell, exec, event);
      const { text } = (event.message ?? {}) as Partial<Message>;
      if (event.type === "message.new" && match?.test(text ?? "")) enough.resolve();
    },
  };
}

/** One command after the other; one that fails is told, and the next event has its turn. */
async function handOver(shell: Shell, command: string, event: AnyEvent): Promise<void> {
  const { received_at: _, ...plain } = event;
  const child = spawn(command, { shell: true, stdio: "pipe", env: withoutSecrets(shell.env) });
  // It may end without having read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(`${jsonText(plain, false)}\n`);
  child.stdout.pipe(shell.out, { end: false });
  child.stderr.pipe(shell.err, { end: false });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) printNotice(shell, `--exec ended with ${code ?? signal} for ${event.type}`);
}
