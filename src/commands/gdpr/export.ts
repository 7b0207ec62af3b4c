/** Writes all data of a person into a folder, with a proof. */
import { CommandError, command } from "../base/define-command.ts";
import { count } from "../../text/words.ts";
import type { Proof } from "./proof.ts";
import { proofView } from "./view.ts";

/** Throws `CommandError` (conflict) where a file is. */
function madeFolder(out: string, make: (folder: string, mode: number) => () => void): () => void {
  try {
    return make(out, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new CommandError("conflict", `${out} is not a folder.`, "Name another one with --out.");
  }
}

export default command({
  summary: "Export everything held about a person to a folder, with a proof file",
  changes: "local",
  examples: ["gdpr export bo", "gdpr export bo --out requests/bo"],
  args: {
    user: { kind: "user", positional: true, help: "The person" },
    out: { kind: "file", value: "folder", help: "Output folder (default: gdpr-<user>)" },
  },
  needs: "secret",
  shellOnly: "works on files",
  async run(call): Promise<Proof> {
    const { existsSync, rmSync } = await import("node:fs");
    const { makeFolders } = await import("../../model/files/leftovers.ts");
    const { storageKind } = await import("../../model/files/storage.ts");
    const path = await import("node:path");
    const { replaceOwn } = await import("../../model/files/own-files.ts");
    const { newProof: begunProof, requireShell, readProof, writeProof } = await import("./proof.ts");
    const { downloadSent } = await import("./download.ts");
    const { hashesOf, collectData } = await import("./collect.ts");
    const { user, out = `gdpr-${user}` } = call.args;
    const file = path.join(out, "proof.json");
    const isContinued = readProof(file, { kind: "export", user }) !== undefined;
    const proof = await begunProof(requireShell(call), call.now(), { kind: "export", user });
    const data = await collectData(call, user);
    const { counts, files } = data;
    const done = { ...proof, counts, files: hashesOf(files), ended_at: new Date(call.now()).toISOString() };
    const taken = files.map(({ name }) => path.join(out, name)).find((one) => existsSync(one));
    if (taken !== undefined && !isContinued)
      throw new CommandError("conflict", `${taken} already exists.`, "Name another folder with --out.");
    if (call.dry) return { ...done, dry_run: true };
    const unmake = madeFolder(out, makeFolders);
    const written: string[] = [];
    const write = (name: string, text: string): void => {
      written.push(name);
      replaceOwn(path.join(out, name), text);
    };
    try {
      // Written first, so that an interrupted run can be repeated over its own files.
      written.push("proof.json");
      writeProof(file, done);
      for (const { name, text } of files) write(name, text);
      const { provider } = await requireShell(call).about();
      const sent = await downloadSent(call, data, { out, provider });
      write(sent.list.name, sent.list.text);
      const all = [...done.files, ...hashesOf([sent.list]), ...sent.files];
      const { missing } = sent;
      return writeProof(file, {
        ...done,
        counts: { ...counts, files: sent.files.length },
        files: all,
        missing,
        state: missing === 0 ? "done" : "begun",
      });
    } catch (error) {
      // Half of what is held about somebody is no answer, and on a full disk nothing goes on.
      if (!isContinued && storageKind(error) !== undefined) {
        for (const name of written) rmSync(path.join(out, name), { force: true });
        unmake();
      }
      throw error;
    }
  },
  show: (proof) => proofView(proof),
  fault: ({ missing = 0, user }) =>
    missing === 0
      ? undefined
      : new CommandError(
          "partial",
          `${count(missing, "file")} of ${user} could not be downloaded: see sent-files.ndjson.`,
          "Run the same command again; it asks for them once more.",
        ),
});
