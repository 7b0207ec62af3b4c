/** Plays one sound at a time, and tells how far it is. */
import type { Sound, SoundState } from "../../model/sounds.ts";
import type { StoreClock } from "../screen/store.ts";
import { Recording, type Recorder } from "./recording.ts";

/** A program of this machine that plays a local file. */
export interface Player {
  name: string;
  /** `ended` is false if it could not play the file or was stopped. */
  play(file: string): { stop(): void; ended: Promise<boolean> };
}

interface SoundsParts {
  clock: StoreClock;
  /** The installed player, looked for at each play. */
  player(): Player | undefined;
  /** The installed recorder, looked for likewise. */
  recorder(): Recorder | undefined;
  /** An empty temporary file with this name. */
  newFile(name: string): string;
  /** Whether the file may be fetched without asking: its host is known. */
  mayFetch(url: string): boolean;
  /** The local file of an address: cached, else fetched. */
  file(url: string, signal: AbortSignal): Promise<string>;
}

const SECOND = 1000;

export class Sounds {
  readonly #parts: SoundsParts;
  #state: SoundState | undefined;
  #abort: AbortController | undefined;
  #stop = (): void => {};
  #timer: unknown;
  #recording: Recording | undefined;
  /** Called when the state has changed, once a second while a sound plays. */
  onChange: (state: SoundState | undefined) => void = () => {};

  constructor(parts: SoundsParts) {
    this.#parts = parts;
  }

  /** Is loaded or played at present. */
  get current(): SoundState | undefined {
    return this.#state?.phase === "ended" ? undefined : this.#state;
  }

  player(): Player | undefined {
    return this.#parts.player();
  }

  recorder(): Recorder | undefined {
    return this.#parts.recorder();
  }

  /** Ends what plays or is recorded, and records. */
  record(recorder: Recorder, name: string): Recording {
    this.stop();
    return (this.#recording = new Recording(this.#parts.clock, recorder, this.#parts.newFile(name)));
  }

  mayFetch(url: string): boolean {
    return this.#parts.mayFetch(url);
  }

  /** Ends what plays, and plays this. Rejects if it cannot be fetched; resolves with false if it cannot be played, at its end with true. */
  async play({ url, length }: Sound, player: Player): Promise<boolean> {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    const about = { url, ...(length !== undefined && { length }) };
    this.#set({ ...about, phase: "loading", heard: 0 });
    let file: string;
    try {
      file = await this.#parts.file(url, abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return true;
      this.#set(undefined);
      throw error;
    }
    if (abort.signal.aborted) return true;
    const running = player.play(file);
    this.#stop = running.stop;
    const { clock } = this.#parts;
    const since = clock.now();
    const heard = (): number => Math.floor((clock.now() - since) / SECOND) * SECOND;
    const tick = (): void => {
      this.#set({ ...about, phase: "playing", heard: Math.min(heard(), length ?? Infinity) });
      this.#timer = clock.setTimeout(tick, since + heard() + SECOND - clock.now());
    };
    tick();
    const isPlayed = await running.ended;
    // Stopped, or another one plays since.
    if (abort.signal.aborted) return true;
    this.#end();
    this.#set(isPlayed ? { ...about, phase: "ended", heard: length ?? heard() } : undefined);
    return isPlayed;
  }

  /** Ends a recording, too. False if nothing plays. */
  stop(): boolean {
    const { current } = this;
    this.#recording?.cancel();
    this.#recording = undefined;
    this.#abort?.abort();
    this.#stop();
    this.#end();
    if (this.#state) this.#set(undefined);
    return current !== undefined;
  }

  #end(): void {
    this.#parts.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stop = () => {};
  }

  #set(state: SoundState | undefined): void {
    this.#state = state;
    this.onChange(state);
  }
}
