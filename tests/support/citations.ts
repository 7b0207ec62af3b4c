/** Finds the numbered rules and sections of the specification and the citations of them in a text; works on strings, so tests can pass their own. */

/** All numbers of the specification: rules (`R-SEND-4`, `D3`) and sections (`realtime.md §7`, its third step `realtime.md §7.3`). */
export interface Numbers {
  /** Rule → the pages that contain it. */
  rules: Map<string, string[]>;
  /** In page order. */
  sections: string[];
  /** Sections that contain rules: the rules are cited instead. */
  ruled: Set<string>;
}

export interface Citation {
  /** `group`: all rules of a group (`R-SEND`). `vague`: looks like a citation but names nothing that can be looked up. */
  kind: "rule" | "group" | "section" | "page" | "vague";
  /** In the form used by `Numbers`; for a page its path as written, for a vague citation its text. */
  target: string;
}

/** A table row or list item that begins with a rule number. */
const RULE = /^(?:\| |- )((?:R-)?[A-Z]+-\d+|D\d+)(?: \||:)/;
/** `## 7. After a reconnect`, `### 5.1 Previews`. */
const HEADING = /^##+ (\d+(?:\.\d+)?)\.? /;
/** A step of a section: `3.` is cited as `§7.3`. */
const STEP = /^(\d+)\. /;

/** `pages`: file name → text. */
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

/** Expands a list of numbers: `2`, then `, 3`, ` and -3`, `…7`, `–5` or `…L-7`. */
function listed(first: string, more: string): string[] {
  const found = [first];
  for (const [, between, to] of more.matchAll(new RegExp(`(${BETWEEN})[^\\d,…–]*([\\d.]*\\d)`, "g")))
    if (!/[…–]/.test(between!)) found.push(to!);
    else for (let n = Number(found.at(-1)) + 1; n <= Number(to); n++) found.push(String(n));
  return found;
}

/** Cited rules; an unknown group of client rules counts as a wrong citation, not as an ordinary word. */
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
 * Every citation in a text. `groups`: the groups of the specification's rules. `page`: the page of the specification that the
 * text is; on it, other pages are cited by their bare names, and `§` alone means this page.
 */
export function citationsIn(text: string, groups: readonly string[], page?: string): Citation[] {
  // Sections of RFCs are not ours.
  const own = text.replace(/RFC \d+ §[\d.]+/g, "");
  const named = [...own.matchAll(/(?<![\w./-])[\w./-]*[\w-]\.md\b/g)].map(([path]) => path);
  const former = [...own.matchAll(/\bdecisions? \d+|\bREADME §/gi)].map(([words]) => words);
  return [
    ...rulesIn(own, groups),
    ...sectionsIn(own, page),
    ...named.map((target): Citation => ({ kind: "page", target })),
    ...former.map((target): Citation => ({ kind: "vague", target })),
  ];
}

/** The titles of `test`, `it` and `describe`, also with `.each` and the like; other text does not count. */
export function titlesOf(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\/\*\*|\*).*$/gm, "");
  // A call, or the second call of `.each([…])(…)`; the rule may also be in a row of `.each`.
  const calls = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const rows = /^\s*\[\s*(["'`])(R-(?:\\.|(?!\1)[^\\])*)\1/gm;
  return [...code.matchAll(calls), ...code.matchAll(rows)].map((title) => title[2]!);
}
