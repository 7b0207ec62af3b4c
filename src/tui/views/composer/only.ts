/** `/only @ana @bo TEXT`: chooses who sees what is sent from the box; `/only -` ends it (R-SEND-16). */
import { hasCapability } from "../../../model/permissions.ts";
import { holdsAllMembers } from "../../../model/readers.ts";
import type { ChannelEntry, ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { splitCid } from "../../../wire/ids.ts";
import { parseRecipients } from "../../navigation/recipients.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { peopleWords } from "./audience.ts";
import { post } from "./enter-message.ts";
import type { RunLine, TypedCommand } from "./typed-command.ts";

/** Leaves the command, but not what the message answers. */
function choose(
  ports: Ports,
  place: ThreadRef,
  people: readonly string[] | undefined,
  typed: TypedCommand,
): void {
  const { quotedMessageId, showInChannel } = ports.boxes.composer(place).state();
  typed.clear();
  ports.boxes.change((composer) => {
    composer.quote(quotedMessageId);
    composer.showInChannel(showInChannel);
    composer.onlyFor(people);
  }, place);
}

/** Needs no right. Where a message for some is answered, "everybody" is chosen; elsewhere it is the same as no choice. */
function end(ports: Ports, place: ThreadRef, typed: TypedCommand): void {
  choose(ports, place, undefined, typed);
  const composer = ports.boxes.composer(place);
  if (composer.audience()?.length !== 0) ports.boxes.change((box) => box.onlyFor([]), place);
  showNotice(ports, words.audience.ended);
}

/** The ids that are no members; asks the provider about those who are not loaded. */
function strangersAmong(
  { core }: Ports,
  entry: ChannelEntry,
  ids: readonly string[],
): string[] | Promise<string[]> {
  const open = ids.filter((id) => id !== core.userId && !entry.members.has(id));
  if (open.length === 0 || holdsAllMembers(entry)) return open;
  const query = {
    ...splitCid(entry.cid)!,
    filter_conditions: { id: { $in: open } },
    limit: open.length,
    offset: 0,
  };
  return core.call("queryMembers", { query }).then(({ members = [] }) => {
    const found = new Set(members.map(({ user_id: id, user }) => user?.id ?? id));
    return open.filter((id) => !found.has(id));
  });
}

const strangersWords = (strangers: readonly string[]): string | undefined =>
  strangers.length === 0 ? undefined : cleanLine(words.audience.strangers(strangers));

export const onlyLine: RunLine = (ports, rest, typed) => {
  const { store, boxes } = ports;
  const { place } = boxes;
  const entry = place && store.state.channels.get(place.cid);
  if (!entry) return words.lines.noChannel;
  if (rest === "-") return end(ports, place, typed);
  const { ids, text } = parseRecipients(store.state, rest);
  if (ids.length === 0) return words.audience.off;
  if (!hasCapability(entry, "send-restricted-visibility-message")) return words.audience.mayNot;
  const { text: line } = boxes.at(place).editor;
  const go = (): void => {
    const people = peopleWords(store.state, place.cid, ids);
    if (text === "") {
      choose(ports, place, ids, typed);
      return showNotice(ports, words.audience.set(people.join(", ") || words.audience.you));
    }
    boxes.change((composer) => composer.onlyFor(ids), place);
    post(ports, place, text);
  };
  const strangers = strangersAmong(ports, entry, ids);
  if (!(strangers instanceof Promise)) return strangersWords(strangers) ?? go();
  const chosen = strangers.then((found) => {
    const problem = strangersWords(found);
    if (problem !== undefined) showNotice(ports, problem, "warning");
    else if (boxes.at(place).editor.text === line) go();
  });
  attempt(ports, chosen);
};
