/** Patterns of blocklists, matched in time linear in the text: a set of states walks along, nothing is tried twice. */

type Test = (unit: number) => boolean;

type Step =
  | { op: "one"; test: Test }
  | { op: "fork"; to: number; or: number }
  | { op: "go"; to: number }
  | { op: "at"; where: "start" | "end" | "edge" | "inside" }
  | { op: "found" };

type Node =
  | { kind: "one"; test: Test }
  | { kind: "at"; where: "start" | "end" | "edge" | "inside" }
  | { kind: "row"; parts: Node[] }
  | { kind: "either"; parts: Node[] }
  | { kind: "times"; node: Node; least: number; most: number };

/** Steps of one pattern, after `{m,n}` is written out; and how much work the writing out may be. */
const STEPS = 2000;
const WORK = 20_000;
const REPEATS = 1000;
const DEPTH = 50;

export class PatternFault extends Error {}

const between =
  (low: number, high: number): Test =>
  (unit) =>
    unit >= low && unit <= high;
const digit = between(0x30, 0x39);
const wordUnit: Test = (unit) =>
  digit(unit) || between(0x61, 0x7a)(unit) || between(0x41, 0x5a)(unit) || unit === 0x5f;
const space: Test = (unit) => /\s/.test(String.fromCharCode(unit));
const not =
  (test: Test): Test =>
  (unit) =>
    !test(unit);
const any =
  (tests: Test[]): Test =>
  (unit) =>
    tests.some((test) => test(unit));
const CLASSES: Record<string, Test> = {
  d: digit,
  D: not(digit),
  w: wordUnit,
  W: not(wordUnit),
  s: space,
  S: not(space),
};
const NAMED: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    const node = this.#either();
    if (this.#at < this.#text.length) throw new PatternFault("has a ) without its (");
    return node;
  }

  #either(): Node {
    if (++this.#depth > DEPTH) throw new PatternFault(`nests deeper than ${DEPTH}`);
    const parts = [this.#row()];
    while (this.#take("|")) parts.push(this.#row());
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { kind: "either", parts };
  }

  #row(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#text[this.#at]!))
      parts.push(this.#repeated());
    return { kind: "row", parts };
  }

  #repeated(): Node {
    let node = this.#atom();
    for (;;) {
      const range = this.#range();
      if (!range) return node;
      // whether as few or as many as possible are taken makes no difference to whether there is a match
      this.#take("?");
      if (node.kind === "at") throw new PatternFault("repeats a place");
      node = { kind: "times", node, least: range[0], most: range[1] };
    }
  }

  #range(): [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const found = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (!found) return undefined;
    this.#at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] === undefined ? Infinity : Number(found[3]);
    if (most < least) throw new PatternFault("repeats from more to less");
    if (Math.max(least, most === Infinity ? 0 : most) > REPEATS)
      throw new PatternFault(`repeats more than ${REPEATS} times`);
    return [least, most];
  }

  #atom(): Node {
    const c = this.#text[this.#at++]!;
    if (c === "(") {
      if (this.#take("?")) {
        if (!this.#take(":")) throw new PatternFault("looks ahead or behind, which is not supported");
      }
      const inner = this.#either();
      if (!this.#take(")")) throw new PatternFault("has a ( without its )");
      return inner;
    }
    if (c === "[") return { kind: "one", test: this.#set() };
    if (c === ".") return { kind: "one", test: (unit) => unit !== 10 && unit !== 13 };
    if (c === "^") return { kind: "at", where: "start" };
    if (c === "$") return { kind: "at", where: "end" };
    if (c === "*" || c === "+" || c === "?") throw new PatternFault("repeats nothing");
    if (c === "\\") {
      const next = this.#text[this.#at];
      if (next === "b" || next === "B") {
        this.#at++;
        return { kind: "at", where: next === "b" ? "edge" : "inside" };
      }
      return { kind: "one", test: this.#escaped() };
    }
    return { kind: "one", test: unitTest(c.charCodeAt(0)) };
  }

  /** After a backslash. */
  #escaped(): Test {
    const c = this.#text[this.#at++];
    if (c === undefined) throw new PatternFault("ends with a backslash");
    if (Object.hasOwn(CLASSES, c)) return CLASSES[c]!;
    if (/[1-9]/.test(c)) throw new PatternFault("refers back, which is not supported");
    return unitTest(this.#unitOf(c));
  }

  #unitOf(c: string): number {
    if (Object.hasOwn(NAMED, c)) return NAMED[c]!;
    const digits = c === "x" ? 2 : c === "u" ? 4 : 0;
    if (digits === 0) return c.charCodeAt(0);
    const hex = this.#text.slice(this.#at, this.#at + digits);
    if (!/^[\da-f]+$/i.test(hex) || hex.length < digits) throw new PatternFault("has a bad escape");
    this.#at += digits;
    return Number.parseInt(hex, 16);
  }

  #set(): Test {
    const negated = this.#take("^");
    const tests: Test[] = [];
    for (;;) {
      const low = this.#member();
      if (low === undefined) break;
      if (typeof low === "number" && this.#text[this.#at] === "-" && this.#text[this.#at + 1] !== "]") {
        this.#at++;
        const high = this.#member();
        if (typeof high !== "number" || high < low) throw new PatternFault("has a range out of order");
        tests.push(folded(between(low, high)));
      } else tests.push(typeof low === "number" ? unitTest(low) : low);
    }
    return negated ? not(any(tests)) : any(tests);
  }

  #member(): number | Test | undefined {
    const c = this.#text[this.#at++];
    if (c === undefined) throw new PatternFault("has a [ without its ]");
    if (c === "]") return undefined;
    if (c !== "\\") return c.charCodeAt(0);
    const next = this.#text[this.#at];
    if (next !== undefined && Object.hasOwn(CLASSES, next)) return this.#escaped();
    this.#at++;
    if (next === undefined) throw new PatternFault("ends with a backslash");
    return next === "b" ? 8 : this.#unitOf(next);
  }

  #take(c: string): boolean {
    if (this.#text[this.#at] !== c) return false;
    this.#at++;
    return true;
  }
}

