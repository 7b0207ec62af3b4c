/** Findings of a check: errors prevent the start of a campaign, warnings do not. */
export interface Finding {
  level: "error" | "warning";
  /** Stable code for scripts: `unknown_user`. */
  code: string;
  message: string;
  /** All affected ids. */
  ids?: string[];
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
