/** Plays the sounds of a message, and stops them. */
import { soundsOf, type Sound } from "../../../model/sounds.ts";
import { shownHost } from "../../../text/safe-url.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { askToConfirm, attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { selectedIn } from "../../screen/selectors.ts";

type SoundPorts = Pick<Ports, "core" | "store" | "sounds">;

/** Plays it, or stops it if it plays. A host that is not known is asked about: the file comes from it. */
function toggleSound(ports: SoundPorts, sound: Sound): void {
  const { sounds } = ports;
  const isCurrent = sounds.current?.url === sound.url;
  if (isCurrent) return void sounds.stop();
  const player = sounds.player();
  if (!player) return showNotice(ports, words.sounds.noPlayer, "warning");
  const play = async (): Promise<void> => {
    const name = sound.name || words.attachment.unnamed;
    const isPlayed = await sounds.play(sound, player);
    if (!isPlayed) showNotice(ports, words.sounds.notPlayed(player.name, name), "warning");
  };
  const start = (): void => attempt(ports, play());
  if (sounds.mayFetch(sound.url)) return start();
  askToConfirm(ports, { level: "mild", question: words.sounds.ask(shownHost(sound.url)) }, start);
}

/** With no sound under the cursor it stops the one that plays. */
export const playSound = (ports: SoundPorts): void => {
  const message = selectedIn(ports.store.get());
  const [first, ...more] = message && message.type !== "deleted" ? soundsOf(message) : [];
  if (!first && ports.sounds.stop()) return;
  if (!message) return showNotice(ports, words.acting.chooseFirst);
  if (!first) return showNotice(ports, words.sounds.none);
  if (more.length === 0) return toggleSound(ports, first);
  const choices = [first, ...more].map((sound) => ({
    label: sound.name || words.attachment.unnamed,
    choose: () => toggleSound(ports, sound),
  }));
  openPicker(ports, { title: words.sounds.which, choices });
};
