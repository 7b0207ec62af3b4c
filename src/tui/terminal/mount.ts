/** Mounts a React tree on the terminal through Ink: a resize is one frame, and errors are never silent. */
import { render } from "ink";
import { EventEmitter } from "node:events";
import { cloneElement, isValidElement, type ReactNode } from "react";
import { asError } from "./signals.ts";
import type { Size, TerminalSession } from "./session.ts";

/** Looks like a keyboard and says nothing: the session reads the real one (specification/screen.md §5). */
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
  /** Resolves once every pending frame is written. */
  flushed(): Promise<void>;
  unmount(): void;
}

/**
 * Enters the alternate screen and draws `node`. `onSize` runs before every repaint with the size to draw:
 * put it into the store there, so that Ink lays out the new size once. A throw while rendering ends the
 * session with code 1 and the error.
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
      // The very same element would be taken as unchanged, whatever size it read.
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
