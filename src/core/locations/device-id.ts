/** The id of this device in its live locations (L-1). */
import type { Log, Random } from "../base/ports.ts";
import type { Store } from "../store/store.ts";

const DEVICE_ID = "device.id";

/** Created once and stored; when it cannot be stored it lasts as long as the process. */
export function createDeviceId(deps: {
  store: Pick<Store, "get" | "set">;
  random: Random;
  log: Log;
}): () => string {
  const { store, random, log } = deps;
  let device: string | undefined;
  return () => {
    device ??= store.get<string>(DEVICE_ID);
    if (device !== undefined) return device;
    device = random.uuid();
    try {
      store.set(DEVICE_ID, device);
    } catch (error) {
      log.warn("the id of this device could not be stored", { error: String(error) });
    }
    return device;
  };
}
