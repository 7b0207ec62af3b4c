/** Starts the screen: opens the profile, takes the terminal, shows the app, and waits until the user quits. */
import { flushCompileCache } from "node:module";
import type { Core } from "../core/core.ts";
import type { Host, Opened, ReadSource } from "../open.ts";
import { campaignFolder } from "../config/app-folders.ts";
import { SnippetFile } from "../config/snippets.ts";
import { colorLevel } from "../text/color.ts";
import { setTimeStyle } from "../text/times.ts";
import { fitTerminal } from "../text/width.ts";
import { words } from "../text/words.ts";
import { App } from "./app.tsx";
import { PortsContext } from "./components/context.ts";
import { saveOrDeleteFrame, type FrameStore } from "./start/first-frame.ts";
import { copyWithPrograms } from "./machine/copying.ts";
import { readClipboard } from "./machine/clipboard.ts";
import { ExtensionPrograms } from "./machine/extensions.ts";
import { disk } from "./machine/disk.ts";
import { deleteTempFiles } from "./machine/temp-files.ts";
import { createPictures } from "./start/create-pictures.ts";
import { createSounds } from "./start/create-sounds.ts";
import { panelPoll } from "./ports/panels.ts";
import { isUtf8Locale } from "../config/locale.ts";
import { timeStyleOf } from "../config/time-style.ts";
import { tmuxAround } from "../config/picture-route.ts";
import { createEffects } from "./effects/effects.ts";
import { listenForTourSteps } from "./effects/tour.ts";
import { listenForLines } from "./effects/remote.ts";
import { emojiPolicy } from "./screen/look.ts";
import { isTooSmall, LEAST } from "./screen/layout.ts";
import { editText, openUrl } from "./machine/external-programs.ts";
import { runPlain } from "./plain/plain.ts";
import { guardReadOnly } from "./read-only.ts";
import { openFirst } from "./start/first-channel.ts";
import { handleInput, replayQueuedInput } from "./bindings/route.ts";
import { writeStatsOnSignal } from "./start/stats.ts";
import { resized } from "./screen/transitions.ts";
import { isLight, type Capabilities } from "./terminal/capabilities.ts";
import { mountScreen } from "./terminal/mount.ts";
import { TerminalSession, type TerminalProcess } from "./terminal/session.ts";
import { LiveSettings } from "./settings/live-settings.ts";
import type { Ports } from "./ports/ports.ts";
import type { Downloads, Profiles } from "./screen/host.ts";
import { errorWords, showNotice } from "./screen/notices.ts";
import type { StoreClock, ScreenStore } from "./screen/store.ts";
import { createScreen, redrawOnChange, type ScreenDeps } from "./create-screen.ts";
import { CLOCK_SLICES, eachSecond, redrawInTime } from "./effects/clock.ts";
import { expectChannels, loadAtStart, loadChannels } from "./start/load.ts";

interface StartNotice {
  text: string;
  level: "warning" | "success";
}

interface ScreenOptions {
  /** Another profile than that of the run. */
  profile?: string;
  /** A notice to show first. */
  notice?: StartNotice;
  /** The launcher, which controls the terminal until the screen takes over. */
  launcher?: FrameStore & { take(): boolean; giveBack(): void };
  /** Nothing is changed at the provider or saved on this machine. */
  readOnly?: boolean;
  /** The channel to open; default the last one, else the first unread one. */
  channel?: string;
  /** What is read instead of a profile. */
  source?: ReadSource;
}

const wallClock: StoreClock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Delay after which the compile cache is written to disk, milliseconds. */
const COMPILE_CACHE_DELAY_MS = 1500;

/** Saves files in the folder of the setting; `stop` aborts unfinished downloads and removes their files. */
function createDownloads(host: Host): Downloads & { stop(): Promise<unknown> } {
  let folder = host.settings.downloads;
  const stopped = new AbortController();
  const running = new Set<Promise<string>>();
  return {
    stop() {
      stopped.abort();
      return Promise.allSettled(running);
    },
    folder: () => folder,
    choose(next) {
      folder = next;
      return host.saveSetting("downloads", next);
    },
    async save(file, into, progress) {
      const { saveFile } = await import("../commands/base/files/save-file.ts");
      const saving = saveFile(file, into, { signal: stopped.signal, progress });
      running.add(saving);
      return saving.finally(() => running.delete(saving));
    },
  };
}

/** How a screen ended: the exit code, or the profile to open next. */
interface ScreenResult {
  code: number;
  next?: Pick<ScreenOptions, "profile" | "notice"> & { profile: string };
}

/** Beside a source there is no profile: one is chosen where Parley is started. */
const noProfiles = (current: string): Profiles => ({
  current,
  signInDefaults: () => undefined,
  signIn: () => Promise.reject(new Error(words.readOnly.refused)),
  list: () => [],
  open: () => {},
});

