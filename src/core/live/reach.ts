/** Asks whether the provider answers at all (specification/realtime.md §10). */
import { isRouteAbsent } from "../../wire/errors.ts";
import type { ApiCall } from "../base/api-types.ts";

/** Resolves when the provider answers; a provider that has no such route has answered as well. */
export const reach = (call: ApiCall, options: Parameters<typeof call<"hi">>[1] = {}): Promise<void> =>
  call("hi", options).then(
    () => undefined,
    (error: unknown) => {
      if (!isRouteAbsent(error)) throw error;
    },
  );
