/** `/snippet`: inserts a saved text into the composer. */
import { nameProblem } from "../../../config/snippets.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { didYouMean } from "../../../text/spelling.ts";
import { words } from "../../../text/words.ts";
import { insert } from "../../editor/edits.ts";
import { moveTo } from "../../editor/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { openPicker, showNotice } from "../../screen/notices.ts";
import type { TypedCommand } from "./typed-command.ts";

const CURSOR = "{cursor}";

/** Inserts a snippet at the cursor, which then moves to `{cursor}` in the text. */
function insertSnippet(ports: Ports, name: string): void {
  const snippet = ports.snippets.read().snippets.find((one) => one.name === name);
  if (!snippet) return;
  const at = snippet.text.indexOf(CURSOR);
  const text = snippet.text.replace(CURSOR, "");
  ports.store.update((s) => withFocus(s, "composer"));
  const { editor } = ports.boxes.at();
  const next = insert(editor, text);
  ports.boxes.setEditor(at < 0 ? next : moveTo(next, editor.cursor + at));
}

function listSnippets(ports: Ports): void {
  const { snippets, faults } = ports.snippets.read();
  if (faults.length > 0) showNotice(ports, faults[0]!, "warning");
  if (snippets.length === 0) return showNotice(ports, words.snippets.none);
  const choices = snippets.map(({ name, text }) => ({
    label: name,
    detail: cleanLine(text),
    choose: () => insertSnippet(ports, name),
  }));
  openPicker(ports, { title: words.snippets.title, choices });
}

/** `/snippet`; returns why it cannot be done. */
export function snippetLine(ports: Ports, rest: string, typed: TypedCommand): string | void {
  const [, verb, name = "", text = ""] = /^(add|remove)(?:\s+(\S+))?(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  const names = ports.snippets.read().snippets.map((one) => one.name);
  if (rest === "" || rest === "list") {
    typed.clear();
    return listSnippets(ports);
  }
  if (verb === "add") {
    if (name === "" || text === "") return words.snippets.howToAdd;
    const fault = nameProblem(name);
    if (fault !== undefined) return `${fault[0]!.toUpperCase()}${fault.slice(1)}.`;
    ports.snippets.save(name, text);
    typed.clear();
    return showNotice(ports, words.snippets.saved(name, names.includes(name)), "success");
  }
  const target = verb === "remove" ? name : rest;
  if (!names.includes(target)) return words.snippets.unknown(cleanLine(target), didYouMean(target, names));
  typed.clear();
  if (verb !== "remove") return insertSnippet(ports, target);
  ports.snippets.save(target, undefined);
  showNotice(ports, words.snippets.removed(target), "success");
}
