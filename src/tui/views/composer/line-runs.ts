/** Runs the composer's own lines (`/quit`, `/dm @ana hello`), one function for each name of their table. */
import { settingKeys } from "../../../config/settings.ts";
import { splitWords } from "../../../commands/line.ts";
import { channelsCalled } from "../../../model/search-names.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { DefaultMessage } from "../../../model/default-message.ts";
import { splitCid } from "../../../wire/ids.ts";
import { lineRow, type LineName } from "../../keys/line-table.ts";
import { gotoChoices } from "../../navigation/destinations.ts";
import { openProfiles, profileChoices } from "../../navigation/profiles.ts";
import { openChannel, openDirect } from "../../navigation/opening.ts";
import { leave, switchProfile } from "../../ports/leaving.ts";
import { idOf } from "../../ports/person.ts";
import { popupPushed } from "../../screen/popup.ts";
import { withFocus, withScroll } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { scrollOf, type ListName } from "../../screen/screen.ts";
import { defaultMessageIn, openEntry } from "../../screen/selectors.ts";
import { takeBack } from "../../ports/take-back.ts";
import { attempt, showNotice, openPicker } from "../../screen/notices.ts";
import { keep, openSettings } from "../preferences/settings.ts";
import { bindKeys, editKeys } from "../preferences/keys.ts";
import { levelLine, openLevels, openQuiet, quietLine, setStatus } from "../preferences/do-not-disturb.ts";
import { openThemes } from "../preferences/theme.ts";
import { openCampaign, openCampaigns } from "../campaigns/actions.ts";
import { openFiles } from "../channel-files/actions.ts";
import { filesActions } from "../files/actions.ts";
import { filesNamed } from "../files/line.ts";
import {
  editChannel,
  inviteForm,
  leaveChannel,
  loginForm,
  newChannel,
  ownProfile,
} from "../forms/opening.ts";
import { openList } from "../lists/cursor.ts";
import { SOMEDAY, remindingActions, setReminder, typedTime } from "../lists/reminding.ts";
import { forwardMessages } from "../messages/forward.ts";
import { messageActions } from "../messages/actions.ts";
import { openSharing } from "../map/sharing.ts";
import { openForm } from "../poll/actions.ts";
import { pollActions } from "../poll/card.ts";
import { sectionLine } from "../sidebar/arranging.ts";
import { openMembers } from "../members/actions.ts";
import { openSearch } from "../search/actions.ts";
import { openJoining } from "../../navigation/joining.ts";
import { openTour, tourChosen } from "../tour/tour.ts";
import { listScheduled } from "./scheduled.ts";
import { runText } from "./running.ts";
import type { LineOutcome } from "./line-outcome.ts";
import { snippetLine } from "./snippets.ts";

/** Gives back why it cannot be done, as a sentence: the line stays in the box then. */
type Run = (ports: Ports, rest: string, typed: LineOutcome) => string | void;

/** What is done at once, and cannot be refused. */
const plainly =
  (run: (ports: Ports, rest: string) => void): Run =>
  (ports, rest, typed) => {
    typed.taken();
    run(ports, rest);
  };

/** The line comes back when the work is refused. */
function carriedOut(ports: Ports, typed: LineOutcome, work: Promise<unknown>): void {
  typed.taken();
  work.catch(() => typed.refused());
  attempt(ports, work);
}

const list = (name: ListName): Run => plainly((ports) => openList(ports, name));

const missing = (name: LineName): string => words.lines.missing(name, lineRow(name).args ?? "");

