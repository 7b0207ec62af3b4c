/** Converts the text of a Slack message: people, channels and links out of their brackets, entities decoded. */

/** What the brackets are resolved with. */
export interface SlackNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** What stands between `<` and `>`. */
function inside(text: string, names: SlackNames, mentioned: Set<string>): string {
  const bar = text.indexOf("|");
  const what = bar < 0 ? text : text.slice(0, bar);
  const label = bar < 0 ? undefined : text.slice(bar + 1);
  const rest = what.slice(1);
  switch (what[0]) {
    case "@":
      mentioned.add(rest);
      return `@${names.user(rest) ?? label ?? rest}`;
    case "#":
      return `#${label || (names.channel(rest) ?? rest)}`;
    case "!":
      // `!here`, `!subteam^S1|@team`, `!date^1512085950^{date}|yesterday`
      return label ?? `@${rest.split("^")[0]!}`;
    default:
      return label === undefined || label === what ? what : `[${label}](${what})`;
  }
}

/** The text, and the ids of the people it mentions. */
export function slackText(text: string, names: SlackNames): { text: string; mentioned: string[] } {
  const mentioned = new Set<string>();
  const open = text.replace(/<([^<>\n]{1,4000})>/g, (_, found: string) => inside(found, names, mentioned));
  return { text: open.replace(/&(?:lt|gt|amp);/g, (one) => ENTITIES[one]!), mentioned: [...mentioned] };
}
