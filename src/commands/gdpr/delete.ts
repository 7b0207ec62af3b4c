/** Erases a person with all their data, verifies that nothing is left, and writes a proof; an interrupted run can be continued. */
import { userNotFound } from "../base/user-not-found.ts";
import { waitForTask } from "../base/poll-task.ts";
import { CommandError, command, type Args, type CommandCall, type Question } from "../base/define-command.ts";
import { count } from "../../text/words.ts";
import type { Proof } from "./proof.ts";
import { proofView } from "./view.ts";
import { isNotFound } from "../../wire/errors.ts";

type DeletionCall = Pick<CommandCall<Args>, "core" | "page" | "signal" | "progress" | "now">;

const questionOf = (user: string, suffix = ""): Question => ({
  level: "severe",
  question: `Delete ${user} permanently, with everything they wrote${suffix}?`,
  word: user,
});

/** Counts the person's data; undefined when the user does not exist. */
async function countsOf(
  call: DeletionCall,
  user: string,
): Promise<Pick<Proof, "counts" | "files"> | undefined> {
  const { hashesOf, collectData } = await import("./collect.ts");
  try {
    const { counts, files } = await collectData(call, user);
    return { counts, files: hashesOf(files) };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const EVERYTHING = { user: "hard", messages: "hard", conversations: "hard", files: true } as const;

/** Deletes the user, waits for the task, and checks that the user is gone. */
async function erase(call: DeletionCall, begun: Proof, save: (proof: Proof) => void): Promise<Proof> {
  const { user } = begun;
  let proof = begun;
  if (proof.task_id === undefined && (await countsOf(call, user)) !== undefined) {
    const { task_id } = await call.core.call("deleteUsers", { body: { ...EVERYTHING, user_ids: [user] } });
    proof = { ...proof, task_id };
    save(proof);
  }
  if (proof.task_id !== undefined) await waitForTask(call, proof.task_id, { label: "deleting" });
  if ((await countsOf(call, user)) !== undefined)
    throw new CommandError("failed", `${user} is still there.`, `parley user get ${user}`);
  return { ...proof, gone: true, state: "done", ended_at: new Date(call.now()).toISOString() };
}

export default command({
  summary: "Permanently delete a person and all they wrote, with a proof file",
  changes: "provider",
  examples: ["gdpr delete bo", "gdpr delete bo --proof requests/bo.json --confirm bo"],
  args: {
    user: { kind: "user", positional: true, help: "The person" },
    proof: {
      kind: "file",
      value: "file",
      help: "Output file of the proof (default: gdpr-<user>-deleted.json)",
    },
  },
  needs: "secret",
  shellOnly: "works on files",
  asksWhileRunning: true,
  async run(call): Promise<Proof> {
    const { newProof: begunProof, requireShell, readProof, writeProof } = await import("./proof.ts");
    const { user, proof: file = `gdpr-${user}-deleted.json` } = call.args;
    const machine = requireShell(call);
    machine.requireAnswer(questionOf(user));
    const before = readProof(file, { kind: "delete", user });
    const found = before ?? (await countsOf(call, user));
    if (found === undefined) throw userNotFound(user);
    const { messages = 0, reactions = 0, channels = 0 } = found.counts;
    const details = `: ${count(messages, "message")}, ${count(reactions, "reaction")}, member of ${count(channels, "channel")}`;
    await machine.ask(questionOf(user, details));
    const save = (proof: Proof): void => void (call.dry || writeProof(file, proof));
    const begun = before ?? {
      ...(await begunProof(machine, call.now(), { kind: "delete", user })),
      ...found,
    };
    save(begun);
    return writeProof(file, await erase(call, begun, save));
  },
  show: (proof) => proofView(proof),
});
