const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** How long something took or takes, as a person says it: `12 s`, `4 min 3 s`, `3 h 2 min`, `1 d 3 h`. Milliseconds. */
export function renderLength(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ${seconds % minute} s`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h ${Math.floor((seconds % hour) / minute)} min`;
  return `${Math.floor(seconds / day)} d ${Math.floor((seconds % day) / hour)} h`;
}

const two = (value: number): string => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A moment by the clock on the wall: `14:31:10`; of another day `24 Nov 02:10`. Milliseconds since the epoch. */
export function renderLocalTime(moment: number, now: number): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === new Date(now).toDateString()) return `${time}:${two(date.getSeconds())}`;
  return `${date.getDate()} ${months[date.getMonth()] ?? ''} ${time}`;
}
