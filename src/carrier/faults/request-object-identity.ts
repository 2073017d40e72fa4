import { verifyJws } from '../jose/jws.ts';
import { asText, isJsonList, type Json, stringMember } from '../json.ts';
import { type KeyContext, requireString } from '../pipeline/context.ts';
import { reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { defineFaults, type Edit, type Fault, faultTable } from './edit/define.ts';
import { insteadOf, withExtra, without, withPipeline } from './edit/parts.ts';
import { alsoRefused, letObjectThrough, letThrough, refusedLast } from './edit/requests.ts';

const needsLists = { except: { 'aud-of-requests/no-list': 'a list is refused, whatever it holds' } };

/** On the header of the request object, and on who signed it for whom: §2.2, §2.3 iss, sub, aud, client_id. */
export const requestObjectIdentityFaults: readonly Fault[] = [
  ...defineFaults({
    'signature-not-verified': [
      'The request object is decoded and believed.',
      'HDR-008 SEC-04 SEC-12',
      without('signature-verifies'),
    ],
    'iss-not-compared': [
      'iss must be there, but may name any client.',
      'REQ-002',
      insteadOf('iss-is-the-client', (context) => void requireString(context, 'iss')),
    ],
    'aud-slash-tolerated': [
      'A slash after the issuer, or a path behind it, does not matter.',
      'REQ-007',
      insteadOf('aud-is-the-issuer', (context) => {
        const aud = requireString(context, 'aud');
        if (aud !== context.issuer && !aud.startsWith(`${context.issuer}/`)) refuse('invalid_request', 'wrong aud');
      }),
    ],
    'kid-ignored-any-key': [
      'kid is not looked at; every registered key is tried.',
      'HDR-001 HDR-003',
      withPipeline(() => ({
        readKey: reader('any-key', (context) => {
          const fits = [...context.client.keys.values()].find(({ key, alg }) => verifyJws(context.jws, key, alg));
          return { ...context, key: fits ?? refuse('invalid_request_object', 'no key verifies') };
        }),
      })),
    ],
    'kid-required-always': [
      'kid is demanded of a client with one key, too.',
      'HDR-002',
      withExtra('kid-is-there', ({ header }) => {
        if (!('kid' in header)) refuse('invalid_request_object', 'kid is required');
      }),
    ],
    'unknown-client-500': [
      'A client that is not registered ends in an internal error.',
      'REQ-025 REQ-026 SEC-18 TRN-015 REQ-100',
      withPipeline(({ readClient }) => ({
        readClient: reader('client-or-500', (context) =>
          context.accounts.clients.has(stringMember(context.claims, 'client_id') ?? '')
            ? readClient.read(context)
            : refuse('server_error', 'the carrier failed', 500),
        ),
      })),
    ],
    'disabled-client-accepted': [
      'A client that was disabled goes on working.',
      'REQ-026',
      withPipeline(({ readClient }) => ({
        readClient: reader('client-disabled-or-not', (context) => {
          const client = context.accounts.clients.get(stringMember(context.claims, 'client_id') ?? '');
          return client === undefined ? readClient.read(context) : { ...context, client };
        }),
      })),
    ],
    'sub-missing-as-access-denied': [
      'A request object without sub is refused as if the user had denied it.',
      'ERR-005 REQ-004',
      insteadOf('sub-is-the-client', (context) => {
        if (!('sub' in context.claims)) refuse('access_denied', 'sub is required');
        if (requireString(context, 'sub') !== context.client.clientId)
          refuse('invalid_client', 'sub must be client_id');
      }),
      {
        except: {
          'sub-of-requests': 'sub is not demanded',
          'code-sub': 'every refusal of this check gets the one code',
        },
      },
    ],
    'aud-is-the-endpoint': [
      'aud must be the URL of the endpoint, as in client assertions.',
      'FLOW-001',
      refusedLast('aud-is-the-endpoint', ({ claims, issuer }) => claims['aud'] !== `${issuer}/bc-authorize`),
    ],
    'aud-empty-list-accepted': [
      'Every entry of aud must be known, which holds for an empty list.',
      'SEC-16',
      audListLetThrough((aud, { issuer }) => aud.every((entry) => entry === issuer)),
      needsLists,
    ],
    'aud-list-by-prefix': [
      'An entry of aud that begins with the issuer is taken for it.',
      'SEC-16',
      audListLetThrough((aud, { issuer }) => aud.some((entry) => asText(entry).startsWith(issuer))),
      needsLists,
    ],
    'aud-list-in-any-case': [
      'Entries of aud are compared in lower case.',
      'SEC-16',
      audListLetThrough((aud, { issuer }) => aud.some((entry) => entry === issuer.toUpperCase())),
      needsLists,
    ],
    'aud-list-flattened': [
      'The issuer is looked for in the lists within aud as well.',
      'SEC-16',
      audListLetThrough((aud, { issuer }) => aud.flatMap((entry) => (isJsonList(entry) ? entry : [])).includes(issuer)),
      needsLists,
    ],
    'iss-in-any-case': [
      'iss and client_id are compared in lower case.',
      'REQ-002',
      letThrough(
        ['iss-is-the-client'],
        ({ claims, client }) => asText(claims['iss']).toLowerCase() === client.clientId.toLowerCase(),
      ),
      { except: { 'client-ids/digits-12': 'an id of digits is the same in any case' } },
    ],
    'iss-trimmed': [
      'Blanks around iss are read over.',
      'REQ-002',
      letThrough(['iss-is-the-client'], ({ claims, client }) => asText(claims['iss']).trim() === client.clientId),
    ],
    'client-id-beside-in-any-case': [
      'client_id inside and outside are compared in lower case.',
      'SEC-20',
      letObjectThrough(
        ['client-id-beside-is-the-same'],
        ({ claims, outside }) =>
          asText(claims['client_id']).toLowerCase() === asText(outside['client_id']).toLowerCase(),
      ),
      {
        except: {
          'conflicting-values': 'a value that differs is refused, whatever else is done with it',
          'client-ids/digits-12': 'an id of digits is the same in any case',
        },
      },
    ],
    'kid-of-36-refused': [
      'kid must have fewer than 36 characters.',
      'HDR-004',
      alsoRefused('kid-below-36', ({ key }) => key.kid.length > 35, 'invalid_request_object'),
      {
        except: { 'client-kids/thirty-six': 'every kid has 36 characters, so the plain request is refused as well' },
      },
    ],
    'kid-of-one-letter-refused': [
      'kid must have more than one character.',
      'HDR-001 HDR-004',
      alsoRefused('kid-above-1', ({ key }) => key.kid.length < 2, 'invalid_request_object'),
    ],
    'aud-list-unseen': ['A list as aud is not looked into.', 'SEC-16', audListLetThrough(() => true), needsLists],
  }),
  ...faultTable(without, {
    'alg-name-ignored': ['The alg of the header is never looked at.', 'SEC-01 SEC-03', 'alg-fits-the-key'],
    'crit-ignored': ['Header extensions are read over.', 'SEC-08', 'header-has-no-extension'],
    'typ-not-checked': ['Any signed token passes for a request object.', 'SEC-18', 'type-is-a-request-object'],
    'si-flag-ignored': ['Every client may use the endpoint.', 'CFG-001 FLOW-008', 'server-initiated-is-on'],
    'iss-not-required': ['iss is never looked at.', 'REQ-001 REQ-002 REQ-100', 'iss-is-the-client'],
    'aud-not-checked': ['aud is never looked at.', 'REQ-007 SEC-16', 'aud-is-the-issuer'],
  }),
];

function audListLetThrough(isTaken: (aud: readonly Json[], context: KeyContext) => boolean): Edit {
  return letThrough(['aud-is-the-issuer'], (context) => {
    const { aud } = context.claims;
    return aud !== undefined && isJsonList(aud) && isTaken(aud, context);
  });
}
