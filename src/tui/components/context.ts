/** How components reach the program: its ports through a context, its state by selecting from the store. */
import { createContext, use, useState, useSyncExternalStore } from "react";
import { sameList } from "../../model/same-list.ts";
import type { Look } from "../screen/look.ts";
import type { Ports } from "../ports/ports.ts";
import type { Model } from "../screen/store.ts";

export const PortsContext = createContext<Ports | undefined>(undefined);

export function usePorts(): Ports {
  const ports = use(PortsContext);
  if (!ports) throw new Error("A view stands outside of PortsContext.");
  return ports;
}

/** A component draws again only when what it selects is another value: select what is held already, or plain values. */
export function useModel<T>(select: (model: Model) => T): T {
  const { store } = usePorts();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Gives back the object of before while all values are the same; each time under the same names. */
function keepSame<T extends object>(): (next: T) => T {
  let held: T | undefined;
  return (next) => (held = held && sameList(Object.values(held), Object.values(next)) ? held : next);
}

/** Several values at once: drawn again only when one of them is another. */
export function useModelParts<T extends object>(select: (model: Model) => T): T {
  const [kept] = useState(() => keepSame<T>());
  return useModel((model) => kept(select(model)));
}

const lookOf = (model: Model): Look => model.look;

export const useLook = (): Look => useModel(lookOf);
