/** Shows a check: problems first, then the audience. */
import { type View, CommandError } from "../../base/define-command.ts";
import type { CampaignCheck } from "./check.ts";

const countWords = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

export function checkView({
  file,
  errors,
  warnings,
  findings,
  audience,
  requests,
  seconds,
}: CampaignCheck): View {
  const excluded = Object.entries(audience).filter(
    ([key, n]) => key !== "named" && key !== "receivers" && n > 0,
  );
  const excludedText = excluded.map(([key, n]) => `${n} ${key.replace("_", " ")}`).join(", ");
  return {
    kind: "text",
    lines: [
      `${file}: ${countWords(errors, "error")}, ${countWords(warnings, "warning")}`,
      ...findings.map(({ level, message }) => `${level.padEnd(7)}  ${message}`),
      `audience: ${audience.named} named, ${audience.receivers} receive it${excludedText ? ` (${excludedText})` : ""}`,
      `cost: about ${countWords(requests, "request")} in ${countWords(seconds, "second")}`,
    ],
  };
}

/** The error to end with when a check found errors. */
export function checkError({ file, errors, findings }: CampaignCheck): CommandError | undefined {
  const first = findings.find(({ level }) => level === "error");
  if (first === undefined) return undefined;
  const suffix = errors > 1 ? ` (and ${errors - 1} more)` : "";
  return new CommandError("rejected", `${file} is not ready: ${first.message}${suffix}.`);
}
