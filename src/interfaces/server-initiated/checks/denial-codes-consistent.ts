import { defineRunCheck, type RunMismatch } from '../../../judge/check.ts';
import { memberOf } from './words.ts';

/** The codes that tell a denial by the user (A8). */
const denials: ReadonlySet<string> = new Set(['request_denied', 'access_denied']);

/** §2.6: carriers are consistent in error: every denial has the same code. */
export const denialCodesConsistent = defineRunCheck(() => {
  const mismatches: RunMismatch[] = [];
  let first: string | undefined;
  let judged = 0;
  return {
    observe: (message) => {
      if (!('callback' in message)) return;
      const { callback, seenIn } = message;
      const error = memberOf(callback.body, 'error');
      if (typeof error !== 'string' || !denials.has(error)) return;
      judged += 1;
      first ??= error;
      if (error === first) return;
      const expected = `${first}, as in the first denial`;
      mismatches.push({ path: 'body.error', expected, actual: error, message: callback.message, seenIn });
    },
    conclude: () => ({ mismatches, judged }),
  };
});
