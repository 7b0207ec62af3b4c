/** The list of profiles to switch to. */
import { words } from "../../text/words.ts";
import type { Choice } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import { switchProfile } from "../ports/quit.ts";
import { openPicker } from "../screen/notices.ts";

/** All profiles except the open one. */
export const profileChoices = (ports: Ports): Choice[] =>
  ports.profiles
    .list()
    .filter(({ name }) => name !== ports.profiles.current)
    .map(({ name, about }) => ({
      label: name,
      detail: about,
      choose: () => switchProfile(ports, name),
      keywords: "profile account",
    }));

export function openProfiles(ports: Ports): void {
  const another = { label: words.profiles.another, runs: "login", keywords: "add new login" };
  openPicker(ports, { title: words.profiles.title, choices: [...profileChoices(ports), another] });
}
