import { isJsonObject, plainText } from '../../../../model/json.ts';
import { defineRunCheck, type RunMismatch } from '../../../../judge/check.ts';
import { memberOf } from '../words.ts';

/** Seconds within which tokens of an old key are still about. */
const stillNeeded = 3600;

/** SEC-39: a key that was published is still there while tokens signed with it are valid (OIDC Core §10.1.1). */
export const publishedKeysKept = defineRunCheck(() => {
  const lastSeen = new Map<string, number>();
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      if (!('response' in message)) return;
      const { response, seenIn } = message;
      const keys = memberOf(response.body, 'keys');
      if (response.outcome !== 'accepted' || !Array.isArray(keys)) return;
      const kids = keys.filter(isJsonObject).map(({ kid }) => plainText(kid));
      const from = { message: response.message, seenIn, path: 'body.keys' };
      judged += 1;
      for (const [kid, at] of lastSeen) {
        if (kids.includes(kid) || response.receivedAt - at > stillNeeded) continue;
        mismatches.push({ ...from, expected: `the key ${kid}, which was there before`, actual: kids.join(', ') });
      }
      for (const kid of kids) lastSeen.set(kid, Math.max(response.receivedAt, lastSeen.get(kid) ?? 0));
    },
    conclude: () => ({ mismatches, judged }),
  };
});
