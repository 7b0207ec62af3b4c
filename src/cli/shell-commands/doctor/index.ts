/** `parley doctor`: what is wrong here, and what to do about it. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag, shellCommand } from "../../base/shell-command.ts";

export const DOCTOR_ARGS = {
  report: flag(
    "Write one file to send with a question: findings, versions, sizes, log lines; no names, texts or secrets",
  ),
  out: { kind: "file", help: "Where the report goes" },
} as const satisfies Args;

export const doctor = shellCommand({
  summary: "Look for what is wrong here, and say what to do about it",
  group: "Setup",
  examples: ["doctor", "doctor --report", "doctor --report --out report.json"],
  args: DOCTOR_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
