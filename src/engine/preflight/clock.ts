import type { Target } from '../../model/target.ts';
import type { Skew } from '../../wire/send/skew.ts';
import { type Note, notesOf } from './note.ts';

/** Milliseconds; what NTP leaves is far below. */
const noteworthy = 5000;

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Requests are dated by the carrier's clock, so a small difference does no harm. */
export function checkClock({ clock }: Pick<Target, 'clock'>, skew: Skew | undefined): readonly Note[] {
  const about = 'clock';
  if (clock !== undefined) {
    const description = 'the carrier’s clock is driven: such a run cannot certify a production carrier';
    return notesOf('clock', [{ about, state: 'ok', description }]);
  }
  if (skew === undefined) {
    const description = 'no Date header has told the carrier’s time yet';
    return notesOf('clock', [{ about, state: 'skipped', description }]);
  }
  const off = Math.abs(skew.offset);
  const description = `the carrier’s clock is ${inSeconds(off)} ${skew.offset < 0 ? 'behind' : 'ahead of'} ours (± ${inSeconds(skew.uncertainty)})`;
  // A Date header has whole seconds: what is within the uncertainty is no difference.
  if (off <= noteworthy + skew.uncertainty) return notesOf('clock', [{ about, state: 'ok', description }]);
  const change = 'compare both with a time server: the one that is off is to be set';
  return notesOf('clock', [{ about, state: 'warning', whose: 'configuration', description, change }]);
}
