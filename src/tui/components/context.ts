/** Gives components their ports, through a React context, and state selected from the store. */
import { createContext, use, useRef, useState, useSyncExternalStore } from "react";
import { sameFields } from "../../model/same-list.ts";
import type { Look } from "../screen/look.ts";
import type { Ports } from "../ports/ports.ts";
import { seenFromOther } from "../screen/halves.ts";
import type { Slice, Slices } from "../screen/store.ts";

export const PortsContext = createContext<Ports | undefined>(undefined);

export function usePorts(): Ports {
  const ports = use(PortsContext);
  if (!ports) throw new Error("usePorts must be called inside PortsContext.");
  return ports;
}

/** The views inside see the model from the half without the focus, so that they are the same in both. */
export const InOtherHalf = createContext(false);

/**
 * Selects again after changes of the named slices, and re-renders only when the selected value changes: select primitive
 * values or objects that already exist. The slices of the first render count.
 */
export function useModel<const K extends Slice, T>(slices: readonly K[], select: (model: Slices<K>) => T): T {
  const { store } = usePorts();
  const inOther = use(InOtherHalf);
  const [subscribe] = useState(
    () => (listener: () => void) => store.subscribe(listener, inOther ? [...slices, "other"] : slices),
  );
  return useSyncExternalStore(subscribe, () => {
    const model = store.get();
    return select((inOther ? seenFromOther(model) : model) as unknown as Slices<K>);
  });
}

/** Selects several values; re-renders only when one of them changes. */
export function useModelParts<const K extends Slice, T extends object>(
  slices: readonly K[],
  select: (model: Slices<K>) => T,
): T {
  const last = useRef<T>(undefined);
  return useModel(slices, (model) => {
    const next = select(model);
    if (!last.current || !sameFields(last.current, next)) last.current = next;
    return last.current;
  });
}

export const useLook = (): Look => useModel(["look"], ({ look }) => look);
