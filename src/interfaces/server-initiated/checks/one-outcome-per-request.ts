import { plainText } from '../../../model/json.ts';
import { defineRunCheck, type RunMismatch } from '../../../judge/check.ts';
import { summarizeCallback } from '../../../judge/classify.ts';
import type { CallbackObservation } from '../../../judge/observation.ts';
import { memberOf } from './words.ts';

/** What a callback says happened: repeated deliveries of one result say the same. */
const resultOf = (callback: CallbackObservation): string =>
  callback.tokens
    ? `tokens ${plainText(memberOf(callback.body, 'access_token'))}`
    : `error ${plainText(memberOf(callback.body, 'error'))}`;

interface First {
  readonly result: string;
  readonly summary: string;
}

/** §3: completed, denied and timed out exclude each other; §2.6: error stands instead of tokens. */
export const oneOutcomePerRequest = defineRunCheck(() => {
  const firsts = new Map<string, First>();
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      if (!('callback' in message)) return;
      const { callback, seenIn } = message;
      const id = plainText(memberOf(callback.sent.body, 'auth_req_id') ?? callback.sent.message);
      judged += 1;
      const found = { result: resultOf(callback), summary: summarizeCallback(callback) };
      const where = { message: callback.message, seenIn };
      if (callback.tokens && callback.error) {
        mismatches.push({ ...where, expected: 'tokens or an error, never both', actual: found.summary });
      }
      const first = firsts.get(id);
      if (first === undefined) firsts.set(id, found);
      else if (first.result !== found.result) {
        const actual = `${first.summary}, then ${found.summary}`;
        mismatches.push({ ...where, expected: 'one result for one auth_req_id', actual });
      }
    },
    conclude: () => ({ mismatches, judged }),
  };
});
