/** Switches how one message is shown: spoilers, original or translation. */
import { translationOf } from "../../../model/translation.ts";
import type { ClientMessage } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import type { MessageDisplay } from "../../screen/screen.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { ifAllowed, type MessageAction } from "./with-message.ts";

function changeDisplay(
  { store }: Pick<Ports, "store">,
  { id }: ClientMessage,
  display: MessageDisplay,
): void {
  store.update((s) => ({
    ...s,
    messageDisplay: new Map(s.messageDisplay).set(id, { ...s.messageDisplay.get(id), ...display }),
  }));
}

export const hasSpoiler = ({ text }: ClientMessage): boolean => /\|\|[^]+?\|\|/.test(text);

/** Opens the spoilers of a message, or closes them again. */
export const reveal: MessageAction = (ports, message) => {
  if (!hasSpoiler(message)) return showNotice(ports, words.showing.noSpoiler);
  const { revealed = false } = ports.store.screen.messageDisplay.get(message.id) ?? {};
  changeDisplay(ports, message, { revealed: !revealed });
};

/** The language of the user's profile, else that of the machine: `en` of `en-GB`. */
const readerLanguage = ({ store }: Pick<Ports, "store">): string =>
  store.state.me?.language || new Intl.DateTimeFormat().resolvedOptions().locale.split("-")[0]!;

/** Switches between original and translation; a missing translation is requested first. */
export const translate = ifAllowed(undefined, (ports, message) => {
  const { core, store } = ports;
  const { original = false, language } = store.screen.messageDisplay.get(message.id) ?? {};
  const target = readerLanguage(ports);
  if (translationOf(message, target)) {
    const isShown = !original && (language ?? store.state.me?.language) === target;
    return changeDisplay(ports, message, { language: target, original: isShown });
  }
  if (message.i18n?.language === target) return showNotice(ports, words.showing.yours);
  if (!message.text) return showNotice(ports, words.showing.noText);
  const request = core.call("translateMessage", { path: { id: message.id }, body: { language: target } });
  const shown = request.then(({ message: answered }) => {
    // A provider without a translator answers with the text itself.
    if (!translationOf(answered, target)) return void showNotice(ports, words.showing.untranslated);
    // The translation arrives with an event.
    changeDisplay(ports, message, { language: target, original: false });
  });
  attempt(ports, shown);
});
