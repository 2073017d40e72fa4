import { findRepeatedName, type Json, type JsonObject, listStrings, readMember } from '../../../lib/json.ts';
import type { RuleBook } from '../../../judge/rule-book.ts';
import { breachFinding, type JudgedMessage, type RuleBreach } from './finding.ts';
import type { MessageType, RecognizedMessage } from './recognize.ts';

/** Rules that the form of a JWT breaks, whatever its claims say. */
interface FormRules {
  /** Broken by a critical extension (RFC 7515 §4.1.11). */
  readonly crit: string;
  /** Broken by a member that stands twice (RFC 7515 §4, RFC 7519 §4). */
  readonly twice: string;
  /** Broken by a date in milliseconds, by the name of the claim (RFC 7519 §2). */
  readonly dates: Readonly<Record<string, string>>;
}

const formRules: Readonly<Partial<Record<MessageType, FormRules>>> = {
  'request-object': { crit: 'SEC-08', twice: 'SEC-10', dates: { iat: 'REQ-010' } },
  'id-token': {
    crit: 'SEC-31#signature',
    twice: 'TRN-019',
    dates: { iat: 'SEC-31', exp: 'SEC-31#expired', auth_time: 'SEC-31' },
  },
  'event-token': { crit: 'EVT-025', twice: 'TRN-019', dates: { iat: 'EVT-027' } },
  'client-assertion': { crit: 'TOK-001', twice: 'TOK-001', dates: { iat: 'TOK-001', exp: 'TOK-001' } },
  'usertrait-proof': { crit: 'UT-007', twice: 'UT-007', dates: { iat: 'UT-007', exp: 'UT-007' } },
};

/** Largest number read as seconds: it lies beyond the year 5000, and read as milliseconds in 1973. */
const maxEpochSeconds = 1e11;

const isInMilliseconds = (value: Json | undefined): value is number =>
  typeof value === 'number' && value > maxEpochSeconds;

function repeatedMembers(jws: string, rule: string): readonly RuleBreach[] {
  const [header = '', claims = ''] = jws.split('.');
  return Object.entries({ header, claims }).flatMap(([path, part]) => {
    const twice = findRepeatedName(Buffer.from(part, 'base64url').toString('utf8'));
    return twice === undefined ? [] : [{ rule, path, expected: 'without a member that stands twice', actual: twice }];
  });
}

function criticalExtensions(header: JsonObject, rule: string): readonly RuleBreach[] {
  const crit = readMember(header, 'crit');
  if (crit === undefined) return [];
  const names = listStrings(crit).join(', ');
  const expected = `absent: a reader that does not know ${names === '' ? 'an extension' : names} has to refuse the JWT`;
  return [{ rule, path: 'header.crit', expected, actual: crit }];
}

const wrongDates = (claims: JsonObject, dates: FormRules['dates']): readonly RuleBreach[] =>
  Object.entries(dates).flatMap(([name, rule]) => {
    const actual = readMember(claims, name);
    if (!isInMilliseconds(actual)) return [];
    return [{ rule, path: `claims.${name}`, expected: 'in seconds since the epoch, not milliseconds', actual }];
  });

/** Judges whether a body of the carrier has a member twice (RFC 8259 §4), which its parsed value no longer shows. */
export function judgeBodyForm({ twice }: RecognizedMessage, rules: RuleBook): JudgedMessage {
  const breach = { rule: 'TRN-019#twice', path: 'body', expected: 'no member twice', actual: twice ?? null };
  const findings = twice === undefined ? [] : breachFinding(breach, rules);
  return { judged: findings.map(({ rule }) => rule), findings, notJudged: [] };
}

/** Judges the form of a JWT, as the JOSE library of its reader would. */
export function judgeJwtForm(
  { type, header = {}, claims = {}, jws }: RecognizedMessage,
  rules: RuleBook,
): JudgedMessage {
  const asked = formRules[type];
  if (asked === undefined || jws === undefined) return { judged: [], findings: [], notJudged: [] };
  const breaches = [
    ...criticalExtensions(header, asked.crit),
    ...repeatedMembers(jws, asked.twice),
    ...wrongDates(claims, asked.dates),
  ];
  const findings = breaches.flatMap((breach) => breachFinding(breach, rules));
  return { judged: findings.map(({ rule }) => rule), findings, notJudged: [] };
}
