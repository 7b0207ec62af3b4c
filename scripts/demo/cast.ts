/** Recordings of a terminal as asciicast, version 2: a header, and one line for each output and each caption. */

/** A line of a recording: seconds since the start, what it is (output, or the caption of what follows), and its text. */
export type CastEvent = readonly [seconds: number, kind: "o" | "m", text: string];

export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly title: string;
  readonly events: readonly CastEvent[];
}

const isCastEvent = (line: unknown): line is CastEvent => Array.isArray(line) && line.length === 3;

export function readCast(text: string): Cast {
  const [header, ...lines] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const { width, height, title } = header as { width: number; height: number; title: string };
  return { cols: width, rows: height, title, events: lines.filter(isCastEvent) };
}

export function writeCast({ cols, rows, title, events }: Cast): string {
  const header = { version: 2, width: cols, height: rows, title, env: { TERM: "xterm-256color" } };
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The same without pauses longer than `longest` seconds. */
export function withoutPauses(events: readonly CastEvent[], longest: number): CastEvent[] {
  let [before, at] = [0, 0];
  return events.map(([seconds, kind, text]) => {
    at += Math.min(seconds - before, longest);
    before = seconds;
    return [Number(at.toFixed(3)), kind, text];
  });
}
