/** Runs the composer's own commands (`/quit`, `/dm @ana hello`), one function for each row of their table. */
import { settingKeys } from "../../../config/settings.ts";
import { splitWords } from "../../../commands/line.ts";
import { channelsNamed } from "../../../model/search-names.ts";
import { cidTitle } from "../../../model/channels.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { momentWords } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { DefaultMessage } from "../../../model/default-message.ts";
import { INPUT_ERROR } from "../../../wire/errors.ts";
import { splitCid } from "../../../wire/ids.ts";
import { composerCommand, type ComposerCommandName } from "../../keys/composer-commands.ts";
import { gotoChoices, placeChoices } from "../../navigation/destinations.ts";
import { channelToJoin } from "../../navigation/requested-channel.ts";
import { split, splitOrClose } from "../../navigation/halves.ts";
import { openPlaces } from "../../navigation/open-places.ts";
import { openProfiles } from "../../navigation/profiles.ts";
import { openChannel, openDirect } from "../../navigation/open-channel.ts";
import { parseRecipients } from "../../navigation/recipients.ts";
import { quitProgram, switchProfile } from "../../ports/quit.ts";
import { openPersonMenu } from "../moderation/person-menu.ts";
import { resolveUserId } from "../../ports/resolve-user.ts";
import { popupPushed } from "../../screen/popup.ts";
import { withFocus, withScroll } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { scrollOf } from "../../screen/screen.ts";
import { defaultMessageIn, openEntry } from "../../screen/selectors.ts";
import { takeBack } from "../../ports/take-back.ts";
import { addHint, attempt, showNotice } from "../../screen/notices.ts";
import { changeSetting, openSettings, openThemes } from "../preferences/settings.ts";
import { openPastNotices } from "../status/past-notices.ts";
import { bindKeys, editKeys } from "../preferences/keys.ts";
import { levelLine, openLevels, openQuiet, quietLine, setStatus } from "../preferences/do-not-disturb.ts";
import { openCampaign, openCampaigns } from "../campaigns/actions.ts";
import { filesPane } from "../channel-files/files.ts";
import { filesActions } from "../files/actions.ts";
import { expandPaths } from "../files/attach-paths.ts";
import {
  editChannel,
  inviteForm,
  leaveChannel,
  loginForm,
  newChannel,
  editProfile,
} from "../forms/open-form.ts";
import { userLists, type ListName } from "../lists/lists.ts";
import { SOMEDAY, reminderActions, setReminder, parseFutureTime } from "../lists/reminders.ts";
import { forwardMessages } from "../messages/forward.ts";
import { messageActions } from "../messages/actions.ts";
import { openSharing } from "../map/share-location.ts";
import { openPollForm } from "../poll/actions.ts";
import { pollActions } from "../poll/card.ts";
import { runSectionLine } from "../sidebar/arrangement.ts";
import { membersPane } from "../members/members.ts";
import { openSearch } from "../search/actions.ts";
import { openJoinList } from "../../navigation/join-list.ts";
import { endTour, openTour } from "../tour/tour.ts";
import { onlyLine } from "./only.ts";
import { listScheduled } from "./scheduled.ts";
import { runText } from "./run-command-line.ts";
import type { RunLine, TypedCommand } from "./typed-command.ts";
import { snippetLine } from "./snippets.ts";

/** For commands that run at once and cannot fail. */
const withoutCheck =
  (run: (ports: Ports, rest: string) => void): RunLine =>
  (ports, rest, typed) => {
    typed.clear();
    run(ports, rest);
  };

/** Clears the command, and restores it if the work fails. */
function runAsync(ports: Ports, typed: TypedCommand, work: Promise<unknown>): void {
  typed.clear();
  work.catch(() => typed.restore());
  attempt(ports, work);
}

function runChange(ports: Ports, typed: TypedCommand, change: Promise<unknown>, done: string): void {
  const changed = change.then(() => showNotice(ports, done, "success"));
  runAsync(ports, typed, changed);
}

/** Opens a list or a form when there are no arguments, else runs with them. */
const openOrRun =
  (open: (ports: Ports) => void, run: RunLine): RunLine =>
  (ports, rest, typed) => {
    if (rest !== "") return run(ports, rest, typed);
    typed.clear();
    open(ports);
  };

const openListLine = (name: ListName): RunLine => withoutCheck((ports) => userLists[name].show(ports));

const missing = (name: ComposerCommandName): string =>
  words.lines.missing(name, composerCommand(name).args ?? "");

const dm: RunLine = (ports, rest, typed) => {
  const { ids, text } = parseRecipients(ports.store.state, rest);
  if (ids.length === 0) return missing("dm");
  const open = async (): Promise<void> => {
    const cid = await openDirect(ports, ids).catch((error: unknown) => {
      const unknown = ids.find((id) => !ports.store.state.users.has(id));
      if (unknown !== undefined) addHint(error, INPUT_ERROR, "parley user list");
      throw error;
    });
    if (text !== "") await ports.core.send({ cid }, { text }).outcome;
  };
  runAsync(ports, typed, open());
};

