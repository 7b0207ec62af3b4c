/** Shows the link preview of a web page. */
import { CommandError, command, fieldsView } from "../base/define-command.ts";
import { hasNamedHost, safeUrl } from "../../text/safe-url.ts";

export default command({
  summary: "Show the preview of a web page",
  changes: "nothing",
  chatAlias: "preview",
  examples: ["link preview https://example.org", "link preview https://example.org --json=title,image_url"],
  args: { url: { kind: "text", positional: true, value: "url", help: "The page's address" } },
  async run(call) {
    // A bare host gets https.
    const text = /^[a-z][a-z0-9+.-]*:/i.test(call.args.url) ? call.args.url : `https://${call.args.url}`;
    const url = safeUrl(text);
    if (!url) throw new CommandError("usage", "Only http and https addresses have previews.");
    if (!hasNamedHost(text))
      throw new CommandError(
        "usage",
        `${url.hostname} has no preview: localhost and bare addresses do not count as links.`,
        "Write the name of a host with a dot, such as example.org.",
      );
    const { duration: _, ...preview } = await call.core.call("getOG", { query: { url: text } });
    return preview;
  },
  show: (preview) =>
    fieldsView({
      title: preview.title,
      text: preview.text,
      site: preview.author_name,
      link: preview.title_link,
      type: preview.type,
      image: preview.image_url,
      media: preview.asset_url,
    }),
});
