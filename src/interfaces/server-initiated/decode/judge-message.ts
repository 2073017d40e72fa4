import type { NamedChecks } from '../../../judge/check.ts';
import { judgeInvariant } from '../../../judge/invariants.ts';
import type {
  CallbackObservation,
  EventObservation,
  Judgeable,
  ResponseObservation,
} from '../../../judge/observation.ts';
import type { RuleBook } from '../../../judge/rule-book.ts';
import { memberOf, type Json } from '../../../lib/json.ts';
import { defined } from '../../../lib/optional.ts';
import type { Finding } from '../../../model/finding.ts';
import type { Invariant } from '../../../suite/suites.ts';
import type { Scope } from '../../../model/template.ts';
import { messages } from '../messages.ts';
import { clientAssertionRules, idTokenRules, type ObjectRule, proofRules, requestObjectRules } from './object-rules.ts';
import type { MessageType, Recognized } from './recognize.ts';

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
  readonly checks: NamedChecks;
  readonly rules: RuleBook;
}

/** There is no case whose values a template could read: an expectation that needs one is not judged. */
const nowhere: Scope = { now: () => Number.NaN, random: () => '', root: () => undefined };

/** What no expectation on a message that stands alone reads. */
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

const callbackWith = (body: Json): CallbackObservation => ({
  kind: 'callback',
  ...frame,
  body,
  ...messages.callbackKind(body),
  sent: responseWith(200, {}),
});

const eventWith = ({ header, claims, jws }: Recognized): EventObservation => ({
  kind: 'event',
  ...frame,
  ...(claims === undefined ? {} : { set: claims }),
  ...(header === undefined ? {} : { setHeader: header }),
  ...(jws === undefined ? {} : { jws }),
});

/** The observations that stand for a message that came over the wire, and which invariants judge each. */
function observationsOf(found: Recognized): readonly (readonly [Judgeable, readonly string[]])[] {
  const { type, body = null } = found;
  const ids = bodyInvariants[type] ?? [];
  if (type === 'event-token') return [[eventWith(found), ids]];
  if (type === 'response' || type === 'tenure') return [[responseWith(200, body), ids]];
  if (type === 'refusal') return [[responseWith(400, body), ids]];
  return type === 'callback' ? callbackObservations(callbackWith(body)) : [];
}

/** A callback that carries neither an error nor tokens is judged as one with tokens. */
function callbackObservations(observation: CallbackObservation): readonly (readonly [Judgeable, readonly string[]])[] {
  return [
    ...(observation.error ? [[observation, bodyInvariants['callback-error'] ?? []] as const] : []),
    ...(observation.error && !observation.tokens ? [] : [[observation, bodyInvariants.tokens ?? []] as const]),
  ];
}

function judgeJwt({ type, header = {}, claims = {} }: Recognized, rules: RuleBook): Finding[] {
  const parts = { header, claims };
  return (objectRules[type] ?? []).flatMap(({ rule, path, expected, holds }) => {
    const [id = '', aspect] = rule.split('#');
    const known = rules.find(id);
    const [part = '', name = ''] = path.split('.');
    const value = memberOf(part === 'header' ? header : claims, name);
    if (known === undefined || holds(value, parts)) return [];
    return [
      {
        rule: id,
        ...defined({ aspect }),
        level: rules.levelOf({ rule: id, ...defined({ aspect }) }),
        code: 'check',
        path,
        expected,
        actual: value ?? null,
        position: known.position,
      },
    ];
  });
}

/** The rules that a message breaks as far as it shows it alone: no carrier, no request behind it, no time of day. */
export function judgeMessage(found: Recognized, judge: DecodeJudge): readonly Finding[] {
  const byId = new Map(judge.invariants.map((invariant) => [invariant.id, invariant]));
  const broken = observationsOf(found).flatMap(([observation, ids]) =>
    ids.flatMap((id) => {
      const invariant = byId.get(id);
      return invariant === undefined
        ? []
        : (judgeInvariant(invariant, observation, { ...judge, scope: nowhere }) ?? []);
    }),
  );
  return [...judgeJwt(found, judge.rules), ...broken];
}
