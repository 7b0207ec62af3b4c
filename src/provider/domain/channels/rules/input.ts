/** Reads the `data` of a request that creates or updates a channel (specification/channels.md §6.1). */
import { COOLDOWN_MAX_SECONDS, CUSTOM_DATA_LIMIT } from "../../../../wire/constants.ts";
import { customOf } from "../../../../wire/custom.ts";
import { checkCustom, type BodyReader, type Fields } from "../../validation/check.ts";

export interface ChannelData {
  custom: Fields;
  frozen: boolean | undefined;
  disabled: boolean | undefined;
  cooldown: number | undefined;
  team: string | undefined;
  filterTags: string[] | undefined;
  autoTranslation: boolean | undefined;
  /** A language code. */
  language: string | undefined;
}

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;

function readLanguage(check: BodyReader): string | undefined {
  const code = check.id("auto_translation_language");
  if (code !== undefined && !LANGUAGE.test(code))
    check.fail("auto_translation_language", "must be a language code");
  return code;
}

export function readChannelData(check: BodyReader, source: Fields): ChannelData {
  const custom = customOf("channel", source);
  for (const key of Object.keys(custom)) if (custom[key] === null) delete custom[key];
  for (const key of ["name", "image"]) if (custom[key] !== undefined) check.text(key, 2048);
  checkCustom(check, custom, CUSTOM_DATA_LIMIT);
  return {
    custom,
    frozen: check.flag("frozen"),
    disabled: check.flag("disabled"),
    cooldown: check.whole("cooldown", 0, COOLDOWN_MAX_SECONDS),
    team: check.id("team"),
    filterTags: check.texts("filter_tags", 10),
    autoTranslation: check.flag("auto_translation_enabled"),
    language: readLanguage(check),
  };
}