function createProfiles(host: Host, { profile, source }: Opened, open: Profiles["open"]): Profiles {
  const current = profile.name;
  if (source) return noProfiles(current);
  return {
    current,
    signInDefaults(name) {
      const { kind = "local", url = "", key = "", user = "", command } = host.profileOf(name) ?? {};
      if (kind === "local") return undefined;
      return { kind, url, key, user, secret: typeof command === "string" ? command : "" };
    },
    async signIn({ secret, user, ...credentials }) {
      const { test, profile, previousProfile } = await host.signIn({
        ...credentials,
        ...(user !== "" && { user }),
        ...(credentials.kind === "command" && { command: secret }),
        askKey: async () => credentials.key,
        askSecret: async () => secret,
        askUser: () => Promise.reject(new Error(words.forms.noUser)),
      });
      return words.profiles.signedIn(test?.user ?? user, profile, previousProfile);
    },
    list: () =>
      host.profiles().map(({ name, kind, url, user }) => ({
        name,
        about:
          kind === "local"
            ? words.profiles.local
            : [URL.parse(url ?? "")?.host, user].filter(Boolean).join(" · "),
      })),
    open,
  };
}

/** Builds the ports of the screen to the program, the terminal and the desktop. */
function createDeps(
  host: Host,
  { core }: Opened,
  session: TerminalSession,
  live: LiveSettings,
  extensions: ExtensionPrograms,
): Omit<ScreenDeps, "downloads" | "pictures" | "sounds" | "profiles" | "server"> {
  const { settings } = host;
  const { themes } = live;
  return {
    core,
    // Uses the provider's clock, because message times and expiries are in provider time (specification/wire.md §7).
    clock: { ...wallClock, now: () => core.providerNow() },
    theme: themes.make(themes.chosen()),
    keys: live.keys,
    utc: settings.utc,
    settings: live.settings,
    settingsEditor: live.settingsEditor,
    themes,
    keyFile: live.keyFile,
    snippets: new SnippetFile(process.env),
    extensions,
    maps: settings.maps,
    terminal: {
      copy: (text) => {
        const copied = session.copy(text);
        if (copied) copyWithPrograms(text);
        return copied;
      },
      setTitle: (title) => session.setTitle(title),
      notify: (title, body, key) => session.notify(title, body, key),
      withdraw: (key) => session.withdrawNotice(key),
      pipeToProgram: live.pipeToProgram,
      redraw: () => session.repaint(),
      layer: (layer) => session.out.setLayer(layer),
      suspend: () => session.suspend(),
      openUrl,
      editExternally: (text) => session.lend(() => editText(settings.editor, text)),
      clipboard: () => readClipboard(),
      quit: () => session.quit(0),
    },
    disk,
    random: () => crypto.randomUUID(),
  };
}

