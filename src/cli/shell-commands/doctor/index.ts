/** `parley doctor`: what is wrong here, and what to do about it. */
import { shellCommand } from "../../base/shell-command.ts";
import { DOCTOR_ARGS } from "./args.ts";

export const doctor = shellCommand({
  summary: "Diagnose problems on this machine and suggest fixes",
  group: "Setup",
  examples: ["doctor", "doctor --report", "doctor --report --out report.json"],
  args: DOCTOR_ARGS,
  dry: true,
  load: () => import("./run.ts"),
});
