/** Starts the screen: opens the profile, takes the terminal, puts the panes on it and stays until somebody leaves. */
import { flushCompileCache } from "node:module";
import type { Core } from "../core/core.ts";
import type { Host, Opened } from "../open.ts";
import { colorLevel } from "../text/color.ts";
import { cleanLine } from "../text/sanitize.ts";
import { App } from "./app.tsx";
import { PortsContext } from "./components/context.ts";
import { createEffects } from "./effects/effects.ts";
import { isTiny } from "./screen/layout.ts";
import { editText, openUrl } from "./outside.ts";
import { runPlain } from "./plain.ts";
import { openFirst, openWished } from "./first-channel.ts";
import { handle } from "./route.ts";
import { answerStats } from "./stats.ts";
import { resized } from "./screen/moves.ts";
import type { Pace } from "./screen/store.ts";
import { isLight } from "./terminal/capabilities.ts";
import type { Capabilities } from "./terminal/capabilities.ts";
import { mountScreen } from "./terminal/mount.ts";
import { TerminalSession } from "./terminal/session.ts";
import type { TerminalProcess } from "./terminal/session.ts";
import { makeTheme } from "./render/theme.ts";
import type { Theme } from "./render/theme.ts";
import { Ui } from "./ui.ts";

interface ScreenOptions {
  /** The channel to open; default the one that was open last, else the first that waits. */
  channel?: string;
}

const wallClock: Pace = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Channels asked for at the start; the rest comes with scrolling the list and with events. */
const FIRST_CHANNELS = 30;

/** The channels of the user with their newest messages, watched. */
async function loadChannels(core: Core): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  for (let offset = 0; ; offset += FIRST_CHANNELS) {
    const cids = await core.queryChannels({
      filter_conditions: { members: { $in: [me] } },
      sort: [{ field: "last_message_at", direction: -1 }],
      state: true,
      watch: true,
      presence: true,
      limit: FIRST_CHANNELS,
      offset,
      message_limit: 25,
      member_limit: 100,
    });
    // The provider refuses offsets beyond 1000.
    if (cids.length < FIRST_CHANNELS || offset + FIRST_CHANNELS > 1000 - FIRST_CHANNELS) return;
  }
}

/** What was compiled for the first frames is kept this long after them, milliseconds. */
const COMPILED_AFTER = 1500;

