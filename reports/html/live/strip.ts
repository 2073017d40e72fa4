import { all, need } from '../dom.ts';

export type Connection = 'connected' | 'no connection' | 'over';

const strip = need('strip', HTMLElement);
const toldLine = need('told', HTMLElement);
const connection = need('connection', HTMLElement);

/** Maximum characters of a quoted text, so that the strip leaves room for the page. */
const maxQuote = 80;

export const brief = (text: string) => (text.length > maxQuote ? `${text.slice(0, maxQuote)}…` : text);

export function tell(words: string) {
  toldLine.textContent = words;
}

export function showConnection(words: Connection) {
  if (connection.textContent !== words) connection.textContent = words;
  strip.classList.toggle('lost', words === 'no connection');
}

/** Keeps the focused element visible when the strip grows; the browser does so only when an element gets the focus. */
function makeRoom() {
  document.documentElement.style.setProperty('--strip', `${strip.offsetHeight}px`);
  const [focused] = all(document, 'main :focus', HTMLElement);
  if (focused === undefined) return;
  const [{ top, bottom }, edge] = [focused.getBoundingClientRect(), strip.getBoundingClientRect().bottom];
  if (top < edge && bottom > 0) focused.scrollIntoView({ block: 'nearest' });
}

new ResizeObserver(makeRoom).observe(strip);

/** Milliseconds by which the clock of the run's machine is ahead of ours. */
let clockOffset = 0;

/** Takes the current time of the run's machine, in milliseconds since the epoch. */
export function setClock(now: number) {
  clockOffset = now - Date.now();
}

export const serverNow = () => Date.now() + clockOffset;

const padNumber = (number: number) => String(number).padStart(2, '0');

/** Time left or passed: `0:45`, `12:05`, `3:00:10`. */
export function countdown(milliseconds: number) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${hours}:${padNumber(minutes)}:${padNumber(seconds % 60)}`
    : `${minutes}:${padNumber(seconds % 60)}`;
}

export const timeOfDay = (moment: number) => new Date(moment).toLocaleTimeString('en-GB');
