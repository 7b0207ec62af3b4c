/** `parley local snapshot`: saves, lists and brings back whole states of the embedded provider. */
import { ExitError } from "../../base/exit.ts";
import { listExit, openResults, showOne } from "../../output/results.ts";
import { confirm } from "../../base/prompts.ts";
import type { OwnRun } from "../kit.ts";

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

const snapshot: OwnRun = async (shell, values, command) => {
  const door = shell.host.local;
  const name = String(values.name);
  switch (command) {
    case "local snapshot save": {
      const { snapshot: saved } = (await door.control("snapshot", { name })) as {
        snapshot?: { name: string; saved_at: string; size: number };
      };
      const results = openResults(shell, false);
      await results.item(saved, { kind: "line", text: `saved ${name}, ${megabytes(saved!.size)}` });
      await results.end();
      return 0;
    }
    case "local snapshot load":
      if (!(await door.snapshots()).some((one) => one.name === name)) throw unknown(name);
      await confirm(shell, {
        level: "moderate",
        question: `Everything since the state '${name}' was saved will be forgotten.`,
      });
      await door.loadSnapshot(name);
      return showOne(shell, { name, loaded: true }, `back at ${name}`);
    case "local snapshot delete":
      if (!(await door.removeSnapshot(name))) throw unknown(name);
      return showOne(shell, { name, deleted: true }, `${name} is forgotten`);
    default: {
      const results = openResults(shell, true);
      const saved = await door.snapshots();
      for (const one of saved)
        await results.item(one, {
          kind: "table",
          columns: ["name", "saved", "size"],
          rows: [[one.name, one.saved_at, megabytes(one.size)]],
        });
      await results.end();
      return listExit(shell, saved.length);
    }
  }
};

const unknown = (name: string): ExitError =>
  new ExitError(3, `There is no saved state '${name}'.`, "parley local snapshot list");
export default snapshot;
