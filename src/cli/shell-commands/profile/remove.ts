/** `parley profile remove`: removes a profile, its secret and its local data. */
import { removeFrames } from "../../../config/frames.ts";
import { removeProfile } from "../../../config/profiles.ts";
import { removeSecret } from "../../../config/secrets.ts";
import { type Question, command } from "../../../commands/base/define-command.ts";
import { count } from "../../../text/words.ts";
import { ExitError } from "../../base/exit.ts";
import { confirm } from "../../base/prompts.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { profileOf, NAMED_PROFILE } from "./profile.ts";

const plainQuestion = (name: string): Question => ({
  level: "mild",
  question: `Remove profile ${name}, its secret and its local data?`,
});

const unsentQuestion = (name: string, waiting: number): Question => ({
  level: "severe",
  word: name,
  question: `${count(waiting, "message")} of profile ${name} would never be sent (parley -p ${name} outbox list). Remove it?`,
});

export default command({
  shell: true,
  asks: true,
  summary: "Remove a profile, its secret and its local data",
  examples: ["profile remove work", "profile remove work --yes"],
  aliases: ["rm"],
  args: NAMED_PROFILE,
  confirmWord: { word: "its name", only: "While messages of it wait unsent" },
  async run(shell: Shell, args) {
    const row = profileOf(shell, args.name);
    if (row.kind === "local" && row.name === "local")
      throw new ExitError(6, "The local profile cannot be removed.", "parley local reset erases its data.");
    const data = await shell.host.localData(row.name);
    // Data that other profiles use stay.
    const shared = data && data.profiles.length > 0;
    const waiting = shared ? 0 : (data?.unsent ?? 0);
    await confirm(shell, waiting === 0 ? plainQuestion(row.name) : unsentQuestion(row.name, waiting));
    await removeSecret(shell.env, row);
    await removeProfile(shell.env, row.name);
    if (data && !shared) await shell.host.deleteMessages(data);
    removeFrames(shell.env, row.name);
    printNotice(shell, `profile ${row.name} removed`);
    if (shared) printNotice(shell, `its local data stay: profile ${data.profiles[0]} uses them`);
    return 0;
  },
});
