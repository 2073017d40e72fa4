import type { TraitBuilders } from '../../carrier/builders/usertrait.ts';
import { parseCompactJws } from '../../carrier/jose/jws.ts';
import { parseStrictObject } from '../../carrier/jose/strict-json.ts';
import { asText, type JsonObject, stringMember } from '../../carrier/json.ts';
import {
  check,
  type Check,
  type ProofContext,
  reader,
  type Reader,
  refuseProof,
  type TraitClient,
} from '../../carrier/context.ts';
import type { TraitPipeline } from '../../carrier/pipeline/usertrait.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable, ownProofsExcept } from '../edit/fault-table.ts';
import {
  changeRoute,
  dropChecks,
  skipChecksIf,
  withDiscovery,
  withTraits,
  withTraitSteps,
} from '../../carrier/seams/definition-parts.ts';

/** Faults of the usertrait query and its proof of possession: §2.8, §4.7, §5.4. */
export const usertraitFaults: readonly Fault[] = [
  ...defineFaults({
    'usertrait-form-accepted': [
      'A form is read like JSON.',
      'UT-005',
      combineEdits(
        dropChecks('trait-content-type-is-json'),
        withTraitSteps(() => ({
          readBody: reader('body-by-any-parser', (context) => ({ ...context, body: anyBody(context.bytes) })),
        })),
      ),
    ],
    'proof-not-required': [
      'Without x-authorization the client_id is believed.',
      'UT-006 UT-019 SEC-33',
      withTraitSteps(({ readProof, onProof, onFormat }) => ({
        readProof: reader('proof-or-nothing', (context) =>
          hasNoProof(context) ? withDummyProof(context) : readProof.read(context),
        ),
        onProof: skipChecksIf(onProof, hasNoProof),
        onFormat: mapFormats(onFormat, (checks) => skipChecksIf(checks, hasNoProof)),
      })),
    ],
    'proof-unreadable-not-required': [
      'A value of x-authorization that is no JWS is taken for a credential that the gateway has checked.',
      'UT-006 UT-007 UT-019 SEC-33',
      withTraitSteps(({ readProof, onProof, onFormat }) => ({
        readProof: reader('proof-or-gateway', (context) =>
          isProof(context) || context.header('x-authorization') === undefined
            ? readProof.read(context)
            : withDummyProof(context),
        ),
        onProof: skipChecksIf(onProof, (context) => !isProof(context)),
        onFormat: mapFormats(onFormat, (checks) => skipChecksIf(checks, (context) => !isProof(context))),
      })),
    ],
    'proof-signature-not-verified': [
      'The proof is decoded and believed.',
      'UT-007 UT-019 SEC-42',
      dropChecks('proof-signature-verifies'),
    ],
    'proof-of-any-client': [
      'The proof of any registered client is taken.',
      'UT-007 UT-008 UT-019',
      withTraitSteps(({ readProof }) => ({
        readProof: reader('proof-by-any-client', (context) => readProofOfAny(context, readProof)),
      })),
    ],
    'proof-request-not-compared': [
      'The hash in the proof is not compared with the request.',
      'UT-007 SEC-42',
      dropChecks('proof-signs-the-request'),
      { except: { ...ownProofsExcept.except, 'proof-format/jwt': 'such a proof says nothing of the request' } },
    ],
    'trait-sub-by-number': [
      'A phone number is taken for sub.',
      'UT-009',
      combineEdits(
        dropChecks('trait-sub-is-pairwise'),
        findTraitSubscriber(({ accounts, body }) => accounts.findPhone(stringMember(body, 'sub') ?? '')),
      ),
      { keeps: 'it finds the right subscriber, by another name' },
    ],
    'trait-client-by-the-proof': [
      'The key of the proof decides which client calls; the client_id of the query is not read.',
      'UT-004 UT-008 UT-019',
      withTraitSteps(({ readClient, readProof }) => ({
        readClient: reader('client-by-the-proof', (context) => {
          for (const client of context.accounts.clients.values()) {
            if (attempt(() => readProof.read({ ...context, client })) !== undefined) return { ...context, client };
          }
          return readClient.read(context);
        }),
      })),
    ],
    'trait-carrier-code-not-read': [
      'The part of a sub before the dash is not read.',
      'UT-009',
      combineEdits(
        dropChecks('trait-sub-is-pairwise'),
        withTraitSteps(({ readSubscriber }) => ({
          readSubscriber: reader('sub-behind-the-dash', (context) => {
            const [, rest = ''] = /-(.*)/su.exec(stringMember(context.body, 'sub') ?? '') ?? [];
            return readSubscriber.read({ ...context, body: { ...context.body, sub: `${context.mccmnc}-${rest}` } });
          }),
        })),
      ),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'trait-sub-by-like': [
      'sub is the pattern of a LIKE (C10.3).',
      'UT-009',
      combineEdits(
        dropChecks('trait-sub-is-pairwise'),
        findTraitSubscriber(({ accounts, client, body }) => {
          const [begin = '', ...rest] = (stringMember(body, 'sub') ?? '').split('%');
          const isLike = ({ subs }: SubscriberState): boolean => subs.get(client.name)?.startsWith(begin) === true;
          return rest.length === 0 ? undefined : [...accounts.subscribers.values()].find(isLike);
        }),
      ),
      { keeps: 'the other that shows it takes any case' },
    ],
    'trait-foreign-sub-accepted': [
      'The pairwise sub of another client is taken for a query.',
      'UT-010',
      findTraitSubscriber(({ accounts, body }) => accounts.findSub(stringMember(body, 'sub') ?? '')?.subscriber),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'trait-name-not-checked': [
      'Whatever trait the query names, the response has the SIM tenure.',
      'UT-011',
      dropChecks('trait-is-sim-tenure'),
    ],
    'trait-correlation-id-refused': [
      'A correlation_id is refused.',
      'UT-001 UT-016',
      refuseQuery(({ body }) => 'correlation_id' in body),
    ],
    'trait-correlation-id-hyphen-refused': [
      'A correlation_id with a hyphen is refused.',
      'UT-012',
      refuseQuery(({ body }) => asText(body['correlation_id']).includes('-')),
    ],
    'trait-correlation-id-required': [
      'A query without a correlation_id is refused.',
      'UT-012',
      refuseQuery(({ body }) => !('correlation_id' in body)),
    ],
    'trait-without-sim-tenure': [
      'The response calls its member value.',
      'UT-013 UT-015 UT-016 UT-017 UT-018 UT-024',
      withTraits(() => ({ response: (tenure) => ({ value: tenure }) })),
    ],
    'tenure-as-boolean': [
      'sim_tenure is a JSON boolean.',
      'UT-014',
      withTraits(() => ({
        response: (tenure) => ({ sim_tenure: tenure === 'error' ? tenure : tenure === 'true' }),
      })),
    ],
    'tenure-always-false': [
      'SIM swaps never reach the trait.',
      'UT-015 UT-017 UT-024',
      changeTenure((tenure) => (tenure === 'error' ? tenure : 'false')),
    ],
    'tenure-of-the-sim-alone': [
      'Another phone number on the same SIM does not begin its tenure anew (C9.8).',
      'UT-024',
      withTraits(({ tenure }) => ({
        tenure: (subscriber, known) =>
          subscriber.phoneChangedAt !== undefined && subscriber.phoneChangedAt === subscriber.simChangedAt
            ? 'false'
            : tenure(subscriber, known),
      })),
    ],
    'tenure-unknown-is-old': [
      'A SIM of unknown age is said to be old.',
      'UT-018',
      changeTenure((tenure) => (tenure === 'error' ? 'false' : tenure)),
    ],
    'tenure-in-refusals': [
      'The tenure is fetched before consent is checked, and stands in the refusal.',
      'UT-019 UT-020 UT-022 UT-026',
      withTraits(({ refusal }) => ({
        refusal: (reason) => ({
          ...refusal(reason),
          ...(reason.error === 'access_denied' ? { sim_tenure: 'false' } : {}),
        }),
      })),
    ],
    'trait-unknown-members-refused': [
      'A query with a member that the carrier does not know is refused (C3.1).',
      'UT-027',
      refuseQuery(({ body }) => Object.keys(body).some((name) => !knownMembers.includes(name))),
    ],
    'trait-unknown-sub-told': [
      'An unknown subscriber is said to have an old SIM (C1.8).',
      'UT-009 UT-010',
      combineEdits(
        dropChecks('trait-sub-is-pairwise'),
        findTraitSubscriber(({ accounts, body, client }) =>
          accounts.findSub(stringMember(body, 'sub') ?? '')?.clientName === client.name
            ? undefined
            : findKnownSim(accounts),
        ),
      ),
    ],
    'tenure-of-the-device': [
      'Another device begins the tenure anew (C3.6).',
      'UT-025',
      withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) =>
          tenure(
            subscriber.movedAt === undefined ? subscriber : { ...subscriber, simChangedAt: subscriber.movedAt },
            moment,
          ),
      })),
    ],
    'tenure-of-an-edited-profile': [
      'An edited profile begins the tenure anew.',
      'UT-016',
      withTraits(({ tenure }) => ({
        tenure: (subscriber, moment) => (subscriber.edits.size > 0 ? 'true' : tenure(subscriber, moment)),
      })),
    ],
    'usertrait-needs-events': [
      'Only subscribers to events may ask for traits.',
      'UT-023',
      refuseQuery(({ client }) => client.flags.get('events') !== true),
    ],
    'usertrait-by-any-method': [
      'The usertrait endpoint takes PUT and DELETE like POST.',
      'UT-001',
      changeRoute('usertrait', { methods: ['POST', 'PUT', 'DELETE'] }),
    ],
    'usertrait-without-version': [
      'The path of the usertrait endpoint has no version.',
      'UT-002',
      combineEdits(
        changeRoute('usertrait', { path: '/usertrait' }),
        withDiscovery(({ configuration }) => ({
          configuration: (address) => ({
            ...configuration(address),
            usertrait_endpoint: `${address.origin}/usertrait`,
          }),
        })),
      ),
    ],
  }),
  ...faultTable(dropChecks, {
    'usertrait-flag-ignored': ['Every client may ask for traits.', 'CFG-001 UT-004', 'usertraits-are-on'],
    'trait-consent-not-checked': ['The consent of the user is not looked at.', 'UT-020', 'trait-subscriber-consented'],
    'trait-without-link': [
      'A user without the link to the SP is covered (C3.2).',
      'UT-026',
      'trait-subscriber-is-linked',
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'trait-without-the-app': ['A user without the app is covered.', 'UT-022', 'trait-subscriber-has-the-app'],
    'proof-never-too-old': ['A proof may be of any age.', 'SEC-42 UT-007 UT-019', 'proof-lives-two-minutes'],
    'proof-replayable': ['A proof is good for many queries.', 'SEC-42 UT-007', 'proof-jti-not-repeated'],
  }),
];

