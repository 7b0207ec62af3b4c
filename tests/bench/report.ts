/** The table that `npm run bench` prints: budget, measured and verdict for each figure. */

export interface Figure {
  name: string;
  unit: string;
  measured: number;
  budget: number;
  /** The budget is a minimum (sends per second) instead of a maximum. */
  atLeast?: boolean;
  /** The budget is stated for 20 ms per empty Node start and scaled by the measured start (docs/benchmarks.md). */
  scaled?: boolean;
}

export interface Verdict extends Figure {
  /** The budget after scaling. */
  limit: number;
  /** Measured value relative to the limit; above 1 is red. */
  ratio: number;
  green: boolean;
}

export function judge(figure: Figure, startMs: number): Verdict {
  const factor = figure.scaled ? Math.max(1, startMs / 20) : 1;
  const limit = figure.atLeast ? figure.budget / factor : figure.budget * factor;
  const [least, most] = figure.atLeast ? [limit, figure.measured] : [figure.measured, limit];
  // Nothing, where nothing is allowed, is within the budget.
  const ratio = least === 0 ? 0 : least / most;
  return { ...figure, limit, ratio, green: ratio <= 1 };
}

const round = (n: number): string => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));

export function table(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((v) => [
    v.name,
    `${v.atLeast ? "≥" : "≤"} ${round(v.limit)} ${v.unit}`,
    `${round(v.measured)} ${v.unit}`,
    `${v.ratio.toFixed(2)}×`,
    v.green ? "green" : "RED",
  ]);
  const heads = ["figure", "budget", "measured", "of budget", "verdict"];
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  return [line(heads), ...rows.map(line)].join("\n");
}
