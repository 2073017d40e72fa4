import type { NamedChecks } from '../../../judge/check.ts';
import { findMismatches } from '../../../judge/invariants.ts';
import { asFindings, type RuleBook } from '../../../judge/rule-book.ts';
import { isJsonObject, type Json, readTextMember, readMember } from '../../../lib/json.ts';
import type { Finding } from '../../../model/finding.ts';
import type { CarrierFacts } from '../../../model/interface.ts';
import { MissingValue, type Scope } from '../../../model/suite.ts';
import type { Expectation } from '../../../suite/expectations/expectations.ts';
import type { Case, Step, Suites } from '../../../suite/suites.ts';
import { isHttp } from '../../../suite/verbs/http.ts';
import {
  matchPattern,
  isNonEmptyText,
  isPresent,
  isWholeNumber,
  numberOrNaN,
  orAbsent,
  requestMembers,
  type ObjectConstraint,
} from '../claims.ts';
import { endpoints, featureSigns } from '../endpoints.ts';
import { describeMissingValue } from './unknown-members.ts';
import { breachFinding, type JudgedMessage, type UnjudgedRules } from './finding.ts';
import { judgeBodyForm, judgeJwtForm } from './judge-form.ts';
import { judgeJwsSignature, type SignatureResult } from './judge-signature.ts';
import { type HttpSurroundings, observeRecognized, type ObservedMessage } from './observe.ts';
import type { MessageType, RecognizedMessage } from './recognize.ts';

/** Endpoint of a step that only asks for a document; undefined for any other step. */
function documentEndpoint({ act, times = 1 }: Step): string | undefined {
  if (!isHttp(act) || times !== 1) return undefined;
  const { to, method, ...rest } = act.request;
  const isPlain = method === 'GET' && Object.values(rest).every((part) => part === undefined);
  return isPlain ? to : undefined;
}

/** Steps that judge a document of this endpoint before any step that could change it. */
function documentSteps(endpoint: string, { steps }: Case): readonly Step[] {
  const other = steps.findIndex((step) => documentEndpoint(step) === undefined);
  const plain = other < 0 ? steps : steps.slice(0, other);
  return plain.filter((step) => !step.control && documentEndpoint(step) === endpoint);
}

function readCarrierFacts(configuration: Json | undefined): CarrierFacts {
  if (!isJsonObject(configuration)) return { urls: {} };
  const urls: Record<string, string> = {};
  for (const [name, { members }] of Object.entries(endpoints)) {
    const url = members.map((member) => readTextMember(configuration, member)).find((found) => found !== undefined);
    if (url !== undefined) urls[name] = url;
  }
  return { discovery: '', urls, configuration };
}

/** Whether a case is about such a carrier; a document shows nothing of roles and actions (`client:second`), and needs none. */
const appliesToCarrier = ({ area, requires }: Case, facts: CarrierFacts): boolean =>
  featureSigns[area]?.isThere(facts) !== false &&
  requires.every((word) => word.includes(':') || featureSigns[word]?.isThere(facts) === true);

function documentExpectations(
  cases: readonly Case[],
  { endpoint, body }: { readonly endpoint: string; readonly body: Json | undefined },
): readonly Expectation[] {
  const facts = endpoint === 'discovery' ? readCarrierFacts(body) : { discovery: '', urls: {} };
  return cases
    .filter((one) => appliesToCarrier(one, facts))
    .flatMap((one) => documentSteps(endpoint, one))
    .flatMap(({ expectations }) => expectations);
}

/** Rule that one JWT can break by itself, and the member that shows it: `claims.iat`, `header.kid`. */
type ObjectRule = readonly [path: string, ...ObjectConstraint];

