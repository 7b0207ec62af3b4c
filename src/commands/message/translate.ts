/** Translates a message; the translation is stored with it. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Translate a message",
  changes: "provider",
  chatAlias: "translate",
  examples: ["message translate ana-7f3c fr", "message translate ana-7f3c de --jq .i18n.de_text"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    language: { kind: "text", positional: true, value: "code", help: "The language: fr, de, zh-TW …" },
  },
  async run(call) {
    const { message: id, language } = call.args;
    return (await call.core.call("translateMessage", { path: { id }, body: { language } })).message;
  },
  show: (message, { language }) => message.i18n?.[`${language}_text`] ?? message.text,
});
