import { describe, expect, test } from 'vitest';
import { groupBy } from '../../lib/lists.ts';
import { buildCase, buildFinding, buildResult, buildRule } from '../../testing/results/result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import { whyFacts } from './why.ts';

function why(...given: Parameters<typeof whyFacts>): Readonly<Record<string, readonly string[]>> {
  const facts = groupBy(whyFacts(...given) ?? [], ({ label }) => label);
  return Object.fromEntries([...facts].map(([label, own]) => [label, own.map(({ text }) => text)]));
}

describe('why a rule came to its verdict', () => {
  test.each(shippedSample.rules.map((rule) => [rule.id, rule] as const))('%s', (id, { verdict, judgedBy }) => {
    const facts = why(shippedSample, id);
    expect(facts['verdict']?.[0]).toMatch(new RegExp(`^${verdict}(?:$|: )`));
    expect(facts['the run']).toEqual([expect.stringMatching(/^not conformant .*: exit code 1$/)]);
    const isFound = verdict === 'fail' || verdict === 'warn' || (verdict === 'informational' && judgedBy.length > 0);
    expect(facts['finding'] !== undefined).toBe(isFound);
    if (verdict === 'pass' && judgedBy.length > 0) expect(facts['held']).toHaveLength(1);
  });

  test('says of each finding whether it stands, and on what', () => {
    const findings = [
      buildFinding(),
      buildFinding({ unstable: true }),
      buildFinding({ rule: 'REQ-016', followsFrom: 'REQ-015' }),
    ];
    const result = buildResult({
      cases: [
        buildCase({ verdict: 'fail', findings, confirmation: { status: 'confirmed' } }),
        buildCase({ id: 'dark', verdict: 'inconclusive', reason: 'nothing came' }),
        buildCase({ id: 'fine' }),
      ],
      rules: [
        buildRule({ verdict: 'fail', judgedBy: ['jti-repeated', 'dark', 'fine'] }),
        buildRule({ id: 'REQ-016', verdict: 'fail', followsFrom: 'REQ-015', judgedBy: ['jti-repeated'] }),
      ],
    });
    expect(why(result, 'REQ-015')).toMatchObject({
      finding: [
        'jti-repeated: expected denied, got accepted 200. a second try showed it again; it stands',
        'jti-repeated: expected denied, got accepted 200. a second try did not show it: it does not stand',
      ],
      inconclusive: ['dark: nothing came'],
      held: ['nothing against it in fine'],
      so: ['broken: it makes the run not conformant'],
    });
    expect(why(result, 'REQ-016')['finding']?.[0]).toMatch(/; follows from REQ-015$/);
  });

  test('names the aspect that is not followed, with its own level, and a finding that comes twice once', () => {
    const finding = buildFinding({ aspect: 'near', level: 'recommended' });
    const result = buildResult({
      cases: [buildCase({ verdict: 'warn', findings: [finding, finding] })],
      rules: [
        buildRule({
          verdict: 'warn',
          standing: 'not followed',
          judgedBy: ['jti-repeated'],
          aspects: { 'REQ-015#near': 'A near miss is denied.' },
        }),
      ],
    });
    expect(why(result, 'REQ-015')).toMatchObject({
      level: ['required'],
      aspect: ['#near, recommended: A near miss is denied.'],
      finding: ['jti-repeated: #near: expected denied, got accepted 200. it stands, as a warning'],
      so: ['#near is not followed: it is only recommended, so no outcome changes'],
    });
  });

  test('is not known of a rule that the result has not', () =>
    expect(whyFacts(shippedSample, 'REQ-999')).toBeUndefined());
});
