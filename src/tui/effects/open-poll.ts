/** Updates the open list of poll options when the poll changes. */
import type { Poll } from "../../wire/entities/poll.ts";
import { popupChanged, popupPopped, topPopup, type Picker } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import { showNotice } from "../screen/notices.ts";
import { currentPoll, voteChoices } from "../views/poll/card.ts";
import { choicesOf } from "../views/popup/choices.ts";

/** Returns a function to call after every change; it closes the list when voting is no longer possible. */
export function pollVoteUpdater(ports: Pick<Ports, "core" | "store">): () => void {
  let lastPoll: Poll | undefined;
  return () => {
    const { store } = ports;
    const popup = topPopup(store.screen);
    if (popup?.kind !== "picker" || popup.name !== "pollVote") {
      lastPoll = undefined;
      return;
    }
    const message = currentPoll(ports, "pollVote", popup.about ?? "");
    if (typeof message === "string") {
      store.update(popupPopped);
      return showNotice(ports, message, "warning");
    }
    const before = lastPoll;
    const { poll } = message;
    lastPoll = poll;
    if (before && before !== poll)
      store.update((s) => popupChanged(s, () => withOptions(popup, poll)), false);
  };
}

/** The cursor stays on the same option. */
function withOptions(popup: Picker, poll: Poll): Picker {
  const visibleChoices = (picker: Picker) => choicesOf(picker, 0, true);
  const selectedValue = visibleChoices(popup)[popup.selected]?.value;
  const next = { ...popup, choices: voteChoices(poll) };
  return {
    ...next,
    selected: Math.max(
      0,
      visibleChoices(next).findIndex(({ value }) => value === selectedValue),
    ),
  };
}
