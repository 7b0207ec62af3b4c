/** Switches how one message is shown: spoilers, original or translation. */
import { translationOf } from "../../../model/translation.ts";
import type { HeldMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { ShownAs } from "../../screen/screen.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, tell } from "../../screen/telling.ts";
import { ifAllowed, type Act } from "./acting.ts";

function change({ store }: Pick<Ports, "store">, { id }: HeldMessage, as: ShownAs): void {
  store.now((s) => ({ ...s, shownAs: new Map(s.shownAs).set(id, { ...s.shownAs.get(id), ...as }) }));
}

export const hasSpoiler = ({ text }: HeldMessage): boolean => /\|\|[^]+?\|\|/.test(text);

/** Opens the spoilers of a message, or closes them again. */
export const reveal: Act = (ports, message) => {
  if (!hasSpoiler(message)) return tell(ports, words.showing.noSpoiler);
  const { revealed = false } = ports.store.screen.shownAs.get(message.id) ?? {};
  change(ports, message, { revealed: !revealed });
};

/** The reader's own language, else that of the machine: `en` of `en-GB`. */
const languageOf = ({ store }: Pick<Ports, "store">): string =>
  store.state.me?.language || new Intl.DateTimeFormat().resolvedOptions().locale.split("-")[0]!;

/** The translation in place of the original and back; one that is not there is asked for. */
export const translate = ifAllowed(undefined, (ports, message) => {
  const { core, store } = ports;
  const { original = false, language } = store.screen.shownAs.get(message.id) ?? {};
  const wanted = languageOf(ports);
  if (translationOf(message, wanted)) {
    const shown = !original && (language ?? store.state.me?.language) === wanted;
    return change(ports, message, { language: wanted, original: shown });
  }
  if (message.i18n?.language === wanted) return tell(ports, words.showing.yours);
  if (!message.text) return tell(ports, words.showing.noText);
  // The event brings the translation.
  const asked = core.call("translateMessage", { path: { id: message.id }, body: { language: wanted } });
  attempt(
    ports,
    asked.then(() => change(ports, message, { language: wanted, original: false })),
  );
});
