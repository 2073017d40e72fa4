import { jtiNotRepeated, replayKey, takeOnce } from '../../checks/subscriber.ts';
import { asText, stringMember } from '../../json.ts';
import type { ClientContext } from '../../pipeline/context.ts';
import { refuse } from '../../refusal.ts';
import { all, type Edit } from '../edit/define.ts';
import { insteadOfLast, replaceCheck, withPipeline } from '../edit/parts.ts';
import { alsoRefused, failing500, letThrough } from '../edit/requests.ts';
import { type DeepFault, defineDeep } from './define.ts';
import { keeping } from './keeping.ts';
import { rareLookupFaults } from './rare-value-lookups.ts';
import { rareTextFaults } from './rare-value-texts.ts';

const claimed = ({ claims }: ClientContext, name: string): string => stringMember(claims, name) ?? '';

/** Values that are compared, counted or looked up in another way than they are meant. */
const compared = defineDeep('rare value', {
  'jti-of-an-object-member-taken': [
    'The carrier keeps each jti as a member of an object, which has some from its birth, such as constructor.',
    'FLOW-001',
    insteadOfLast('jti-not-repeated', (context) => {
      if (claimed(context, 'jti') in {}) refuse('invalid_request', 'the request object was sent before');
      jtiNotRepeated.run(context);
    }),
  ],
  'jti-proto-never-kept': [
    'The carrier keeps each jti as a member of an object, where __proto__ never becomes one.',
    'REQ-015',
    insteadOfLast('jti-not-repeated', (context) => {
      if (claimed(context, 'jti') !== '__proto__') jtiNotRepeated.run(context);
    }),
    { stateful: true },
  ],
  'jti-kept-as-a-double': [
    'A jti of digits is kept as a floating point number, so long ones that differ at their end are the same.',
    'FLOW-001',
    insteadOfLast('jti-not-repeated', (context) => {
      const jti = claimed(context, 'jti');
      takeOnce(
        context,
        /^\d+$/.test(jti) ? JSON.stringify([context.client.clientId, Number(jti)]) : replayKey(context),
      );
    }),
    { stateful: true },
  ],
  'jti-zero-is-none': [
    'An empty jti and the jti 0 are false where the carrier asks whether there is one, so they are not kept.',
    'REQ-015',
    insteadOfLast('jti-not-repeated', (context) => {
      if (!['', '0'].includes(asText(context.claims['jti']))) jtiNotRepeated.run(context);
    }),
    { stateful: true },
  ],
  'correlation-id-of-an-object-member-500': [
    'The log is an object by correlation_id, and what it has from its birth is no list to append to.',
    'REQ-082 TRN-015',
    failing500(({ claims }) => asText(claims['correlation_id']) in {}),
  ],
  'correlation-id-hyphen-in-front-refused': [
    'The logging command takes a correlation_id that begins with a hyphen for an option, so it is refused.',
    'REQ-082',
    alsoRefused('log-accepts-it', ({ claims }) => asText(claims['correlation_id']).startsWith('-')),
  ],
  'exp-in-milliseconds-understood': [
    'An exp of 13 digits is taken for milliseconds, and what is milliseconds is not bounded.',
    'REQ-012 SEC-15',
    letThrough(['exp-within-5-minutes'], ({ claims }) => Number(claims['exp']) > 100_000_000_000),
  ],
  'iat-zero-is-now': [
    'An iat of 0 is false where the carrier asks whether there is one, so it is taken for now.',
    'REQ-009',
    letThrough(['iat-within-5-minutes'], ({ claims }) => claims['iat'] === 0),
  ],
  'acr-normalized': [
    'acr_values is brought into compatibility form before it is compared, so letters of full width pass.',
    'REQ-058',
    readAs('acr-is-a1-or-a3', 'acr_values', (value) => value.normalize('NFKC')),
  ],
  'acr-with-a-line-break-behind': [
    'The dollar sign of the pattern matches before a last line break, so acr_values may end with one.',
    'REQ-058',
    readAs('acr-is-a1-or-a3', 'acr_values', (value) => value.replace(/\n$/, '')),
  ],
  'notification-token-with-a-line-break-behind': [
    'The dollar sign of the pattern matches before a last line break, so client_notification_token may end with one.',
    'SEC-29',
    readAs('notification-token-is-b64token', 'client_notification_token', (value) => value.replace(/\n$/, '')),
  ],
  'iss-compared-by-locale': [
    'iss is compared by the order of the locale, which reads over characters that are not seen.',
    'REQ-002',
    letThrough(
      ['iss-is-the-client'],
      (context) => claimed(context, 'iss').localeCompare(context.client.clientId) === 0,
    ),
  ],
  'redirect-uri-host-dot-ignored': [
    'A host with a dot at its end is the same to the resolver, so redirect_uri may have one.',
    'REQ-030',
    letThrough(['redirect-uri-registered'], (context) =>
      context.client.redirectUris.includes(
        claimed(context, 'redirect_uri').replace(/^(https:\/\/[^/]+)\.(?=\/)/, '$1'),
      ),
    ),
  ],
  'aud-query-ignored': [
    'aud is parsed and compared up to its path, so whatever query or fragment may follow the issuer.',
    'REQ-007',
    letThrough(['aud-is-the-issuer'], (context) => claimed(context, 'aud').split(/[?#]/)[0] === context.issuer),
  ],
  'response-type-trimmed': [
    'White space around response_type is cut off before it is compared.',
    'REQ-022',
    letThrough(
      ['response-type-is-async-token'],
      (context) => claimed(context, 'response_type').trim() === 'async_token',
    ),
  ],
});

export const rareValueFaults: readonly DeepFault[] = [...compared, ...rareLookupFaults, ...rareTextFaults];

/** The check sees the claim in this form, and the carrier keeps it in it. */
function readAs(name: string, claim: string, form: (value: string) => string): Edit {
  return all(
    (definition) =>
      withPipeline(({ onClaims }) => ({
        onClaims: replaceCheck(onClaims, name, (context, strict) => {
          const value = stringMember(context.claims, claim);
          strict.run(
            value === undefined ? context : { ...context, claims: { ...context.claims, [claim]: form(value) } },
          );
        }),
      }))(definition),
    keeping(claim, form),
  );
}
