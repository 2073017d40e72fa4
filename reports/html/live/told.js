import { all, need } from '../dom.js';

/** @typedef {'connected' | 'no connection' | 'over'} Connection */

const strip = need('strip', HTMLElement);
const told = need('told', HTMLElement);
const connection = need('connection', HTMLElement);

/** Characters of a text that a message quotes: the strip must leave room for the page. */
const longestQuote = 80;

/** @param {string} text */
export const brief = (text) => (text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);

/**
 * Says what has just happened, in the strip that is always in sight.
 * @param {string} words
 */
export function tell(words) {
  told.textContent = words;
}

/** @param {Connection} words */
export function showConnection(words) {
  if (connection.textContent !== words) connection.textContent = words;
  strip.classList.toggle('lost', words === 'no connection');
}

/** The browser scrolls what gets the focus out from under the strip; what has it already must not go under a strip that grows. */
function makeRoom() {
  document.documentElement.style.setProperty('--strip', `${strip.offsetHeight}px`);
  const [focused] = all(document, 'main :focus', HTMLElement);
  if (focused === undefined) return;
  const [{ top, bottom }, edge] = [focused.getBoundingClientRect(), strip.getBoundingClientRect().bottom];
  if (top < edge && bottom > 0) focused.scrollIntoView({ block: 'nearest' });
}

new ResizeObserver(makeRoom).observe(strip);