/** The server-side core of the profile's app, opened on first use. */
function serverCoreOf(
  host: Host,
  { profile, source }: Opened,
  readOnly: boolean,
): { open(): Promise<Core>; close(): Promise<void> } {
  let opened: Promise<Opened> | undefined;
  return {
    async open() {
      if (source) throw new Error(words.readOnly.refused);
      opened ??= host.open({ profile: profile.name, server: true, inMemory: true });
      opened.catch(() => (opened = undefined));
      const { core } = await opened;
      if (readOnly) guardReadOnly(core);
      return core;
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

/** Connects events, timers and effects to the screen; returns a function that stops them. */
function connectEffects(
  ports: Ports,
  session: TerminalSession,
  live: LiveSettings,
  requestedChannel: string | undefined,
  memory: Host["memory"],
): () => void {
  live.attach(ports, session);
  const { core, store } = ports;
  const effects = createEffects(ports);
  const poll = eachSecond(ports.clock, () => panelPoll(store.screen)?.(ports));
  const time = redrawInTime(ports);
  store.onChange = (model, changed) => {
    memory.used();
    effects.modelChanged(changed);
    if (!CLOCK_SLICES.isDisjointFrom(changed)) time.changed();
    if (changed.has("panels")) poll(panelPoll(model.screen) !== undefined);
    if (changed.has("vim")) session.setCursorShape(model.screen.vim ? "block" : "bar");
    if (model.screen.queuedInput) queueMicrotask(() => replayQueuedInput(ports));
  };
  const unsubscribers = [
    writeStatsOnSignal(process.env.PARLEY_STATS, () => session.out.counters),
    redrawOnChange(ports),
    live.watchFiles(),
    core.on("message.new", (event) => effects.eventReceived(event)),
    core.on("notification.message_new", (event) => effects.eventReceived(event)),
    core.on("message.updated", (event) => effects.eventReceived(event)),
    core.on("notification.reminder_due", (event) => effects.eventReceived(event)),
    core.subscribe(() => openFirst(ports, requestedChannel)),
    listenForTourSteps(ports),
  ];
  return () => {
    time.stop();
    poll(false);
    for (const stop of unsubscribers) stop();
    store.close();
    const { cid, other } = store.screen;
    for (const shown of [cid, other?.cid]) if (shown !== undefined) core.left(shown);
  };
}

/** Accepts command lines from other programs, except in a protected profile, which asks before each write, and beside a source. */
const acceptCommandLines = (ports: Ports, { profile, places, user, source }: Opened): (() => void) => {
  if (profile.protected || source) return () => {};
  const screenUser = { profile: profile.name, user: user.id, folder: places.state };
  return listenForLines(ports, process.env, screenUser);
};

/** Mounts the screen on the terminal. */
function mountApp(screen: Ports, session: TerminalSession): ReturnType<typeof mountScreen> {
  const tree = (
    <PortsContext value={screen}>
      <App />
    </PortsContext>
  );
  return mountScreen(session, tree, ({ columns, rows }) =>
    screen.store.update((s) => resized(s, columns, rows)),
  );
}

/** Saves the last frame for the next start. */
function saveFrameForNextStart(
  host: Host,
  { profile }: Opened,
  ports: Ports,
  session: TerminalSession,
  launcher: FrameStore,
): void {
  const { firstFrame: enabled } = host.settingsNow().settings;
  saveOrDeleteFrame(ports, session, launcher, { env: process.env, profile: profile.name, enabled });
}

const createLiveSettings = (
  host: Host,
  { profile, source }: Opened,
  level: ReturnType<typeof colorLevel>,
  readOnly: boolean,
): LiveSettings => {
  const withoutProvider = source !== undefined;
  return new LiveSettings({
    host,
    level,
    profile: profile.name,
    env: process.env,
    readOnly,
    withoutProvider,
  });
};

/** Runs the full screen on this process's terminal until it ends. */
async function runScreen(
  host: Host,
  opened: Opened,
  options: ScreenOptions,
  onFirstFrame: () => void,
): Promise<ScreenResult> {
  const { settings } = host;
  const readOnly = options.readOnly === true;
  if (readOnly) guardReadOnly(opened.core);
  // Requests wait for the connection, and the connection waits for the first frame.
  const connected = opened.connect();
  opened.core.restore();
  expectChannels(opened.core);
  const level = colorLevel(process.stdout, settings.color, process.env);
  const live = createLiveSettings(host, opened, level, readOnly);
  const ended = Promise.withResolvers<number>();
  let next: ScreenResult["next"];
  let ports: Ports | undefined;
  const pictures = createPictures(settings, opened, level, () => session);
  const sounds = createSounds(opened, pictures, wallClock);
  const session: TerminalSession = new TerminalSession({
    process: process as unknown as TerminalProcess,
    onInput: (event) => ports && handleInput(ports, event),
    end: (code, error) => (error ? ended.reject(error) : ended.resolve(code)),
    log: () => {},
    onCapabilities: (capabilities) => {
      if (ports) adaptGlyphs(ports.store, capabilities);
      live.setBackground(isLight(capabilities) === true);
      pictures.setCapabilities(capabilities);
      void tmuxAround(process.env).then((tmux) => (session.tmux = tmux));
    },
    removePictures: () => pictures.removeAll(),
    returned: () => pictures.redrawAll(),
    modes: { mouse: settings.mouse },
    inAscii: isUtf8Locale(process.env) === false,
    notifications: settings["notifications.route"],
    takingInput: () => options.launcher?.take() === true,
    ending: () =>
      options.launcher &&
      ports &&
      !readOnly &&
      saveFrameForNextStart(host, opened, ports, session, options.launcher),
  });
  const downloads = createDownloads(host);
  const extensions = new ExtensionPrograms(process.env, opened.profile.name);
  const app = serverCoreOf(host, opened, readOnly);
  const profiles = createProfiles(host, opened, (profile, text) => {
    next = { profile, ...(text !== undefined && { notice: { text, level: "success" } }) };
    session.quit(0);
  });
  const deps = {
    ...createDeps(host, opened, session, live, extensions),
    downloads,
    pictures,
    sounds,
    profiles,
    server: app.open,
    campaignFolder: campaignFolder(opened.places),
  };
  const screen = createScreen(deps, session.size);
  ports = screen;
  // If the terminal does not answer, the default capabilities are used.
  void session.ready.then((capabilities) => pictures.setCapabilities(capabilities));
  const stop = connectEffects(screen, session, live, options.channel, host.memory);
  screen.store.update((s) => ({ ...s, loading: true }));
  session.start();
  openFirst(screen, options.channel);
  session.setCursorShape("bar");
  const mounted = mountApp(screen, session);
  let stopListening = (): void => {};
  // Once the first frame is written, the connection starts and other programs may send command lines.
  void mounted.flushed().then(() => {
    setImmediate(onFirstFrame);
    stopListening = acceptCommandLines(screen, opened);
  });
  // Written early, so that the next start is faster even if this process is killed.
  const compileCacheTimer = setTimeout(() => flushCompileCache(), COMPILE_CACHE_DELAY_MS);
  loadAtStart(screen, connected, options.channel);
  if (options.notice) showNotice(screen, options.notice.text, options.notice.level);
  try {
    const code = await ended.promise;
    return { code, ...(next !== undefined && { next }) };
  } finally {
    clearTimeout(compileCacheTimer);
    stopListening();
    stop();
    deleteTempFiles();
    mounted.unmount();
    session.restore();
    pictures.close();
    sounds.stop();
    await extensions.stop();
    await downloads.stop();
    await app.close();
  }
}

/** Adapts to the widths the terminal measured for emoji sequences. */
function adaptGlyphs(store: ScreenStore, { widths }: Capabilities): void {
  const glyphs = {
    ...(widths && widths.vs16 !== 2 && { dropVariation: true }),
    ...(widths && widths.skinTone !== 2 && { dropSkinTone: true }),
    ...(widths && widths.zwj !== 2 && { dropJoiner: true }),
  };
  if (Object.keys(glyphs).length)
    store.restyle((look) => ({ ...look, glyphs: { ...look.glyphs, ...glyphs } }));
}

/** Runs the screen, one profile after the other; if a profile cannot be opened, the previous one is opened again. */
export async function startScreen(host: Host, first: ScreenOptions = {}): Promise<number> {
  let options = first;
  for (;;) {
    const { code, next } = await runProfile(host, options);
    if (next === undefined) return code;
    const previousProfile = options.profile ?? host.settings.profile;
    const { readOnly = false } = options;
    options = { ...next, readOnly };
    const { profile } = next;
    const fault = await host.open({ profile, inMemory: true, needsPlaces: true, allowSignedOut: true }).then(
      (tried) => tried.close().then(() => undefined),
      (error: unknown) => errorWords(error),
    );
    if (fault !== undefined)
      options = {
        profile: previousProfile,
        readOnly,
        notice: { text: words.profiles.failed(profile, fault), level: "warning" },
      };
  }
}

/** Runs the full screen, or plain mode if requested or the terminal is too small (specification/screen.md §7). */
async function runProfile(host: Host, options: ScreenOptions): Promise<ScreenResult> {
  const { settings } = host;
  setTimeStyle(timeStyleOf(settings, process.env));
  const { columns = 80, rows = 24 } = process.stdout;
  const tooSmall = isTooSmall(columns, rows);
  const plain = settings.plain || settings.accessible || process.env.TERM === "dumb" || tooSmall;
  let onFirstFrame = (): void => {};
  const firstFrame = new Promise<void>((resolve) => (onFirstFrame = resolve));
  const { profile } = options;
  if (plain) options.launcher?.giveBack();
  const { readOnly } = options;
  const opened = options.source
    ? await host.openSource(options.source)
    : await host.open({
        ...(readOnly && { inMemory: true }),
        ...(profile !== undefined && { profile }),
        ...(!plain && { startAfter: firstFrame, allowSignedOut: true }),
      });
  try {
    if (plain) {
      // Some terminals do not say how large they are.
      if (tooSmall && columns > 0 && rows > 0)
        process.stdout.write(`${words.plainTooSmall({ columns, rows }, LEAST)}\n`);
      if (readOnly) guardReadOnly(opened.core);
      opened.core.restore();
      const code = await runPlain({
        opened,
        channelType: settings.channelType,
        utc: settings.utc,
        ...(readOnly && { readOnly }),
        ...(options.channel === undefined ? {} : { channel: options.channel }),
        input: process.stdin,
        disk,
        print: (line) => process.stdout.write(`${fitTerminal(line, emojiPolicy(settings))}\n`),
        load: () => loadChannels(opened.core),
        random: () => crypto.randomUUID(),
        now: () => Date.now(),
      });
      return { code };
    }
    return await runScreen(host, opened, options, onFirstFrame);
  } catch (error) {
    options.launcher?.giveBack();
    process.stderr.write(`parley: ${errorWords(error)}\n`);
    return { code: 1 };
  } finally {
    // If the screen ended before its first frame, release the connection that waits for it.
    onFirstFrame();
    await opened.close();
  }
}
