import { createHash } from 'node:crypto';
import { copyText } from '../../lib/cut.ts';
import type { Meant } from '../../model/interface.ts';
import { type CameBody, readBody, type ReadBody } from './read-body.ts';

/** Its text is the beginning of a large body, for judges; `whole` is all of it, for the record. */
export interface WholeBody extends ReadBody {
  readonly whole: string;
}

/** Reads the bodies of one run: what is large is read once where it is equal, and only so much of it is held in memory. */
export interface BodyReader {
  readonly read: (came: CameBody) => WholeBody;
}

/** Bytes up to which a body is small. */
const small = 16 * 1024;

/** Characters of large bodies, no two of them equal, that are read in full. No carrier that means well sends so many. */
const budgetOfRun = 24 * 1024 * 1024;

/** Large bodies that are known again. */
const mostKnown = 16;

function keyOf({ headers, bytes, whole }: CameBody): string {
  const declared = JSON.stringify([headers['content-type'], headers['content-encoding'], whole]);
  return createHash('sha256').update(declared).update(bytes).digest('base64');
}

const headOf = (text: string): string => (text.length <= small ? text : copyText(text.slice(0, small)));

export function createBodyReader(meant?: Meant, budget = budgetOfRun): BodyReader {
  let left = budget;
  const known = new Map<string, WholeBody>();
  const readAnew = (came: CameBody): WholeBody => {
    // Of one that is cut it is said that it is more than was read: it cannot be judged as what it is.
    const { text, ...read } = readBody(left > 0 ? came : { ...came, bytes: came.bytes.subarray(0, small) }, meant);
    if (text.length > small) left -= text.length;
    return { ...read, text: headOf(text), whole: text };
  };
  return {
    read: (came) => {
      if (came.bytes.length <= small && came.headers['content-encoding'] === undefined) return readAnew(came);
      const key = keyOf(came);
      const found = known.get(key) ?? readAnew(came);
      // The one that was met last goes last.
      known.delete(key);
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
}
