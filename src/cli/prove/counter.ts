import { type Invocation, isLive } from '../shared/invocation.ts';

/** Far from both ends of a day, a month and a year: no verdict depends on the hour of a proof. */
export const startAt = Date.UTC(2026, 0, 15, 12, 34, 56);

/** Counts what is done: redrawn in place on a terminal, with `about`; else a line for every tenth part. */
export function createCounter(total: number, { stderr, env }: Invocation): (words: string, about?: string) => void {
  const live = isLive(stderr, env);
  const step = Math.max(1, Math.ceil(total / 10));
  let done = 0;
  return (words, about = '') => {
    done += 1;
    const line = `${done}/${total} ${words}`;
    if (live) stderr.write(`\r\u001b[K${line} ${about}${done === total ? '\n' : ''}`);
    else if (done % step === 0) stderr.write(`${line}\n`);
  };
}
