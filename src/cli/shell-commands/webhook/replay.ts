/** `parley webhook replay`: resends recorded webhooks in order; a refused one does not stop the others. */
import type { Shell } from "../../base/shell.ts";
import { readFileSync } from "node:fs";
import { rowView, command } from "../../../commands/base/define-command.ts";
import { ExitError } from "../../base/exit.ts";
import { openResults } from "../../output/results.ts";
import { forwardAddress, forwardReceived } from "./forward.ts";
import { eventOf, eventType, type Received } from "./received.ts";
import { parseObject } from "../../../wire/json-object.ts";

function readRecorded(file: string): Received[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line, at) => {
    const row = parseObject(line) as Partial<Received> | undefined;
    if (typeof row?.body === "string" && typeof row.headers === "object") return row as Received;
    throw new ExitError(
      7,
      `Line ${at + 1} of ${file} is not a recorded webhook.`,
      "parley webhook listen --out",
    );
  });
}

export default command({
  shell: true,
  summary: "Resend recorded webhooks exactly as they arrived",
  examples: [
    "webhook replay hooks.ndjson --forward-to localhost:3000/hooks",
    "webhook replay hooks.ndjson --forward-to http://127.0.0.1:3000/hooks --id 7f3c",
  ],
  args: {
    file: { kind: "file", positional: true, help: "The file that webhook listen --out wrote" },
    forwardTo: { kind: "text", value: "url", required: true, help: "Address to send them to" },
    id: { kind: "list", value: "id", help: "Only this webhook (repeatable)" },
  },
  async run(shell: Shell, { file, forwardTo, id }) {
    const address = forwardAddress(forwardTo);
    const selected = readRecorded(file).filter((row) => id.length === 0 || id.includes(row.id));
    if (selected.length === 0) throw new ExitError(3, `There is no such webhook in ${file}.`);
    const results = openResults(shell, true);
    let refused = 0;
    for (const row of selected) {
      shell.signal.throwIfAborted();
      const status = await forwardReceived(address, row);
      if (status < 200 || status > 299) refused++;
      const type = eventType(eventOf(Buffer.from(row.body, "base64")));
      await results.item({ id: row.id, type, status }, rowView({ id: row.id, type, status }));
    }
    await results.end();
    if (refused > 0) throw new ExitError(9, `${refused} of ${selected.length} were not accepted.`);
    return 0;
  },
});
