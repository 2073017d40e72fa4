import { omitUndefined } from '../../lib/json.ts';
import { levels, type Verdict, worstVerdict } from '../../model/rule.ts';
import { countStandings } from '../../verdict/counts.ts';
import { concludeEnding, endingCodes } from '../../verdict/ending.ts';
import { makeHeadline, runScope } from '../../verdict/headline.ts';
import { countedVerdict, rateRules } from '../../verdict/standing.ts';
import type { Delivery, Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type {
  CaseResult,
  InvariantResult,
  Result,
  ResultFooter,
  ResultHeader,
  RuleResult,
} from '../../model/result.ts';

/** 2026-01-01T00:00:00Z, when every built result starts. */
export const startOfRun = 1_767_225_600_000;

const position = { file: 'suites/server-initiated/replay.suite.yaml', line: 12, column: 9 };

/** Every verdict of a case. */
export const caseVerdicts: readonly Verdict[] = [
  'pass',
  'informational',
  'warn',
  'inconclusive',
  'error',
  'fail',
  'not-applicable',
  'not-run',
];

/** Builders of results: each returns a plain, valid one; `parts` override it. */
export function buildHeader(parts: Partial<ResultHeader> = {}): ResultHeader {
  return {
    format: 'carrierspec-result',
    version: 3,
    run: '20260101-000000-5f3a',
    interface: { id: 'server-initiated', version: '1.0' },
    tool: { name: 'carrierspec', version: '0.1.0', node: 'v20.20.2', digest: `sha256:${'a7'.repeat(32)}` },
    suites: {
      rules: `sha256:${'3f2a91c0d4e5'.padEnd(64, '0')}`,
      suites: `sha256:${'77ab10ffe2c3'.padEnd(64, '0')}`,
      files: ['server-initiated/replay.suite.yaml', 'server-initiated/rules.yaml'],
    },
    target: {
      name: 'Staging carrier',
      file: 'carrier.yaml',
      issuer: 'https://op.carrier.test',
      fingerprint: `sha256:${'9c'.repeat(32)}`,
    },
    clock: { kind: 'real', note: '' },
    startedAt: '2026-01-01T00:00:00.000Z',
    selection: [],
    declarations: [],
    profile: 'hardened',
    flags: [],
    ...parts,
  };
}

export function buildExchange(parts: Partial<Exchange> = {}): Exchange {
  return {
    id: 'x1',
    kind: 'exchange',
    step: 'replay',
    purpose: 'authorize',
    sentAt: startOfRun + 270_012,
    receivedAt: startOfRun + 270_030,
    method: 'POST',
    url: 'https://op.carrier.test/bc-authorize',
    request: { headers: [['Content-Type', 'application/json']], body: '{"request":"e30.e30.c2ln"}', bytes: 26 },
    differences: [{ what: 'claims.jti', change: 'set', value: '6f1c2a9e7b3d4c58' }],
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":"300"}',
      bytes: 69,
    },
    ...parts,
  };
}

export function buildDelivery(parts: Partial<Delivery> = {}): Delivery {
  const body = '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","error":"request_denied"}';
  return {
    id: 'd1',
    kind: 'delivery',
    receivedAt: startOfRun + 12_000,
    method: 'POST',
    target: '/si/notify',
    request: { headers: [['content-type', 'application/json']], body, bytes: body.length },
    answered: 200,
    ...parts,
  };
}

export function buildFinding(parts: Partial<Finding> = {}): Finding {
  return {
    rule: 'REQ-015',
    level: 'required',
    code: 'outcome',
    expected: 'denied',
    actual: 'accepted 200',
    step: 'replay',
    message: 'x1',
    position: { ...position, line: 21 },
    ...parts,
  };
}

export function buildCase(parts: Partial<CaseResult> = {}): CaseResult {
  return {
    id: 'jti-repeated',
    title: 'A repeated jti is denied within 5 minutes',
    suite: 'Replay of request objects',
    area: 'server-initiated',
    position,
    rules: [{ rule: 'REQ-015' }],
    verdict: 'pass',
    findings: [],
    recorded: {},
    startedAt: startOfRun,
    endedAt: startOfRun + 271_500,
    messages: [],
    ...parts,
  };
}

