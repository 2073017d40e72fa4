import { isJsonObject, type Json } from '../../../model/json.ts';
import { defineRunCheck, type RunMismatch } from '../../../judge/check.ts';
import { memberOf } from './words.ts';

const inputs = ['correlation_id', 'jti', 'sub', 'client_id', 'state', 'nonce', 'login_hint'] as const;

/** §2.4: the carrier generates auth_req_id: no two are equal, none is a value of its request. */
export const authReqIdsDistinct = defineRunCheck(() => {
  const seen = new Set<string>();
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      if (!('response' in message)) return;
      const { response, seenIn } = message;
      const id = memberOf(response.body, 'auth_req_id');
      if (!response.usual || response.outcome !== 'accepted' || typeof id !== 'string') return;
      judged += 1;
      const from = { path: 'body.auth_req_id', message: response.message, seenIn };
      if (seen.has(id)) mismatches.push({ ...from, expected: 'an id that no other answer has', actual: id });
      seen.add(id);
      const copied = inputs.find((name) => copies(id, claim(response.claims, name)));
      if (copied !== undefined) mismatches.push({ ...from, expected: `not the ${copied} of the request`, actual: id });
    },
    conclude: () => ({ mismatches, judged }),
  };
});

const claim = (claims: unknown, name: string): Json | undefined => (isJsonObject(claims) ? claims[name] : undefined);

/** Shorter values could be inside a random id by chance. */
const copies = (id: string, value: Json | undefined): boolean =>
  typeof value === 'string' && value.length >= 8 && (id === value || id === `ccid-${value}`);
