import { all, need } from '../dom.ts';

export type Connection = 'connected' | 'no connection' | 'over';

const strip = need('strip', HTMLElement);
const told = need('told', HTMLElement);
const connection = need('connection', HTMLElement);

/** Characters of a text that a message quotes: the strip must leave room for the page. */
const longestQuote = 80;

export const brief = (text: string) => (text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);

export function tell(words: string) {
  told.textContent = words;
}

export function showConnection(words: Connection) {
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

/** Milliseconds that the clock of the run's machine is ahead of this one. */
let ahead = 0;

/** What the run's machine said its time is. */
export function setClock(now: number) {
  ahead = now - Date.now();
}

export const serverNow = () => Date.now() + ahead;

const two = (number: number) => String(number).padStart(2, '0');

/** Time that is left or has passed: `0:45`, `12:05`, `3:00:10`. */
export function countdown(milliseconds: number) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export const timeOfDay = (moment: number) => new Date(moment).toLocaleTimeString('en-GB');
