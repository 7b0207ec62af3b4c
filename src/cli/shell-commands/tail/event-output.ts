/** Prints each followed event, or passes it to a command. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { withoutSecrets } from "../../../config/child-env.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { write } from "../../base/stdio.ts";
import { jsonText } from "../../output/json.ts";
import { openResults, outputForm } from "../../output/results.ts";
import { eventText, withoutArrival } from "./event-text.ts";
import type { HandleEvent } from "./follower.ts";

interface OutputOptions {
  /** `done` resolves when the text of a message matches. */
  match?: RegExp | undefined;
  exec?: string | undefined;
}

export function eventOutput(
  shell: Shell,
  { match, exec }: OutputOptions,
): { handle: HandleEvent; done: Promise<void>; end(): Promise<void> } {
  const matched = Promise.withResolvers<void>();
  const isDocument = exec === undefined && (outputForm(shell) === "json" || shell.flags.json !== undefined);
  const document = isDocument ? openResults(shell, true, true) : undefined;
  return {
    done: matched.promise,
    end: async () => document?.end(),
    async handle(event, label) {
      if (document) await document.item(withoutArrival(event), undefined);
      else {
        shell.counts.items++;
        if (exec === undefined) await write(shell.out, await eventText(shell, event, label));
        else await runCommandOn(shell, exec, event);
      }
      const { text } = (event.message ?? {}) as Partial<Message>;
      if (event.type === "message.new" && match?.test(text ?? "")) matched.resolve();
    },
  };
}

/** Runs the command with the event on its standard input; a failure is reported and does not stop later events. */
async function runCommandOn(shell: Shell, command: string, event: AnyEvent): Promise<void> {
  const child = spawn(command, { shell: true, stdio: "pipe", env: withoutSecrets(shell.env) });
  // The command may exit without reading all of its input.
  child.stdin.on("error", () => {});
  child.stdin.end(`${jsonText(withoutArrival(event), false)}\n`);
  child.stdout.pipe(shell.out, { end: false });
  child.stderr.pipe(shell.err, { end: false });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) printNotice(shell, `--exec ended with ${code ?? signal} for ${event.type}`);
}
