/** `parley local robot`: lets somebody who is not there say, react, vote, type or move in the embedded provider. */
import { duration } from "../../../text/times.ts";
import { count } from "../../../text/words.ts";
import { ExitError } from "../../base/exit.ts";
import { openResults } from "../../output/results.ts";
import type { OwnRun } from "../kit.ts";

function readPlace(text: unknown, end: "from" | "to"): Record<string, number> {
  const [latitude, longitude, ...more] = String(text).split(",").map(Number);
  if (more.length || !Number.isFinite(latitude) || !Number.isFinite(longitude))
    throw new ExitError(2, `--${end} must be latitude,longitude`, "For example 59.3251,18.0711");
  return { [`${end}_latitude`]: latitude!, [`${end}_longitude`]: longitude! };
}

/** What was done: the message's id, or how much. */
function told(done: Record<string, unknown>): string {
  if (typeof done.written === "number") return `${count(done.written, "message")} written`;
  if (typeof done.for_ms === "number") return `types for ${duration(done.for_ms)}`;
  return String(Object.values(done)[0] ?? "");
}

const robot: OwnRun = async (shell, values, command) => {
  const act = command.split(" ").at(-1)!;
  const cid = values.channel === undefined ? {} : { cid: String(values.channel) };
  if (cid.cid?.startsWith("@"))
    throw new ExitError(
      2,
      "A robot needs a channel's own name",
      "For example '#general' or messaging:general",
    );
  const user_id = String(values.user);
  const length = (name: string, key: string): object =>
    values[name] === undefined ? {} : { [key]: values[name] };
  const order: Record<string, unknown> = { do: act, user_id, ...cid };
  if (act === "say")
    Object.assign(order, { text: String(values.text) }, length("every", "every_ms"), {
      ...(values.thread === undefined ? {} : { parent_id: String(values.thread) }),
      ...(values.times === undefined ? {} : { times: values.times }),
    });
  if (act === "react")
    Object.assign(order, { message_id: String(values.message), type: String(values.type) });
  if (act === "vote")
    Object.assign(order, { message_id: String(values.message), option: String(values.option) });
  if (act === "type") Object.assign(order, length("for", "for_ms"));
  if (act === "move")
    Object.assign(
      order,
      readPlace(values.from, "from"),
      readPlace(values.to, "to"),
      length("for", "for_ms"),
      length("every", "every_ms"),
    );
  const { duration: _duration, ...done } = await shell.host.local.control(
    act === "flood" ? "flood" : "robot",
    act === "flood"
      ? { ...cid, user_id, count: values.count, ...(values.rate === undefined ? {} : { rate: values.rate }) }
      : order,
  );
  const results = openResults(shell, false);
  await results.item(done, { kind: "line", text: told(done) });
  await results.end();
  return 0;
};
export default robot;
