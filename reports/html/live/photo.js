import { make } from '../dom.js';
import { sendPhoto } from './answer.js';

const largestPhoto = 16 * 1024 * 1024;

/** @param {number} status */
function photoTrouble(status) {
  if (status === 413) return 'The photo is larger than 16 MB: it was not taken.';
  if (status === 415) return 'This is no JPEG, PNG or WebP image: it was not taken.';
  return status === 0 ? 'The photo did not arrive: choose it again.' : 'The photo was not taken.';
}

/**
 * The photo that goes with an answer.
 * @param {string} id
 * @param {string} accept
 */
export function makePhoto(id, accept) {
  const input = make('input', { type: 'file', id: `photo-${id}`, accept });
  const said = make('p', { class: 'quiet', role: 'status' });
  const state = { name: '', isBusy: false };
  const take = async () => {
    const file = input.files?.[0];
    state.name = '';
    said.textContent = '';
    if (file === undefined) return;
    if (file.size > largestPhoto) {
      said.textContent = 'The photo is larger than 16 MB: it is not sent.';
      return;
    }
    state.isBusy = true;
    said.textContent = 'sending the photo';
    const { done, status, name = '' } = await sendPhoto(file);
    state.isBusy = false;
    state.name = done ? name : '';
    said.textContent = done ? `The photo is there: ${name}` : photoTrouble(status);
  };
  input.addEventListener('change', () => void take());
  const label = make('label', { for: `photo-${id}` }, 'Photo as evidence');
  return { state, shown: make('div', { class: 'photo' }, label, input, said) };
}