/** OIDC Core §2 and §3.1.3.7, as the baseline has them. */
const idTokenRules: readonly (readonly [claim: string, expected: string, holds: ObjectConstraint[2]])[] = [
  ['iss', "the carrier's issuer URL", matchPattern(/^https?:\/\//)],
  ['sub', 'the pairwise subscriber id, 1 to 255 characters', matchPattern(/^[\x20-\x7e]{1,255}$/)],
  ['aud', 'the client_id', (aud) => isNonEmptyText(aud) || (Array.isArray(aud) && aud.some(isNonEmptyText))],
  [
    'azp',
    'the client_id, where aud names several',
    (azp, { claims: { aud } }) => isNonEmptyText(azp) || !Array.isArray(aud) || aud.length < 2,
  ],
  ['iat', 'a whole number of epoch seconds', isWholeNumber],
  ['exp', 'a number after iat', (exp, { claims }) => numberOrNaN(exp) > numberOrNaN(claims['iat'])],
  ['acr', 'text, where it is there', orAbsent((acr) => typeof acr === 'string')],
];

const assertionExpectation = 'there: a client assertion names its signer, its audience and its end';

/** Rules that a JWT alone shows, by the type of the message. */
export const objectRules: Readonly<Partial<Record<MessageType, readonly ObjectRule[]>>> = {
  'request-object': requestMembers.flatMap(({ in: part, name, shown = [] }) =>
    shown.map((row): ObjectRule => [`${part}.${name}`, ...row]),
  ),
  'id-token': idTokenRules.map(([name, expected, holds]) => [`claims.${name}`, 'SEC-31', expected, holds]),
  // §5.5, RFC 7523 §3.
  'client-assertion': ['iss', 'sub', 'aud', 'exp'].map((name) => [
    `claims.${name}`,
    'TOK-001',
    assertionExpectation,
    isPresent,
  ]),
};

/** Endpoint that gives a document to every caller. */
const endpointsByType: Readonly<Partial<Record<MessageType, string>>> = {
  configuration: 'discovery',
  jwks: 'jwks',
  jwk: 'jwks',
};

interface DecodeJudge extends Pick<Suites, 'invariants' | 'cases'> {
  readonly checks: NamedChecks;
  readonly rules: RuleBook;
  /** Signature of the message, if keys are known. */
  readonly verified?: SignatureResult;
}

/** Scope without a case: an expectation that reads its values is not judged. */
const caselessScope: Scope = { now: () => Number.NaN, random: () => '', root: () => undefined };

/** Expectations on a message: of invariants on its kinds, and of cases that look at such a document. */
function messageExpectations(
  { type, body }: RecognizedMessage,
  { kinds }: ObservedMessage,
  judge: DecodeJudge,
): readonly Expectation[] {
  const endpoint = endpointsByType[type];
  return [
    ...judge.invariants.filter(({ on }) => kinds.includes(on)).flatMap(({ expectations }) => expectations),
    ...(endpoint === undefined || !kinds.includes(endpoint === 'jwks' ? 'jwks' : 'discovery')
      ? []
      : documentExpectations(judge.cases, { endpoint, body })),
  ];
}

/** Equal for the same finding of an invariant and of a case. */
const decodeFindingKey = ({ rule, aspect, path, expected }: Finding): string =>
  JSON.stringify([rule, aspect, path, expected]);

function judgeObserved(found: RecognizedMessage, observed: ObservedMessage, judge: DecodeJudge): JudgedMessage {
  const findings = new Map<string, Finding>();
  const judged = new Set<string>();
  const open = new Map<string, Set<string>>();
  for (const expectation of messageExpectations(found, observed, judge)) {
    const { rules: refs, position } = expectation;
    try {
      for (const mismatch of findMismatches(expectation, observed.observation, {
        scope: caselessScope,
        checks: judge.checks,
      })) {
        for (const one of asFindings(mismatch, refs, { position, rules: judge.rules }))
          findings.set(decodeFindingKey(one), one);
      }
      for (const { rule } of refs) judged.add(rule);
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      const without = describeMissingValue(error);
      if (without === undefined) continue;
      const rules = open.get(without) ?? new Set();
      open.set(without, rules);
      for (const { rule } of refs) rules.add(rule);
    }
  }
  const notJudged = [...open].map(([without, rules]) => ({ without, rules: [...rules].toSorted() }));
  return { judged: [...judged], findings: [...findings.values()], notJudged };
}

function judgeObjectRules({ type, header = {}, claims = {} }: RecognizedMessage, rules: RuleBook): JudgedMessage {
  const parts = { header, claims };
  const rows = objectRules[type] ?? [];
  const findings = rows.flatMap(([path, rule, expected, holds]) => {
    const [part = '', name = ''] = path.split('.');
    const value = readMember(part === 'header' ? header : claims, name);
    return holds(value, parts) ? [] : breachFinding({ rule, path, expected, actual: value ?? null }, rules);
  });
  const judged = rows.map(([, rule]) => rule.split('#')[0] ?? rule);
  return { judged, findings, notJudged: [] };
}

/** Whether a body's finding is about its SET, and so stands with the SET. */
const isAboutInnerSet = (found: RecognizedMessage, { path = '' }: Finding): boolean =>
  found.type === 'carrier-of-one' && /^set(?:Header)?\b/.test(path);

/** Rules of the invariants on a message's possible kinds. */
function possibleRules({ open = [] }: ObservedMessage, { invariants }: DecodeJudge): readonly UnjudgedRules[] {
  const rules = invariants
    .filter(({ on }) => open.includes(on))
    .flatMap(({ expectations }) => expectations.flatMap(({ rules: refs }) => refs.map(({ rule }) => rule)));
  if (rules.length === 0) return [];
  return [{ without: 'a request object in the request that it answers', rules: [...new Set(rules)].toSorted() }];
}

/** Judges a message by itself and the HTTP message around it: no case, no time of day. */
export function judgeMessage(found: RecognizedMessage, judge: DecodeJudge, around?: HttpSurroundings): JudgedMessage {
  const observed = observeRecognized(found, around);
  const parts = [
    judgeJwsSignature(found, judge.rules, judge.verified),
    judgeObjectRules(found, judge.rules),
    judgeJwtForm(found, judge.rules),
    ...(observed === undefined ? [] : [judgeBodyForm(found, judge.rules), judgeObserved(found, observed, judge)]),
  ];
  return {
    judged: [...new Set(parts.flatMap(({ judged }) => judged))].toSorted(),
    findings: parts.flatMap(({ findings }) => findings).filter((finding) => !isAboutInnerSet(found, finding)),
    notJudged: [
      ...parts.flatMap(({ notJudged }) => notJudged),
      ...(observed === undefined ? [] : possibleRules(observed, judge)),
    ],
  };
}
