import type { Result } from '../../model/result.ts';
import {
  buildCase,
  buildDelivery,
  buildExchange,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildResult,
  buildRule,
  startOfRun,
} from './result.ts';

const score = (conforming: number, judged: number, applicable: number) => ({ conforming, judged, applicable });

/** Rules that cannot be tested from outside. */
const unseenRules = [
  ['REQ-083', '2.3 correlation_id', 'Log entries of a correlation_id can be reached through the portal.'],
  ['LHT-004', '2.7', 'The decoded token has the fields that §2.7 lists.'],
  ['LHT-005', '2.7', 'The flow is discovery or recovery.'],
  ['LHT-006', '2.7', 'The dpop member is a JWT of type dpop+jwt with a kid.'],
].map(([id = '', clause = '', description = '']) =>
  buildRule({
    id,
    clause,
    description,
    judged: 'attested',
    verdict: 'not-run',
    reason: 'only the operator can attest it',
    judgedBy: [],
  }),
);

const rules = [
  buildRule({
    id: 'FLOW-001',
    clause: '1.2',
    description: 'A signed server-to-server POST makes the carrier push an approval to the phone.',
    judgedBy: ['base-accepted'],
  }),
  buildRule({ verdict: 'fail' }),
  buildRule({
    id: 'REQ-009',
    clause: '2.3 iat',
    level: 'recommended',
    description: 'A request object older than 5 minutes is denied.',
    verdict: 'warn',
    judgedBy: ['iat-too-old/5m30s-old', 'iat-too-old/day-old'],
  }),
  buildRule({
    id: 'REQ-023',
    clause: '2.3 response_type',
    description: 'async_token is the spelling; a sample says async-token.',
    verdict: 'informational',
    recorded: { hyphen: 'denied 400' },
    judgedBy: ['response-type-hyphen'],
  }),
  buildRule({
    id: 'RSP-003',
    clause: '2.4',
    description: 'auth_req_id is ccid- followed by 10 to 200 letters and digits.',
    interpretation: 'A23. The published pattern holds over the whole value; a line feed at its end is not allowed.',
    verdict: 'fail',
    judged: 'invariant',
    judgedBy: ['auth-req-id-shape'],
  }),
  buildRule({
    id: 'CB-022',
    area: 'callback',
    clause: '7',
    description: 'A denial by the subscriber is reported as request_denied.',
    verdict: 'inconclusive',
    reason: 'step request was refused: denied 400 unauthorized_client',
    judgedBy: ['denial-code'],
  }),
  ...unseenRules,
];

const replayed = buildCase({
  verdict: 'fail',
  findings: [buildFinding()],
  messages: [
    buildExchange({ id: 'x0', step: 'first', sentAt: startOfRun + 3, receivedAt: startOfRun + 15, differences: [] }),
    buildExchange(),
  ],
});

const oldCases = ['5m30s-old', 'day-old'].map((row, index) =>
  buildCase({
    id: `iat-too-old/${row}`,
    title: 'A request object signed more than 5 minutes ago is denied',
    suite: 'Freshness of request objects',
    position: { file: 'suites/server-initiated/freshness.suite.yaml', line: 9, column: 7 },
    endedAt: startOfRun + 650,
    rules: [{ rule: 'REQ-009' }],
    verdict: 'warn',
    findings: [buildFinding({ rule: 'REQ-009', level: 'recommended' })],
    messages: [
      buildExchange({
        differences: [{ what: 'claims.iat', change: 'set', value: [1_767_225_540, 1_767_139_470][index] ?? 0 }],
      }),
    ],
  }),
);

const base = buildCase({
  id: 'base-accepted',
  title: 'The base request is accepted',
  suite: 'The base request',
  position: { file: 'suites/server-initiated/request.suite.yaml', line: 4, column: 5 },
  rules: [{ rule: 'FLOW-001' }],
  endedAt: startOfRun + 600_000,
  messages: [
    buildExchange({
      step: 'request',
      sentAt: startOfRun + 41,
      receivedAt: startOfRun + 58,
      differences: [],
      response: { status: 200, headers: [], body: '{"auth_req_id":"ccid-7Yk2mQ9\\n","expires_in":"300"}', bytes: 53 },
    }),
  ],
});

const hyphen = buildCase({
  id: 'response-type-hyphen',
  title: 'The spelling async-token is accepted or refused',
  suite: 'The base request',
  position: { file: 'suites/server-initiated/request.suite.yaml', line: 31, column: 5 },
  rules: [{ rule: 'REQ-023' }],
  verdict: 'informational',
  recorded: { hyphen: 'denied 400' },
  endedAt: startOfRun + 80,
});

const denial = buildCase({
  id: 'denial-code',
  title: 'A denial by the subscriber is reported as request_denied',
  suite: 'Callbacks of denials',
  area: 'callback',
  position: { file: 'suites/callback/errors.suite.yaml', line: 17, column: 5 },
  rules: [{ rule: 'CB-022' }],
  endedAt: startOfRun + 44,
  verdict: 'inconclusive',
  reason: 'step request was refused: denied 400 unauthorized_client',
});

/** A run with every kind of verdict, for tests of reports. */
export const sampleResult: Result = buildResult({
  header: buildHeader({ clock: { kind: 'virtual', note: 'Both clocks were advanced over every wait.' } }),
  cases: [base, hyphen, replayed, ...oldCases, denial],
  invariants: [
    buildInvariant({
      verdict: 'fail',
      violations: 3,
      findings: [
        buildFinding({
          rule: 'RSP-003',
          code: 'schema',
          path: 'body.auth_req_id',
          expected: 'must match pattern "^ccid-[A-Za-z0-9]{10,200}$"',
          actual: 'ccid-7Yk2mQ9\n',
          step: 'request',
          seenIn: 'base-accepted',
          position: { file: 'suites/server-initiated/invariants.suite.yaml', line: 8, column: 13 },
        }),
      ],
    }),
  ],
  rules,
  unsolicited: [buildDelivery()],
  footer: buildFooter({
    outcome: 'not conformant',
    score: {
      required: score(1, 3, 8),
      recommended: score(0, 1, 1),
      informational: score(1, 1, 1),
      all: score(2, 5, 10),
    },
    areas: {
      'server-initiated': { required: score(1, 3, 7), recommended: score(0, 1, 1), informational: score(1, 1, 1) },
      callback: { required: score(0, 0, 1), recommended: score(0, 0, 0), informational: score(0, 0, 0) },
    },
    reasons: ['4 required rules were not run', '1 required rule is inconclusive'],
    wallMilliseconds: 1240,
    exchanges: 124,
    deliveries: 61,
    skew: { offset: -400, uncertainty: 520 },
  }),
});