const knownMembers = ['client_id', 'sub', 'usertrait', 'correlation_id'];

/** First enrolled subscriber with consents and a known SIM. */
function findKnownSim({ subscribers }: ProofContext['accounts']): SubscriberState | undefined {
  return [...subscribers.values()].find(
    ({ enrolled, simUnknown, consents }) => enrolled && !simUnknown && consents.size > 0,
  );
}

/** Looks the subscriber up with `find` first. */
function findTraitSubscriber(find: (context: ProofContext) => SubscriberState | undefined): Edit {
  return withTraitSteps(({ readSubscriber }) => ({
    readSubscriber: reader('subscriber-by-a-looser-rule', (context) => {
      const subscriber = find(context);
      return subscriber === undefined ? readSubscriber.read(context) : { ...context, subscriber };
    }),
  }));
}

function anyBody(bytes: Uint8Array): JsonObject {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  return form.has('client_id') ? Object.fromEntries(form) : parseStrictObject(bytes).value;
}

/** Context with a dummy proof. */
function withDummyProof(context: TraitClient): ProofContext {
  const [key] = context.client.keys.values();
  const proof = parseCompactJws('e30.e30.e30') ?? refuseProof('a proof is required');
  return { ...context, proof, proofHeader: {}, proofClaims: {}, key: key ?? refuseProof('a key is required') };
}

