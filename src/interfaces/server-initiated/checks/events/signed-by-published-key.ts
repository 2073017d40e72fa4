import type { JsonObject } from '../../../../model/json.ts';
import { defineRunCheck, type RunCheck, type RunMismatch } from '../../../../judge/check.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { claimOf } from './event.ts';
import { changeIn, keysIn } from './run-events.ts';
import { verifiesWith } from './verify-jws.ts';

type Wrong = Pick<RunMismatch, 'path' | 'expected' | 'actual'>;

/** Judges every SET by all keys that jwks_uri gave during the run: a key may be rotated between signing and fetching. */
const overPublishedKeys = (
  judge: (event: EventObservation, keys: readonly JsonObject[]) => Wrong | undefined,
): RunCheck =>
  defineRunCheck(() => {
    const keys = new Map<string, JsonObject>();
    const observation: { readonly event: EventObservation; readonly seenIn: string }[] = [];
    return {
      observe: (message) => {
        for (const key of keysIn(message)) keys.set(JSON.stringify(key), key);
        const event = changeIn(message);
        if (event?.jws !== undefined) observation.push({ event, seenIn: message.seenIn });
      },
      conclude: () => {
        if (keys.size === 0) return { mismatches: [], judged: 0 };
        const published = [...keys.values()];
        const mismatches = observation.flatMap(({ event, seenIn }) => {
          const wrong = judge(event, published);
          return wrong === undefined ? [] : [{ ...wrong, message: event.message, seenIn }];
        });
        return { mismatches, judged: observation.length };
      },
    };
  });

/** §5.6: the kid of a SET is one of jwks_uri. That there is a kid is judged for each event alone. */
export const eventKidIsPublished = overPublishedKeys(({ setHeader }, keys) => {
  const kid = claimOf(setHeader, 'kid');
  if (typeof kid !== 'string' || keys.some((key) => key['kid'] === kid)) return undefined;
  return { path: 'setHeader.kid', expected: 'the kid of a key at jwks_uri', actual: kid };
});

/** §5.6: the carrier signed it: the key its kid names verifies it, or any key where it names none. */
export const eventSignatureVerifies = overPublishedKeys(({ jws = '', setHeader }, keys) => {
  const kid = claimOf(setHeader, 'kid');
  const alg = claimOf(setHeader, 'alg');
  const tried = kid === undefined ? keys : keys.filter((key) => key['kid'] === kid);
  if (tried.some((key) => verifiesWith(jws, key, alg))) return undefined;
  const expected = 'a signature that a key at jwks_uri verifies';
  return { path: 'jws', expected, actual: `alg ${JSON.stringify(alg ?? null)}, not verified` };
});
