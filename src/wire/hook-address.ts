/** The addresses that an app calls: of webhooks and of commands (specification/admin.md §12). */

/** An http or https address without a name and password in it; `{type}` stands for the name of a command. Undefined for any other text. */
export function hookAddress(text: string): URL | undefined {
  const url = URL.parse(text.replaceAll("{type}", "type"));
  const web = url?.protocol === "http:" || url?.protocol === "https:";
  return url && web && url.username === "" && url.password === "" ? url : undefined;
}
