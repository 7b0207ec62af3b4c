/** The embedded provider as the rest of the program sees it. */
import { assembleProvider } from "./assemble.ts";
import type { Provider } from "./running.ts";
import type { ProviderOptions } from "./options.ts";
import { chat } from "./chat.ts";

export { FolderBusy } from "./assemble.ts";
export type { ProviderOptions } from "./options.ts";
export type { Provider } from "./running.ts";

/**
 * Takes the folder's lock and opens its database; call `listen()` next. Throws `FolderBusy` when another process has
 * the folder. Binds loopback only. On SIGTERM the caller calls `close()` and waits for `closed`.
 */
export function createProvider(options: ProviderOptions): Provider {
  return assembleProvider(chat, options);
}
