import { verifyJws } from '../jose/jws.ts';
import { asText, isJsonList, type Json, stringMember } from '../json.ts';
import { type KeyContext, requireString } from '../pipeline/context.ts';
import { reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { defineFaults, type Edit, type Fault, faultTable } from './edit/define.ts';
import { insteadOf, withExtra, without, withPipeline } from './edit/parts.ts';
import { alsoRefused, letObjectThrough, letThrough, refusedLast } from './edit/requests.ts';
import { anyAcceptance } from './edit/rule-groups.ts';

/** On the header of the request object, and on who signed it for whom: §2.2, §2.3 iss, sub, aud, client_id. */
export const requestObjectIdentityFaults: readonly Fault[] = [
  ...defineFaults({
    'signature-not-verified': {
      description: 'The request object is decoded and believed.',
      breaks: ['HDR-008', 'SEC-04', 'SEC-12'],
      apply: without('signature-verifies'),
    },
    'request-within-ignored': {
      description: 'A request inside the request object is let through.',
      breaks: ['SEC-19'],
      apply: without('no-request-object-within'),
    },
    'iss-not-compared': {
      description: 'iss must be there, but may name any client.',
      breaks: ['REQ-002'],
      apply: insteadOf('iss-is-the-client', (context) => void requireString(context, 'iss')),
    },
    'aud-slash-tolerated': {
      description: 'A slash after the issuer, or a path behind it, does not matter.',
      breaks: ['REQ-007'],
      apply: insteadOf('aud-is-the-issuer', (context) => {
        const aud = requireString(context, 'aud');
        if (aud !== context.issuer && !aud.startsWith(`${context.issuer}/`)) refuse('invalid_request', 'wrong aud');
      }),
    },
    'kid-ignored-any-key': {
      description: 'kid is not looked at; every registered key is tried.',
      breaks: ['HDR-001', 'HDR-003'],
      apply: withPipeline(() => ({
        readKey: reader('any-key', (context) => {
          const fits = [...context.client.keys.values()].find(({ key, alg }) => verifyJws(context.jws, key, alg));
          return { ...context, key: fits ?? refuse('invalid_request_object', 'no key verifies') };
        }),
      })),
    },
    'kid-required-always': {
      description: 'kid is demanded of a client with one key, too.',
      breaks: ['HDR-002'],
      apply: withExtra('kid-is-there', ({ header }) => {
        if (!('kid' in header)) refuse('invalid_request_object', 'kid is required');
      }),
    },
    'unknown-client-500': {
      description: 'A client that is not registered ends in an internal error.',
      breaks: ['REQ-025', 'REQ-026', 'SEC-18', 'TRN-015'],
      apply: withPipeline(({ readClient }) => ({
        readClient: reader('client-or-500', (context) =>
          context.accounts.clients.has(stringMember(context.claims, 'client_id') ?? '')
            ? readClient.read(context)
            : refuse('server_error', 'the carrier failed', 500),
        ),
      })),
    },
    'disabled-client-accepted': {
      description: 'A client that was disabled goes on working.',
      breaks: ['REQ-026'],
      apply: withPipeline(({ readClient }) => ({
        readClient: reader('client-disabled-or-not', (context) => {
          const client = context.accounts.clients.get(stringMember(context.claims, 'client_id') ?? '');
          return client === undefined ? readClient.read(context) : { ...context, client };
        }),
      })),
    },
    'sub-missing-as-access-denied': {
      description: 'A request object without sub is refused as if the user had denied it.',
      breaks: ['ERR-005', 'REQ-004'],
      apply: insteadOf('sub-is-the-client', (context) => {
        if (!('sub' in context.claims)) refuse('access_denied', 'sub is required');
        if (requireString(context, 'sub') !== context.client.clientId)
          refuse('invalid_client', 'sub must be client_id');
      }),
    },
    'aud-is-the-endpoint': {
      description: 'aud must be the URL of the endpoint, as in client assertions.',
      breaks: anyAcceptance,
      masks: 'what follows',
      apply: refusedLast('aud-is-the-endpoint', ({ claims, issuer }) => claims['aud'] !== `${issuer}/bc-authorize`),
    },
    'aud-empty-list-accepted': {
      description: 'Every entry of aud must be known, which holds for an empty list.',
      breaks: ['SEC-16'],
      apply: audListLetThrough((aud, { issuer }) => aud.every((entry) => entry === issuer)),
    },
    'aud-list-by-prefix': {
      description: 'An entry of aud that begins with the issuer is taken for it.',
      breaks: ['SEC-16'],
      apply: audListLetThrough((aud, { issuer }) => aud.some((entry) => asText(entry).startsWith(issuer))),
    },
    'aud-list-in-any-case': {
      description: 'Entries of aud are compared in lower case.',
      breaks: ['SEC-16'],
      apply: audListLetThrough((aud, { issuer }) => aud.some((entry) => entry === issuer.toUpperCase())),
    },
    'aud-list-flattened': {
      description: 'The issuer is looked for in the lists within aud as well.',
      breaks: ['SEC-16'],
      apply: audListLetThrough((aud, { issuer }) =>
        aud.flatMap((entry) => (isJsonList(entry) ? entry : [])).includes(issuer),
      ),
    },
    'iss-in-any-case': {
      description: 'iss and client_id are compared in lower case.',
      breaks: ['REQ-002'],
      apply: letThrough(
        ['iss-is-the-client'],
        ({ claims, client }) => asText(claims['iss']).toLowerCase() === client.clientId.toLowerCase(),
      ),
    },
    'iss-trimmed': {
      description: 'Blanks around iss are read over.',
      breaks: ['REQ-002'],
      apply: letThrough(
        ['iss-is-the-client'],
        ({ claims, client }) => asText(claims['iss']).trim() === client.clientId,
      ),
    },
    'client-id-beside-in-any-case': {
      description: 'client_id inside and outside are compared in lower case.',
      breaks: ['SEC-20'],
      apply: letObjectThrough(
        ['client-id-beside-is-the-same'],
        ({ claims, outside }) =>
          asText(claims['client_id']).toLowerCase() === asText(outside['client_id']).toLowerCase(),
      ),
    },
    'kid-of-36-refused': {
      description: 'kid must have fewer than 36 characters.',
      breaks: ['HDR-001', 'HDR-004'],
      masks: ['CB-023', 'SEC-13'],
      apply: alsoRefused('kid-below-36', ({ key }) => key.kid.length > 35, 'invalid_request_object'),
    },
    'kid-of-one-letter-refused': {
      description: 'kid must have more than one character.',
      breaks: ['HDR-001', 'HDR-004'],
      masks: ['HDR-003', 'SEC-04', 'SEC-13'],
      apply: alsoRefused('kid-above-1', ({ key }) => key.kid.length < 2, 'invalid_request_object'),
    },
    'aud-list-unseen': {
      description: 'A list as aud is not looked into.',
      breaks: ['SEC-16'],
      apply: audListLetThrough(() => true),
    },
  }),
  ...faultTable(without, {
    'alg-name-ignored': ['The alg of the header is never looked at.', ['SEC-01', 'SEC-03'], 'alg-fits-the-key'],
    'crit-ignored': ['Header extensions are read over.', ['SEC-08'], 'header-has-no-extension'],
    'typ-not-checked': ['Any signed token passes for a request object.', ['SEC-18'], 'type-is-a-request-object'],
    'si-flag-ignored': ['Every client may use the endpoint.', ['CFG-001', 'FLOW-008'], 'server-initiated-is-on'],
    'iss-not-required': ['iss is never looked at.', ['REQ-001', 'REQ-002'], 'iss-is-the-client'],
    'aud-not-checked': ['aud is never looked at.', ['REQ-007', 'SEC-16'], 'aud-is-the-issuer'],
  }),
];

function audListLetThrough(isTaken: (aud: readonly Json[], context: KeyContext) => boolean): Edit {
  return letThrough(['aud-is-the-issuer'], (context) => {
    const { aud } = context.claims;
    return aud !== undefined && isJsonList(aud) && isTaken(aud, context);
  });
}
