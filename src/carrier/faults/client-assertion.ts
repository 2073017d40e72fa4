import { parseCompactJws } from '../jose/jws.ts';
import { strictObjectOr } from '../jose/strict-json.ts';
import { stringMember } from '../json.ts';
import { type AssertionContext, refuseClient } from '../pipeline/assertion.ts';
import { reader } from '../pipeline/step.ts';
import { defineFaults, type Edit, type Fault } from './edit/define.ts';
import { replaceCheck, withAssertion, without } from './edit/parts.ts';
import { isBeginning } from './near-misses.ts';

/** On the claims of a client assertion: RFC 7523 §3 (C8.12). */
export const clientAssertionFaults: readonly Fault[] = defineFaults({
  'assertion-sub-not-compared': [
    'The iss of a client assertion says which client calls; sub is not read (C8.12).',
    'SEC-52',
    withAssertion(({ readAssertion }) => ({
      readAssertion: reader(readAssertion.name, (context) => {
        const jws = parseCompactJws(stringMember(context.parameters, 'client_assertion') ?? '');
        if (jws === undefined) return readAssertion.read(context);
        const [header, claims] = [jws.header, jws.payload].map((part) => strictObjectOr(part, refuseClient).value);
        const client = context.accounts.clients.get(stringMember(claims ?? {}, 'iss') ?? '');
        if (client === undefined) return readAssertion.read(context);
        return { ...context, jws, header: header ?? {}, claims: claims ?? {}, client };
      }),
    })),
  ],
  'assertion-aud-not-checked': [
    'A client assertion may be made for anyone (C8.12).',
    'SEC-52',
    without('assertion-aud-is-the-endpoint'),
  ],
  'assertion-aud-by-its-beginning': [
    'An aud with which the right one begins is taken for it in a client assertion (C8.12).',
    'SEC-52',
    assertionLetThrough('assertion-aud-is-the-endpoint', ({ claims: { aud }, audiences }) =>
      audiences.some((url) => isBeginning(aud, url)),
    ),
  ],
  'assertion-exp-not-required': [
    'A client assertion without an exp never ends (C8.12).',
    'SEC-52',
    assertionLetThrough('assertion-is-of-now', ({ claims }) => claims['exp'] === undefined),
  ],
  'assertion-nbf-ignored': [
    'A client assertion may come before its nbf (C8.12).',
    'SEC-52',
    without('assertion-nbf-has-come'),
  ],
  'assertion-crit-ignored': [
    'crit of a client assertion is not read (C8.12).',
    'SEC-52',
    without('assertion-has-no-extension'),
  ],
});

function assertionLetThrough(name: string, isExcused: (context: AssertionContext) => boolean): Edit {
  return withAssertion(({ onAssertion }) => ({
    onAssertion: replaceCheck(onAssertion, name, (context, strict) => {
      if (!isExcused(context)) strict.run(context);
    }),
  }));
}
