import { hash } from 'node:crypto';
import { defineRunCheck, type NamedCheck, mismatchPlace, type RunMismatch } from '../../../../judge/check.ts';
import { readTextMember } from '../../../../lib/json.ts';
import { defineResponseCheck, findResponse } from '../define-check.ts';

const idInputs = ['jti', 'correlation_id', 'state', 'nonce', 'context', 'login_hint', 'client_id'] as const;
const hashNames = ['md5', 'sha1', 'sha256', 'sha512'] as const;
/** Characters of a value, or of its hash, that an id cannot hold by chance. */
const traceLength = 16;

const keepAlphanumerics = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

/** Beginnings that an id derived from a value would hold: of the value, or of a hash of it. */
function valueTraces(value: string): readonly string[] {
  const digests = hashNames.map((name) => hash(name, value, 'buffer'));
  return [
    keepAlphanumerics(value),
    ...digests.flatMap((digest) => [
      digest.toString('hex', 0, traceLength),
      keepAlphanumerics(digest.toString('base64url')),
    ]),
  ].flatMap((trace) => (trace.length < traceLength ? [] : [trace.slice(0, traceLength).toLowerCase()]));
}

const minIdSamples = 50;
/** Shared characters that are no chance: random ids of 128 bits share about 5 in decimal. */
const maxSharedCharacters = 12;
const minVaryingCharacters = 20;

const reverseText = (text: string): string => text.split('').toReversed().join('');

function commonPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** The two ids with the longest common beginning, and the length that all ids share. */
function findClosestIds(ids: readonly string[]) {
  const sorted = ids.toSorted();
  const pairs = sorted.slice(1).map((id, at) => {
    const before = sorted[at] ?? '';
    return { ids: [before, id], shared: commonPrefixLength(before, id) };
  });
  const longest = pairs.toSorted((a, b) => b.shared - a.shared)[0];
  return { pair: longest, all: commonPrefixLength(sorted[0] ?? '', sorted.at(-1) ?? '') };
}

/** CIBA Core §7.3: enough characters vary, and no two ids share more of them than chance allows, as consecutive numbers would. */
function judgeRequestIds(ids: readonly string[]): { expected: string; actual: string; id: string } | undefined {
  const [fromStart, fromEnd] = [findClosestIds(ids), findClosestIds(ids.map(reverseText))];
  const shortest = Math.min(...ids.map((id) => id.length));
  const varying = Math.max(0, shortest - fromStart.all - fromEnd.all);
  if (varying < minVaryingCharacters) {
    return {
      expected: `${minVaryingCharacters} characters or more that vary`,
      actual: `${varying} vary`,
      id: ids[0] ?? '',
    };
  }
  for (const [{ pair, all }, turn] of [
    [fromStart, (text: string) => text],
    [fromEnd, reverseText],
  ] as const) {
    if (pair === undefined || pair.shared - all < maxSharedCharacters) continue;
    const [a, b] = pair.ids.map(turn);
    return {
      expected: `no two ids with ${maxSharedCharacters} characters in common`,
      actual: `${a} and ${b}`,
      id: b ?? '',
    };
  }
  return undefined;
}

/** auth_req_id is a secret (SEC-23). */
export const requestIdChecks: readonly NamedCheck[] = [
  /** SEC-23: auth_req_id holds neither a value of the request nor a hash of one. */
  defineResponseCheck('auth-req-id-not-derived', ({ body, claims, jws }) => {
    const id = readTextMember(body, 'auth_req_id');
    if (id === undefined) return [];
    const given = keepAlphanumerics(id.replace(/^ccid-/, '')).toLowerCase();
    const source = [...idInputs, 'request object'].find((name) => {
      const value = name === 'request object' ? jws : readTextMember(claims, name);
      return value !== undefined && valueTraces(value).some((trace) => given.includes(trace));
    });
    if (source === undefined) return [];
    const expected = `an id that is not derived from the ${source} of the request`;
    return [{ path: 'body.auth_req_id', expected, actual: id }];
  }),

  /** SEC-23: no visible sequence in 50 samples. */
  defineRunCheck('auth-req-ids-unpredictable', () => {
    const places = new Map<string, Pick<RunMismatch, 'message' | 'seenIn'>>();
    return {
      observe: (message) => {
        const response = findResponse(message);
        const id = readTextMember(response?.body, 'auth_req_id');
        if (response?.outcome !== 'accepted' || id === undefined) return;
        places.set(id.replace(/^ccid-/, ''), mismatchPlace(message));
      },
      conclude: () => {
        const ids = [...places.keys()];
        if (ids.length < minIdSamples) return { mismatches: [], judged: 0 };
        const found = judgeRequestIds(ids);
        const place = places.get(found?.id ?? '');
        if (found === undefined || place === undefined) return { mismatches: [], judged: ids.length };
        const { id: _, ...mismatch } = found;
        return { mismatches: [{ ...place, path: 'body.auth_req_id', ...mismatch }], judged: ids.length };
      },
    };
  }),
];
