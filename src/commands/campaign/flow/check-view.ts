/** Shows a check: problems first, then the audience. */
import { count } from "../../../text/words.ts";
import { type View, CommandError } from "../../base/define-command.ts";
import type { CampaignCheck } from "./check.ts";

function audienceText({ kind, channels, named, receivers, ...excluded }: CampaignCheck["audience"]): string {
  if (kind === "channel")
    return channels === undefined ? "the sender's channels" : count(channels, "channel");
  const reasons = Object.entries(excluded).filter(([, n]) => n > 0);
  const text = reasons.map(([key, n]) => `${n} ${key.replace("_", " ")}`).join(", ");
  return `${named} named, ${receivers} receive it${text ? ` (${text})` : ""}`;
}

export function checkView({
  file,
  errors,
  warnings,
  findings,
  audience,
  requests,
  seconds,
}: CampaignCheck): View {
  return {
    kind: "text",
    lines: [
      `${file}: ${count(errors, "error")}, ${count(warnings, "warning")}`,
      ...findings.map(({ level, message }) => `${level.padEnd(7)}  ${message}`),
      `audience: ${audienceText(audience)}`,
      `cost: about ${count(requests, "request")} in ${count(seconds, "second")}`,
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
