/** The app's settings, requested once and kept (specification/attachments.md §5). */
import type { AppReply } from "../../wire/endpoints/index.ts";
import type { ApiCall } from "../http/caller.ts";

interface AppSettings {
  /** One request however many ask; a failed one rejects for those who waited and is made again next time. */
  get(): Promise<AppReply["app"]>;
  /** The user is gone: the next one may see other settings. */
  forget(): void;
}

export function createAppSettings(deps: { call: ApiCall }): AppSettings {
  let asked: Promise<AppReply["app"]> | undefined;
  return {
    get() {
      if (asked) return asked;
      const flight: Promise<AppReply["app"]> = deps.call("getApp", { retries: 1 }).then(
        ({ app }) => app,
        (error: unknown) => {
          if (asked === flight) asked = undefined;
          throw error;
        },
      );
      return (asked = flight);
    },
    forget() {
      asked = undefined;
    },
  };
}
