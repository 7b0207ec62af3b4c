/** What routes fetch before their transaction begins: linked pages, hook answers, translations. */
import type { Prefetches } from "../base/handler.ts";
import { hookOfAction, hooksBeforeSend } from "./posting/rules/before-send-hook.ts";
import { prepareUpdate } from "./messages/rules/enrichment.ts";
import { prepareOg } from "./messages/rules/link-preview.ts";
import { prepareTranslation } from "./messages/rules/translate.ts";

export const prefetches: Prefetches = {
  sendMessage: hooksBeforeSend,
  runMessageAction: hookOfAction,
  updateMessage: prepareUpdate,
  updateMessagePartial: prepareUpdate,
  translateMessage: prepareTranslation,
  getOG: prepareOg,
};
