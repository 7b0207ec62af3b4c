/** Finds regular expressions in sources and generates texts on which a bad one takes too long. */
import { parseRegExpLiteral, type AST } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import { cpuMilliseconds } from "./cpu-time.ts";
import { nodesOf, parsed, type Node } from "./syntax.ts";

export interface Found {
  pattern: string;
  flags: string;
  line: number;
}

export interface Expressions {
  literals: Found[];
  /** Arguments of `new RegExp(…)`, whose patterns are known only at run time. */
  made: string[];
}

export function expressionsOf(file: string, source: string): Expressions {
  const found: Expressions = { literals: [], made: [] };
  for (const [node] of nodesOf(parsed(file, source))) {
    const [start, end] = [node.start as number, node.end as number];
    const regex = node.regex as Omit<Found, "line"> | undefined;
    if (regex) found.literals.push({ ...regex, line: source.slice(0, start).split("\n").length });
    const isCall = node.type === "NewExpression" || node.type === "CallExpression";
    if (isCall && (node.callee as Node).name === "RegExp")
      found.made.push(source.slice(start, end).replace(/\s+/g, " "));
  }
  return found;
}

/** A text that this part of an expression matches. */
function sample(node: AST.Node): string {
  switch (node.type) {
    case "Character":
      return String.fromCodePoint(node.value);
    case "CharacterSet":
      return characterOf(node);
    case "CharacterClass":
      return classSamples(node)[0] ?? "";
    case "ExpressionCharacterClass":
      return "a";
    case "CapturingGroup":
    case "Group":
    case "Pattern":
      return sample(node.alternatives[0]!);
    case "Alternative":
      return node.elements.map(sample).join("");
    case "Quantifier":
      return sample(node.element).repeat(Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 50));
    default:
      return "";
  }
}

function characterOf(node: AST.CharacterSet): string {
  const candidates = [..."a0 _-!/\n\t\u0301é中\u00a0\u200b\u0000\u1100"];
  const pattern = new RegExp(node.raw, node.raw.startsWith("\\p") || node.raw.startsWith("\\P") ? "u" : "");
  return candidates.find((one) => pattern.test(one)) ?? "a";
}

/** A character for each part of a class; for a negated class, some characters it matches. */
function classSamples(node: AST.CharacterClass): string[] {
  if (node.negate) {
    const pattern = new RegExp(node.raw, "u");
    return [..."a0 !/=\n\u0000\u00e9<\"'"].filter((one) => pattern.test(one));
  }
  return node.elements.map((part) =>
    part.type === "CharacterClassRange" ? String.fromCodePoint(part.min.value) : sample(part as AST.Node),
  );
}

/** A text matching everything before this part of the expression. */
function before(node: AST.Node): string {
  const { parent } = node;
  if (!parent) return "";
  const inside =
    parent.type === "Alternative"
      ? parent.elements
          .slice(0, parent.elements.indexOf(node as AST.Element))
          .map(sample)
          .join("")
      : "";
  return before(parent) + inside;
}

const MOST_PUMPS = 12;

/** Texts that lead up to a repetition, and texts to repeat there. */
function weakSpots(pattern: string, flags: string): { prefixes: string[]; pumps: string[] } {
  const { pattern: tree } = parseRegExpLiteral(`/${pattern}/${flags}`);
  const prefixes = new Set(["", "a"]);
  const pumps = new Set<string>();
  // oxlint-disable-next-line typescript/no-explicit-any -- the parts of an expression are walked by their shape
  const visit = (node: any): void => {
    if (node.type === "Quantifier" && node.max > 20) {
      prefixes.add(before(node));
      const { element } = node as AST.Quantifier;
      if (element.type === "CharacterClass") for (const one of classSamples(element)) pumps.add(one);
      else pumps.add(sample(element));
    }
    for (const part of node.alternatives ?? node.elements ?? [node.element].filter(Boolean)) visit(part);
  };
  visit(tree);
  // The analysis reports characters that two neighbouring repetitions can both match.
  for (const { character } of analyse(new RegExp(pattern, flags), { assumeRejectingSuffix: true }).reports)
    for (const one of [..."a0 !-/\n\t=,;.\"'\u1100\u0301"].filter((c) =>
      new RegExp(character.literal.source, character.literal.flags).test(c),
    ))
      pumps.add(one);
  return { prefixes: [...prefixes], pumps: [...pumps].filter(Boolean).slice(0, MOST_PUMPS) };
}

/** Endings that make a match fail at the last moment. */
const ENDS = ["", "\u0000a", "\nb"];

/** Texts generated for this expression, each as a function of its approximate length. */
function attacks(pattern: string, flags: string): ((length: number) => string)[] {
  const { prefixes, pumps } = weakSpots(pattern, flags);
  const repeated = [...pumps, ...pumps.slice(1, 4).map((one) => pumps[0] + one)];
  const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));
  return [
    ...prefixes.flatMap((prefix) =>
      repeated.flatMap((pump) => ENDS.map((end) => (length: number) => prefix + filled(pump, length) + end)),
    ),
    ...prefixes.filter((prefix) => prefix !== "").map((prefix) => (length: number) => filled(prefix, length)),
  ];
}

/** Short ones first: an exponential expression would never finish on a long text, and quadratic or cubic ones show early. */
const LENGTHS = [16, 20, 23, 26, 100, 400, 1500, 4000, 8000, 12_000, 18_000, 30_000] as const;

/** CPU milliseconds of the slowest text; stops at the first one over `limit`. */
export function worstOf(pattern: string, flags: string, limit: number): { ms: number; text: string } {
  // Searches all matches of a text, like a replacement or a split.
  const expression = new RegExp(pattern, flags.includes("g") ? flags : `${flags}g`);
  let worst = { ms: 0, text: "" };
  for (const attack of attacks(pattern, flags))
    for (const length of LENGTHS) {
      const text = attack(length);
      const began = cpuMilliseconds();
      text.replace(expression, "");
      const ms = cpuMilliseconds() - began;
      if (ms > worst.ms) worst = { ms, text };
      if (ms > limit) return worst;
    }
  return worst;
}
