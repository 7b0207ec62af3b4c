/** The app's settings, fetched once and cached (specification/attachments.md §5). */
import type { AppReply } from "../../wire/endpoints/index.ts";
import type { ApiCall } from "../base/api-types.ts";

interface AppSettings {
  /** Concurrent callers share one request; after a failure the next call tries again. */
  get(): Promise<AppReply["app"]>;
  /** Another user may see other settings. */
  reset(): void;
}

export function createAppSettings(deps: { call: ApiCall }): AppSettings {
  let request: Promise<AppReply["app"]> | undefined;
  return {
    get() {
      if (request) return request;
      const started: Promise<AppReply["app"]> = deps.call("getApp", { retries: 1 }).then(
        ({ app }) => app,
        (error: unknown) => {
          if (request === started) request = undefined;
          throw error;
        },
      );
      return (request = started);
    },
    reset() {
      request = undefined;
    },
  };
}
