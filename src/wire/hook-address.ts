/** Parses the addresses of webhooks and commands (specification/admin.md §12). */

/** An http or https address without credentials; `{type}` is replaced by the name of a command. Undefined for other texts. */
export function hookAddress(text: string): URL | undefined {
  const url = URL.parse(text.replaceAll("{type}", "type"));
  const web = url?.protocol === "http:" || url?.protocol === "https:";
  return url && web && url.username === "" && url.password === "" ? url : undefined;
}
