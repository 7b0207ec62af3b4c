/** Runs command lines: fills in default arguments, asks questions first, restores a command that failed. */
import type { ArgDefaults } from "../../../commands/base/args.ts";
import { loadLine, loadedLine, readLine, type CommandLine, type LoadedLine } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import { commands } from "../../../commands/table.gen.ts";
import { searchLine } from "../../../commands/search.ts";
import { namesMessage } from "../../../model/default-message.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { NOT_FOUND } from "../../../wire/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import { topPopup } from "../../screen/popup.ts";
import { defaultMessageIn } from "../../screen/selectors.ts";
import { addHint, askToConfirm, attempt, showNotice } from "../../screen/notices.ts";
import { questionOf, deleteByLine, undoOffer } from "./message-commands.ts";
import { showPosted } from "../../navigation/show-posted.ts";
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

/** Runs a loaded command, and shows its result. */
async function run(
  ports: Ports,
  line: LoadedLine,
  { currentChannel, onDone }: { currentChannel: string | undefined; onDone: (() => void) | undefined },
): Promise<void> {
  const { core, clock, settings } = ports;
  const result = await runInChat(line, {
    core,
    currentChannel,
    channelType: settings.channelType,
    now: () => clock.now(),
    random: () => ports.random(),
    limit: SHEET_ITEMS,
  });
  if (currentChannel !== undefined && postsIn(line, currentChannel))
    showPosted(ports, { cid: currentChannel });
  if (onDone) onDone();
  else showResult(ports, line, result);
}

/** Commands that post in the open channel. */
const POSTS: ReadonlySet<string> = new Set(["message send", "poll create", "location share"]);

function postsIn({ path, values }: Pick<CommandLine, "path" | "values">, cid: string): boolean {
  const { channel = cid, thread } = values as { channel?: string; thread?: string };
  return POSTS.has(path) && channel === cid && thread === undefined;
}

/** Whether a command typed in a thread that only some see would post to everybody in the channel (R-SEND-16). */
function leavesThread(
  { boxes }: Ports,
  { path, values }: CommandLine,
  place: ThreadRef | undefined,
): boolean {
  if (place?.parentId === undefined || !POSTS.has(path)) return false;
  const { thread, onlyFor = [] } = values as { thread?: string; onlyFor?: readonly string[] };
  const isChosen = thread !== undefined || onlyFor.length > 0;
  return !isChosen && boxes.composer(place).audience()?.length !== 0;
}

/** Runs a command, after its question. */
export function runCommandLine(
  ports: Ports,
  line: CommandLine,
  typed: TypedCommand,
  { onDone, notFoundHint }: RunOptions = {},
): void {
  if (line.path === "search") {
    typed.clear();
    return openSearch(ports, searchLine(line.values));
  }
  const { place } = ports.boxes;
  if (leavesThread(ports, line, place)) return showNotice(ports, words.audience.leavesThread, "warning");
  if (deleteByLine(ports, line, place, typed)) return;
  const after = {
    currentChannel: place?.cid ?? ports.store.screen.cid,
    onDone: onDone ?? undoOffer(ports, line, place),
  };
  // Cleared at once, so that a second Enter does not run it again; the text of a question stays until it is answered.
  const asks = commands.row(line.path).asks === true;
  if (!asks) typed.clear();
  const go = (loaded: LoadedLine): void => {
    if (asks) typed.clear();
    const running = run(ports, loaded, after);
    running.catch((error: unknown) => {
      if (notFoundHint !== undefined) addHint(error, NOT_FOUND, notFoundHint);
      typed.restore();
    });
    attempt(ports, running);
  };
  const start = (loaded: Awaited<ReturnType<typeof loadLine>>): void => {
    if (loaded.kind === "fault") {
      typed.restore();
      return showNotice(ports, cleanLine(loaded.message), "warning");
    }
    const question = questionOf(ports, loaded, place);
    if (!question) return go(loaded);
    if (topPopup(ports.store.screen)?.kind !== "confirm") askToConfirm(ports, question, () => go(loaded));
  };
  const ready = loadedLine(line);
  if (ready) return start(ready);
  const loading = loadLine(line);
  loading.catch(() => typed.restore());
  attempt(ports, loading.then(start));
}

/** Loads the commands of these lines, so that they run at once and in their order. */
export async function loadCommands(ports: Ports, texts: readonly string[]): Promise<void> {
  const defaults = argDefaultsAt(ports, ports.boxes.place);
  for (const text of texts) {
    const line = readLine(text, defaults);
    if (line.kind === "command") await loadLine(line);
  }
}

/** Runs a command given as text, as in `/channel mute --until 2h`. */
export function runText(ports: Ports, text: string, typed: TypedCommand, options?: RunOptions): void {
  const line = readLine(text, argDefaultsAt(ports, ports.boxes.place));
  if (line.kind === "command") runCommandLine(ports, line, typed, options);
  else if (line.kind === "fault") showNotice(ports, cleanLine(line.message), "warning");
}
