import { defineRunCheck, type RunMismatch } from '../../../../judge/check.ts';

/** §8: rate limits are not shown; where the run met one, what the carrier said of it is kept. */
export const rateLimitsNotMet = defineRunCheck(() => {
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      if (!('response' in message) || message.response.status === undefined) return;
      judged += 1;
      const { status, headers, message: id } = message.response;
      if (status !== 429) return;
      const actual = { status, 'retry-after': headers['retry-after'] ?? null };
      mismatches.push({ message: id, seenIn: message.seenIn, expected: 'no answer 429', actual });
    },
    conclude: () => ({ mismatches, judged }),
  };
});
