/** Makes the app match a file: asks before removing anything or changing rights, and reports what was done. */
import { APP_FILE_ARGS } from "./app/file/read.ts";
import { changeLine, damageOf, summaryOf } from "./app/file/describe-changes.ts";
import type { Change } from "./app/file/changes.ts";
import type { AppStep } from "./app/file/sections.ts";
import { CommandError, command, type Args, type Call } from "./base/define-command.ts";
import { Outcomes, reasonText } from "./base/bulk/outcomes.ts";
import { withHint } from "../model/errors.ts";

interface ApplyResult {
  made: number;
  failed: number;
  changes: (Change & { result: "made" | "failed"; reason?: string })[];
}

/** Runs the steps; a refused one does not stop the others, and an error that stops all reports the progress. */
class ChangeRunner {
  readonly result: ApplyResult = { made: 0, failed: 0, changes: [] };
  readonly #call: Pick<Call<Args>, "core" | "progress">;
  readonly #outcomes = new Outcomes();

  constructor(call: Pick<Call<Args>, "core" | "progress">) {
    this.#call = call;
  }

  async runAll(steps: readonly AppStep[]): Promise<void> {
    for (const [i, step] of steps.entries()) {
      await this.#runStep(step);
      this.#call.progress(i + 1, steps.length, "steps");
    }
    if (this.result.failed === 0) this.#outcomes.end();
  }

  async #runStep({ changes, send }: AppStep): Promise<void> {
    const name = changes.map(changeLine).join("; ");
    try {
      await send(this.#call.core);
      this.#outcomes.done(changes.length);
      this.#record(changes, "made");
    } catch (error) {
      const { made } = this.result;
      try {
        if (this.#outcomes.failed([name], error)) this.#record(changes, "failed", reasonText(error));
      } catch {
        const hint = `${made} of the changes were made; run the same command to make the others`;
        throw withHint(error, hint);
      }
    }
  }

  #record(changes: readonly Change[], result: "made" | "failed", reason?: string): void {
    this.result[result] += changes.length;
    const reasonField = reason === undefined ? {} : { reason };
    this.result.changes.push(...changes.map((change) => ({ ...change, result, ...reasonField })));
  }
}

export default command({
  summary: "Apply an app file: settings, channel types, roles, grants and lists",
  group: "Operations",
  changes: "provider",
  examples: ["apply app.yaml", "apply app.yaml -n", "apply app.yaml --prune --yes"],
  args: {
    ...APP_FILE_ARGS,
    secrets: { kind: "flag", help: "Send the secrets in the file even if the app already has some" },
  },
  needs: "secret",
  shellOnly: "works on files",
  asksWhileRunning: true,
  async run(call): Promise<ApplyResult> {
    const { file, prune, secrets } = call.args;
    const { stepsOf } = await import("./app/file/steps.ts");
    const steps = await stepsOf(call, file, { prune, secrets });
    const changes = steps.flatMap((step) => step.changes);
    const damage = damageOf(changes);
    if (damage !== undefined)
      await call.machine?.ask({
        level: "moderate",
        question: [...changes.map(changeLine), summaryOf(changes), `This would ${damage}. Go on?`].join("\n"),
      });
    const runner = new ChangeRunner(call);
    await runner.runAll(steps);
    return runner.result;
  },
  show: ({ made, failed, changes }) => ({
    kind: "text",
    lines:
      changes.length === 0
        ? ["Nothing differs."]
        : [
            ...changes.map(
              (one) => `${changeLine(one)}${one.reason === undefined ? "" : ` (failed: ${one.reason})`}`,
            ),
            `${made} made${failed > 0 ? `, ${failed} failed` : ""}`,
          ],
  }),
  fault: ({ made, failed }) =>
    failed === 0
      ? undefined
      : new CommandError(
          made === 0 && failed === 1 ? "rejected" : "partial",
          `${failed} of ${made + failed} changes failed.`,
          "The same command tries them again",
        ),
});
