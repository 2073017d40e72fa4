import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import type { RunCheck } from '../judge/check.ts';

/** A check of the certified interface over a whole run, by the name a suite uses. */
export function runCheck(name: string): RunCheck {
  const check = serverInitiated.checks[name];
  if (check?.over !== 'run') throw new TypeError(`${name} is no check over the run`);
  return check;
}
