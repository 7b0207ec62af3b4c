/** The list of profiles to switch to. */
import { words } from "../../text/words.ts";
import type { Choice } from "../screen/popup.ts";
import type { Ports } from "../ports/ports.ts";
import { openPicker } from "../screen/notices.ts";

/** All profiles except the open one; `value` is `profile:<name>`. */
export const profileChoices = ({ profiles }: Pick<Ports, "profiles">): Choice[] =>
  profiles
    .list()
    .filter(({ name }) => name !== profiles.current)
    .map(({ name, about }) => ({
      label: name,
      detail: about,
      value: `profile:${name}`,
      keywords: "profile account",
    }));

export function openProfiles(ports: Ports): void {
  const another = { label: words.profiles.another, value: "action:login", keywords: "add new login" };
  const choices = [...profileChoices(ports), another];
  const { title } = words.profiles;
  openPicker(ports, { name: "goto", title, choices });
}
