/** A value that tells its subscribers when it changes; composers, lists and managers keep their state in one. */

export interface Observable<T> {
  /** An immutable snapshot; the same object until something changes. */
  state(): T;
  /** Called once a tick after a change, however many there were; the answer ends it. */
  subscribe(listener: () => void): () => void;
}

export interface ObservableValue<T> extends Observable<T> {
  /** The same value again tells nobody. */
  set(next: T): void;
}

export function createObservable<T>(first: T): ObservableValue<T> {
  let held = first;
  let told = false;
  const listeners = new Set<() => void>();
  return {
    state: () => held,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      if (next === held) return;
      held = next;
      if (told || listeners.size === 0) return;
      told = true;
      queueMicrotask(() => {
        told = false;
        for (const listener of Array.from(listeners)) listener();
      });
    },
  };
}
