/** Reads a YAML or JSON file so that every mistake is reported with its line and column. */
import type { Shape } from "../../../wire/entities/fields.ts";
import { CommandError, type FileReading } from "../define-command.ts";
import { EXACT_NUMBERS, loadYaml, NO_ALIASES, readTextFile } from "../json.ts";
import { settled, UnusableValue } from "../../../wire/given-json.ts";
import { unknownFields } from "../known-fields.ts";
import { valueProblems } from "./value-problems.ts";
import { EXCESSIVE, isExcessiveYaml } from "../../../wire/bounded-json.ts";
import { isObject } from "../../../wire/json-object.ts";

interface FilePosition {
  /** Counted from 1. */
  line: number;
  column: number;
}

export interface FileProblem extends FilePosition {
  message: string;
}

type Path = readonly (string | number)[];

interface ParsedFile {
  /** The name the user gave. */
  name: string;
  text: string;
  /** Empty for an invalid file. */
  content: Record<string, unknown>;
  problems: FileProblem[];
}

/** A problem at a path; `message` continues the sentence after the path. */
export interface InputFault {
  path: Path;
  message: string;
}

/** What a file is checked against. */
export interface FileForm {
  shape: Shape;
  /** Noun for messages: `a campaign file`. */
  noun: string;
  check(content: Record<string, unknown>): Iterable<InputFault>;
}

function problemsOf(
  content: Record<string, unknown>,
  { shape, noun, check }: FileForm,
  at: (path: Path) => FilePosition,
): FileProblem[] {
  const problem = ({ path, message }: InputFault): FileProblem => ({
    ...at(path),
    message: `${path.join(".")} ${message}`,
  });
  return [
    ...unknownFields(shape, content).map(({ path, hint }) => ({
      ...at(path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step))),
      message: `${path} is not a key of ${noun}: ${hint.slice(0, 1).toLowerCase()}${hint.slice(1).replace(/\.$/, "")}`,
    })),
    ...[...valueProblems(shape, content)].map(problem),
    ...[...check(content)].map(problem),
  ].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** Reads and checks a file; problems are returned. Throws `CommandError` when it cannot be read. */
export async function readParsedFile(call: FileReading, name: string, form: FileForm): Promise<ParsedFile> {
  const text = await readTextFile(call, name);
  if (isExcessiveYaml(text)) {
    const problem = { line: 1, column: 1, message: `it ${EXCESSIVE}` };
    return { name, text, content: {}, problems: [problem] };
  }
  const { LineCounter, parseDocument } = await loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { ...EXACT_NUMBERS, lineCounter: lines });
  const positionAt = (at: number): FilePosition => {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const syntaxProblems = document.errors.map(({ pos, code, message }) => ({
    ...positionAt(pos[0]),
    message: code === "RESOURCE_EXHAUSTION" ? `it ${EXCESSIVE}` : message.split(/ at line|\n/)[0]!,
  }));
  const value: unknown =
    syntaxProblems.length > 0
      ? undefined
      : objectIn(
          () => settled(document.toJS(NO_ALIASES)),
          syntaxProblems,
          ({ found }) => positionAt(Math.max(0, text.indexOf(found))),
        );
  const content = isObject(value) ? value : {};
  const at = (steps: Path): FilePosition => {
    for (let n = steps.length; n > 0; n--) {
      const range = rangeOf(document.getIn(steps.slice(0, n - 1), true), steps[n - 1]!);
      if (range) return positionAt(range[0]);
    }
    return { line: 1, column: 1 };
  };
  return {
    name,
    text,
    content,
    problems: syntaxProblems.length > 0 ? syntaxProblems : problemsOf(content, form, at),
  };
}

/** The range of a key in its map, or of an entry in its list. */
function rangeOf(node: unknown, step: string | number): readonly [number, ...number[]] | undefined {
  type Node = { range?: [number, number, number]; value?: unknown };
  const { items = [] } = (node ?? {}) as { items?: (Node & { key?: Node })[] };
  return typeof step === "number"
    ? items[step]?.range
    : items.find(({ key }) => key?.value === step)?.key?.range;
}

function objectIn(
  read: () => unknown,
  problems: FileProblem[],
  positionOf: (unusable: UnusableValue) => FilePosition,
): unknown {
  try {
    const value = read();
    if (isObject(value)) return value;
    problems.push({ line: 1, column: 1, message: "it is not an object" });
  } catch (error) {
    if (error instanceof UnusableValue)
      problems.push({ ...positionOf(error), message: `it ${error.message}` });
    else
      problems.push({ line: 1, column: 1, message: "it repeats parts by aliases, which are not followed" });
  }
  return undefined;
}

export const problemLine = ({ name }: { name: string }, { line, column, message }: FileProblem): string =>
  `${name}:${line}:${column} ${message}`;

/** Throws `CommandError` (rejected) for a file with problems; `teller` is a command that lists all of them, for the hint. */
export function requireNoProblems(file: Pick<ParsedFile, "name" | "problems">, listCommand?: string): void {
  const [first, ...others] = file.problems;
  if (first === undefined) return;
  const suffix = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new CommandError("rejected", `${problemLine(file, first)}${suffix}.`, listCommand);
}
