/** Erases a person with all their data, verifies that nothing is left, and writes a proof; an interrupted run can be continued. */
import { userNotFound } from "../base/user-not-found.ts";
import { waitForTask } from "../base/poll-task.ts";
import {
  CommandError,
  command,
  type Args,
  type Call,
  type Machine,
  type Question,
} from "../base/define-command.ts";
import { count, firstFew } from "../../text/words.ts";
import type { CollectedData } from "./collect.ts";
import type { Proof } from "./proof.ts";
import { proofView } from "./view.ts";
import { isNotFound } from "../../wire/errors.ts";

type DeletionCall = Pick<Call<Args>, "core" | "page" | "signal" | "progress" | "now">;

const questionOf = (user: string, suffix = ""): Question => ({
  level: "severe",
  question: `Delete ${user} permanently, with everything they wrote${suffix}?`,
  word: user,
});

/** Collects the person's data; undefined when the user does not exist. */
async function dataOf(call: DeletionCall, user: string): Promise<CollectedData | undefined> {
  const { collectData } = await import("./collect.ts");
  try {
    return await collectData(call, user);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** What a proof has of the data from the beginning on. */
async function noted(data: CollectedData): Promise<Pick<Proof, "counts" | "files" | "traces">> {
  const { hashesOf } = await import("./collect.ts");
  const { tracesIn } = await import("./search.ts");
  return { counts: data.counts, files: hashesOf(data.files), traces: await tracesIn(data) };
}

const EVERYTHING = { user: "hard", messages: "hard", conversations: "hard", files: true } as const;

/** Deletes the user, waits for the task, and checks that the user is gone. */
async function erase(call: DeletionCall, begun: Proof, save: (proof: Proof) => void): Promise<Proof> {
  const { user } = begun;
  let proof = begun;
  if (proof.task_id === undefined && (await dataOf(call, user)) !== undefined) {
    const { task_id } = await call.core.call("deleteUsers", { body: { ...EVERYTHING, user_ids: [user] } });
    proof = { ...proof, task_id };
    save(proof);
  }
  if (proof.task_id !== undefined) await ended(call, proof.task_id, () => save(withoutTask(proof)));
  if ((await dataOf(call, user)) !== undefined)
    throw new CommandError("failed", `${user} is still there.`, `parley user get ${user}`);
  return proof;
}

const withoutTask = ({ task_id: _task, ...proof }: Proof): Proof => proof;

/** Waits for the task; after a failed one the next run begins another. */
async function ended(call: DeletionCall, task: string, onFailed: () => void): Promise<void> {
  try {
    await waitForTask(call, task, { label: "deleting" });
  } catch (error) {
    if (error instanceof CommandError && error.kind === "failed") onFailed();
    throw error;
  }
}

/** Looks for what is gone; the proof is done when nothing of it was found. */
async function prove(call: DeletionCall, machine: Machine, erased: Proof): Promise<Proof> {
  const { ASKED_ONLY, NOT_REACHED, searchTraces } = await import("./search.ts");
  const { traces, ...proof } = erased;
  const ended_at = new Date(call.now()).toISOString();
  // A run of an earlier version has noted nothing to look for.
  if (!traces) return { ...proof, gone: true, state: "done", ended_at, not_reached: NOT_REACHED };
  const before = proof.removed ?? [];
  const { searched, remaining, removed } = await searchTraces(call, machine, { user: proof.user, traces });
  const byCalls = searched.some(({ by, found }) => by !== "bytes" && found > 0);
  const gone = remaining.length === 0 && !byCalls;
  return {
    ...proof,
    ...(gone ? {} : { traces }),
    gone,
    state: gone ? "done" : "begun",
    ended_at,
    searched,
    remaining,
    removed: [...before, ...removed],
    short_texts: traces.short,
    not_reached: [
      ...(searched.some(({ by, place }) => by === "bytes" && place === "provider") ? [] : [ASKED_ONLY]),
      ...NOT_REACHED,
    ],
  };
}

/** The error (partial) for texts that were found. */
function errorOf({ gone, user, remaining = [] }: Proof): CommandError | undefined {
  if (gone !== false) return undefined;
  const files = remaining.map(({ file, texts }) => `${file} (${texts})`);
  const where = files.length > 0 ? firstFew(files) : "answers of the provider";
  return new CommandError(
    "partial",
    `${user} is deleted, but what they wrote is still in ${where}.`,
    "Remove it there and run this again: it searches once more.",
  );
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
  confirmWord: { word: "the id of the user" },
  needs: "secret",
  shellOnly: "works on files",
  asksWhileRunning: true,
  async run(call): Promise<Proof> {
    const { newProof: begunProof, requireShell, readProof, writeProof } = await import("./proof.ts");
    const { user, proof: file = `gdpr-${user}-deleted.json` } = call.args;
    const machine = requireShell(call);
    machine.requireAnswer(questionOf(user));
    const before = readProof(file, { kind: "delete", user });
    const data = before ? undefined : await dataOf(call, user);
    const found = before ?? (data && (await noted(data)));
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
    return writeProof(file, await prove(call, machine, await erase(call, begun, save)));
  },
  show: (proof) => proofView(proof),
  fault: errorOf,
});
