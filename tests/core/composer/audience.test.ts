/** Whatever leaves a composer is for those who were chosen, or who see what it answers (R-SEND-16). */
import { describe, expect, test } from "vitest";
import { AudienceError } from "../../../src/model/audience.ts";
import type { ClientMessage } from "../../../src/model/state.ts";
import type { OutgoingMessage } from "../../../src/core/core.ts";
import { CAPABLE, channel, FakeCore, message, stateOf } from "../../support/fake-core.ts";

const CID = "messaging:general";
const here = { cid: CID };
const psst = message("psst", "ana", "psst", { restricted_visibility: ["bo", "me"] });
const open = message("open", "ana", "good morning");
const MAY = [...CAPABLE, "send-restricted-visibility-message"];

function world({
  may = true,
  messages = [open, psst],
}: { may?: boolean; messages?: ClientMessage[] } = {}): FakeCore {
  const entry = channel("general", { messages });
  Object.assign(entry.channel, { own_capabilities: may ? MAY : CAPABLE });
  return new FakeCore(stateOf([entry]));
}

const sent = (core: FakeCore): OutgoingMessage[] =>
  core.calls("send").map(([, each]) => each as OutgoingMessage);
const audiences = (core: FakeCore): unknown[] => sent(core).map(({ audience }) => audience);

/** The composer of a place with a text. */
function written(core: FakeCore, place: { cid: string; parentId?: string } = here) {
  const composer = core.composer(place);
  composer.typed("hello", 5);
  return composer;
}

describe("R-SEND-16", () => {
  test("people once chosen stay chosen for what follows, with the author, until that ends", () => {
    const core = world();
    const composer = written(core);
    composer.onlyFor(["bo"]);
    composer.send();
    composer.typed("and", 3);
    composer.send();
    composer.onlyFor(undefined);
    composer.typed("all", 3);
    composer.send();
    expect(audiences(core)).toEqual([["bo", "me"], ["bo", "me"], undefined]);
  });

  test("a quote and a reply keep the people of what they answer; everybody chosen instead holds for one message", () => {
    const core = world();
    const composer = written(core);
    composer.quote("psst");
    composer.send();
    written(core).quote("open");
    composer.send();
    const thread = written(core, { ...here, parentId: "psst" });
    thread.send();
    thread.onlyFor([]);
    thread.typed("to all", 6);
    thread.send();
    thread.typed("again", 5);
    thread.send();
    expect(audiences(core)).toEqual([
      ["bo", "ana", "me"],
      undefined,
      ["bo", "ana", "me"],
      undefined,
      ["bo", "ana", "me"],
    ]);
  });

  test("everybody, chosen for one quote, does not hold for the next", () => {
    const core = world();
    const composer = written(core);
    composer.quote("psst");
    composer.onlyFor([]);
    composer.quote("psst");
    composer.send();
    expect(audiences(core)).toEqual([["bo", "ana", "me"]]);
  });

  test("what it answers is looked up if it is not loaded; until then, and if that fails, nothing is sent", async () => {
    const core = world();
    const composer = written(core);
    composer.quote("far");
    expect(composer.audience()).toBeUndefined();
    expect(() => composer.send()).toThrow(AudienceError);
    core.answers.set("getMessage", () => Promise.reject(new Error("no network")));
    await expect(composer.findAudience()).rejects.toThrow("no network");
    expect(() => composer.send()).toThrow(AudienceError);
    expect([sent(core), composer.state().text]).toEqual([[], "hello"]);
    core.answers.set("getMessage", () => ({ message: { ...psst, id: "far" } }));
    expect(await composer.findAudience()).toEqual(["bo", "ana", "me"]);
    composer.send();
    expect(audiences(core)).toEqual([["bo", "ana", "me"]]);
  });

  test("a thread that was opened is known although its first message is lost", () => {
    const core = world();
    const thread = written(core, { ...here, parentId: "psst" });
    thread.open();
    core.changeChannel(CID, (entry) => ({ ...entry, sets: [] }));
    thread.send();
    expect(audiences(core)).toEqual([["bo", "ana", "me"]]);
  });

  test("a quote that is lost leaves its people chosen", () => {
    const core = world();
    const composer = written(core);
    composer.quote("psst");
    core.changeChannel(CID, (entry) => ({ ...entry, sets: [] }));
    composer.onMessagesLost("psst");
    expect(composer.state().quotedMessageId).toBeUndefined();
    composer.send();
    expect(audiences(core)).toEqual([["bo", "ana", "me"]]);
  });

  test("without the right nothing is sent to some only, chosen or answered, and everybody needs no right", () => {
    const core = world({ may: false });
    const composer = written(core);
    composer.onlyFor(["bo"]);
    expect(() => composer.send()).toThrow("You have no right");
    expect(() => composer.sendBeside({ text: "x" })).toThrow(AudienceError);
    composer.onlyFor(undefined);
    composer.quote("psst");
    expect(() => composer.send()).toThrow("You have no right");
    expect([sent(core), composer.state().text]).toEqual([[], "hello"]);
    composer.onlyFor([]);
    composer.send();
    expect(sent(core)).toMatchObject([{ text: "hello", quotedMessageId: "psst" }]);
    expect(audiences(core)).toEqual([undefined]);
  });

  test("a poll, what is sent beside the text, and what a command sends from the box are for the same people", async () => {
    const core = world();
    core.answers.set("createPoll", () => ({ poll: { id: "p" } }));
    const composer = core.composer(here);
    composer.onlyFor(["bo"]);
    composer.poll.edit({ type: "name", value: "Drink?" });
    composer.poll.edit({ type: "option", id: composer.poll.state().form.options[0]!.id, text: "Tea" });
    await composer.poll.create();
    composer.sendBeside({ text: "", custom: { shared_location: { latitude: 1, longitude: 2 } } });
    written(core);
    const command = core.composer(here, { transient: true });
    command.typed("by command", 10);
    command.send();
    expect(audiences(core)).toEqual([
      ["bo", "me"],
      ["bo", "me"],
      ["bo", "me"],
    ]);
  });

  test("a poll that could not be sent is not created", async () => {
    const core = world({ may: false });
    const { poll } = core.composer({ ...here, parentId: "psst" });
    poll.edit({ type: "name", value: "Drink?" });
    poll.edit({ type: "option", id: poll.state().form.options[0]!.id, text: "Tea" });
    expect(await poll.create()).toBeUndefined();
    expect([core.calls("createPoll"), sent(core)]).toEqual([[], []]);
  });

  test("an edit has the people of its message, and afterwards those from before are chosen again", () => {
    const core = world();
    const composer = written(core);
    composer.onlyFor(["cy"]);
    composer.edit(psst);
    expect(composer.audience()).toEqual(["bo", "ana", "me"]);
    composer.edit(open);
    expect(composer.audience()).toEqual([]);
    composer.edit(undefined);
    expect([composer.audience(), composer.state().text]).toEqual([["cy", "me"], "hello"]);
  });

  test("an edit in a thread for some is seen by those who see the edited reply", () => {
    const core = world();
    const composer = core.composer({ ...here, parentId: "psst" });
    composer.edit(open);
    expect(composer.audience()).toEqual([]);
  });
});

