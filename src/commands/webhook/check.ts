/** Has the service check where hooks send to: its queues and topics. It has no check of an address, which `webhook listen` and a test event show. */
import type { Core } from "../../core/core.ts";
import type { QueueCheck } from "../../wire/entities/push-provider.ts";
import { readObject } from "../app/setting-changes.ts";
import { CommandError, command, type View } from "../base/define-command.ts";
import { unknownFields } from "../base/known-fields.ts";
import { hooksOf, type Hook } from "./hooks.ts";

interface Checked extends Pick<Hook, "kind" | "target" | "setting"> {
  result: "ok" | "error" | "not checked";
  reason: string;
}

type Queue = "sqs" | "sns";

const isQueue = (kind: string): kind is Queue => kind === "sqs" || kind === "sns";

const ask = (core: Core, kind: Queue, body: object): Promise<QueueCheck> =>
  core.call(kind === "sqs" ? "checkSqs" : "checkSns", { body });

/** Those of the app are checked with the secrets that the service holds: it answers them blank, and they are not sent back. */
async function checkHook(core: Core, hook: Hook): Promise<Checked> {
  const { kind, target, setting } = hook;
  const of = { kind, target, setting };
  if (!isQueue(kind))
    return { ...of, result: "not checked", reason: "the service checks queues and topics only" };
  const body = setting === "event_hooks" ? { [kind === "sqs" ? "sqs_url" : "sns_topic_arn"]: target } : {};
  const { status, error } = await ask(core, kind, body);
  return { ...of, result: status, reason: error };
}

/** A queue or topic that is not set yet, from a file: a secret is never an argument. Throws `CommandError` (rejected). */
async function checkFile(core: Core, fields: Record<string, unknown>, file: string): Promise<Checked> {
  const kind: Queue = "sns_topic_arn" in fields ? "sns" : "sqs";
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  const [unknown] = unknownFields(kind === "sqs" ? adminBodies.checkSqs : adminBodies.checkSns, fields);
  if (unknown)
    throw new CommandError(
      "rejected",
      `${file} has ${unknown.path}, which no queue or topic has.`,
      unknown.hint,
    );
  const { status, error } = await ask(core, kind, fields);
  const target = String(fields[kind === "sqs" ? "sqs_url" : "sns_topic_arn"] ?? "");
  return { kind, target, setting: file, result: status, reason: error };
}

const view = (checks: readonly Checked[]): View => ({
  kind: "table",
  columns: ["kind", "target", "result", "reason"],
  rows: checks.map(({ kind, target, result, reason }) => [kind, target, result, reason]),
});

export default command({
  summary: "Have the service check the queues and topics that hooks send to",
  changes: "nothing",
  examples: [
    "webhook check",
    "webhook check --file sqs.json",
    "webhook check --json --jq '.checks[].result'",
  ],
  args: {
    file: {
      kind: "file",
      short: "f",
      help: "Check what this file would set instead: sqs_url, sqs_key and sqs_secret, or the same of SNS",
    },
  },
  needs: "secret",
  async run(call): Promise<{ checks: Checked[] }> {
    const { args, core } = call;
    if (args.file !== undefined)
      return { checks: [await checkFile(core, await readObject(call, args.file), args.file)] };
    const checks: Checked[] = [];
    for (const hook of hooksOf((await core.call("getApp")).app)) checks.push(await checkHook(core, hook));
    return { checks };
  },
  show: ({ checks }) => (checks.length === 0 ? "The app has no hooks." : view(checks)),
  fault({ checks }) {
    const failed = checks.filter(({ result }) => result === "error").length;
    return failed === 0
      ? undefined
      : new CommandError("rejected", `${failed} of ${checks.length} cannot be reached by the service.`);
  },
});
