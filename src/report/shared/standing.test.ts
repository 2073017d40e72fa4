import { describe, expect, test } from 'vitest';
import {
  buildCase,
  buildExchange,
  buildFinding,
  buildFooter,
  buildInvariant,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { renderJunit } from '../junit/render.ts';
import { renderMarkdown } from '../markdown/render.ts';
import { renderTerminal } from '../terminal/render.ts';
import { renderHtml } from '../html/render.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';

/** One missing callback breaks a rule and, by the same fact, another; a third has no verdict. */
const result = buildResult({
  rules: [
    buildRule({ id: 'FLOW-002', verdict: 'fail' }),
    buildRule({ id: 'CB-001', verdict: 'fail', followsFrom: 'FLOW-002' }),
    buildRule({ id: 'REQ-039', verdict: 'inconclusive', followsFrom: 'FLOW-002', reason: 'no callback' }),
  ],
  cases: [
    buildCase({
      id: 'cause',
      verdict: 'fail',
      findings: [
        buildFinding({ rule: 'FLOW-002', level: 'required' }),
        buildFinding({ rule: 'CB-001', level: 'required', followsFrom: 'FLOW-002' }),
      ],
      confirmation: { status: 'confirmed' },
    }),
    buildCase({
      id: 'same-fact',
      verdict: 'fail',
      findings: [buildFinding({ rule: 'CB-001', level: 'required', followsFrom: 'FLOW-002' })],
    }),
    buildCase({
      id: 'without-verdict',
      verdict: 'inconclusive',
      reason: 'no callback',
      followsFrom: { rule: 'FLOW-002', case: 'cause' },
    }),
  ],
  footer: buildFooter({ outcome: 'not conformant' }),
});

const follows = /2 findings of CB-001; no verdict on 1 rule: REQ-039; 1 case without a verdict:\s+without-verdict/;

describe('C5.7, P2: what follows from a finding is folded under it', () => {
  const terminal = renderTerminal(result, { colour: false, width: 100 });

  test('in the terminal', () => {
    expect(terminal).toMatch(follows);
    expect(terminal).toContain('Failures  1 rule broken, 1 finding');
    expect(terminal).toContain('follows from FLOW-002');
    expect(terminal).not.toContain('which was not selected');
    const alone = { ...result, rules: result.rules.filter(({ id }) => id !== 'FLOW-002') };
    expect(renderTerminal(alone, { colour: false, width: 100 })).toContain(
      'follows from FLOW-002, which was not selected',
    );
    expect(renderJunit(alone)).toContain(
      '<skipped>follows from FLOW-002, which was not selected: no callback</skipped>',
    );
  });

  test('in Markdown', () => {
    const text = renderMarkdown(result);
    expect(text).toContain('Follows from it: 2 findings of CB');
    expect(text).toContain('## Failures: 1 rule broken, 1 finding');
  });

  test('in HTML', () => {
    const text = [...renderHtml(result, testedInterface)].join('');
    expect(text).toMatch(follows);
    expect(text).toContain('1 rule broken');
  });

  test('in JUnit: one failure, the others are skipped and say why', () => {
    const text = renderJunit(result);
    expect(text).toContain('failures="1"');
    expect(text.match(/<skipped>follows from FLOW-002/g)).toHaveLength(2);
  });

  test('a confirmed finding says that it was seen twice, and what was sent in between where something was', () => {
    expect(terminal).toMatch(/tries +seen twice\n/);
    const [first, ...others] = result.cases;
    const messages = [buildExchange({ id: 'cause#control-plain-x1', attempt: 'control' })];
    const controlled = { ...result, cases: [...(first === undefined ? [] : [{ ...first, messages }]), ...others] };
    expect(renderTerminal(controlled, { colour: false, width: 100 })).toMatch(
      /tries +seen twice, with the plain request accepted in between/,
    );
    const refused = messages.map((one) => ({
      ...one,
      response: { status: 200, headers: [], body: '{"error":"server_error"}', bytes: 24 },
    }));
    const denied = { ...result, cases: [...(first === undefined ? [] : [{ ...first, messages: refused }]), ...others] };
    expect(renderTerminal(denied, { colour: false, width: 100 })).toMatch(/tries +seen twice\n/);
  });
});

test('a warning that follows from two rules has no card of its own, and is counted as in the terminal', () => {
  const follower = (followsFrom: string) => buildFinding({ rule: 'SEC-44', level: 'recommended', followsFrom });
  const folded = buildResult({
    rules: [
      buildRule({ id: 'CB-001', level: 'recommended', verdict: 'warn' }),
      buildRule({ id: 'CB-020', level: 'recommended', verdict: 'warn' }),
      buildRule({ id: 'SEC-44', level: 'recommended', verdict: 'warn' }),
    ],
    cases: ['CB-001', 'CB-020'].map((rule) =>
      buildCase({
        id: `of-${rule}`,
        verdict: 'warn',
        findings: [buildFinding({ rule, level: 'recommended' }), follower(rule)],
      }),
    ),
  });
  const page = [...renderHtml(folded, testedInterface)].join('');
  expect(page).toContain('2 rules not followed, no outcome changed');
  expect(page).not.toContain('no finding was kept');
  expect(page.match(/Follows from it:<\/strong> 1 finding of SEC-44/g)?.length).toBeGreaterThan(0);
  expect(renderTerminal(folded, { colour: false, width: 100 })).toContain('2 rules not followed');
});

test('of an invariant the finding is told that follows from no other rule, though one that does came first', () => {
  const result = buildResult({
    rules: [buildRule({ id: 'RSP-001', verdict: 'fail' }), buildRule({ id: 'RSP-003', verdict: 'fail' })],
    cases: [
      buildCase({ id: 'one', verdict: 'fail', findings: [buildFinding({ rule: 'RSP-001', level: 'required' })] }),
      buildCase({ id: 'other' }),
    ],
    invariants: [
      buildInvariant({
        verdict: 'fail',
        violations: 2,
        findings: [
          buildFinding({ rule: 'RSP-003', level: 'required', followsFrom: 'RSP-001', seenIn: 'one' }),
          buildFinding({ rule: 'RSP-003', level: 'required', seenIn: 'other' }),
        ],
      }),
    ],
    footer: buildFooter({ outcome: 'not conformant' }),
  });
  const terminal = renderTerminal(result, { colour: false, width: 100 });
  expect(terminal).toContain('Failures  2 rules broken');
  expect(terminal).not.toContain('no finding was kept');
  expect(renderMarkdown(result)).toContain('RSP-003');
});

describe('P3: an unstable finding is a warning with a word', () => {
  const unstable = buildResult({
    rules: [buildRule({ id: 'REQ-001', verdict: 'warn' })],
    cases: [
      buildCase({
        verdict: 'warn',
        findings: [buildFinding({ rule: 'REQ-001', level: 'required', unstable: true })],
        confirmation: { status: 'unstable', reason: 'the second try passed' },
      }),
    ],
  });

  test('it stands among the warnings', () => {
    const text = renderTerminal(unstable, { colour: false, width: 100 });
    expect(text).toContain('Warnings  1 rule not followed, no outcome changed');
    expect(text).toMatch(/tries +unstable: seen in one of two tries: the second try passed/);
    expect(text).not.toContain('Failures');
  });
});
