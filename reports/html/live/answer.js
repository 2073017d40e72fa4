import { hasEnded } from './stream.js';

/**
 * @typedef {{ done: boolean, why?: string, by?: string, status: number, name?: string }} Reply
 */

/** Milliseconds between two tries of what did not reach the run, and those that one try, or that of a photo, may take. */
const again = 1500;
const patience = 10_000;
const photoPatience = 60_000;

const ids = new Uint32Array(4);

/** An id that nobody else has. */
export function drawId() {
  return [...crypto.getRandomValues(ids)].map((part) => part.toString(36)).join('-');
}

/** @param {unknown} value */
const isReply = (value) => typeof value === 'object' && value !== null;

/**
 * @param {Response} response
 * @returns {Promise<Reply>}
 */
async function replyOf(response) {
  /** @type {unknown} */
  const value = await response.json().catch(() => ({}));
  return { done: response.ok, .../** @type {object} */ (isReply(value) ? value : {}), status: response.status };
}

/**
 * Sends until it has reached the run: the same text again means the same thing, so that nothing is done twice. A line that is dead
 * takes what is sent and answers nothing, so each try has its time.
 * @param {'take' | 'release' | 'answer'} what
 * @param {object} body
 * @param {() => void} onTrouble
 * @returns {Promise<Reply>}
 */
export async function send(what, body, onTrouble) {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  for (;;) {
    try {
      const signal = AbortSignal.timeout(patience);
      return await replyOf(await fetch(what, { method: 'POST', headers, body: text, signal }));
    } catch {
      if (hasEnded()) return { done: false, why: 'ended', status: 0 };
      onTrouble();
      await new Promise((resolve) => setTimeout(resolve, again));
    }
  }
}

/**
 * Hands in a photo; `name` in the reply is what an answer calls it.
 * @param {File} file
 * @returns {Promise<Reply>}
 */
export async function sendPhoto(file) {
  const headers = { 'content-type': file.type };
  try {
    const signal = AbortSignal.timeout(photoPatience);
    return await replyOf(await fetch('photo', { method: 'POST', headers, body: file, signal }));
  } catch {
    return { done: false, status: 0 };
  }
}
