/** Records a voice message, and attaches it to the message being written. */
import { UPLOADS_FORBIDDEN } from "../../../model/permissions.ts";
import { clock, elapsed } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import type { Ports } from "../../ports/ports.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { popupChanged, popupPopped, type Choice, type Picker } from "../../screen/popup.ts";
import { LONGEST_RECORDING_S, type Recorder, type Recording } from "../../sounds/recording.ts";
import { attachFiles, attachRefusal } from "../files/actions.ts";

type RecordPorts = Pick<Ports, "core" | "store" | "boxes" | "sounds" | "clock">;

/** Ends the recording and attaches it; it is uploaded with the send. */
async function attachRecording(ports: RecordPorts, recording: Recording, recorder: Recorder): Promise<void> {
  const recorded = await recording.finish();
  if (!recorded) return showNotice(ports, words.sounds.notRecorded(recorder.name), "warning");
  const { file, duration, waveform } = recorded;
  attachFiles(ports, [file], {
    held: true,
    about: { type: "voiceRecording", duration, waveform_data: waveform },
  });
}

/** The list that is open while it records: closing it in any way but the first choice ends the recording. */
function openRecording(ports: RecordPorts, recorder: Recorder): void {
  const { store, sounds } = ports;
  const name = words.sounds.file(clock(ports.clock.now(), { utc: store.get().look.utc }));
  const recording = sounds.record(recorder, name);
  let isOver = false;
  /** Runs once, whichever of the ends comes first. */
  const once = (end: () => void) => (): void => {
    if (isOver) return;
    isOver = true;
    stopWatching();
    end();
  };
  const keep = once(() => attempt(ports, attachRecording(ports, recording, recorder)));
  const discard = once(() => {
    recording.cancel();
    showNotice(ports, words.sounds.discarded);
  });
  const choices = (): Choice[] => [
    {
      label: words.sounds.keep,
      mark: words.sounds.recorded(elapsed(recording.length), elapsed(LONGEST_RECORDING_S * 1000)),
      choose: keep,
    },
    { label: words.sounds.discard, choose: discard },
  ];
  /** Marks the picker as this one. */
  const refresh = (picker: Picker): Picker => picker;
  const isOurs = (popup: unknown): boolean => (popup as Partial<Picker>).refresh === refresh;
  const isOpen = (): boolean => store.screen.popups.some(isOurs);
  // What is chosen closes the list first.
  const closed = (): void => queueMicrotask(() => isOpen() || discard());
  const stopWatching = store.subscribe(() => isOpen() || closed(), ["popups"]);
  openPicker(ports, { title: words.sounds.recording, choices: choices(), refresh });
  recording.onTick = () =>
    store.update((s) =>
      popupChanged(s, (popup) => (isOurs(popup) ? ({ ...popup, choices: choices() } as Picker) : popup)),
    );
  // At the longest length, or because it cannot record.
  recording.onEnd = () => {
    if (isOpen()) store.update(popupPopped);
    keep();
  };
}

export function recordVoice(ports: RecordPorts): void {
  const { boxes, sounds } = ports;
  const refusal = attachRefusal(ports);
  if (refusal !== undefined) return showNotice(ports, refusal, "warning");
  if (!boxes.composer(boxes.place!).attachments.mayUpload())
    return showNotice(ports, UPLOADS_FORBIDDEN, "warning");
  const recorder = sounds.recorder();
  if (!recorder) return showNotice(ports, words.sounds.noRecorder, "warning");
  openRecording(ports, recorder);
}
