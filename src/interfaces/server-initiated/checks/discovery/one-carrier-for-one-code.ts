import { defineRunCheck, type RunMismatch } from '../../../../judge/check.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { memberOf } from '../words.ts';

interface Answered {
  readonly mccmnc: string;
  readonly issuer: string;
}

/** Which code was asked for, and whose configuration came; undefined for what is no configuration. */
function answeredTo({ url, outcome, body }: ResponseObservation): Answered | undefined {
  if (outcome !== 'accepted' || !URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  const mccmnc = searchParams.get('mccmnc');
  const issuer = memberOf(body, 'issuer');
  if (!pathname.endsWith('/.well-known/openid_configuration') || mccmnc === null) return undefined;
  return typeof issuer === 'string' ? { mccmnc, issuer } : undefined;
}

/** §1.8, §4.5: mccmnc names the carrier; one code has one issuer, and another code another. */
export const oneCarrierForOneCode = defineRunCheck(() => {
  const issuers = new Map<string, string>();
  const codes = new Map<string, string>();
  const mismatches: RunMismatch[] = [];
  let judged = 0;
  return {
    observe: (message) => {
      const asked = 'response' in message ? answeredTo(message.response) : undefined;
      if (asked === undefined || !('response' in message)) return;
      judged += 1;
      const { mccmnc, issuer } = asked;
      const from = { path: 'body.issuer', actual: issuer, message: message.response.message, seenIn: message.seenIn };
      const before = issuers.get(mccmnc);
      if (before !== undefined && before !== issuer) {
        mismatches.push({ ...from, expected: `${before}, as every answer for ${mccmnc}` });
      }
      const other = codes.get(issuer);
      if (other !== undefined && other !== mccmnc) {
        mismatches.push({ ...from, expected: `not the issuer that ${other} has, for ${mccmnc}` });
      }
      issuers.set(mccmnc, before ?? issuer);
      codes.set(issuer, other ?? mccmnc);
    },
    conclude: () => ({ mismatches, judged }),
  };
});
