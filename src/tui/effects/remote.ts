/** Runs command lines that other programs of the user send (`parley screen run`); messages are refused. */
import { words } from "../../text/words.ts";
import { loadLine, readLine, unknownCommandMessage } from "../../commands/line.ts";
import { listenAsScreen, type QueuedMessageAction, type ScreenUser } from "../../config/screens.ts";
import { parseComposerCommand, composerCommandNames } from "../keys/composer-commands.ts";
import type { Ports } from "../ports/ports.ts";
import { argDefaultsAt } from "../views/composer/run-command-line.ts";
import { runLine } from "../views/composer/enter-command.ts";

/** Runs a command line as if typed in the composer; returns a sentence if it is not a command. */
export async function runRemote(ports: Ports, text: string): Promise<string | undefined> {
  const command = text.trim();
  if (!command.startsWith("/") || command.startsWith("//")) return words.remote.onlyCommands;
  if (!parseComposerCommand(command, [])) {
    const line = readLine(command, argDefaultsAt(ports, ports.boxes.place));
    if (line.kind === "fault") return line.message;
    if (line.kind === "unknown") return unknownCommandMessage(line.name, composerCommandNames);
    if (line.kind !== "command") return words.remote.onlyCommands;
    const loaded = await loadLine(line);
    if (loaded.kind === "fault") return loaded.message;
  }
  runLine(ports, command);
  return undefined;
}

/** Retries or drops an unsent message of this screen; false if there is none of that id, or it is being sent. */
function actOnUnsent({ core }: Pick<Ports, "core">, act: QueuedMessageAction, id: string): boolean {
  const isWaiting = (): boolean => core.unsent().some((row) => row.id === id && !row.busy);
  if (!isWaiting()) return false;
  if (act === "retry") core.retry(id);
  else core.drop(id);
  return act === "retry" || !isWaiting();
}

/** Listens until the returned function is called. */
export const listenForLines = (
  ports: Ports,
  env: Readonly<Record<string, string | undefined>>,
  user: ScreenUser,
): (() => void) =>
  listenAsScreen(env, user, {
    channel: () => ports.store.screen.cid,
    run: (line) => runRemote(ports, line),
    outbox: (act, id) => actOnUnsent(ports, act, id),
  });
