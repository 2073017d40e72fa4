import { type BodyContext, check } from '../../carrier/context.ts';
import { queryParameters } from '../../carrier/http/request.ts';
import { asText, type JsonObject } from '../../carrier/json.ts';
import { refuse } from '../../carrier/refusal.ts';
import { withPipeline } from '../../carrier/seams/definition-parts.ts';
import { defineFaults, faultTable, markDeep } from '../edit/fault-table.ts';
import { failOnObject } from '../edit/requests.ts';
import { breakRoute, cutConnection, sendInternalError } from './robustness.ts';

const hasInheritedName = (object: JsonObject): boolean => Object.keys(object).some((name) => name in {});

/** Calls that do not get the carrier's own answer. */
const brokenCalls = faultTable(breakRoute, {
  'coding-identity-500': [
    'The carrier looks the decoder of a content coding up, and the one for identity fails instead of doing nothing.',
    'TRN-015',
    ['serverInitiated', ({ headers }) => headers['content-encoding'] === 'identity', sendInternalError],
  ],
  'another-scheme-at-user-info-500': [
    'User info takes the text behind Bearer, and does not expect an Authorization of another scheme.',
    'SEC-33',
    ['userinfo', ({ headers: { authorization } }) => !/^bearer /i.test(authorization ?? 'bearer '), sendInternalError],
  ],
  'proof-of-five-parts-cuts-the-connection': [
    'A proof of five parts is taken for an encrypted one, and the error of its decryption ends the connection.',
    'UT-006 UT-007',
    ['usertrait', ({ headers }) => asText(String(headers['x-authorization'])).split('.').length === 5, cutConnection],
  ],
  'client-id-of-an-object-member-500': [
    'Discovery keeps the SPs as members of an object, which has some from its birth, such as constructor.',
    'DSC-014',
    ['configuration', (request) => asText(queryParameters(request)['client_id']) in {}, sendInternalError],
  ],
});

const brokenRequests = defineFaults({
  'member-of-an-object-beside-500': [
    'The members beside request are copied into an object that the router reads, and toString is then no function.',
    'REQ-088',
    withPipeline(({ onBody }) => ({
      onBody: [
        check('members-can-be-copied', ({ outside }: BodyContext) => {
          if (hasInheritedName(outside)) refuse('server_error', 'the carrier failed', 500);
        }),
        ...onBody,
      ],
    })),
  ],
  'escaped-pair-500': [
    'The carrier writes each escape of the claims as UTF-8 by itself, and half of a pair cannot be written.',
    'REQ-087 SEC-30',
    failOnObject(({ jws }) => /(?<!\\)(?:\\\\)*\\ud[89ab]/i.test(Buffer.from(jws.payload).toString('utf8'))),
  ],
  'apostrophe-in-the-state-500': [
    'The statement that stores a state is put together as text, so an apostrophe ends the value too early.',
    'REQ-039 SEC-30',
    failOnObject(({ claims }) => asText(claims['state']).includes("'")),
  ],
});

/** Faults where lawful or broken input ends in an internal error, written from the interface alone. */
export const anewRobustnessFaults = markDeep('robustness', [...brokenCalls, ...brokenRequests]);
