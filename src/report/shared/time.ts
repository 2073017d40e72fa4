import type { Message } from '../../model/exchange.ts';

/** `0.3 s`, `4 min 3 s`, `2 h 5 min`. */
export function renderSpan(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Remaining time: `1m59s`, `12s`. */
export function renderCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}

/** Time of day in UTC, `12:00:05Z`; to the millisecond, `12:00:05.123Z`. */
export function renderClockTime(milliseconds: number, to: 'second' | 'millisecond' = 'second'): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const time = date.toISOString().slice(11);
  return to === 'second' ? `${time.slice(0, 8)}Z` : time;
}

/** Time at which a message was sent or received, in milliseconds since the epoch. */
export const messageTime = (message: Message): number =>
  message.kind === 'exchange' ? message.sentAt : message.receivedAt;
