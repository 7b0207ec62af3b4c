/** Draws the loudness of a voice message as a row of block characters. */

const BARS = "▁▂▃▄▅▆▇█";
/** Minimum scale, so that near silence is not drawn as loud. */
const MIN_LOUDNESS = 0.05;

/** Draws at most `cells` bars, each for the maximum of its part of the values (0…1; anything else is silence); empty without values. */
export function waveform(values: unknown, cells: number): string {
  if (!Array.isArray(values) || values.length === 0 || cells < 1) return "";
  const heights = values.slice(0, 10_000).map((item: unknown) => {
    const value = typeof item === "number" && Number.isFinite(item) ? item : 0;
    return Math.max(0, Math.min(1, value));
  });
  const count = Math.min(cells, heights.length);
  const bars = Array.from({ length: count }, (_, i) =>
    Math.max(
      ...heights.slice(
        Math.floor((i * heights.length) / count),
        Math.floor(((i + 1) * heights.length) / count),
      ),
    ),
  );
  const loudest = Math.max(MIN_LOUDNESS, ...bars);
  return bars.map((bar) => BARS[Math.round((bar / loudest) * (BARS.length - 1))]).join("");
}
