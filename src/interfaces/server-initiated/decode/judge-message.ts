import type { NamedChecks } from '../../../judge/check.ts';
import { mismatchesOf } from '../../../judge/invariants.ts';
import { asFindings, type RuleBook } from '../../../judge/rule-book.ts';
import { memberOf } from '../../../lib/json.ts';
import { defined } from '../../../lib/optional.ts';
import type { Finding } from '../../../model/finding.ts';
import { MissingValue, type Scope } from '../../../model/template.ts';
import type { Expectation } from '../../../suite/expectations/expectation.ts';
import type { Suites } from '../../../suite/suites.ts';
import { wordsOfMissing } from './alone.ts';
import { clientAssertionRules, idTokenRules, type ObjectRule, proofRules, requestObjectRules } from './object-rules.ts';
import { type Around, observe, type Observed } from './observe.ts';
import { plainExpectations } from './plain-steps.ts';
import type { MessageType, Recognized } from './recognize.ts';

const objectRules: Readonly<Partial<Record<MessageType, readonly ObjectRule[]>>> = {
  'request-object': requestObjectRules,
  'id-token': idTokenRules,
  'client-assertion': clientAssertionRules,
  'usertrait-proof': proofRules,
};

/** The endpoint that gives a document to everyone who asks. */
const documents: Readonly<Partial<Record<MessageType, string>>> = {
  configuration: 'discovery',
  jwks: 'jwks',
  jwk: 'jwks',
};

export interface DecodeJudge extends Pick<Suites, 'invariants' | 'cases'> {
  readonly checks: NamedChecks;
  readonly rules: RuleBook;
}

/** Rules that were not judged, because the message does not show what they need. */
export interface NotJudged {
  /** In words: `its HTTP header fields`. */
  readonly without: string;
  readonly rules: readonly string[];
}

export interface JudgedMessage {
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
}

/** There is no case whose values a template could read: an expectation that needs one is not judged. */
const nowhere: Scope = { now: () => Number.NaN, random: () => '', root: () => undefined };

/** The expectations on a message: of the invariants on its kinds, and of the cases that look at such a document. */
function expectationsOn({ type, body }: Recognized, { kinds }: Observed, judge: DecodeJudge): readonly Expectation[] {
  const endpoint = documents[type];
  return [
    ...judge.invariants.filter(({ on }) => kinds.includes(on)).flatMap(({ expectations }) => expectations),
    ...(endpoint === undefined || !kinds.includes(endpoint === 'jwks' ? 'jwks' : 'discovery')
      ? []
      : plainExpectations(judge.cases, { endpoint, body })),
  ];
}

/** The same finding may be that of an invariant and of a case. */
const keyOf = ({ rule, aspect, path, expected }: Finding): string => JSON.stringify([rule, aspect, path, expected]);

function judgeWire(found: Recognized, observed: Observed, judge: DecodeJudge): JudgedMessage {
  const findings = new Map<string, Finding>();
  const open = new Map<string, Set<string>>();
  for (const expectation of expectationsOn(found, observed, judge)) {
    const { rules: refs, position } = expectation;
    try {
      for (const mismatch of mismatchesOf(expectation, observed.observation, {
        scope: nowhere,
        checks: judge.checks,
      })) {
        for (const one of asFindings(mismatch, refs, { position, rules: judge.rules })) findings.set(keyOf(one), one);
      }
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      const without = wordsOfMissing(error);
      if (without === undefined) continue;
      const rules = open.get(without) ?? new Set();
      open.set(without, rules);
      for (const { rule } of refs) rules.add(rule);
    }
  }
  const notJudged = [...open].map(([without, rules]) => ({ without, rules: [...rules].toSorted() }));
  return { findings: [...findings.values()], notJudged };
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

/** The findings of a body that carries a SET are about the body: those of the SET stand with the SET. */
const isOfInside = (found: Recognized, { path = '' }: Finding): boolean =>
  found.type === 'carrier-of-one' && /^set(?:Header)?\b/.test(path);

/** The rules that a message breaks as far as it shows it alone, with what stands around it: no case, no time of day. */
export function judgeMessage(found: Recognized, judge: DecodeJudge, around?: Around): JudgedMessage {
  const observed = observe(found, around);
  const wire = observed === undefined ? { findings: [], notJudged: [] } : judgeWire(found, observed, judge);
  const own = wire.findings.filter((finding) => !isOfInside(found, finding));
  return { findings: [...judgeJwt(found, judge.rules), ...own], notJudged: wire.notJudged };
}
