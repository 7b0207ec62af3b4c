/** Runs what a pressed spot of a message stands for: a reaction, a reply count, a link, a button, an option, a quote. */
import type { ClientMessage } from "../../../model/state.ts";
import type { Spot } from "../../render/spots.ts";
import { showAbout } from "../about/about.ts";
import { toggleReaction } from "./react.ts";
import { reveal } from "./display-options.ts";
import { openAuthorMenu, openPersonMenu } from "../moderation/person-menu.ts";
import {
  editMessage,
  followAddress,
  pressButton,
  showFull,
  showText,
  openThreadOf,
  voteFor,
} from "./actions.ts";
import { stopSharing } from "../map/share-location.ts";
import { ifAllowed, type MessagePorts } from "./with-message.ts";
import { goToQuoted, jumpTo } from "./jump.ts";
import { dropUnsentMessage } from "./remove.ts";

export function press(
  ports: MessagePorts,
  message: ClientMessage,
  { name, value }: Pick<Spot, "name" | "value">,
): void {
  switch (name) {
    case "link":
      return followAddress(ports, message, value);
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
      return openAuthorMenu(ports, message);
    case "mentioned":
      return openPersonMenu(ports, value, message.cid);
    case "jump":
      return jumpTo(ports, value);
    case "edit":
      return editMessage(ports, message);
    case "map":
      return showFull(ports, message);
    case "stop":
      return stopSharing(ports, [message.id]);
    case "retry":
      ports.core.retry(message.id);
      return ports.store.update((s) => s);
    case "drop":
      return dropUnsentMessage(ports, message);
  }
}
