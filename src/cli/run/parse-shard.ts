import type { CarrierspecError } from '../../model/problem.ts';
import type { Shard } from '../../model/result.ts';
import { usageError } from '../shared/inputs.ts';

const most = 1000;

const refuse = (text: string, why: string): CarrierspecError => usageError(`--shard: "${text}" ${why}`);

const wholeNumber = (text: string): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);

/** Kubernetes counts the pods of an Indexed Job from 0, and does not pass them their number. */
function indexOfPod(text: string, env: Readonly<Record<string, string | undefined>>): number {
  const given = env['JOB_COMPLETION_INDEX'];
  if (given === undefined) throw refuse(text, 'needs JOB_COMPLETION_INDEX in the environment');
  const index = wholeNumber(given);
  if (index === undefined) throw refuse(text, `needs a whole number from 0 in JOB_COMPLETION_INDEX, not "${given}"`);
  return index + 1;
}

/**
 * `--shard 2/4`, the second of four parts; `auto/4` takes the index from JOB_COMPLETION_INDEX. Throws where there is no such
 * part.
 */
export function parseShard(text: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const [first = '', second = '', ...more] = text.split('/');
  const of = wholeNumber(second);
  const index = first === 'auto' ? indexOfPod(text, env) : wholeNumber(first);
  if (index === undefined || of === undefined || more.length > 0)
    throw refuse(text, 'is no part such as 2/4 or auto/4');
  if (of < 1 || of > most) throw refuse(text, `has not from 1 to ${most} parts`);
  if (index < 1 || index > of) throw refuse(text, `means part ${index} of ${of}: parts are counted from 1`);
  return { index, of };
}
