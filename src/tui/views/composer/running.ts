/** Runs command lines: fills in what they may leave out, restores a refused line, asks questions first. */
import type { ArgDefaults } from "../../../commands/base/args.ts";
import { readLine, type CommandLine } from "../../../commands/line.ts";
import { runInChat } from "../../../commands/run-in-chat.ts";
import { searchLine } from "../../../commands/search.ts";
import { namesMessage } from "../../../model/default-message.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import type { Ports } from "../../ports/ports.ts";
import { defaultMessageIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, showNotice } from "../../screen/notices.ts";
import { questionOf, removedByLine, wayBack } from "./about-messages.ts";
import { openSearch } from "../search/actions.ts";
import { present } from "./results.ts";
import type { LineOutcome } from "./line-outcome.ts";

const SHEET_ITEMS = 100;

/** What a command line may leave out. */
export function argDefaultsAt({ store, settings, clock }: Ports, place: ThreadRef | undefined): ArgDefaults {
  const { channelType } = settings;
  const now = clock.now();
  if (!place) return { channelType, now };
  return {
    here: place.cid,
    channelType,
    now,
    message: (which) => defaultMessageIn(store.get(), place, which)?.id,
    namesMessage: (word) => namesMessage(store.state, place, word),
  };
}

/** Runs it, after its question; `then` when it was carried out, in place of its result. */
export function runCommandLine(ports: Ports, line: CommandLine, typed: LineOutcome, then?: () => void): void {
  const { core, clock, settings } = ports;
  if (line.path === "search") {
    typed.taken();
    return openSearch(ports, searchLine(line.values));
  }
  const { place } = ports.boxes;
  if (removedByLine(ports, line, place, typed)) return;
  const offer = wayBack(ports, line, place);
  const here = place?.cid ?? ports.store.screen.cid;
  const run = async (): Promise<void> => {
    const { channelType } = settings;
    const times = { now: () => clock.now(), random: () => ports.random() };
    const result = await runInChat(line, { core, here, channelType, ...times, limit: SHEET_ITEMS });
    if (then) then();
    else if (offer) offer();
    else present(ports, line, result);
  };
  const go = (): void => {
    typed.taken();
    const running = run();
    running.catch(() => typed.refused());
    attempt(ports, running);
  };
  const question = questionOf(ports, line, place);
  if (question) askToConfirm(ports, question, go);
  else go();
}

/** Runs a line of ours by its text, as in `/channel mute --until 2h`. */
export function runText(ports: Ports, text: string, typed: LineOutcome, then?: () => void): void {
  const line = readLine(text, argDefaultsAt(ports, ports.boxes.place));
  if (line.kind === "command") runCommandLine(ports, line, typed, then);
  else if (line.kind === "fault") showNotice(ports, cleanLine(line.message), "warning");
}
