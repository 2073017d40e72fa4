/**
 * @typedef {{ done: boolean, why?: string, by?: string, status: number, name?: string }} Reply
 */

/** Milliseconds between two tries of what did not reach the run. */
const again = 1500;

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
 * Sends until it has reached the run: the same text again means the same thing, so that nothing is done twice.
 * @param {'take' | 'release' | 'answer'} what
 * @param {object} body
 * @param {() => void} onTrouble
 * @returns {Promise<Reply>}
 */
export async function send(what, body, onTrouble) {
  const text = JSON.stringify(body);
  for (;;) {
    try {
      return await replyOf(
        await fetch(what, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }),
      );
    } catch {
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
  try {
    return await replyOf(await fetch('photo', { method: 'POST', headers: { 'content-type': file.type }, body: file }));
  } catch {
    return { done: false, status: 0 };
  }
}
