import type { Finding } from '../../model/finding.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { MissingValue, type Scope } from '../../model/template.ts';
import type { NamedCheck } from '../check.ts';
import { mismatchesOf } from '../invariants.ts';
import type { Judgeable } from '../mismatch.ts';
import type { ResponseObservation, CallbackObservation, EventObservation } from '../observation.ts';
import { asFindings, type RuleBook } from '../rule-book.ts';
import type { ObjectRule } from './object-rule.ts';
import { requestObjectRules } from './object-rules.ts';
import type { MessageType, Recognized } from './recognize.ts';
import { clientAssertionRules, idTokenRules, proofRules } from './token-rules.ts';
import type { Invariant } from '../../suite/suites.ts';

/** Invariants that a body shows without the request behind it and the headers around it. */
export const bodyInvariants: Readonly<Partial<Record<MessageType | 'tokens' | 'callback-error', readonly string[]>>> = {
  response: ['no-result-in-the-answer', 'auth-req-id-shape', 'auth-req-id-length', 'granted-time-is-a-number'],
  refusal: ['refusal-has-a-registered-code', 'refusal-description-is-text', 'every-refusal-with-a-registered-code'],
  tokens: ['access-token-present', 'token-type-bearer', 'token-lifetime-is-a-number', 'no-error-beside-tokens'],
  'callback-error': [
    'no-tokens-beside-error',
    'callback-error-code',
    'callback-description-is-text',
    'never-invalid-grant',
    'every-error-callback-with-a-registered-code',
  ],
  'event-token': ['event-token-type', 'event-token-kid', 'event-token-id', 'event-token-carrier-code', 'event-names'],
  tenure: ['tenure-value'],
};

const objectRules: Readonly<Partial<Record<MessageType, readonly ObjectRule[]>>> = {
  'request-object': requestObjectRules,
  'id-token': idTokenRules,
  'client-assertion': clientAssertionRules,
  'usertrait-proof': proofRules,
};

export interface DecodeJudge {
  readonly invariants: readonly Invariant[];
  readonly checks: Readonly<Record<string, NamedCheck>>;
  readonly rules: RuleBook;
}

/** Nothing is known of what a template would read: such an entry says nothing. */
const nowhere: Scope = { now: () => Number.NaN, random: () => '', root: () => undefined };

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The frame of a message that stands alone; nobody reads it. */
const frame = {
  message: 'message',
  receivedAt: 0,
  method: 'POST',
  target: '/',
  headers: {},
  headerLines: [],
  text: '',
};

const responseWith = (status: number, body: Json): ResponseObservation => ({
  kind: 'response',
  step: '',
  ...frame,
  sentAt: 0,
  usual: true,
  readable: 'verified',
  url: '',
  took: 0,
  samples: [],
  status,
  body,
  outcome: status === 200 ? 'accepted' : 'denied',
  summary: '',
});

const isObject = (body: Json): body is JsonObject => typeof body === 'object' && body !== null && !Array.isArray(body);

function callbackWith(body: Json): CallbackObservation {
  const has = (name: string): boolean => isObject(body) && Object.hasOwn(body, name);
  return {
    kind: 'callback',
    ...frame,
    body,
    tokens: has('access_token'),
    error: has('error'),
    sent: responseWith(200, {}),
  };
}

function eventWith({ header, claims, jws }: Recognized): EventObservation {
  return {
    kind: 'event',
    ...frame,
    ...(claims === undefined ? {} : { set: claims }),
    ...(header === undefined ? {} : { setHeader: header }),
    ...(jws === undefined ? {} : { jws }),
  };
}

/** What the invariants see in place of a message that came over the wire, and which of them look at it. */
function seenAs(found: Recognized): readonly (readonly [Judgeable, readonly string[]])[] {
  const { type, body = null } = found;
  const ids = bodyInvariants[type] ?? [];
  if (type === 'event-token') return [[eventWith(found), ids]];
  if (type === 'response' || type === 'tenure') return [[responseWith(200, body), ids]];
  if (type === 'refusal') return [[responseWith(400, body), ids]];
  if (type !== 'callback') return [];
  const observation = callbackWith(body);
  return [
    ...(observation.error ? [[observation, bodyInvariants['callback-error'] ?? []] as const] : []),
    ...(observation.error && !observation.tokens ? [] : [[observation, bodyInvariants.tokens ?? []] as const]),
  ];
}

function judgeInvariant(invariant: Invariant, observation: Judgeable, { checks, rules }: DecodeJudge): Finding[] {
  return invariant.expectations.flatMap((expectation) => {
    try {
      return mismatchesOf(expectation, observation, nowhere, checks).flatMap((mismatch) =>
        asFindings(mismatch, expectation.rules, { position: invariant.position }, rules),
      );
    } catch (error) {
      if (error instanceof MissingValue) return [];
      throw error;
    }
  });
}

function judgeJwt({ type, header = {}, claims = {} }: Recognized, rules: RuleBook): Finding[] {
  const parts = { header, claims };
  return (objectRules[type] ?? []).flatMap(({ rule, path, expected, holds }) => {
    const known = rules.find(rule);
    const [part = '', name = ''] = path.split('.');
    const value = own(part === 'header' ? header : claims, name);
    if (known === undefined || holds(value, parts)) return [];
    return [
      { rule, level: known.level, code: 'check', path, expected, actual: value ?? null, position: known.position },
    ];
  });
}

/** The rules that a message breaks as far as it shows it alone: no carrier, no request behind it, no time of day. */
export function judgeMessage(found: Recognized, judge: DecodeJudge): readonly Finding[] {
  const byId = new Map(judge.invariants.map((invariant) => [invariant.id, invariant]));
  const broken = seenAs(found).flatMap(([observation, ids]) =>
    ids.flatMap((id) => {
      const invariant = byId.get(id);
      return invariant === undefined ? [] : judgeInvariant(invariant, observation, judge);
    }),
  );
  return [...judgeJwt(found, judge.rules), ...broken];
}
