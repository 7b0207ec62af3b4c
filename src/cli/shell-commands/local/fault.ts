/** `parley local fault`: sets, lists and clears faults of the embedded provider. */
import { duration } from "../../../text/times.ts";
import { count } from "../../../text/words.ts";
import { ExitError } from "../../base/exit.ts";
import { listExit, openResults, showOne } from "../../output/results.ts";
import { say } from "../../base/shell.ts";
import type { OwnRun } from "../kit.ts";

interface Fault {
  id: string;
  match: string;
  status?: number;
  code?: number;
  delay?: number;
  drop?: string;
  times?: number;
}

const what = ({ status, code, delay, drop }: Fault): string =>
  [
    status === undefined ? "" : `status ${status}`,
    code === undefined ? "" : `code ${code}`,
    delay === undefined ? "" : `waits ${delay < 1000 ? `${delay} ms` : duration(delay)}`,
    drop === undefined ? "" : `drops the ${drop}`,
  ]
    .filter(Boolean)
    .join(", ");

const fault: OwnRun = async (shell, values, command) => {
  const door = shell.host.local;
  if (command === "local fault clear") {
    const { cleared } = await door.control("fault", {
      do: "clear",
      ...(values.id === undefined ? {} : { id: String(values.id) }),
    });
    if (values.id !== undefined && cleared === 0)
      throw new ExitError(3, `There is no fault ${String(values.id)}.`);
    return showOne(shell, { cleared }, `${count(Number(cleared), "fault")} cleared`);
  }
  if (command === "local fault list") {
    const { faults } = (await door.control("fault", { do: "list" })) as unknown as { faults: Fault[] };
    const results = openResults(shell, true);
    for (const one of faults)
      await results.item(one, {
        kind: "table",
        columns: ["id", "request", "what", "times"],
        rows: [[one.id, one.match, what(one), one.times ?? "until cleared"]],
      });
    await results.end();
    return listExit(shell, faults.length);
  }
  if (values.dropWs) {
    const { dropped } = await door.control("fault", { do: "drop-ws" });
    const ended = `${count(Number(dropped), "connection")} ended`;
    if (values.match === undefined) return showOne(shell, { dropped }, ended);
    say(shell, ended);
  }
  if (values.match === undefined)
    throw new ExitError(2, "Which requests?", "For example 'POST */message' --status 429");
  const { fault: made } = (await door.control("fault", {
    do: "add",
    match: String(values.match),
    ...(values.status === undefined ? {} : { status: values.status }),
    ...(values.code === undefined ? {} : { code: values.code }),
    ...(values.delay === undefined ? {} : { delay_ms: values.delay }),
    ...(values.drop === undefined ? {} : { drop: values.drop }),
    ...(values.times === undefined ? {} : { times: values.times }),
  })) as unknown as { fault: Fault };
  const results = openResults(shell, false);
  await results.item(made, {
    kind: "line",
    text: `${made.id}: ${made.match} ${what(made)}${made.times === undefined ? "" : `, ${made.times === 1 ? "once" : `${made.times} times`}`}`,
  });
  await results.end();
  return 0;
};
export default fault;
