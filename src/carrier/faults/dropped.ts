import { takeOnce } from '../checks/subscriber.ts';
import { asText, words } from '../json.ts';
import type { KeyContext } from '../pipeline/context.ts';
import { dropping } from '../variants/requests.ts';
import { all, defineFaults, type Edit, type Fault, faultTable } from './edit/define.ts';
import { insteadOfLast, withPolicy } from './edit/parts.ts';
import { alsoRefused } from './edit/requests.ts';

type IsBad = (context: KeyContext) => boolean;

const alsoDropped = (isBad: IsBad): Edit =>
  all(alsoRefused('conforms-to-a-rule-of-the-carrier', isBad), dropping('conforms-to-a-rule-of-the-carrier'));

/** Requests that conform, get their 200, and are dropped: no push, no callback (§2.3). */
export const droppedRequestFaults: readonly Fault[] = [
  ...defineFaults({
    'requests-of-4-minutes-dropped': [
      'A request object that is more than 4 minutes old is dropped after its 200.',
      'REQ-009',
      all(withPolicy({ iatMaxAge: 240 }), dropping('iat-within-5-minutes')),
    ],
    'exp-4-minutes-ahead-dropped': [
      'A request object whose exp is more than 4 minutes ahead is dropped after its 200.',
      'REQ-012',
      all(withPolicy({ expMaxAhead: 240 }), dropping('exp-within-5-minutes')),
    ],
    'lives-above-a-day-dropped': [
      'A request for more than a day is dropped after its 200.',
      'REQ-096',
      all(withPolicy({ maxExpiresIn: 86_400 }), dropping('expires-in-within-48-hours')),
    ],
    'context-above-200-dropped': [
      'A request with a context of more than 200 characters is dropped after its 200.',
      'REQ-073',
      all(withPolicy({ contextMax: 200 }), dropping('context-8-to-240')),
    ],
    'correlation-id-of-128-dropped': [
      'A request with a correlation_id of 128 characters is dropped after its 200.',
      'REQ-082',
      all(withPolicy({ correlationIdMax: 127 }), dropping('correlation-id-pattern')),
    ],
    'jti-of-another-client-dropped': [
      'A request whose jti another SP has used is dropped after its 200.',
      'REQ-015',
      all(
        insteadOfLast('jti-not-repeated', (context) => {
          const { claims, jws } = context;
          takeOnce(
            context,
            JSON.stringify(['all', typeof claims['jti'] === 'string' ? claims['jti'] : jws.payloadText]),
          );
        }),
        dropping('jti-not-repeated'),
      ),
    ],
  }),
  ...faultTable(alsoDropped, {
    'requests-without-jti-dropped': [
      'A request object without jti is dropped after its 200.',
      'REQ-014',
      ({ claims }) => !('jti' in claims),
    ],
    'lives-of-odd-seconds-dropped': [
      'A request for a life of less than two minutes that is no whole number of them is dropped after its 200.',
      'REQ-018',
      ({ claims }) => claims['expires_in'] === 90,
    ],
    'requests-with-another-key-dropped': [
      'A request object that another key than the first of the SP has signed is dropped after its 200.',
      'HDR-001',
      ({ client, key }) => [...client.allKeys.keys()][0] !== key.kid,
    ],
    'unknown-claims-dropped': [
      'A request object with a claim of an object that the carrier does not know is dropped after its 200.',
      'REQ-087',
      ({ claims }) => 'x_conf' in claims,
    ],
    'birthdate-dropped': [
      'A request for birthdate is dropped after its 200.',
      'REQ-037',
      ({ claims }) => words(asText(claims['scope'])).includes('birthdate'),
    ],
  }),
];
