/** A text that is a command: of the composer, or one that the shell has too. */
import { findCommand, readLine, unknownCommandMessage } from "../../../commands/line.ts";
import type { ThreadRef } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { resolveAlias } from "../../keys/aliases.ts";
import {
  parseComposerCommand,
  composerCommandNames,
  composerCommand,
  type ComposerCommandName,
} from "../../keys/composer-commands.ts";
import { missingFeature } from "../../keys/missing-features.ts";
import type { Ports } from "../../ports/ports.ts";
import { showError, showNotice } from "../../screen/notices.ts";
import { isRefusedHere } from "../../ports/refused-here.ts";
import { LINE_COMMANDS } from "./line-commands.ts";
import { argDefaultsAt, runCommandLine, runText } from "./run-command-line.ts";
import { runExtensionLine } from "./extensions.ts";
import { listScheduled, splitTime } from "./scheduled.ts";
import { NOT_TYPED, typedCommandIn, type TypedCommand } from "./typed-command.ts";
import { isProviderCommand, providerCommandsIn, type LineKind } from "./entered-line.ts";
import { post } from "./enter-message.ts";

/** `:search tea`, as while browsing. */
const SEARCH_LINE = /^:search(?:\s+(.*))?$/s;

/** Runs one of the composer's own commands; on a fault it stays in the composer. */
function runLineCommand(ports: Ports, name: ComposerCommandName, rest: string, typed: TypedCommand): void {
  if (isRefusedHere(ports, name)) return;
  try {
    const fault = LINE_COMMANDS[name](ports, rest, typed);
    if (fault !== undefined) showNotice(ports, fault, "warning");
  } catch (error) {
    showError(ports, error);
  }
}

/** `/schedule 09:30 TEXT`; without arguments it opens the list. */
function schedule(ports: Ports, place: ThreadRef, rest: string, typed: TypedCommand): void {
  if (rest === "") {
    typed.clear();
    return listScheduled(ports);
  }
  const found = splitTime(ports, rest);
  if (typeof found === "string") return showNotice(ports, found, "warning");
  if (!found || found.text.trim() === "") return showNotice(ports, words.scheduled.noTime, "warning");
  post(ports, place, found.text, { at: found.at });
}

/** `:search tea`, `/me waves`, `/schedule 09:30 TEXT` and the other commands of the composer itself. */
export const composerLine: LineKind = (ports, { place, text, providerNames }) => {
  const typed = typedCommandIn(ports, place);
  const search = SEARCH_LINE.exec(text.trim());
  const own = search
    ? { name: "search" as const, rest: search[1] ?? "" }
    : parseComposerCommand(resolveAlias(text, providerNames), providerNames);
  if (!own) return false;
  if (own.name === "schedule") schedule(ports, place, own.rest, typed);
  else if (own.name === "me" && own.rest !== "") post(ports, place, `_${own.rest}_`);
  else runLineCommand(ports, own.name, own.rest, typed);
  return true;
};

/** Explains why a line is not a command: an own one that takes no arguments, or an unknown name with similar ones. */
function unknownCommandText(ports: Ports, name: string, providerNames: readonly string[]): string {
  const own = parseComposerCommand(`/${name}`, providerNames)?.name;
  const feature = missingFeature(name);
  if (feature) return `${feature.title}. ${feature.advice}`;
  return own
    ? words.lines.alone(own, composerCommand(own).args)
    : unknownCommandMessage(name, [
        ...composerCommandNames,
        ...providerNames,
        ...ports.extensions.list().map((one) => one.name),
      ]);
}

/** A command of the shell, complete or not, and else a message; the provider's own commands are messages. */
export const commandOrMessage: LineKind = (ports, { place, text, providerNames }) => {
  const line = readLine(resolveAlias(text, providerNames), argDefaultsAt(ports, place), providerNames);
  if (line.kind === "command") runCommandLine(ports, line, typedCommandIn(ports, place));
  else if (line.kind === "fault") showNotice(ports, cleanLine(line.message), "warning");
  else if (line.kind === "unknown") {
    if (!runExtensionLine(ports, place, text, { name: line.name, typed: typedCommandIn(ports, place) }))
      showNotice(ports, unknownCommandText(ports, line.name, providerNames), "warning");
  } else post(ports, place, line.text);
  return true;
};

/** Whether the text starts with a complete command name, even if its arguments are wrong. */
export function isCommand(ports: Ports, text: string): boolean {
  const { place } = ports.boxes;
  if (!place || !text.startsWith("/")) return false;
  const providerNames = providerCommandsIn(ports, place.cid);
  if (isProviderCommand(text, providerNames)) return true;
  const translated = resolveAlias(text, providerNames);
  return (
    parseComposerCommand(translated, providerNames) !== undefined ||
    findCommand(translated.slice(1)) !== undefined ||
    ports.extensions.find(/^\/(\S*)/.exec(text)?.[1] ?? "") !== undefined
  );
}

/** Runs a command named by a key or a list, or an extension; what is in the box stays there. */
export function runLine(ports: Ports, text: string): void {
  const own = parseComposerCommand(text, []);
  if (own) return runLineCommand(ports, own.name, own.rest, NOT_TYPED);
  const { place } = ports.boxes;
  const line = readLine(text, argDefaultsAt(ports, place));
  if (line.kind !== "unknown") return runText(ports, text, NOT_TYPED);
  if (!place || !runExtensionLine(ports, place, text, { name: line.name, typed: NOT_TYPED }))
    showNotice(ports, unknownCommandText(ports, line.name, []), "warning");
}
