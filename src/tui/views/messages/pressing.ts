/** What pressing a spot of a message does: a reaction, a reply count, a link, a button, an option, a quote. */
import type { HeldMessage } from "../../../model/state.ts";
import type { Spot } from "../../render/spots.ts";
import { showAbout } from "../about/about.ts";
import { toggleReaction } from "./reacting.ts";
import { reveal } from "./showing.ts";
import { askAbout, askAboutUser } from "../moderation/people.ts";
import { editIt, openPointed, pressButton, showFull, showText, openThreadOf, voteFor } from "./actions.ts";
import { stopSharing } from "../map/sharing.ts";
import { ifAllowed, type Acting } from "./acting.ts";
import { goToQuoted, jumpTo } from "./going.ts";
import { dropIt } from "./removing.ts";

export function press(
  ports: Acting,
  message: HeldMessage,
  { name, value }: Pick<Spot, "name" | "value">,
): void {
  switch (name) {
    case "link":
      return openPointed(ports, message, value);
    case "react":
      return ifAllowed("send-reaction", () => toggleReaction(ports, message, value))(ports, message);
    case "vote":
      return voteFor(Number(value))(ports, message);
    case "button":
      return pressButton(ports, message, Number(value));
    case "thread":
      return openThreadOf(ports, message);
    case "quote":
      return void goToQuoted(ports, message);
    case "full":
      return showText(ports, message);
    case "about":
      return showAbout(ports, message);
    case "reveal":
      return reveal(ports, message);
    case "person":
      return askAbout(ports, message);
    case "mentioned":
      return askAboutUser(ports, value, message.cid);
    case "jump":
      return jumpTo(ports, value);
    case "edit":
      return editIt(ports, message);
    case "map":
      return showFull(ports, message);
    case "stop":
      return stopSharing(ports, [message.id]);
    case "retry":
      ports.core.retry(message.id);
      return ports.store.now((s) => s);
    case "drop":
      return dropIt(ports, message);
  }
}
