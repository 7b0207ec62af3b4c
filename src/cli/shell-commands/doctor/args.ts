/** Arguments of `parley doctor`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const DOCTOR_ARGS = {
  report: flagRow(
    "Write a report to attach to a question: findings, versions, sizes and log lines; no names, texts or secrets",
  ),
  out: { kind: "file", help: "Output file of the report" },
} as const satisfies Args;
