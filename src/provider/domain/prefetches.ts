/** What routes of the domain wait for before their transaction. */
import type { Prefetches } from "../base/handler.ts";
import { askBeforeSend } from "./messages/before-send-hook.ts";
import { prepareSend, prepareUpdate } from "./messages/enriching.ts";
import { prepareOg } from "./messages/og.ts";
import { prepareTranslation } from "./messages/translate.ts";

export const prefetches: Prefetches = {
  sendMessage: askBeforeSend(prepareSend),
  updateMessage: prepareUpdate,
  updateMessagePartial: prepareUpdate,
  translateMessage: prepareTranslation,
  getOG: prepareOg,
};
