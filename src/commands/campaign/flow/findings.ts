/** What a check finds: errors that stop a campaign, and warnings that do not. */

export interface Finding {
  level: "error" | "warning";
  /** Stable: `unknown_user`. */
  code: string;
  message: string;
  /** Whom it is about, all of them. */
  ids?: string[];
}

/** So many names stand in a sentence. */
const NAMED = 5;

/** `3 people: ana, bo, cy`. */
export function namedIds(ids: readonly string[], one: string, many: string): string {
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
  return `${ids.length} ${ids.length === 1 ? one : many}: ${ids.slice(0, NAMED).join(", ")}${more}`;
}

export class Findings {
  readonly all: Finding[] = [];

  error(code: string, message: string, ids?: string[]): void {
    this.all.push({ level: "error", code, message, ...(ids && { ids }) });
  }

  warning(code: string, message: string, ids?: string[]): void {
    this.all.push({ level: "warning", code, message, ...(ids && { ids }) });
  }

  get errors(): number {
    return this.all.filter(({ level }) => level === "error").length;
  }
}
