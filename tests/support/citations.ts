/** What the specification numbers, and what a text cites of it: read from texts alone, so that a test can give its own. */

/** Every number of the specification: rules (`R-SEND-4`, `D3`) and sections (`realtime.md §7`, its third step `realtime.md §7.3`). */
export interface Numbers {
  /** The pages on which each rule stands. */
  rules: Map<string, string[]>;
  /** In the order in which they stand. */
  sections: string[];
  /** Sections that hold rules: those are cited in their place. */
  ruled: Set<string>;
}

export interface Citation {
  /** `group`: all rules of one (`R-SEND`). `vague`: it looks like a citation and names no place that anybody could look up. */
  kind: "rule" | "group" | "section" | "page" | "vague";
  /** As `Numbers` has it; of a page its path as written, of a vague one what was written. */
  target: string;
}

/** A row of a table or an item of a list that begins with the number of a rule. */
const RULE = /^(?:\| |- )((?:R-)?[A-Z]+-\d+|D\d+)(?: \||:)/;
/** `## 7. After a reconnect`, `### 5.1 Previews`. */
const HEADING = /^##+ (\d+(?:\.\d+)?)\.? /;
/** A step of a section: `3.` is cited as `§7.3`. */
const STEP = /^(\d+)\. /;

/** `pages`: name → text. */
export function readNumbers(pages: ReadonlyMap<string, string>): Numbers {
  const rules = new Map<string, string[]>();
  const sections: string[] = [];
  const ruled = new Set<string>();
  for (const [page, text] of pages) {
    let section: string | undefined;
    for (const line of text.split("\n")) {
      const rule = RULE.exec(line)?.[1];
      if (rule) rules.set(rule, [...(rules.get(rule) ?? []), page]);
      if (rule && section) ruled.add(`${page} §${section}`);
      const heading = HEADING.exec(line)?.[1];
      if (heading) sections.push(`${page} §${(section = heading)}`);
      const step = STEP.exec(line)?.[1];
      if (step && section) sections.push(`${page} §${section}.${step}`);
    }
  }
  return { rules, sections, ruled };
}

/** The group of a rule: `R-SEND` of `R-SEND-4`, `D` of `D3`. */
export const groupOf = (rule: string): string => rule.replace(/-?\d+$/, "");

const BETWEEN = String.raw`(?:,? and |, | ?[…–] ?)`;

/** The numbers of a list: `2`, then `, 3`, ` and -3`, `…7`, `–5` or `…L-7`. */
function listed(first: string, more: string): string[] {
  const found = [first];
  for (const [, between, to] of more.matchAll(new RegExp(`(${BETWEEN})[^\\d,…–]*([\\d.]*\\d)`, "g")))
    if (!/[…–]/.test(between!)) found.push(to!);
    else for (let n = Number(found.at(-1)) + 1; n <= Number(to); n++) found.push(String(n));
  return found;
}

/** Rules by their number; a group of the client's rules that is not known is a mistake and not a word. */
function rulesIn(text: string, groups: readonly string[]): Citation[] {
  const dashed = ["R-[A-Z]+", ...groups.filter((group) => group !== "D")].join("|");
  const list = String.raw`((?:${BETWEEN}(?:\1-|-)?\d+\b(?!\.\d| ?[a-z%]))*)`;
  const found: Citation[] = [];
  for (const [, group, first, more] of text.matchAll(new RegExp(`(?<![\\w-])(${dashed})-(\\d+)${list}`, "g")))
    for (const n of listed(first!, more!)) found.push({ kind: "rule", target: `${group}-${n}` });
  for (const [, first, to] of text.matchAll(/(?<![\w#-])D(\d{1,2})(?:–D(\d{1,2}))?(?!\w)/g))
    for (const n of listed(first!, to ? `–${to}` : "")) found.push({ kind: "rule", target: `D${n}` });
  for (const [group] of text.matchAll(/(?<![\w-])R-[A-Z]{2,}(?![\w-]*\w)/g))
    found.push({ kind: "group", target: group });
  return found;
}

function sectionsIn(text: string, page: string | undefined): Citation[] {
  const folder = page === undefined ? String.raw`specification\/` : "";
  const list = String.raw`§([\d.]*\d)((?:${BETWEEN}§?\d(?:[\d.]*\d)?(?!\w))*)`;
  const found: Citation[] = [];
  for (const [all, named = page, first, more] of text.matchAll(
    new RegExp(`(?:${folder}([a-z-]+\\.md) )?${list}`, "g"),
  ))
    if (named === undefined) found.push({ kind: "vague", target: all });
    else for (const n of listed(first!, more!)) found.push({ kind: "section", target: `${named} §${n}` });
  return found;
}

/**
 * Every citation in a text. `groups`: those of the specification's rules. `page`: the page of the specification that the
 * text is; there the other pages are cited by their bare names, and `§` alone means this one.
 */
export function citationsIn(text: string, groups: readonly string[], page?: string): Citation[] {
  // Sections of other people's documents are theirs.
  const own = text.replace(/RFC \d+ §[\d.]+/g, "");
  const named = [...own.matchAll(/[\w./-]*[\w-]\.md\b/g)].map(([path]) => path);
  const former = [...own.matchAll(/\bdecisions? \d+|\bREADME §/gi)].map(([words]) => words);
  return [
    ...rulesIn(own, groups),
    ...sectionsIn(own, page),
    ...named.map((target): Citation => ({ kind: "page", target })),
    ...former.map((target): Citation => ({ kind: "vague", target })),
  ];
}

/** The titles of `test`, `it` and `describe`, `.each` and the like included; text elsewhere does not count. */
export function titlesOf(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\/\*\*|\*).*$/gm, "");
  // A call, or the second call of `.each([…])(…)`; `.each` rows may hold the rule too.
  const calls = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const rows = /^\s*\[\s*(["'`])(R-(?:\\.|(?!\1)[^\\])*)\1/gm;
  return [...code.matchAll(calls), ...code.matchAll(rows)].map((title) => title[2]!);
}
