/** Shows a check: problems first, then the audience. */
import { type View, CommandError } from "../../base/define-command.ts";
import type { Checked } from "./check.ts";

const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

export function checkView({ file, errors, warnings, findings, audience, requests, seconds }: Checked): View {
  const left = Object.entries(audience).filter(([key, n]) => key !== "named" && key !== "receivers" && n > 0);
  const out = left.map(([key, n]) => `${n} ${key.replace("_", " ")}`).join(", ");
  return {
    kind: "text",
    lines: [
      `${file}: ${counted(errors, "error")}, ${counted(warnings, "warning")}`,
      ...findings.map(({ level, message }) => `${level.padEnd(7)}  ${message}`),
      `audience: ${audience.named} named, ${audience.receivers} get it${out ? ` (${out})` : ""}`,
      `cost: about ${counted(requests, "request")} in ${counted(seconds, "second")}`,
    ],
  };
}

/** The error to end with when a check found errors. */
export function checkError({ file, errors, findings }: Checked): CommandError | undefined {
  const first = findings.find(({ level }) => level === "error");
  if (first === undefined) return undefined;
  const more = errors > 1 ? ` (and ${errors - 1} more)` : "";
  return new CommandError("rejected", `${file} is not ready: ${first.message}${more}.`);
}
