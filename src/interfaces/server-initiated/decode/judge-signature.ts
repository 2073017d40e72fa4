import type { RuleBook } from '../../../judge/rule-book.ts';
import type { Json } from '../../../lib/json.ts';
import { type RuleBreach, breachFinding, type JudgedMessage } from './finding.ts';
import type { MessageType, RecognizedMessage } from './recognize.ts';

interface SignatureRules {
  /** Rule broken if alg is none. */
  readonly alg: string;
  /** Rule broken if the signature is missing, or if no key verifies it. */
  readonly signature: string;
}

const sameRuleForBoth = (rule: string): SignatureRules => ({ alg: rule, signature: rule });

/** §2.1, §5.1, §5.4 to §5.6, OIDC Core §3.1.3.7: each of these is signed. */
export const signatureRules: Readonly<Partial<Record<MessageType, SignatureRules>>> = {
  'request-object': { alg: 'SEC-01', signature: 'SEC-04' },
  'id-token': sameRuleForBoth('SEC-31'),
  'client-assertion': sameRuleForBoth('TOK-001'),
  'usertrait-proof': sameRuleForBoth('UT-007'),
  'event-token': sameRuleForBoth('EVT-025'),
};

/** The result of verifying a signature: the kid of the key that verifies it, or why none does. */
export interface SignatureResult {
  readonly verified: boolean;
  readonly description: string;
}

/** Whether alg names an algorithm; `none` does not, in any spelling. */
const namesAlgorithm = (alg: Json | undefined): boolean =>
  typeof alg === 'string' && !['', 'none'].includes(alg.trim().toLowerCase());

const nothingJudged: JudgedMessage = { judged: [], findings: [], notJudged: [] };

/** Judges the signature of a JWT; `verified` is absent if no keys are known. */
export function judgeJwsSignature(
  { type, header = {}, jws }: RecognizedMessage,
  rules: RuleBook,
  verified: SignatureResult | undefined,
): JudgedMessage {
  const asked = signatureRules[type];
  if (asked === undefined || jws === undefined) return nothingJudged;
  const broken = (rule: string, finding: Omit<RuleBreach, 'rule'>): JudgedMessage => ({
    ...nothingJudged,
    judged: [rule],
    findings: breachFinding({ rule, ...finding }, rules),
  });
  const { alg, signature } = asked;
  const path = 'signature';
  if (!namesAlgorithm(header['alg'])) {
    const expected = 'a signature algorithm, not none';
    return broken(alg, { path: 'header.alg', expected, actual: header['alg'] ?? null });
  }
  if (jws.endsWith('.')) return broken(signature, { path, expected: 'there', actual: null });
  if (verified?.verified === false) {
    return broken(signature, { path, expected: 'one that a key of --jwks verifies', actual: verified.description });
  }
  if (verified !== undefined) return { ...nothingJudged, judged: [...new Set([alg, signature])] };
  return {
    ...nothingJudged,
    judged: [alg],
    notJudged: [{ without: 'the keys of the signer (--jwks)', rules: [signature] }],
  };
}
