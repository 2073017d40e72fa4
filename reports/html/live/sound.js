/** @type {AudioContext | undefined} */
let audio;

/** Seconds of one tone, and its height in Hz. */
const length = 0.25;
const pitch = 880;

/**
 * A browser lets a page sound only after somebody has pressed something on it.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} word
 */
export function offerSound(button, word) {
  button.addEventListener('click', () => {
    const isOn = button.getAttribute('aria-pressed') === 'true';
    button.setAttribute('aria-pressed', String(!isOn));
    word.textContent = isOn ? 'off' : 'on';
    audio = isOn ? undefined : (audio ?? new AudioContext());
    ring(1);
  });
}

/**
 * @param {number} times
 */
export function ring(times) {
  // A browser refuses it, and complains, before somebody has pressed something.
  if (navigator.userActivation?.hasBeenActive)
    navigator.vibrate?.(Array.from({ length: times }, () => [200, 100]).flat());
  if (audio === undefined) return;
  for (let at = 0; at < times; at += 1) {
    const from = audio.currentTime + at * length * 1.6;
    const tone = audio.createOscillator();
    tone.frequency.value = pitch;
    tone.connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
