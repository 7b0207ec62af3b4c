/** Selects several messages (`V`), and acts on all of them. */
import { userName } from "../../../model/channels.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { stamp } from "../../../text/times.ts";
import { count, words } from "../../../text/words.ts";
import { timeToMs } from "../../../wire/time.ts";
import { presentIn, rangeIn } from "../../screen/range.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { browsePlace, scrollOf } from "../../screen/screen.ts";
import { placeKey } from "../../screen/place-key.ts";
import { offerTakeBack } from "../../ports/take-back.ts";
import { attempt, tell } from "../../screen/telling.ts";
import { copyText, keepUnread } from "./actions.ts";
import { askWhereTo } from "./forwarding.ts";
import { removeMany } from "./removing.ts";

const endRange = ({ store }: Pick<Ports, "store">): void =>
  store.now((s) => (s.range ? { ...s, range: undefined } : s));

/** Begins a range at the message under the cursor, or ends it. */
function selectRange(ports: Ports): void {
  const { screen } = ports.store;
  const place = browsePlace(screen);
  const { selected } = scrollOf(screen, place);
  if (screen.range) return endRange(ports);
  if (!place || selected === undefined) return tell(ports, words.acting.chooseFirst);
  ports.store.now((s) => ({ ...s, range: { key: placeKey(place), from: selected } }));
}

/** `2026-11-17 09:14 ana: deploy at ten?` */
function copyMany(ports: Ports, messages: readonly HeldMessage[]): void {
  const { utc } = ports.store.get().look;
  const lines = messages
    .filter(({ type }) => type !== "deleted")
    .map((m) => `${stamp(timeToMs(m.created_at), { utc }).slice(0, 16)} ${userName(m.user)}: ${m.text}`);
  copyText(ports, lines.join("\n"));
}

function saveMany(ports: Ports, messages: readonly HeldMessage[]): void {
  const { reminders } = ports.core;
  const fresh = presentIn(messages).filter(({ reminder }) => !reminder);
  if (fresh.length === 0) return tell(ports, words.range.allSaved);
  const said = { done: words.range.saved(count(fresh.length, "message")), what: words.later.theReminder };
  const back = (): void => fresh.forEach(({ id }) => attempt(ports, reminders.remove(id)));
  attempt(
    ports,
    Promise.all(fresh.map(({ id }) => reminders.create(id))).then(() => offerTakeBack(ports, said, back)),
  );
}

/** With all selected messages, which are let go then; without a range what the key does with one. */
const many =
  (all: (ports: Ports, messages: HeldMessage[]) => void, one: Action): Action =>
  (ports) => {
    const messages = rangeIn(ports.store.get());
    if (!messages) return one(ports);
    endRange(ports);
    all(ports, messages);
  };

/** The actions that know ranges, over those for one message. */
export const rangeActions = (one: Record<"copy" | "save" | "forward" | "remove" | "markUnread", Action>) => ({
  selectRange,
  copy: many(copyMany, one.copy),
  save: many(saveMany, one.save),
  forward: many((ports, messages) => askWhereTo(ports, presentIn(messages)), one.forward),
  remove: many(removeMany, one.remove),
  markUnread: many((ports, [first]) => keepUnread(ports, first!), one.markUnread),
});
