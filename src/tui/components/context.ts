/** Gives components their ports, through a React context, and state selected from the store. */
import { createContext, use, useState, useSyncExternalStore } from "react";
import { sameList } from "../../model/same-list.ts";
import type { Look } from "../screen/look.ts";
import type { Ports } from "../ports/ports.ts";
import type { Model } from "../screen/store.ts";

export const PortsContext = createContext<Ports | undefined>(undefined);

export function usePorts(): Ports {
  const ports = use(PortsContext);
  if (!ports) throw new Error("usePorts must be called inside PortsContext.");
  return ports;
}

/** Re-renders only when the selected value changes: select primitive values or objects that already exist. */
export function useModel<T>(select: (model: Model) => T): T {
  const { store } = usePorts();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Returns the previous object while all property values are the same; the keys must not change. */
function reuseEqual<T extends object>(): (next: T) => T {
  let previous: T | undefined;
  return (next) =>
    (previous = previous && sameList(Object.values(previous), Object.values(next)) ? previous : next);
}

/** Selects several values; re-renders only when one of them changes. */
export function useModelParts<T extends object>(select: (model: Model) => T): T {
  const [reuse] = useState(() => reuseEqual<T>());
  return useModel((model) => reuse(select(model)));
}

const lookOf = (model: Model): Look => model.look;

export const useLook = (): Look => useModel(lookOf);
