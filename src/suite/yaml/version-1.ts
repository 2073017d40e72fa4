import type { Renamed } from './renamed-keys.ts';

const key = (path: string, from: string, to: string): Renamed => ({ in: stepsOf(path), from, to });
const word = (path: string, name: string, from: string, to: string): Renamed => ({
  in: stepsOf(path),
  from: name,
  to: name,
  value: { from, to },
});
const stepsOf = (path: string): readonly string[] => (path === '' ? [] : path.split('.'));

/** The names that files of version 1 have, by the kind of file. */
export const version1: Readonly<Record<string, readonly Renamed[]>> = {
  rules: [
    ...['rules.*', 'rules.*.aspects.*'].flatMap((path) => [
      key(path, 'says', 'description'),
      word(path, 'level', 'observed', 'informational'),
    ]),
    key('rules.*', 'reading', 'interpretation'),
    key('rules.*', 'because', 'rationale'),
  ],
  suite: [
    key('cases.*', 'needs', 'requires'),
    key('cases.*', 'alone', 'exclusive'),
    word('invariants.*', 'on', 'answer', 'response'),
  ],
  limits: [key('limits.*', 'says', 'description'), key('profile.*', 'says', 'description')],
  target: [
    key('', 'deadline', 'request_timeout'),
    key('', 'patience', 'delivery_timeout'),
    key('subscribers.*', 'traits', 'tags'),
    key('attestations.*', 'says', 'description'),
  ],
  simulator: [word('', 'clock', 'driven', 'virtual')],
};
