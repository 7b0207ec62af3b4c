/** Shows a command's result as a notice or a sheet of lines. */
import { plainTextOf } from "../../../model/message-words.ts";
import type { View } from "../../../commands/base/define-command.ts";
import type { CommandLine } from "../../../commands/line.ts";
import type { ChatResult } from "../../../commands/run-in-chat.ts";
import { userName } from "../../../model/channels.ts";
import { clean, cleanLine } from "../../../text/sanitize.ts";
import { clock, stamp } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { timeToMs } from "../../../wire/time.ts";
import { popupPushed } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";

/** Longest command quoted in a notice. */
const NAMED_CELLS = 60;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Shows tables and several lines in a sheet, one line as a notice; without output the notice quotes the command. */
export function showResult(
  ports: Ports,
  { path, rest = "" }: Pick<CommandLine, "path" | "rest">,
  { views, word }: ChatResult,
): void {
  const lines = viewLines(views, ports.store.get().look.utc);
  const [first] = lines;
  if (lines.length > 1 || views.some((v) => v.kind === "table" || v.kind === "fields"))
    ports.store.update((s) =>
      popupPushed(s, {
        kind: "sheet",
        title: `/${path}`,
        lines: lines.length ? lines : ["Nothing."],
        top: 0,
      }),
    );
  else {
    const isId = views[0]?.kind === "line" && views[0].isId;
    const line = truncate(cleanLine(`/${path} ${rest}`).trim(), NAMED_CELLS);
    const text = first && !isId ? first : words.results[word === "nothing" ? word : "done"](line);
    showNotice(ports, text, "success");
  }
}

/** Views as clean lines of text; adjacent tables with the same columns are joined. */
export function viewLines(views: readonly View[], utc: boolean): string[] {
  const joined: View[] = [];
  for (const view of views) {
    const last = joined.at(-1);
    if (last?.kind === "table" && view.kind === "table" && last.columns.join() === view.columns.join())
      joined[joined.length - 1] = { ...last, rows: [...last.rows, ...view.rows] };
    else joined.push(view);
  }
  return joined.flatMap((view) => linesOf(view, utc));
}

function linesOf(view: View, utc: boolean): string[] {
  const cell = (value: unknown): string => {
    const text = String(value ?? "");
    return ISO_TIME.test(text) ? stamp(timeToMs(text), { utc }) : text;
  };
  switch (view.kind) {
    case "line":
      return clean(view.text).split("\n");
    case "text":
      return view.lines.map((line) => clean(line).replaceAll("\n", " "));
    case "fields":
      return alignColumns(view.fields.map(([name, value]) => [name, cell(value)]));
    case "table":
      return alignColumns([view.columns.map((c) => c.toUpperCase()), ...view.rows.map((r) => r.map(cell))]);
    case "messages":
      return view.messages.map(
        (m) => `${clock(timeToMs(m.created_at), { utc })} ${userName(m.user)}: ${plainTextOf(m)}`,
      );
  }
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cleanLine(cell)));
  const widths: number[] = [];
  for (const row of cells)
    row.forEach((c, i) => (widths[i] = Math.min(40, Math.max(widths[i] ?? 0, cellWidth(c)))));
  return cells.map((row) => row.map((c, i) => (i === row.length - 1 ? c : padEnd(c, widths[i]!))).join("  "));
}
