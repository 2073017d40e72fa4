import { defineRunCheck, type RunMismatch } from '../../../../judge/check.ts';
import { memberOf } from '../words.ts';

const fewestSamples = 50;
/** What random ids of 128 bits may have in common by chance: about 5 of the characters of a decimal number. */
const mostShared = 12;
const fewestVarying = 20;

const reversed = (text: string): string => text.split('').toReversed().join('');

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

interface Pair {
  readonly ids: readonly [string, string];
  readonly shared: number;
}

/** The two ids that agree longest from their beginning on, and how far all of them do. */
function closest(ids: readonly string[]): { pair: Pair | undefined; all: number } {
  const sorted = ids.toSorted();
  const pairs = sorted.slice(1).map((id, at): Pair => {
    const before = sorted[at] ?? '';
    return { ids: [before, id], shared: sharedStart(before, id) };
  });
  const longest = pairs.toSorted((a, b) => b.shared - a.shared)[0];
  return { pair: longest, all: sharedStart(sorted[0] ?? '', sorted.at(-1) ?? '') };
}

/** CIBA Core §7.3: what is the same in all ids is no secret, and no two of them agree beyond it as numbers in a row would. */
function judge(ids: readonly string[]): { expected: string; actual: string; id: string } | undefined {
  const [fromStart, fromEnd] = [closest(ids), closest(ids.map(reversed))];
  const shortest = Math.min(...ids.map((id) => id.length));
  const varying = shortest - fromStart.all - fromEnd.all;
  const [first = ''] = ids;
  if (varying < fewestVarying) {
    return {
      expected: `${fewestVarying} characters or more that vary`,
      actual: `${Math.max(0, varying)} vary`,
      id: first,
    };
  }
  for (const [{ pair, all }, turn] of [
    [fromStart, (text: string) => text],
    [fromEnd, reversed],
  ] as const) {
    if (pair === undefined || pair.shared - all < mostShared) continue;
    const [a, b] = pair.ids.map(turn);
    return { expected: `no two ids with ${mostShared} characters in common`, actual: `${a} and ${b}`, id: b ?? '' };
  }
  return undefined;
}

/** SEC-23: no visible sequence in 50 samples. */
export const authReqIdsUnpredictable = defineRunCheck(() => {
  const seenIn = new Map<string, { readonly message: string; readonly seenIn: string }>();
  return {
    observe: (message) => {
      if (!('response' in message)) return;
      const id = memberOf(message.response.body, 'auth_req_id');
      if (message.response.outcome !== 'accepted' || typeof id !== 'string') return;
      seenIn.set(id.replace(/^ccid-/, ''), { message: message.response.message, seenIn: message.seenIn });
    },
    conclude: () => {
      const ids = [...seenIn.keys()];
      if (ids.length < fewestSamples) return { mismatches: [], judged: 0 };
      const found = judge(ids);
      const where = seenIn.get(found?.id ?? '');
      const mismatches: RunMismatch[] =
        found === undefined || where === undefined
          ? []
          : [{ ...where, path: 'body.auth_req_id', expected: found.expected, actual: found.actual }];
      return { mismatches, judged: ids.length };
    },
  };
});