export function buildInvariant(parts: Partial<InvariantResult> = {}): InvariantResult {
  return {
    id: 'auth-req-id-shape',
    title: 'auth_req_id is ccid- and 10 to 200 letters and digits',
    suite: 'What holds for every answer',
    area: 'server-initiated',
    position: { file: 'suites/server-initiated/invariants.suite.yaml', line: 4, column: 5 },
    on: 'accepted',
    rules: [{ rule: 'RSP-003' }],
    verdict: 'pass',
    judged: 120,
    violations: 0,
    findings: [],
    ...parts,
  };
}

/** A rule as the end of a run rates it, if nothing else was judged. */
function rateAlone(rule: RuleResult): Pick<RuleResult, 'standing'> {
  const standing = rateRules([{ ...rule, causes: new Set([undefined]), isStable: true }], new Set()).get(rule.id);
  return { standing: standing ?? 'kept' };
}

export function buildRule(parts: Partial<RuleResult> = {}): RuleResult {
  const rule: RuleResult = {
    id: 'REQ-015',
    area: 'server-initiated',
    clause: '2.3 jti',
    level: 'required',
    description: 'A jti that is repeated within 5 minutes is denied.',
    judged: 'cases',
    verdict: 'pass',
    standing: 'kept',
    judgedBy: ['jti-repeated'],
    recorded: {},
    ...parts,
  };
  return { ...rule, ...rateAlone(rule), ...omitUndefined({ standing: parts.standing }) };
}

const score = { conforming: 1, judged: 1, applicable: 1 };
const none = { conforming: 0, judged: 0, applicable: 0 };

export function buildFooter(parts: Partial<ResultFooter> = {}): ResultFooter {
  const { required } = parts.score ?? { required: score };
  return {
    endedAt: '2026-01-01T00:04:31.500Z',
    outcome: 'conformant',
    ending: 'conformant',
    exitCode: 0,
    headline: { tone: 'good', words: 'conformant', limits: [] },
    standings: { kept: 1 },
    named: [],
    reasons: [],
    interrupted: false,
    whole: required.applicable,
    score: { required: score, recommended: none, informational: none, all: score },
    areas: { 'server-initiated': { required: score, recommended: none, informational: none } },
    wallMilliseconds: 271_500,
    exchanges: 2,
    deliveries: 0,
    ...parts,
  };
}

/** Decides what the rules and the run come to, as the end of a run does. */
export function withVerdicts(result: Result): Result {
  const { header, footer, cases, invariants } = result;
  const findings = [...cases, ...invariants].flatMap((one) => one.findings);
  const folded = result.rules.map((rule) => {
    const own = findings.filter((one) => one.rule === rule.id);
    const isStable = own.length === 0 || own.some(({ unstable }) => unstable !== true);
    const decisive = own.filter((one) => countedVerdict(one) === rule.verdict).map(({ followsFrom }) => followsFrom);
    return { ...rule, causes: new Set(decisive.length === 0 ? [rule.followsFrom] : decisive), isStable };
  });
  const explained = new Set((footer?.expected ?? []).flatMap(({ explains }) => explains));
  const standings = rateRules(folded, explained);
  const rules = result.rules.map((rule) => ({ ...rule, standing: standings.get(rule.id) ?? rule.standing }));
  if (footer === undefined) return { ...result, rules };
  const ending = concludeEnding({ footer, rules });
  const counts = countStandings(rules);
  const headline = makeHeadline({ ...footer, standings: counts }, runScope(header), ending);
  const concluded = { ending, exitCode: endingCodes[ending], headline, standings: counts };
  return { ...result, rules, footer: { ...footer, ...concluded } };
}

/** The usual rule, and every rule with a finding, each with the verdict of its findings. */
function foundRules({ cases = [], invariants = [] }: Partial<Result>): readonly RuleResult[] {
  const findings = [...cases, ...invariants].flatMap((one) => one.findings);
  return [...new Set(['REQ-015', ...findings.map(({ rule }) => rule)])].map((id) => {
    const own = findings.filter(({ rule }) => rule === id);
    const level = levels.find((one) => own.some((finding) => finding.level === one)) ?? 'required';
    return buildRule({ id, level, verdict: worstVerdict(own.map(countedVerdict)) ?? 'pass' });
  });
}

export const buildResult = (parts: Partial<Result> = {}): Result =>
  withVerdicts({
    header: buildHeader(),
    cases: [buildCase()],
    invariants: [],
    rules: foundRules(parts),
    unsolicited: [],
    footer: buildFooter(),
    ...parts,
  });

/** A result without footer: the run was cut off. */
export function buildCutOffResult(parts: Partial<Result> = {}): Result {
  const { footer: _, ...rest } = buildResult(parts);
  return rest;
}