/** `@ana @bo hello there`: the names in front, and the text behind them; one name needs no @. */
function addressed(ports: Ports, rest: string): { ids: string[]; text: string } {
  const found = /^(?:@(?:"[^"]+"|\S+)\s*)+/.exec(rest)?.[0] ?? /^\S+\s*/.exec(rest)?.[0] ?? "";
  const ids = splitWords(found.replaceAll('@"', '"@')).map((word) => idOf(ports, word));
  return { ids, text: rest.slice(found.length).trim() };
}

const dm: Run = (ports, rest, typed) => {
  const { ids, text } = addressed(ports, rest);
  if (ids.length === 0) return missing("dm");
  const open = async (): Promise<void> => {
    const cid = await openDirect(ports, ids);
    if (text !== "") await ports.core.send({ cid }, { text }).outcome;
  };
  carriedOut(ports, typed, open());
};

/** To the channel that alone is called so; else the list is asked. */
const go: Run = plainly((ports, rest) => {
  const { store, core } = ports;
  const here = store.screen.cid;
  const query = rest.replace(/^#?(?:"(.*)"|(.*))$/, "$1$2");
  const held = [...store.state.channels.keys()];
  const found = query === "" ? [] : channelsCalled(store.state, query, { me: core.userId, here });
  if (found.length === 1 && held.includes(found[0]!)) return openChannel(ports, found[0]!);
  const choices = [...gotoChoices(store.state, here), ...profileChoices(ports)];
  openPicker({ store }, { name: "goto", title: words.popups.goto, query, choices });
});

const who: Run = (ports, rest, typed) => {
  if (rest !== "") return runText(ports, `/user get ${idOf(ports, rest)}`, typed);
  if (ports.store.screen.cid === undefined) return words.lines.noChannel;
  typed.taken();
  openMembers(ports);
};

/** `#ops`, `ops` and `team:ops`. */
const join: Run = (ports, rest, typed) => {
  if (rest === "") {
    typed.taken();
    return openJoining(ports);
  }
  const { channelType } = ports.settings;
  const named = rest.replace(/^#/, "");
  const cid = named.includes(":") ? named : `${channelType}:${named}`;
  if (ports.store.state.channels.get(cid)?.membership) {
    typed.taken();
    return openChannel(ports, cid);
  }
  runText(ports, `/channel join ${cid}`, typed, () => openChannel(ports, cid));
};

const invite: Run = (ports, rest, typed) => {
  if (rest === "") {
    typed.taken();
    return inviteForm(ports);
  }
  const ids = splitWords(rest).map((word) => idOf(ports, word));
  runText(ports, `/member add ${ids.join(" ")}`, typed);
};

const topic: Run = (ports, rest, typed) => {
  const entry = openEntry(ports.store.get());
  const path = entry && splitCid(entry.cid);
  if (!entry || !path) return words.lines.noChannel;
  if (rest === "") {
    const { topic: now } = entry.channel as { topic?: unknown };
    typed.taken();
    return showNotice(ports, typeof now === "string" && now ? cleanLine(now) : words.lines.noTopic);
  }
  const body = rest === "-" ? { unset: ["topic"] } : { set: { topic: rest } };
  const changed = ports.core.call("updateChannelPartial", { path, body });
  const told = changed.then(() => showNotice(ports, words.lines.topicChanged(rest === "-"), "success"));
  carriedOut(ports, typed, told);
};

const rename: Run = (ports, rest, typed) => {
  const name = rest.replace(/^#/, "");
  if (name === "") return plainly(editChannel)(ports, rest, typed);
  const path = splitCid(openEntry(ports.store.get())?.cid ?? "");
  if (!path) return words.lines.noChannel;
  const changed = ports.core.call("updateChannelPartial", { path, body: { set: { name } } });
  const told = changed.then(() => showNotice(ports, words.lines.channelRenamed(cleanLine(name)), "success"));
  carriedOut(ports, typed, told);
};

/** A channel, or with `@` somebody. */
const mute: Run = (ports, rest, typed) => {
  if (rest.startsWith("@")) return runText(ports, `/user mute ${idOf(ports, rest)}`, typed);
  const until = rest.replace(/^(until|for)\s+/, "");
  const known = until === "" || typedTime(until, ports.clock.now(), ports.store.get().look.utc) !== undefined;
  if (!known) return words.lines.muteNeedsTime(words.later.hint);
  runText(
    ports,
    until === "" ? "/channel mute" : `/channel mute --until "${until.replaceAll('"', "")}"`,
    typed,
  );
};

const nick: Run = (ports, rest, typed) => {
  const { core } = ports;
  if (rest === "" || core.userId === undefined) return missing("nick");
  const body = { users: [{ id: core.userId, set: { name: rest } }] };
  const told = core
    .call("updateUsersPartial", { body })
    .then(() => showNotice(ports, words.lines.renamed(cleanLine(rest)), "success"));
  carriedOut(ports, typed, told);
};

const theme: Run = (ports, rest, typed) => {
  const names = ports.themes.list().map(({ name }) => name);
  if (rest !== "" && !names.includes(rest)) return words.lines.noTheme(cleanLine(rest), names);
  if (rest !== "") return carriedOut(ports, typed, keep(ports, "theme", rest));
  typed.taken();
  openThemes(ports);
};

/** Opens its list without words; a sentence that is given back leaves the line in the box. */
const orList =
  (open: (ports: Ports) => void, run: (ports: Ports, rest: string) => Promise<void> | string): Run =>
  (ports, rest, typed) => {
    if (rest === "") return plainly(open)(ports, rest, typed);
    const work = run(ports, rest);
    if (typeof work === "string") return work;
    carriedOut(ports, typed, work);
  };

/** What a key does with a message: of the one that is meant, and the cursor shows which. */
const ofMessage = (which: DefaultMessage, act: (ports: Ports) => void): Run =>
  plainly((ports) => {
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
  });

/** `/remind 2h`: of the message that is meant. */
const remind: Run = (ports, rest, typed) => {
  if (rest === "") return ofMessage("message", remindingActions.remind)(ports, rest, typed);
  const { place } = ports.boxes;
  const model = ports.store.get();
  const message = place && defaultMessageIn(model, place, "message");
  if (!message) return words.lines.noMessage;
  const at = rest === SOMEDAY ? SOMEDAY : typedTime(rest, ports.clock.now(), model.look.utc);
  if (at === undefined) return words.lines.noTime(words.later.hint);
  const chosen = typeof at === "number" ? new Date(at).toISOString() : at;
  carriedOut(ports, typed, setReminder(ports, message.id, chosen));
};

/** `/forward #design`, `/forward @ana`: the message that is meant. */
const forwardLine: Run = (ports, rest, typed) => {
  if (rest === "") return ofMessage("message", messageActions.forward)(ports, rest, typed);
  const { place } = ports.boxes;
  const { store, core } = ports;
  const message = place && defaultMessageIn(store.get(), place, "message");
  if (!message) return words.lines.noMessage;
  const name = rest.replace(/^([@#]?)"(.*)"$/, "$1$2");
  if (name.startsWith("@"))
    return carriedOut(ports, typed, forwardMessages(ports, [message], `user:${idOf(ports, name)}`));
  const [cid] = channelsCalled(store.state, name.replace(/^#/, ""), { me: core.userId, here: place.cid });
  if (cid === undefined) return words.lines.noSuchChannel(cleanLine(name));
  carriedOut(ports, typed, forwardMessages(ports, [message], `channel:${cid}`));
};

/** `/poll Lunch?` has the question in its form; one word that is no question was to be a command. */
const poll: Run = (ports, rest, typed) => {
  if (/^[\w-]+$/.test(rest)) return runText(ports, `/poll ${rest}`, typed);
  plainly((at) => openForm(at, rest))(ports, rest, typed);
};

const status: Run = (ports, rest, typed) => carriedOut(ports, typed, setStatus(ports, rest));

/** `/keys` and `/keys browse g r reply`. */
const keys: Run = (ports, rest, typed) => {
  if (rest !== "") return carriedOut(ports, typed, bindKeys(ports, rest));
  typed.taken();
  editKeys(ports);
};

/** `/settings`, `/settings mouse` and `/settings mouse off`. */
const settings: Run = (ports, rest, typed) => {
  const [name = "", ...value] = rest.split(/\s+/);
  const key = settingKeys.find((one) => one.toLowerCase() === name.toLowerCase());
  if (key !== undefined && value.length > 0)
    return carriedOut(ports, typed, keep(ports, key, value.join(" ")));
  typed.taken();
  openSettings(ports, rest);
};

/** What is wrong with a file is told by core's notice; a line of which nothing hangs on the box comes back. */
const attach: Run = (ports, rest, typed) => {
  const { place } = ports.boxes;
  if (!place) return words.lines.noChannel;
  const { attachments } = ports.boxes.composer(place);
  const names = splitWords(rest);
  typed.taken();
  if (names.length === 0) return void filesActions.attach(ports);
  filesNamed(ports.disk, names)
    .then((files) => attachments.add(files))
    .then((lost) => lost.length > 0 && typed.refused())
    .catch(() => typed.refused());
  ports.boxes.sync(place, true);
};

const detach: Run = (ports, rest, typed) => {
  const { place } = ports.boxes;
  if (!place) return words.lines.noChannel;
  const names = splitWords(rest);
  const composer = ports.boxes.composer(place);
  const { attachments, links } = composer;
  const meant = (...titles: (string | undefined)[]): boolean =>
    names.length === 0 || titles.some((title) => title !== undefined && names.includes(title));
  const uploads = attachments.state().uploads.filter(({ name }) => meant(name));
  const carried = composer.state().carried.filter(({ title }) => meant(title));
  const previews = links.state().previews.filter(({ url, attachment }) => meant(url, attachment?.title));
  if (uploads.length + carried.length + previews.length === 0)
    return names.length === 0 ? words.files.noUpload : words.files.noneNamed(cleanLine(rest));
  typed.taken();
  for (const { localId } of uploads) attachments.remove(localId);
  for (const each of carried) composer.drop(each);
  for (const { url } of previews) links.dismiss(url);
  ports.boxes.sync(place, true);
};

const help = plainly(({ store }, rest) =>
  store.update((s) => popupPushed(s, { kind: "help", query: rest.replace(/^\//, ""), top: 0 })),
);

const search: Run = (ports, rest, typed) => {
  if (rest !== "") return runText(ports, `/search ${rest}`, typed);
  typed.taken();
  openSearch(ports);
};

export const LINE_RUNS: Readonly<Record<LineName, Run>> = {
  help,
  campaigns: plainly((ports, rest) => (rest === "" ? openCampaigns(ports) : openCampaign(ports, rest))),
  tour: plainly((ports, rest) => (rest === "off" ? tourChosen(ports, "off") : openTour(ports))),
  quit: plainly(leave),
  search,
  dm,
  go,
  who,
  join,
  leave: plainly(leaveChannel),
  invite,
  topic,
  mute,
  unmute: (ports, _rest, typed) => runText(ports, "/channel unmute", typed),
  // With words it is a message of the box: slash.ts sends it.
  section: plainly(sectionLine),
  schedule: plainly(listScheduled),
  new: plainly((ports, rest) => newChannel(ports, rest.replace(/^#/, ""))),
  rename,
  // With words it is a message, too.
  me: plainly(ownProfile),
  reconnect: plainly(({ core }) => core.reconnect()),
  profile: plainly((ports, rest) => (rest === "" ? openProfiles(ports) : switchProfile(ports, rest))),
  // What is written behind it may be a token: it goes nowhere.
  login: plainly((ports) => loginForm(ports)),
  nick,
  theme,
  dnd: orList(openQuiet, quietLine),
  notify: orList(openLevels, levelLine),
  status,
  keys,
  settings,
  attach,
  detach,
  snippet: snippetLine,
  files: plainly((ports) => openFiles(ports)),
  poll,
  location: plainly((ports) => openSharing(ports)),
  inbox: list("inbox"),
  threads: list("threads"),
  later: list("later"),
  drafts: list("drafts"),
  pins: list("pins"),
  react: ofMessage("message", messageActions.react),
  quote: ofMessage("message", messageActions.quote),
  copy: ofMessage("message", messageActions.copy),
  undo: plainly((ports) => {
    if (!takeBack(ports)) showNotice(ports, words.notices.nothingToUndo);
  }),
  reply: ofMessage("message", messageActions.reply),
  edit: ofMessage("mine", messageActions.edit),
  forward: forwardLine,
  save: ofMessage("message", remindingActions.save),
  remind,
  translate: ofMessage("message", messageActions.translate),
  report: ofMessage("message", messageActions.flag),
  flag: ofMessage("message", messageActions.flag),
  vote: ofMessage("poll", pollActions.pollVote),
};
