/** Where hooks may lead: to this machine and nowhere else (admin.md §12). */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

/** An http or https address whose host is this machine, without a name and password in it. */
export function isLoopback(text: string): boolean {
  // `{type}` in the address of the action handler stands for the command's name
  const url = URL.parse(text.replaceAll("{type}", "type"));
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return LOOPBACK.test(url.hostname) && url.username === "" && url.password === "";
}
