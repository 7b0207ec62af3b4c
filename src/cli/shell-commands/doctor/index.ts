/** `parley doctor`: diagnoses problems and suggests fixes. */
import { shellCommand } from "../../base/shell-command.ts";
import { DOCTOR_ARGS } from "./args.ts";

export const doctor = shellCommand({
  summary: "Diagnose problems on this machine and suggest fixes",
  group: "Setup",
  examples: ["doctor", "doctor --report", "doctor --report --out report.json"],
  args: DOCTOR_ARGS,
  allowsDryRun: true,
  load: () => import("./run.ts"),
});