/** Runs the full screen on this process's terminal; the exit code. */
async function runScreen(
  host: Host,
  opened: Opened,
  options: ScreenOptions,
  drawn: () => void,
): Promise<number> {
  const { settings } = host;
  const { core } = opened;
  // Whatever the opening of a channel asks for waits for the link, and the link for the first frame.
  const connected = opened.connect();
  core.restore();
  const level = colorLevel(process.stdout, settings.color, process.env);
  const theme: Theme = makeTheme(level, settings.theme === "light" ? "light" : "dark");
  let end: (code: number, error?: Error) => void = () => {};
  const ended = new Promise<number>((resolve, reject) => {
    end = (code, error) => (error ? reject(error) : resolve(code));
  });
  let ui: Ui | undefined;
  const session = new TerminalSession({
    process: process as unknown as TerminalProcess,
    onInput: (event) => ui && handle(ui, event),
    end: (code, error) => end(code, error),
    log: () => {},
    onCapabilities: (found) => {
      if (!ui) return;
      adapt(ui, found);
      if (settings.theme === "auto" && isLight(found))
        ui.store.restyle((look) => ({ ...look, theme: makeTheme(level, "light") }));
    },
    modes: { mouse: settings.mouse },
    notifications: settings["notifications.route"],
  });
  ui = new Ui(
    {
      core,
      // Times are shown by the provider's clock: its messages and ends of things are told by it (specification/wire.md §7).
      clock: { ...wallClock, now: () => core.providerNow() },
      theme,
      keys: settings.keys,
      readOn: settings.readOn,
      notifications: settings.notifications,
      channelType: settings.channelType,
      profile: opened.profile.name,
      utc: settings.utc,
      copy: (text) => session.copy(text),
      setTitle: (title) => session.setTitle(title),
      notify: (title, body) => session.notify(title, body),
      redraw: () => session.repaint(),
      suspend: () => session.suspend(),
      openUrl,
      editExternally: (text) => session.lend(() => editText(settings.editor, text)),
      quit: () => session.quit(0),
      random: () => crypto.randomUUID(),
    },
    session.size,
  );
  const screen = ui;
  const effects = createEffects(screen);
  screen.store.onChange = (model) => effects.look(model);
  const stops = [
    answerStats(process.env.PARLEY_STATS, () => session.out.counters),
    core.subscribe(() => screen.store.later()),
    core.on("message.new", (event) => effects.heard(event)),
    core.on("notification.message_new", (event) => effects.heard(event)),
  ];
  const clock = setInterval(() => screen.passed(core.providerNow()), 1000);
  screen.change((s) => ({ ...s, loading: true }));
  session.start();
  openFirst(screen, options.channel);
  session.setCursorShape("bar");
  const tree = (
    <PortsContext value={screen}>
      <App />
    </PortsContext>
  );
  const mounted = mountScreen(session, tree, (size) =>
    screen.change((s) => resized(s, size.columns, size.rows)),
  );
  // Written, not only rendered: then there is time for the network.
  void mounted.flushed().then(() => setImmediate(drawn));
  // The next start parses less, also when this one will be killed; nobody waits for it.
  const keepCompiled = setTimeout(() => flushCompileCache(), COMPILED_AFTER);
  const leaveChannel = core.subscribe(() => openFirst(screen, options.channel));
  const load = (): Promise<void> =>
    loadChannels(core)
      .finally(() => screen.change((s) => ({ ...s, loading: false })))
      .then(() =>
        options.channel === undefined ? openFirst(screen, undefined) : openWished(screen, options.channel),
      );
  screen.try(connected.then(load, (error: Error) => laterOnline(screen, error, load)));
  try {
    return await ended;
  } finally {
    clearInterval(clock);
    clearTimeout(keepCompiled);
    for (const stop of [...stops, leaveChannel]) stop();
    screen.store.close();
    if (screen.screen.cid !== undefined) core.left(screen.screen.cid);
    mounted.unmount();
    session.restore();
  }
}

/** The first attempt came to nothing: what the screen shows is from before, until one succeeds. */
function laterOnline(screen: Ui, error: Error, load: () => Promise<void>): void {
  screen.change((s) => ({ ...s, loading: false }));
  // Where the header names it, nothing has to be said twice.
  if (screen.state.link.cause === undefined) screen.fail(error);
  const stop = screen.core.on("connection.changed", () => {
    stop();
    screen.try(load());
  });
}

/** Widths and links as this terminal really draws them; the rows are made anew when they differ. */
function adapt(ui: Ui, found: Capabilities): void {
  const { widths } = found;
  if (!widths) return;
  const glyphs = {
    ...(widths.vs16 === 2 ? {} : { dropVariation: true }),
    ...(widths.skinTone === 2 ? {} : { dropSkinTone: true }),
    ...(widths.zwj === 2 ? {} : { dropJoiner: true }),
  };
  if (!Object.keys(glyphs).length) return;
  ui.store.restyle((look) => ({ ...look, glyphs }));
}

/** The face: full screen, or plain lines where asked for or where there is no room (specification/screen.md §7). */
export async function startScreen(host: Host, options: ScreenOptions = {}): Promise<number> {
  const { settings } = host;
  const { columns = 80, rows = 24 } = process.stdout;
  const plain = settings.plain || settings.accessible || process.env.TERM === "dumb" || isTiny(columns, rows);
  let drawn = (): void => {};
  const after = new Promise<void>((resolve) => (drawn = resolve));
  const opened = await host.open(plain ? {} : { after });
  try {
    if (plain) {
      opened.core.restore();
      return await runPlain({
        opened,
        channelType: settings.channelType,
        utc: settings.utc,
        ...(options.channel === undefined ? {} : { channel: options.channel }),
        input: process.stdin,
        print: (line) => process.stdout.write(`${line}\n`),
        load: () => loadChannels(opened.core),
        random: () => crypto.randomUUID(),
        now: () => Date.now(),
      });
    }
    return await runScreen(host, opened, options, drawn);
  } catch (error) {
    process.stderr.write(`parley: ${cleanLine(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  } finally {
    // A screen that ended before its first frame lets go of who waits for it.
    drawn();
    await opened.close();
  }
}
