/** Mounts a React tree on the terminal with Ink. */
import { render } from "ink";
import { EventEmitter } from "node:events";
import { cloneElement, isValidElement, type ReactNode } from "react";
import { asError } from "./signals.ts";
import type { Size, TerminalSession } from "./session.ts";

/** A stdin for Ink that never emits input: the session reads the keyboard (specification/screen.md §5). */
class SilentInput extends EventEmitter {
  readonly isTTY = true;
  readonly setRawMode = (): this => this;
  readonly setEncoding = (): this => this;
  readonly read = (): null => null;
  readonly ref = (): this => this;
  readonly unref = (): this => this;
  readonly pause = (): this => this;
  readonly resume = (): this => this;
}

interface MountedScreen {
  rerender(node: ReactNode): void;
  /** Resolves once all pending frames are written. */
  flushed(): Promise<void>;
  unmount(): void;
}

/**
 * Enters the alternate screen and draws `node`. `onSize` is called before every repaint and must put the size into the
 * store, so that Ink lays it out once. An error while rendering ends the session with code 1.
 */
export function mountScreen(
  session: TerminalSession,
  node: ReactNode,
  onSize: (size: Size) => void,
): MountedScreen {
  let current = node;
  const ink = render(current, {
    stdout: session.out as unknown as NodeJS.WriteStream,
    stdin: new SilentInput() as unknown as NodeJS.ReadStream,
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    patchConsole: false,
    exitOnCtrlC: false,
    isScreenReaderEnabled: false,
  });
  let mounted = true;
  const unmount = (): void => {
    if (!mounted) return;
    mounted = false;
    ink.unmount();
  };
  session.attach({
    repaint: (size) => {
      onSize(size);
      ink.clear();
      // React would skip an identical element, although it reads another size.
      ink.rerender(isValidElement(current) ? cloneElement(current) : current);
    },
    unmount,
  });
  ink.waitUntilExit().then(
    () => mounted && session.quit(0),
    (error: unknown) => session.quit(1, asError(error)),
  );
  return {
    rerender(next) {
      current = next;
      ink.rerender(next);
    },
    flushed: () => ink.waitUntilRenderFlush(),
    unmount,
  };
}
