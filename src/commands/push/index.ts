/** The commands on push preferences and providers, by their full names. */

import preferences from "./preferences.ts";
import providerDelete from "./provider-delete.ts";
import providerList from "./provider-list.ts";
import providerSet from "./provider-set.ts";
import template from "./template.ts";
import tryOut from "./test.ts";

export const pushCommands = {
  "push preferences": preferences,
  "push template": template,
  "push test": tryOut,
  "push provider list": providerList,
  "push provider set": providerSet,
  "push provider delete": providerDelete,
};
