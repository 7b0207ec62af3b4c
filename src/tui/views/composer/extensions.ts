/** `/foo` of an extension: runs the program, and puts what it prints into the box or, if it is more, into a popup. */
import { splitWords } from "../../../commands/line.ts";
import type { Extension } from "../../../config/extensions.ts";
import { userName } from "../../../model/channels.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { clean, cleanLine, withoutSequences } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { EXTENSION_LINE } from "../../../wire/constants.ts";
import { paste } from "../../editor/edits.ts";
import { placeKey } from "../../screen/place-key.ts";
import type { ExtensionEnd, ExtensionPlace } from "../../screen/host.ts";
import { popupPushed } from "../../screen/popup.ts";
import { defaultMessageIn } from "../../screen/selectors.ts";
import { showError, showNotice } from "../../screen/notices.ts";
import type { Ports } from "../../ports/ports.ts";
import type { TypedCommand } from "./typed-command.ts";

/** What the extension is told: where it was called, and the message that a command there is about. */
function placeOf({ store, core }: Ports, place: ThreadRef, args: readonly string[]): ExtensionPlace {
  const message = defaultMessageIn(store.get(), place, "message");
  return {
    args,
    user_id: core.userId,
    cid: place.cid,
    parent_id: place.parentId,
    ...(message && {
      message: {
        id: message.id,
        user: { id: message.user?.id ?? "", name: userName(message.user) },
        text: message.text,
        created_at: message.created_at,
      },
    }),
  };
}

/** What a program has printed, without anything that a terminal would obey. */
const printed = (text: string): string =>
  clean(
    withoutSequences(text)
      .replace(/\r\n?/g, "\n")
      // oxlint-disable-next-line no-control-regex -- they would be shown as signs
      .replace(/[\0-\x08\x0b-\x1f\x7f]/g, ""),
  ).trimEnd();

const lastLine = (text: string): string => cleanLine(printed(text).split("\n").at(-1)!);

/** Shows what it has printed; nothing is sent. */
function showPrinted(ports: Ports, place: ThreadRef, line: string, out: string): void {
  const { boxes, store } = ports;
  const text = printed(out);
  const box = boxes.at(place);
  if (text.includes("\n") || text.length > EXTENSION_LINE || box.editing)
    return store.update((s) =>
      popupPushed(s, { kind: "sheet", title: cleanLine(line), lines: text.split("\n"), top: 0 }),
    );
  boxes.setEditor(paste(box.editor, text), place, true);
  const isHere = boxes.place !== undefined && placeKey(boxes.place) === placeKey(place);
  if (!isHere) showNotice(ports, words.extensions.elsewhere(cleanLine(line)));
}

/** Why it gave no result; undefined if it did. */
function failureOf(name: string, ended: ExtensionEnd): string | undefined {
  if (ended.end !== "exit") return words.extensions[ended.end](name);
  return ended.code === 0 ? undefined : words.extensions.failed(name, ended.code, lastLine(ended.err));
}

async function run(
  ports: Ports,
  place: ThreadRef,
  { line, extension, typed }: { line: string; extension: Extension; typed: TypedCommand },
): Promise<void> {
  const stopped = new AbortController();
  const { name } = extension;
  try {
    const args = splitWords(line.slice(1 + name.length));
    typed.clear();
    ports.store.update((s) => ({ ...s, running: { name, stop: () => stopped.abort() } }));
    const ended = await ports.extensions.run(extension, placeOf(ports, place, args), stopped.signal);
    const failure = failureOf(name, ended);
    if (failure !== undefined) {
      typed.restore();
      showNotice(ports, failure, "warning");
    } else if (ended.end === "exit") {
      if (printed(ended.out) !== "") showPrinted(ports, place, line, ended.out);
      else showNotice(ports, words.extensions.done(name, lastLine(ended.err)), "success");
    }
  } catch (error) {
    typed.restore();
    showError(ports, error);
  } finally {
    ports.store.update((s) => (s.running ? { ...s, running: undefined } : s));
  }
}

/** Runs the extension that the line names; false if there is none. `typed` is the line in the box, if it was typed there. */
export function runExtensionLine(
  ports: Ports,
  place: ThreadRef,
  text: string,
  { name, typed }: { name: string; typed: TypedCommand },
): boolean {
  const extension = ports.extensions.find(name);
  if (!extension) return false;
  const { running } = ports.store.screen;
  if (ports.settings.readOnly) showNotice(ports, words.readOnly.refused, "warning");
  else if (running) showNotice(ports, words.extensions.busy(running.name), "warning");
  else void run(ports, place, { line: text.trim(), extension, typed });
  return true;
}

/** Esc ends the extension that runs; true if there was one, and nothing that Esc closes first. */
export function stopExtension({ store }: Pick<Ports, "store">): boolean {
  const { running, completion, popups, pendingKey } = store.screen;
  if (!running || completion !== undefined || popups.length > 0 || pendingKey !== undefined) return false;
  running.stop();
  return true;
}