function hasNoProof({ header }: Pick<ProofContext, 'header'>): boolean {
  return header('x-authorization') === undefined;
}

type Checks = readonly Check<ProofContext>[];

function mapFormats({ taap, jwt, dpop }: Formats, change: (checks: Checks) => Checks): Formats {
  return { taap: change(taap), jwt: change(jwt), dpop: change(dpop) };
}

function isProof({ header }: Pick<ProofContext, 'header'>): boolean {
  return parseCompactJws(header('x-authorization') ?? '') !== undefined;
}

/** Reads the proof with the keys of any client; the client stays the one in the body. */
function readProofOfAny(context: TraitClient, reading: Reader<TraitClient, ProofContext>): ProofContext {
  for (const client of context.accounts.clients.values()) {
    const found = attempt(() => reading.read({ ...context, client }));
    if (found !== undefined) return { ...found, client: context.client };
  }
  return reading.read(context);
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function refuseQuery(isBad: (context: ProofContext) => boolean): Edit {
  return withTraitSteps(({ onClaims }) => ({
    onClaims: [
      ...onClaims,
      check('one-more-thing', (context) => {
        if (isBad(context)) refuse('invalid_request', 'the query is not supported');
      }),
    ],
  }));
}

function changeTenure(
  change: (tenure: ReturnType<TraitBuilders['tenure']>) => ReturnType<TraitBuilders['tenure']>,
): Edit {
  return withTraits(({ tenure }) => ({ tenure: (subscriber, moment) => change(tenure(subscriber, moment)) }));
}

type Formats = TraitPipeline['onFormat'];
