/** Code highlighting; code stays plain until the highlighter is loaded, and in unknown languages. */
import type { HLJSApi } from "highlight.js";

type Tone = "keyword" | "string" | "number" | "comment" | "name" | "type" | "plain";

interface CodeSpan {
  tone: Tone;
  text: string;
}

/** Longer code stays plain, because grammars are regular expressions and the text is untrusted; UTF-16 units. */
const MAX_LENGTH = 8_000;

let loaded: HLJSApi | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter once (36 languages); code has to be redrawn when this resolves. */
export function loadHighlighter(): Promise<void> {
  loading ??= import("highlight.js/lib/common").then((module) => {
    loaded = module.default;
  });
  return loading;
}

export function highlighterLoaded(): boolean {
  return loaded !== undefined;
}

const TONES: Record<string, Tone> = {
  keyword: "keyword",
  built_in: "type",
  type: "type",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  subst: "plain",
  symbol: "string",
  comment: "comment",
  doctag: "comment",
  quote: "comment",
  meta: "comment",
  title: "name",
  section: "name",
  name: "keyword",
  attr: "type",
  attribute: "type",
  tag: "plain",
  selector: "name",
  addition: "string",
  deletion: "number",
};

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/**
 * Splits code into spans of one tone each; undefined if it stays plain: not loaded yet,
 * an unknown language, too long.
 */
export function highlight(code: string, language: string): CodeSpan[] | undefined {
  if (!loaded || language === "" || code.length > MAX_LENGTH || !loaded.getLanguage(language))
    return undefined;
  const html = loaded.highlight(code, { language, ignoreIllegals: true }).value;
  const out: CodeSpan[] = [];
  const stack: Tone[] = ["plain"];
  for (const part of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    const [all, classes] = part;
    if (classes !== undefined) {
      const kind = /hljs-([a-z_]+)/.exec(classes)?.[1] ?? "";
      stack.push(TONES[kind] ?? stack.at(-1)!);
    } else if (all === "</span>") stack.pop();
    else {
      const text = all.replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
      const tone = stack.at(-1) ?? "plain";
      const last = out.at(-1);
      if (last?.tone === tone) last.text += text;
      else out.push({ tone, text });
    }
  }
  return out;
}
