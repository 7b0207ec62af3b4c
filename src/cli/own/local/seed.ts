/** `parley local seed`: fills the embedded provider with the demo workspace or with an import file. */
import { createReadStream, statSync } from "node:fs";
import { count } from "../../../text/words.ts";
import { ExitError } from "../../exit.ts";
import { openResults, showOne } from "../../paint/results.ts";
import type { OwnRun } from "../kit.ts";

const seed: OwnRun = async (shell, values) => {
  const what = String(values.what);
  const door = shell.host.local;
  if (what === "demo") {
    const { seeded } = await door.control("seed", {});
    return showOne(
      shell,
      { seeded },
      seeded ? "the demo workspace is there" : "the demo workspace was there already",
    );
  }
  let size: number;
  try {
    size = statSync(what).size;
  } catch {
    throw new ExitError(3, `There is no file ${what}.`, "local seed demo, or a file of import lines");
  }
  const task = await door.importFile({ size, stream: () => createReadStream(what) });
  const results = openResults(shell, false);
  const { state, stats, errors } = task;
  const counts = Object.entries(stats).map(([name, n]) => count(n, name.replace(/s$/, "")));
  await results.item(task, { kind: "line", text: `${state}: ${counts.join(", ")}` });
  await results.end();
  if (state === "completed") return 0;
  const [first] = errors;
  throw new ExitError(7, `Nothing was imported: ${first?.error ?? state}`, "parley import validate <file>");
};
export default seed;
