import type { Gap } from '../../model/result.ts';

/** Cases that were under way in a gap have been run anew. */
export const gapWords = ({ from, to }: Gap): string =>
  `from ${from} to ${to} the run was cut off and nobody listened; cases that were under way then were run anew`;

/** The most that our receiver was behind, of milliseconds. Rounded up, so that no lag reads as none. */
export function lagWords(milliseconds: number): string {
  if (milliseconds <= 0) return 'never behind';
  const most = milliseconds < 1000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
  return `at most ${most} behind; what that could explain is no finding`;
}