/** The name that was typed, and its channel if there is exactly one. */
function namedChannel({ store, core }: Ports, rest: string): { query: string; cid?: string } {
  const here = store.screen.cid;
  const query = rest.replace(/^#?(?:"(.*)"|(.*))$/, "$1$2");
  const found = query === "" ? [] : channelsNamed(store.state, query, { me: core.userId, here });
  const [cid, ...others] = found;
  return cid !== undefined && others.length === 0 && store.state.channels.has(cid)
    ? { query, cid }
    : { query };
}

/** Opens the channel with this name if there is exactly one, else the list to choose from. */
const go: RunLine = withoutCheck((ports, rest) => {
  const { query, cid } = namedChannel(ports, rest);
  if (cid !== undefined) return openChannel(ports, cid);
  openPlaces(ports, () => ({ title: words.popups.goto, query, choices: gotoChoices(ports) }));
});

/** The same for the other half. */
const splitLine = openOrRun(
  splitOrClose,
  withoutCheck((ports, rest) => {
    const { core, store, settings } = ports;
    const { query, cid } = namedChannel(ports, rest);
    if (cid !== undefined) return split(ports, cid);
    const choose = async (to: { cid: string } | { userId: string }): Promise<void> => {
      const chosen = "cid" in to ? to.cid : await core.openDirect([to.userId], settings.channelType);
      split(ports, chosen);
    };
    openPlaces(ports, () => ({
      title: words.halves.which,
      query,
      choices: placeChoices(store.state, store.screen.cid, (to) => attempt(ports, choose(to))),
    }));
  }),
);

const who: RunLine = (ports, rest, typed) => {
  const { cid } = ports.store.screen;
  const id = rest === "" ? undefined : resolveUserId(ports, rest);
  // What is known of somebody who is not loaded is looked up.
  if (id !== undefined && (cid === undefined || !ports.store.state.users.has(id)))
    return runText(ports, `/user get ${id}`, typed);
  if (cid === undefined) return words.lines.noChannel;
  if (id !== undefined) {
    typed.clear();
    return openPersonMenu(ports, id, cid);
  }
  typed.clear();
  membersPane.show(ports);
};

const join = openOrRun(openJoinList, (ports, rest, typed) => {
  const { cid, isOwn } = channelToJoin(ports.store.state, rest, ports.settings.channelType);
  if (isOwn) {
    typed.clear();
    return openChannel(ports, cid);
  }
  const onDone = (): void => openChannel(ports, cid);
  runText(ports, `/channel join ${cid}`, typed, { onDone, notFoundHint: words.lines.listChannels });
});

const invite = openOrRun(inviteForm, (ports, rest, typed) => {
  const ids = splitWords(rest).map((word) => resolveUserId(ports, word));
  runText(ports, `/member add ${ids.join(" ")}`, typed);
});

const topic: RunLine = (ports, rest, typed) => {
  const entry = openEntry(ports.store.get());
  const path = entry && splitCid(entry.cid);
  if (!entry || !path) return words.lines.noChannel;
  if (rest === "") {
    const { topic: current } = entry.channel as { topic?: unknown };
    typed.clear();
    const text = typeof current === "string" && current ? cleanLine(current) : words.lines.noTopic;
    return showNotice(ports, text);
  }
  const body = rest === "-" ? { unset: ["topic"] } : { set: { topic: rest } };
  const changed = ports.core.call("updateChannelPartial", { path, body });
  runChange(ports, typed, changed, words.lines.topicChanged(rest === "-"));
};

const rename: RunLine = (ports, rest, typed) => {
  const name = rest.replace(/^#/, "");
  if (name === "") {
    typed.clear();
    return editChannel(ports);
  }
  const path = splitCid(openEntry(ports.store.get())?.cid ?? "");
  if (!path) return words.lines.noChannel;
  const changed = ports.core.call("updateChannelPartial", { path, body: { set: { name } } });
  runChange(ports, typed, changed, words.lines.channelRenamed(cleanLine(name)));
};

const openTitle = ({ boxes, store }: Ports): string => cidTitle(store.state, boxes.place?.cid ?? "");

/** `/mute 2h` mutes the channel, `/mute @ana` a user. */
const mute: RunLine = (ports, rest, typed) => {
  if (rest.startsWith("@")) return runText(ports, `/user mute ${resolveUserId(ports, rest)}`, typed);
  const until = rest.replace(/^(until|for)\s+/, "");
  const now = ports.clock.now();
  const { utc } = ports.store.get().look;
  const end = until === "" ? undefined : parseFutureTime(until, now, utc);
  if (typeof end === "string") return end;
  if (until !== "" && end === undefined) return words.lines.muteNeedsTime(words.later.hint);
  // As an instant: the command would read a time without a zone in the machine's.
  const limit = end === undefined ? "" : ` --until ${new Date(end).toISOString()}`;
  const notice = words.lines.muted(openTitle(ports), end === undefined ? "" : momentWords(end, now, { utc }));
  runText(ports, `/channel mute${limit}`, typed, { onDone: () => showNotice(ports, notice, "success") });
};

const unmute: RunLine = (ports, _rest, typed) => {
  const notice = words.lines.unmuted(openTitle(ports));
  runText(ports, "/channel unmute", typed, { onDone: () => showNotice(ports, notice, "success") });
};

const nick: RunLine = (ports, rest, typed) => {
  const { core } = ports;
  if (rest === "" || core.userId === undefined) return missing("nick");
  const body = { users: [{ id: core.userId, set: { name: rest } }] };
  const changed = core.call("updateUsersPartial", { body });
  runChange(ports, typed, changed, words.lines.renamed(cleanLine(rest)));
};

const theme = openOrRun(openThemes, (ports, rest, typed) => {
  const names = ports.themes.list().map(({ name }) => name);
  if (!names.includes(rest)) return words.lines.noTheme(cleanLine(rest), names);
  runAsync(ports, typed, changeSetting(ports, "theme", rest));
});

/** For work that can be refused at once, with a sentence. */
const checked =
  (run: (ports: Ports, rest: string) => Promise<void> | string): RunLine =>
  (ports, rest, typed) => {
    const work = run(ports, rest);
    if (typeof work === "string") return work;
    runAsync(ports, typed, work);
  };

/** Runs a key's action on the default message, and moves the cursor there to show which it is. */
const actOnDefault =
  (which: DefaultMessage, act: (ports: Ports) => void) =>
  (ports: Ports): void => {
    const { place } = ports.boxes;
    const model = ports.store.get();
    const message = place && defaultMessageIn(model, place, which);
    if (place && message)
      ports.store.update((s) =>
        withScroll(withFocus(s, place.parentId === undefined ? "messages" : "panel"), place, {
          ...scrollOf(s, place),
          selected: message.id,
        }),
      );
    act(ports);
  };

const onDefaultMessage = (which: DefaultMessage, act: (ports: Ports) => void): RunLine =>
  withoutCheck(actOnDefault(which, act));

/** `/remind 2h`: for the default message. */
const remind = openOrRun(actOnDefault("message", reminderActions.remind), (ports, rest, typed) => {
  const { place } = ports.boxes;
  const model = ports.store.get();
  const message = place && defaultMessageIn(model, place, "message");
  if (!message) return words.lines.noMessage;
  const at = rest === SOMEDAY ? undefined : parseFutureTime(rest, ports.clock.now(), model.look.utc);
  if (typeof at === "string") return at;
  if (at === undefined && rest !== SOMEDAY) return words.lines.noTime(words.later.hint);
  runAsync(ports, typed, setReminder(ports, message.id, at));
});

/** `/forward #design`, `/forward @ana`: forwards the default message. */
const forwardLine = openOrRun(actOnDefault("message", messageActions.forward), (ports, rest, typed) => {
  const { place } = ports.boxes;
  const { store, core } = ports;
  const message = place && defaultMessageIn(store.get(), place, "message");
  if (!message) return words.lines.noMessage;
  const name = rest.replace(/^([@#]?)"(.*)"$/, "$1$2");
  if (name.startsWith("@"))
    return runAsync(ports, typed, forwardMessages(ports, [message], { userId: resolveUserId(ports, name) }));
  const [cid] = channelsNamed(store.state, name.replace(/^#/, ""), { me: core.userId, here: place.cid });
  if (cid === undefined) return words.lines.noSuchChannel(cleanLine(name));
  runAsync(ports, typed, forwardMessages(ports, [message], { cid }));
});

/** `/poll Lunch?` opens the form with the question; a single plain word is a subcommand. */
const poll: RunLine = (ports, rest, typed) => {
  if (/^[\w-]+$/.test(rest)) return runText(ports, `/poll ${rest}`, typed);
  typed.clear();
  openPollForm(ports, rest);
};

const status: RunLine = (ports, rest, typed) => runAsync(ports, typed, setStatus(ports, rest));

/** `/keys` and `/keys browse g r reply`. */
const keys = openOrRun(editKeys, (ports, rest, typed) => runAsync(ports, typed, bindKeys(ports, rest)));

/** `/settings`, `/settings mouse` and `/settings mouse off`. */
const settings: RunLine = (ports, rest, typed) => {
  const [name = "", ...value] = rest.split(/\s+/);
  const key = settingKeys.find((one) => one.toLowerCase() === name.toLowerCase());
  if (key !== undefined && value.length > 0)
    return runAsync(ports, typed, changeSetting(ports, key, value.join(" ")));
  typed.clear();
  openSettings(ports, rest);
};

/** Core shows a notice about a bad file; the command comes back when a file could not be attached. */
const attach: RunLine = (ports, rest, typed) => {
  const { place } = ports.boxes;
  if (!place) return words.lines.noChannel;
  const { attachments } = ports.boxes.composer(place);
  const names = splitWords(rest);
  typed.clear();
  if (names.length === 0) return void filesActions.attach(ports);
  expandPaths(ports.disk, names)
    .then((files) => attachments.add(files))
    .then((lost) => lost.length > 0 && typed.restore())
    .catch(() => typed.restore());
  ports.boxes.sync(place, true);
};

const detach: RunLine = (ports, rest, typed) => {
  const { place } = ports.boxes;
  if (!place) return words.lines.noChannel;
  const names = splitWords(rest);
  const composer = ports.boxes.composer(place);
  const { attachments, links } = composer;
  const isNamed = (...titles: (string | undefined)[]): boolean =>
    names.length === 0 || titles.some((title) => title !== undefined && names.includes(title));
  const uploads = attachments.state().uploads.filter(({ name }) => isNamed(name));
  const attachedBefore = composer.state().carried.filter(({ title }) => isNamed(title));
  const previews = links.state().previews.filter(({ url, attachment }) => isNamed(url, attachment?.title));
  if (uploads.length + attachedBefore.length + previews.length === 0)
    return names.length === 0 ? words.files.noUpload : words.files.noneNamed(cleanLine(rest));
  typed.clear();
  for (const { localId } of uploads) attachments.remove(localId);
  for (const each of attachedBefore) composer.drop(each);
  for (const { url } of previews) links.dismiss(url);
  ports.boxes.sync(place, true);
};

const help = withoutCheck(({ store }, rest) =>
  store.update((s) => popupPushed(s, { kind: "help", query: rest.replace(/^\//, ""), top: 0 })),
);

const search = openOrRun(openSearch, (ports, rest, typed) => runText(ports, `/search ${rest}`, typed));

export const LINE_COMMANDS: Readonly<Record<ComposerCommandName, RunLine>> = {
  help,
  campaigns: withoutCheck((ports, rest) => (rest === "" ? openCampaigns(ports) : openCampaign(ports, rest))),
  tour: withoutCheck((ports, rest) => (rest === "off" ? endTour(ports) : openTour(ports))),
  quit: withoutCheck(quitProgram),
  search,
  dm,
  only: onlyLine,
  go,
  split: splitLine,
  who,
  join,
  leave: withoutCheck(leaveChannel),
  invite,
  topic,
  mute,
  unmute,
  // With arguments it sends a message: see enter-command.ts.
  section: withoutCheck(runSectionLine),
  schedule: withoutCheck(listScheduled),
  new: withoutCheck((ports, rest) => newChannel(ports, rest.replace(/^#/, ""))),
  rename,
  // With arguments it sends a message, too.
  me: withoutCheck(editProfile),
  notices: withoutCheck(openPastNotices),
  reconnect: withoutCheck(({ core }) => core.reconnect()),
  profile: withoutCheck((ports, rest) => (rest === "" ? openProfiles(ports) : switchProfile(ports, rest))),
  // Arguments are ignored: they may be a token.
  login: withoutCheck((ports) => loginForm(ports)),
  nick,
  theme,
  dnd: openOrRun(openQuiet, checked(quietLine)),
  notify: openOrRun(openLevels, checked(levelLine)),
  status,
  keys,
  settings,
  attach,
  detach,
  snippet: snippetLine,
  files: withoutCheck((ports) => filesPane.toggle(ports)),
  poll,
  location: withoutCheck((ports) => openSharing(ports)),
  inbox: openListLine("inbox"),
  threads: openListLine("threads"),
  later: openListLine("later"),
  drafts: openListLine("drafts"),
  pins: openListLine("pins"),
  react: onDefaultMessage("message", messageActions.react),
  quote: onDefaultMessage("message", messageActions.quote),
  copy: onDefaultMessage("message", messageActions.copy),
  undo: withoutCheck((ports) => {
    if (!takeBack(ports)) showNotice(ports, words.notices.nothingToUndo);
  }),
  reply: onDefaultMessage("message", messageActions.reply),
  edit: onDefaultMessage("mine", messageActions.edit),
  forward: forwardLine,
  save: onDefaultMessage("message", reminderActions.save),
  remind,
  translate: onDefaultMessage("message", messageActions.translate),
  report: onDefaultMessage("message", messageActions.flag),
  flag: onDefaultMessage("message", messageActions.flag),
  vote: onDefaultMessage("poll", pollActions.pollVote),
};
