/** A value that notifies its subscribers when it changes; holds the state of composers, lists and managers. */

export interface Observable<T> {
  /** An immutable snapshot; the same object until it changes. */
  state(): T;
  /** Called after a change, at most once a tick; returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface ObservableValue<T> extends Observable<T> {
  /** Setting the same value notifies nobody. */
  set(next: T): void;
}

export function createObservable<T>(first: T): ObservableValue<T> {
  let value = first;
  let scheduled = false;
  const listeners = new Set<() => void>();
  return {
    state: () => value,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      if (next === value) return;
      value = next;
      if (scheduled || listeners.size === 0) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        for (const listener of Array.from(listeners)) listener();
      });
    },
  };
}
