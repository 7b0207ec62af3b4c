/** Selects several messages (`V`), and acts on all of them. */
import { userName } from "../../../model/channels.ts";
import type { ClientMessage } from "../../../model/state.ts";
import { stamp } from "../../../text/times.ts";
import { count, words } from "../../../text/words.ts";
import { timeToMs } from "../../../wire/time.ts";
import { sentMessages, selectedRange } from "../../screen/selectors.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { browsePlace, scrollOf } from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { copyText, markUnreadFrom } from "./actions.ts";
import { askForwardTarget } from "./forward.ts";
import { removeMany } from "./remove.ts";

const endRange = ({ store }: Pick<Ports, "store">): void =>
  store.update((s) => (s.range ? { ...s, range: undefined } : s));

/** Begins a range at the message under the cursor, or ends it. */
function selectRange(ports: Ports): void {
  const { screen } = ports.store;
  const place = browsePlace(screen);
  const { selected } = scrollOf(screen, place);
  if (screen.range) return endRange(ports);
  if (!place || selected === undefined) return showNotice(ports, words.acting.chooseFirst);
  ports.store.update((s) => ({ ...s, range: { key: placeKey(place), from: selected } }));
}

/** `2026-11-17 09:14 ana: deploy at ten?` */
function copyMany(ports: Ports, messages: readonly ClientMessage[]): void {
  const { utc } = ports.store.get().look;
  const lines = messages
    .filter(({ type }) => type !== "deleted")
    .map((m) => `${stamp(timeToMs(m.created_at), { utc }).slice(0, 16)} ${userName(m.user)}: ${m.text}`);
  copyText(ports, lines.join("\n"));
}

function saveMany(ports: Ports, messages: readonly ClientMessage[]): void {
  const { reminders } = ports.core;
  const unsaved = sentMessages(messages).filter(({ reminder }) => !reminder);
  if (unsaved.length === 0) return showNotice(ports, words.range.allSaved);
  const notice = { done: words.range.saved(count(unsaved.length, "message")), what: words.later.change };
  const undo = (): void => unsaved.forEach(({ id }) => attempt(ports, reminders.remove(id)));
  const requests = unsaved.map(({ id }) => reminders.create(id));
  const saved = Promise.all(requests).then(() => offerTakeBack(ports, notice, undo));
  attempt(ports, saved);
}

/** Runs on the selected range and ends it; without a range, the action for a single message. */
const forRange =
  (forAll: (ports: Ports, messages: ClientMessage[]) => void, forSingle: Action): Action =>
  (ports) => {
    const messages = selectedRange(ports.store.get());
    if (!messages) return forSingle(ports);
    endRange(ports);
    forAll(ports, messages);
  };

/** Actions that also work on a range; `single` are those for one message. */
export const rangeActions = (
  base: Record<"copy" | "save" | "forward" | "remove" | "markUnread", Action>,
) => ({
  selectRange,
  copy: forRange(copyMany, base.copy),
  save: forRange(saveMany, base.save),
  forward: forRange((ports, messages) => askForwardTarget(ports, sentMessages(messages)), base.forward),
  remove: forRange(removeMany, base.remove),
  markUnread: forRange((ports, [first]) => markUnreadFrom(ports, first!), base.markUnread),
});
