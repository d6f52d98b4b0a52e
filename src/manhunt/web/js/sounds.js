// Short sounds, made in the browser: nothing is loaded. Browsers are silent before the first click or key.

import { keep, recall } from "./dom.js";

// name -> notes: [frequency in Hz, start and length in seconds, loudness, wave, frequency at the end?]
export const SOUNDS = {
  move: [[420, 0, 0.07, 0.12, "triangle", 300]],
  turn: [[660, 0, 0.14, 0.12, "sine"], [880, 0.12, 0.22, 0.12, "sine"]],
  seen: [[392, 0, 0.16, 0.1, "triangle"], [523, 0.1, 0.16, 0.1, "triangle"], [784, 0.2, 0.34, 0.1, "triangle"]],
  caught: [[196, 0, 0.3, 0.18, "sawtooth", 98], [147, 0.14, 0.5, 0.16, "triangle", 73]],
  won: [[523, 0, 0.16, 0.12, "triangle"], [659, 0.14, 0.16, 0.12, "triangle"], [784, 0.28, 0.16, 0.12, "triangle"], [1047, 0.42, 0.5, 0.12, "triangle"]],
  lost: [[392, 0, 0.22, 0.12, "triangle"], [330, 0.2, 0.22, 0.12, "triangle"], [262, 0.4, 0.55, 0.12, "triangle"]],
  said: [[990, 0, 0.06, 0.06, "sine", 1320]],
  tick: [[1200, 0, 0.03, 0.06, "square"]],
};
const SOFT_END = 0.03;
let audio = null;

export function hasSound() {
  return recall("sound", true);
}

export function switchSound(on) {
  keep("sound", on);
}

// Plays one of the sounds, unless they are switched off or the browser does not let us.
export function play(name) {
  if (!hasSound() || !globalThis.AudioContext || globalThis.navigator?.userActivation?.hasBeenActive === false) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume().catch(() => {});
    for (const note of SOUNDS[name] ?? []) sing(audio, note);
  } catch {
    // no sound is no harm
  }
}

function sing(context, [hertz, start, seconds, loudness, wave, last = hertz]) {
  const tone = context.createOscillator();
  const volume = context.createGain();
  const begin = context.currentTime + start;
  const end = begin + seconds;
  tone.type = wave;
  tone.frequency.setValueAtTime(hertz, begin);
  tone.frequency.exponentialRampToValueAtTime(last, end);
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loudness, begin + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, end + SOFT_END);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(end + SOFT_END);
}
