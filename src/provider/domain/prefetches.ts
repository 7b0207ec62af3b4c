/** What routes fetch before their transaction begins: linked pages, hook answers, translations. */
import type { Prefetches } from "../base/handler.ts";
import { askBeforeSend } from "./posting/rules/before-send-hook.ts";
import { prepareUpdate } from "./messages/rules/enriching.ts";
import { prepareOg } from "./messages/rules/og.ts";
import { prepareTranslation } from "./messages/rules/translate.ts";

export const prefetches: Prefetches = {
  sendMessage: askBeforeSend,
  updateMessage: prepareUpdate,
  updateMessagePartial: prepareUpdate,
  translateMessage: prepareTranslation,
  getOG: prepareOg,
};
