/** Opens a link or file of a message in the browser. */
import { CommandError, command } from "../base/define-command.ts";
import { messageId } from "./permalink.ts";

export default command({
  summary: "Open the links and files of a message",
  changes: "local",
  chatAlias: "open",
  examples: ["message open ana-7f3c", "message open ana-7f3c --print"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    nth: { kind: "number", from: 1, help: "Which one to open, counted from 1 (default: the first)" },
    print: { kind: "flag", help: "Only print all addresses" },
  },
  async *run(call): AsyncIterable<{ url: string; dry_run?: true }> {
    const { args, core, dry } = call;
    const { message } = await core.call("getMessage", { path: { id: messageId(args.message) } });
    const { messageLinks } = await import("../../model/message-links.ts");
    const all = messageLinks(message).map(({ url }) => url);
    if (all.length === 0) throw new CommandError("notFound", "The message contains no link and no file.");
    if (args.print) {
      for (const url of all) yield { url };
      return;
    }
    const nth = args.nth ?? 1;
    const url = all[nth - 1];
    if (url === undefined)
      throw new CommandError("usage", `There is no number ${nth}: the message has only ${all.length}.`);
    if (dry) return yield { url, dry_run: true };
    const { default: open } = await import("open");
    const child = await open(url);
    child.on("error", () => {});
    child.unref();
    yield { url };
  },
  show: ({ url, dry_run }) => (dry_run ? `would open ${url}` : url),
});
