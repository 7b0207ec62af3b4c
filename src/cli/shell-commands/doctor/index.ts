/** `parley doctor`: what is wrong here, and what to do about it. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const DOCTOR_ARGS = {
  report: flag(
    "Write a report to attach to a question: findings, versions, sizes and log lines; no names, texts or secrets",
  ),
  out: { kind: "file", help: "Output file of the report" },
} as const satisfies Args;

export const doctor = shellCommand({
  summary: "Diagnose problems on this machine and suggest fixes",
  group: "Setup",
  examples: ["doctor", "doctor --report", "doctor --report --out report.json"],
  args: DOCTOR_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
