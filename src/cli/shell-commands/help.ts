/** `parley help`: a command's page or a topic. */
import { commands, NOUNS, NOUN_WORDS } from "../../commands/index.ts";
import { ExitError } from "../base/exit.ts";
import { commandHelp, nounHelp, rootHelp } from "../help/help.ts";
import { TOPICS } from "../help/topics.ts";
import { showLong } from "../base/long.ts";
import { OWN, OWN_NOUN_WORDS } from "./index.ts";
import type { OwnRun } from "./kit.ts";

const help: OwnRun = async (shell, values) => {
  const words = values.words as string[];
  const show = (text: string): Promise<void> =>
    showLong(text, {
      out: shell.out,
      env: shell.env,
      wanted: shell.flags.pager !== false,
      lendInterrupt: shell.lendInterrupt,
    });
  if (words.length === 0) return show(rootHelp()).then(() => 0);
  const noun = NOUNS[words[0]!] ?? words[0]!;
  const path = [noun, ...words.slice(1)].join(" ");
  // as it was typed: `commands` is the list of all, not the plural of `command`
  const asked = words.join(" ");
  const topic = Object.hasOwn(TOPICS, asked) ? TOPICS[asked] : undefined;
  if (topic) await show(topic.text());
  else if (OWN[path] || commands[path]) await show(commandHelp(path));
  else if ([...Object.keys(OWN), ...Object.keys(commands)].some((one) => one.startsWith(`${path} `)))
    await show(nounHelp(path));
  else if (NOUN_WORDS[noun] || OWN_NOUN_WORDS[noun]) await show(nounHelp(noun));
  else throw new ExitError(3, `There is no command and no topic '${words.join(" ")}'.`, "parley help topics");
  return 0;
};
export default help;
