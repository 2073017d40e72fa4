import { levels } from '../model/rule.ts';
import { severity } from '../model/verdict.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const count = { type: 'integer', minimum: 0 };
const digest = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' };
const moment = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const verdict = { type: 'string', enum: severity };

/** Every member is required, no other is allowed: what a certificate does not say must not be read into it. */
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const named = (value: object) => ({ type: 'object', additionalProperties: value });
const listOf = (items: object) => ({ type: 'array', items });

const score = closed({ conforming: count, judged: count, applicable: count });
const recorded = named(named({}));
const limit = closed(
  {
    name: text,
    title: text,
    state: { type: 'string', enum: ['limit', 'beyond', 'nothing', 'unmeasured'] },
    value: { type: 'number' },
    uncertainty: { type: 'number', minimum: 0 },
    unit: { type: 'string', enum: ['s', 'characters'] },
    words: text,
    reason: text,
  },
  ['value', 'uncertainty', 'reason'],
);
const behaviour = closed({ name: text, description: text, case: text, value: {}, reason: text }, ['value', 'reason']);

/** JSON Schema 2020-12 of a certificate's payload, as the type Manifest has it. */
export const manifestSchema = closed(
  {
    format: { const: 'carrierspec-certificate' },
    version: { const: 2 },
    certifiedAt: moment,
    outcome: { type: 'string', enum: ['conformant', 'not conformant'] },
    interface: closed({
      id: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
      version: { type: 'string', pattern: '^\\d+(\\.\\d+)*$' },
    }),
    carrier: closed({ name: text, issuer: text, fingerprint: text, testCarrier: { type: 'boolean' } }),
    clock: closed({ kind: { type: 'string', enum: ['real', 'virtual'] }, note: text }),
    run: closed({
      id: text,
      startedAt: moment,
      endedAt: moment,
      selection: texts,
      level: { type: 'string', enum: levels },
      without: texts,
      faults: texts,
      reasons: texts,
    }),
    result: closed({ digest, bytes: count, cases: count, invariants: count, unsolicited: count }),
    suites: closed({ rules: text, suites: text, additions: texts }),
    tool: closed({ name: { const: 'carrierspec' }, version: text, node: text, digest }),
    score: closed(Object.fromEntries([...levels, 'all'].map((name) => [name, score]))),
    counts: closed(Object.fromEntries(severity.map((name) => [name, count]))),
    verdicts: named(verdict),
    recorded,
    limits: listOf(limit),
    profile: listOf(behaviour),
    notJudged: listOf(
      closed({ verdict: { type: 'string', enum: [...severity, 'not-selected'] }, reason: text, rules: texts }),
    ),
    attested: listOf(
      closed({ rule: text, by: text, on: text, description: text, evidence: text, sha256: digest }, ['sha256']),
    ),
    expectedFailures: listOf(
      closed({
        what: { type: 'string', enum: ['rule', 'case'] },
        name: text,
        reason: text,
        owner: text,
        expires: text,
        became: { type: 'string', enum: ['failed', 'no longer fails', 'expired', 'matches nothing', 'not judged'] },
        explains: texts,
      }),
    ),
  },
  ['limits', 'profile'],
);
