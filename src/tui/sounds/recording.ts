/** One recording: how long it lasts, and its end, kept or not. */
import type { StoreClock } from "../screen/store.ts";
import { readWave } from "./wave.ts";

/** A program of this machine that records the microphone into a WAV file. */
export interface Recorder {
  name: string;
  /** For so many seconds, or until it is stopped. */
  record(file: string, seconds: number): { stop(): void; ended: Promise<void> };
}

interface Recorded {
  file: string;
  /** Seconds. */
  duration: number;
  waveform: number[];
}

/** A longer recording ends, and is kept. */
export const LONGEST_RECORDING_S = 300;
const SECOND = 1000;

export class Recording {
  readonly #clock: StoreClock;
  readonly #file: string;
  readonly #running: ReturnType<Recorder["record"]>;
  readonly #since: number;
  #timer: unknown;
  #isOver = false;
  /** Called once a second, and when the program has ended by itself. */
  onTick: () => void = () => {};
  onEnd: () => void = () => {};

  constructor(clock: StoreClock, recorder: Recorder, file: string) {
    this.#clock = clock;
    this.#file = file;
    this.#running = recorder.record(file, LONGEST_RECORDING_S);
    this.#since = clock.now();
    this.#wait();
    void this.#running.ended.then(() => {
      if (!this.#isOver) this.onEnd();
    });
  }

  /** Milliseconds, whole seconds of it. */
  get length(): number {
    return Math.floor((this.#clock.now() - this.#since) / SECOND) * SECOND;
  }

  /** Ends it, and reads what was recorded; undefined if that is nothing. */
  async finish(): Promise<Recorded | undefined> {
    this.#end();
    await this.#running.ended;
    const wave = await readWave(this.#file);
    return wave && { file: this.#file, ...wave };
  }

  /** Ends it; the file goes with the other temporary ones. */
  cancel(): void {
    this.#end();
  }

  #wait(): void {
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#wait();
        this.onTick();
      },
      this.#since + this.length + SECOND - this.#clock.now(),
    );
  }

  #end(): void {
    this.#clock.clearTimeout(this.#timer);
    if (!this.#isOver) this.#running.stop();
    this.#isOver = true;
  }
}
