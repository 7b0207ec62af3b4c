/** Findings of a check: errors prevent the start of a campaign, warnings do not. */
import { count, firstFew } from "../../../text/words.ts";

export interface Finding {
  level: "error" | "warning";
  /** Stable code for scripts: `unknown_user`. */
  code: string;
  message: string;
  /** All affected ids. */
  ids?: string[];
}

/** `3 people: ana, bo, cy`. */
export const namedIds = (ids: readonly string[], one: string, many: string): string =>
  `${count(ids.length, one, many)}: ${firstFew(ids)}`;

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
