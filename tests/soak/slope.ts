/** Reads the samples of a soak and fits a line through the lowest sample of each minute. */

export interface Sample {
  /** Seconds since the program started. */
  at: number;
  rss: number;
  heapUsed: number;
  heapTotal: number;
  external: number;
  arrayBuffers: number;
  /** Resident memory not backed by files. */
  anon: number;
  /** Resident memory outside V8's pages, over all threads. */
  outside: number;
  /** Used heap of the other threads. */
  threads: number;
}

export function readSamples(text: string): Sample[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [, at, rss, heapUsed, heapTotal, external, arrayBuffers, anon, outside, threads] = line
        .split(",")
        .map(Number);
      return { at, rss, heapUsed, heapTotal, external, arrayBuffers, anon, outside, threads } as Sample;
    });
}

/** The lowest value of each whole minute, so that garbage waiting to be collected does not count as growth. */
export function lows(
  samples: readonly Sample[],
  of: keyof Sample,
  from: number,
): [minute: number, low: number][] {
  const minutes = new Map<number, number>();
  const minuteOf = ({ at }: Sample): number => Math.floor(at / 60);
  const last = samples.at(-1);
  for (const sample of samples) {
    const minute = minuteOf(sample);
    // The last minute is incomplete and may not have collected yet.
    if (sample.at < from || minute === minuteOf(last!)) continue;
    minutes.set(minute, Math.min(minutes.get(minute) ?? Infinity, sample[of]));
  }
  return [...minutes];
}

/** Least squares: units of `low` per minute; NaN for fewer than two minutes. */
export function slope(points: readonly (readonly [number, number])[]): number {
  if (points.length < 2) return Number.NaN;
  const mean = (pick: 0 | 1): number => points.reduce((sum, p) => sum + p[pick], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, p) => sum + (p[0] - x) * (p[1] - y), 0);
  return over / points.reduce((sum, p) => sum + (p[0] - x) ** 2, 0);
}
