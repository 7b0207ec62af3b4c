/** Runs command lines: fills in default arguments, asks questions first, restores a command that failed. */
import type { ArgDefaults } from "../../../commands/base/args.ts";
import { readLine, type CommandLine } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import { searchLine } from "../../../commands/search.ts";
import { namesMessage } from "../../../model/default-message.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import { defaultMessageIn } from "../../screen/selectors.ts";
import { addHint, askToConfirm, attempt, showNotice } from "../../screen/notices.ts";
import { questionOf, deleteByLine, undoOffer } from "./message-commands.ts";
import { openSearch } from "../search/actions.ts";
import { showResult } from "./show-result.ts";
import type { TypedCommand } from "./typed-command.ts";

const SHEET_ITEMS = 100;

/** The default arguments of commands typed in this channel or thread. */
export function argDefaultsAt({ store, settings, clock }: Ports, place: ThreadRef | undefined): ArgDefaults {
  const { channelType } = settings;
  const now = clock.now();
  if (!place) return { channelType, now };
  return {
    currentChannel: place.cid,
    channelType,
    now,
    message: (which) => defaultMessageIn(store.get(), place, which)?.id,
    namesMessage: (word) => namesMessage(store.state, place, word),
  };
}

interface RunOptions {
  /** Replaces showing the result. */
  onDone?: () => void;
  /** Shown when what the command names does not exist. */
  notFoundHint?: string;
}

/** Runs a command, after its question. */
export function runCommandLine(
  ports: Ports,
  line: CommandLine,
  typed: TypedCommand,
  { onDone, notFoundHint }: RunOptions = {},
): void {
  const { core, clock, settings } = ports;
  if (line.path === "search") {
    typed.clear();
    return openSearch(ports, searchLine(line.values));
  }
  const { place } = ports.boxes;
  if (deleteByLine(ports, line, place, typed)) return;
  const offer = undoOffer(ports, line, place);
  const currentChannel = place?.cid ?? ports.store.screen.cid;
  const run = async (): Promise<void> => {
    const { channelType } = settings;
    const times = { now: () => clock.now(), random: () => ports.random() };
    const result = await runInChat(line, { core, currentChannel, channelType, ...times, limit: SHEET_ITEMS });
    if (onDone) onDone();
    else if (offer) offer();
    else showResult(ports, line, result);
  };
  const go = (): void => {
    typed.clear();
    const running = run();
    running.catch((error: unknown) => {
      if (notFoundHint !== undefined) addHint(error, NOT_FOUND, notFoundHint);
      typed.restore();
    });
    attempt(ports, running);
  };
  const question = questionOf(ports, line, place);
  if (question) askToConfirm(ports, question, go);
  else go();
}

/** Runs a command given as text, as in `/channel mute --until 2h`. */
export function runText(ports: Ports, text: string, typed: TypedCommand, options?: RunOptions): void {
  const line = readLine(text, argDefaultsAt(ports, ports.boxes.place));
  if (line.kind === "command") runCommandLine(ports, line, typed, options);
  else if (line.kind === "fault") showNotice(ports, cleanLine(line.message), "warning");
}
