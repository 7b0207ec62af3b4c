/** Sounds for tests of the screen: a player that plays until the test says otherwise, and files without a network. */
import { Sounds, type Player } from "../../src/tui/sounds/sounds.ts";
import { writeTempFile } from "../../src/tui/machine/temp-files.ts";
import type { Recorder } from "../../src/tui/sounds/recording.ts";
import { VirtualClock } from "./virtual-clock.ts";

export class FakeSounds {
  readonly clock = new VirtualClock();
  readonly played: string[] = [];
  stopped = 0;
  /** Ends what plays: false = it could not be played. */
  end: (isPlayed: boolean) => void = () => {};
  /** Hosts whose files are fetched unasked. */
  known: readonly string[] = ["files.example"];
  player: Player | undefined = {
    name: "mpv",
    play: (file) => {
      this.played.push(file);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.end = resolve;
      return { stop: () => void this.stopped++, ended: promise };
    },
  };
  recorder: Recorder | undefined;
  readonly sounds = new Sounds({
    clock: this.clock,
    player: () => this.player,
    recorder: () => this.recorder,
    newFile: (name) => writeTempFile(name, ""),
    mayFetch: (url) => this.known.includes(new URL(url).hostname),
    file: async (url) => `/cache/${url.slice(url.lastIndexOf("/") + 1)}`,
  });
}

/** Of a machine without a player. */
export const noSounds = (): Sounds => {
  const fake = new FakeSounds();
  fake.player = undefined;
  return fake.sounds;
};