describe("R-SEND-16: a draft", () => {
  /** The composer after a restart with the drafts of an earlier run. */
  function restarted(before: FakeCore, messages?: ClientMessage[]) {
    const core = world(messages ? { messages } : {});
    for (const draft of before.drafts()) core.saveDraft(draft);
    const composer = core.composer(here);
    composer.open();
    return { core, composer };
  }

  test("left and opened again is for the same people, also as answer to a message that is not loaded", async () => {
    const core = world();
    written(core).onlyFor(["bo"]);
    const chosen = restarted(core);
    chosen.composer.send();
    expect(audiences(chosen.core)).toEqual([["bo", "me"]]);

    const quoting = world();
    written(quoting).quote("psst");
    const { core: later, composer } = restarted(quoting, [open]);
    expect(() => composer.send()).toThrow(AudienceError);
    later.answers.set("getMessage", () => ({ message: psst }));
    await composer.findAudience();
    composer.send();
    expect(audiences(later)).toEqual([["bo", "ana", "me"]]);
  });

  test("an edit whose message is gone is joined with the earlier text for those who may see both", () => {
    const core = world();
    written(core).onlyFor(["bo", "cy"]);
    core.composer(here).edit(psst);
    const { composer, core: later } = restarted(core, [open]);
    expect(composer.state().text).toBe("hello\n\npsst");
    composer.send();
    expect(audiences(later)).toEqual([["bo", "me"]]);
  });

  test("that comes back, or from elsewhere, does not end a choice", () => {
    const core = world();
    const composer = written(core);
    composer.onlyFor(["bo"]);
    const cleared = composer.clear();
    composer.onlyFor(undefined);
    composer.typed("hello", 5);
    composer.putBack(cleared);
    expect(composer.audience()).toEqual(["bo", "me"]);
    composer.replace({ text: "from my other device" });
    composer.send();
    expect(audiences(core)).toEqual([["bo", "me"]]);
  });
});
