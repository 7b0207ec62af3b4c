/** On a read-only screen, what would open a list or a form for a change says so at once, and not after it was filled in. */
import type { ActionName } from "../keys/action-table.ts";
import type { ComposerCommandName } from "../keys/composer-commands.ts";
import type { Ports } from "./ports.ts";
import { words } from "../../text/words.ts";
import { showNotice } from "../screen/notices.ts";

const PREPARES: ReadonlySet<string> = new Set<ActionName | ComposerCommandName>([
  "react",
  "flag",
  "forward",
  "remind",
  "attach",
  "recordVoice",
  "newPoll",
  "shareLocation",
  "newChannel",
  "editChannel",
  "invitePeople",
  "ownProfile",
  "status",
  "poll",
  "location",
  "new",
  "invite",
  "me",
]);

/** Whether this action, or command of the composer, is refused here; then it has been said. */
export function isRefusedHere(
  ports: Pick<Ports, "core" | "settings">,
  name: ActionName | ComposerCommandName,
): boolean {
  if (!ports.settings.readOnly || !PREPARES.has(name)) return false;
  showNotice(ports, words.readOnly.refused, "warning");
  return true;
}