/** The text is in lower case: a pattern's capital means the small letter. */
const small = (unit: number): number => String.fromCharCode(unit).toLowerCase().charCodeAt(0);
const unitTest = (unit: number): Test => {
  const wanted = small(unit);
  return (given) => given === wanted;
};
const folded =
  (test: Test): Test =>
  (unit) =>
    test(unit) || test(String.fromCharCode(unit).toUpperCase().charCodeAt(0));

function compile(node: Node, steps: Step[], spent: { work: number }): void {
  if (steps.length > STEPS || ++spent.work > WORK) throw new PatternFault("is too long");
  switch (node.kind) {
    case "one":
      steps.push({ op: "one", test: node.test });
      return;
    case "at":
      steps.push({ op: "at", where: node.where });
      return;
    case "row":
      for (const part of node.parts) compile(part, steps, spent);
      return;
    case "either": {
      const ends: { op: "go"; to: number }[] = [];
      for (const [i, part] of node.parts.entries()) {
        const last = i === node.parts.length - 1;
        const fork = { op: "fork" as const, to: steps.length + 1, or: 0 };
        if (!last) steps.push(fork);
        compile(part, steps, spent);
        if (last) break;
        const end = { op: "go" as const, to: 0 };
        ends.push(end);
        steps.push(end);
        fork.or = steps.length;
      }
      for (const end of ends) end.to = steps.length;
      return;
    }
    case "times": {
      for (let i = 0; i < node.least; i++) compile(node.node, steps, spent);
      if (node.most === Infinity) {
        const fork = { op: "fork" as const, to: steps.length + 1, or: 0 };
        const back = steps.length;
        steps.push(fork);
        compile(node.node, steps, spent);
        steps.push({ op: "go", to: back });
        fork.or = steps.length;
        return;
      }
      const forks: { op: "fork"; to: number; or: number }[] = [];
      for (let i = node.least; i < node.most; i++) {
        const fork = { op: "fork" as const, to: steps.length + 1, or: 0 };
        forks.push(fork);
        steps.push(fork);
        compile(node.node, steps, spent);
      }
      for (const fork of forks) fork.or = steps.length;
    }
  }
}

export interface Pattern {
  /** Is there a match anywhere in a text of lower case. */
  test(text: string): boolean;
}

/** Literals, `.`, sets, `\d \w \s \b`, groups, `|`, `* + ? {m,n}`, `^ $`; capitals count as small. Throws `PatternFault`. */
export function compilePattern(source: string): Pattern {
  const steps: Step[] = [];
  compile(new Parser(source).whole(), steps, { work: 0 });
  steps.push({ op: "found" });
  return { test: (text) => walk(steps, text) };
}

function walk(steps: readonly Step[], text: string): boolean {
  // the moment at which a step was last put into the set, so that none is in it twice
  const seen = new Int32Array(steps.length).fill(-1);
  let now: number[] = [];
  let next: number[] = [];
  let found = false;
  const put = (list: number[], from: number, at: number): void => {
    const stack = [from];
    while (stack.length > 0) {
      const i = stack.pop()!;
      if (seen[i] === at) continue;
      seen[i] = at;
      const step = steps[i]!;
      if (step.op === "go") stack.push(step.to);
      else if (step.op === "fork") stack.push(step.or, step.to);
      else if (step.op === "found") found = true;
      else if (step.op === "one") list.push(i);
      else if (stands(step.where, text, at)) stack.push(i + 1);
    }
  };
  for (let at = 0; at <= text.length; at++) {
    put(now, 0, at);
    if (found) return true;
    if (at === text.length) return false;
    const unit = text.charCodeAt(at);
    next = [];
    for (const i of now) if ((steps[i] as { test: Test }).test(unit)) put(next, i + 1, at + 1);
    if (found) return true;
    now = next;
  }
  return false;
}

function stands(where: "start" | "end" | "edge" | "inside", text: string, at: number): boolean {
  if (where === "start") return at === 0;
  if (where === "end") return at === text.length;
  const before = at > 0 && wordUnit(text.charCodeAt(at - 1));
  const after = at < text.length && wordUnit(text.charCodeAt(at));
  return (before !== after) === (where === "edge");
}
