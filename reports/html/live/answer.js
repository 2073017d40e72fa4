import { hasEnded } from './stream.js';

/**
 * @typedef {{ done: boolean, why?: string, by?: string }} Reply
 */

/** Milliseconds between two tries of what did not reach the run, and those that one try may take. */
const again = 1500;
const patience = 10_000;

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
  return { done: response.ok, .../** @type {object} */ (isReply(value) ? value : {}) };
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
      if (hasEnded()) return { done: false, why: 'ended' };
      onTrouble();
      await new Promise((resolve) => setTimeout(resolve, again));
    }
  }
}
