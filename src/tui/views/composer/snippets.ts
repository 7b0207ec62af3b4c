/** `/snippet`: inserts a saved text into the composer. */
import { nameProblem } from "../../../config/snippets.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { didYouMean } from "../../../text/spelling.ts";
import { words } from "../../../text/words.ts";
import { insert } from "../../editor/edits.ts";
import { moveTo } from "../../editor/state.ts";
import { withFocus } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { showNotice, openPicker } from "../../screen/notices.ts";
import type { LineOutcome } from "./line-outcome.ts";

const CURSOR = "{cursor}";

/** Where the cursor stands, and the cursor goes where the text says. */
export function putSnippet(ports: Ports, name: string): void {
  const found = ports.snippets.read().snippets.find((one) => one.name === name);
  if (!found) return;
  const at = found.text.indexOf(CURSOR);
  const text = found.text.replace(CURSOR, "");
  ports.store.update((s) => withFocus(s, "composer"));
  const { editor } = ports.boxes.at();
  const next = insert(editor, text);
  ports.boxes.put(at < 0 ? next : moveTo(next, editor.cursor + at));
}

function list(ports: Ports): void {
  const { snippets, faults } = ports.snippets.read();
  if (faults.length > 0) showNotice(ports, faults[0]!, "warning");
  if (snippets.length === 0) return showNotice(ports, words.snippets.none);
  const choices = snippets.map(({ name, text }) => ({ label: name, detail: cleanLine(text), value: name }));
  const { title } = words.snippets;
  openPicker(ports, { name: "snippets", title, choices });
}

/** Gives back why it cannot be done. */
export function snippetLine(ports: Ports, rest: string, typed: LineOutcome): string | void {
  const [, verb, name = "", text = ""] = /^(add|remove)(?:\s+(\S+))?(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  const known = ports.snippets.read().snippets.map((one) => one.name);
  if (rest === "" || rest === "list") {
    typed.taken();
    return list(ports);
  }
  if (verb === "add") {
    if (name === "" || text === "") return words.snippets.howToAdd;
    const fault = nameProblem(name);
    if (fault !== undefined) return `${fault[0]!.toUpperCase()}${fault.slice(1)}.`;
    ports.snippets.save(name, text);
    typed.taken();
    return showNotice(ports, words.snippets.saved(name, known.includes(name)), "success");
  }
  const wanted = verb === "remove" ? name : rest;
  if (!known.includes(wanted)) return words.snippets.unknown(cleanLine(wanted), didYouMean(wanted, known));
  typed.taken();
  if (verb !== "remove") return putSnippet(ports, wanted);
  ports.snippets.save(wanted, undefined);
  showNotice(ports, words.snippets.removed(wanted), "success");
}
