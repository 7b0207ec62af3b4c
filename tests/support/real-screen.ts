/** A screen over a core connected to a real provider: takes keys and shows its state without drawing. */
import type { Core } from "../../src/core/core.ts";
import { fakeSettings } from "./fake-settings.ts";
import { fakeDisk, fakeDownloads, fakeProfiles } from "./fake-disk.ts";
import { FakePictures } from "./fake-pictures.ts";
import { noSounds } from "./fake-sounds.ts";
import { createScreen, redrawOnChange } from "../../src/tui/create-screen.ts";
import { createEffects } from "../../src/tui/effects/effects.ts";
import { createInputParser } from "../../src/tui/input/parser.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";
import { KEY_TABLES } from "../../src/tui/bindings/key-tables.ts";
import { TYPING_PAUSE_MS } from "../../src/tui/input/pace.ts";
import { handleInput } from "../../src/tui/bindings/route.ts";
import type { Ports } from "../../src/tui/ports/ports.ts";
import { bytesOf } from "./keyboard.ts";

export interface RealScreen {
  ports: Ports;
  /** Presses keys one by one, so slowly that letters are no text, and again what asks for it. */
  press(...chords: string[]): void;
  close(): void;
}

export function realScreen(core: Core, size = { columns: 120, rows: 40 }): RealScreen {
  /** What waits for a pause between letters. */
  let paused: (() => void)[] = [];
  const ports = createScreen(
    {
      core,
      clock: {
        now: () => core.providerNow(),
        setTimeout: (run, ms) => (ms >= TYPING_PAUSE_MS ? paused.push(run) : setTimeout(run, ms)),
        clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
      },
      theme: makeTheme(0),
      keys: () => KEY_TABLES.default,
      utc: true,
      maps: "off",
      settings: {
        readOn: "shown",
        undoSend: 0,
        notifications: "off",
        channelType: "messaging",
        profile: "test",
      },
      terminal: {
        copy: () => true,
        setTitle: () => {},
        notify: () => {},
        withdraw: () => {},
        redraw: () => {},
        layer: () => {},
        suspend: async () => {},
        openUrl: async () => true,
        editExternally: async () => undefined,
        clipboard: async () => ({ kind: "none", why: "nothing" }),
        quit: () => {},
      },
      disk: fakeDisk(),
      downloads: fakeDownloads(),
      ...fakeSettings(),
      profiles: fakeProfiles(),
      pictures: new FakePictures().pictures,
      sounds: noSounds(),
      random: () => crypto.randomUUID(),
    },
    size,
  );
  const effects = createEffects(ports);
  ports.store.onChange = (_model, changed) => effects.modelChanged(changed);
  const stop = redrawOnChange(ports);
  let due: (() => void) | undefined;
  const parser = createInputParser((event) => handleInput(ports, event), {
    timers: { set: (run) => (due = run), clear: () => (due = undefined) },
  });
  return {
    ports,
    press(...chords) {
      for (const chord of chords) {
        const send = (): void => {
          parser.push(bytesOf(chord));
          due?.();
        };
        send();
        if (ports.store.screen.typed?.state === "asked") send();
        const run = paused;
        paused = [];
        for (const act of run) act();
      }
    },
    close() {
      stop();
      ports.store.close();
    },
  };
}
