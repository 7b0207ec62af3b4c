/** `parley help`: a command's page or a topic. */
import { commands, NOUNS, NOUN_WORDS } from "../../commands/index.ts";
import { ExitError } from "../exit.ts";
import { commandHelp, nounHelp, rootHelp } from "../help.ts";
import { TOPICS } from "../topics.ts";
import { write } from "../stdio.ts";
import { OWN, OWN_NOUN_WORDS } from "./index.ts";
import type { OwnRun } from "./kit.ts";

const help: OwnRun = async (shell, values) => {
  const words = values.words as string[];
  if (words.length === 0) return write(shell.out, rootHelp()).then(() => 0);
  const noun = NOUNS[words[0]!] ?? words[0]!;
  const path = [noun, ...words.slice(1)].join(" ");
  const topic = Object.hasOwn(TOPICS, path) ? TOPICS[path] : undefined;
  if (topic) await write(shell.out, topic.text());
  else if (OWN[path] || commands[path]) await write(shell.out, commandHelp(path));
  else if (NOUN_WORDS[noun] || OWN_NOUN_WORDS[noun]) await write(shell.out, nounHelp(noun));
  else throw new ExitError(3, `There is no command and no topic '${words.join(" ")}'.`, "parley help topics");
  return 0;
};
export default help;
