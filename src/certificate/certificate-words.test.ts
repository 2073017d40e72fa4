import { describe, expect, test } from 'vitest';
import { buildFooter, buildHeader, buildResult, buildRule } from '../testing/results/result.ts';
import { type EndedResult, makeManifest } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';
import { certificateWords } from './certificate-words.ts';

const digest = `sha256:${'0'.repeat(64)}`;

function manifestOf(parts: Partial<EndedResult> = {}, additions: readonly string[] = []): Manifest {
  const { footer = buildFooter(), ...rest } = parts;
  const result = { ...buildResult(rest), footer };
  const outcome = footer.outcome === 'not conformant' ? footer.outcome : 'conformant';
  const knownRules = ['REQ-015', 'REQ-016', 'REQ-017'];
  return makeManifest({ result, digest, bytes: 10, additions, knownRules, now: Date.UTC(2026, 2, 4) }, outcome);
}

const attestation = { by: 'test lab', on: '2026-02-01', description: 'Seen.', evidence: 'a.pdf', sha256: digest };

describe('what is not certified is said', () => {
  const whole = manifestOf({ rules: ['REQ-015', 'REQ-016', 'REQ-017'].map((id) => buildRule({ id })) });

  test('of a whole run of a carrier: only what is true of every certificate', () => {
    const words = certificateWords(whole);
    expect(words.sentence).toMatch(
      /^the carrier ".+" \(https?:.+\) was found conformant; \d+ of \d+ required rules were judged\.$/,
    );
    expect(words.certified).toContain('profile hardened');
    expect(words.digests).toContain(`result: ${digest}, 10 bytes`);
    expect(words.certified.join('\n')).not.toContain('sha256');
    expect(words.notCertified).toEqual([
      'how the carrier behaves today: only what it did during the run is known',
      'who signed: only that it was the owner of the key; whether to trust that owner is decided elsewhere',
    ]);
  });

  test.each([
    [
      'a test carrier',
      { target: { ...buildHeader().target, testCarrier: true } },
      'the operator declares it a test carrier',
    ],
    ['the virtual clock', { clock: { kind: 'virtual', note: '' } as const }, 'the clock was virtual'],
    ['a selection', { selection: ['REQ-*'] }, 'only what was selected was run: REQ-*'],
    [
      'areas left out',
      { flags: ['--target', 'a.yaml', '--without', 'baseline'] },
      'the run left out the area baseline',
    ],
    [
      'cases left out',
      { flags: ['--without', 'unsafe', '--without', 'floods'] },
      'the run left out rules with a case that is unfit for production (strangers, floods, changes)',
    ],
    ['defects', { flags: ['--fault', 'jti-never-kept'] }, 'was given defects: jti-never-kept'],
  ])('%s', (_, parts, sentence) => {
    const { notCertified } = certificateWords(manifestOf({ header: buildHeader(parts) }));
    expect(notCertified.some((one) => one.includes(sentence))).toBe(true);
  });

  test('rules without a verdict, with the reason; what is attested; what is broken', () => {
    const rules = [
      buildRule({ verdict: 'fail' }),
      buildRule({ id: 'REQ-016', verdict: 'not-applicable', reason: 'the carrier has no events' }),
      buildRule({ id: 'REQ-018', verdict: 'attested', attestation, reason: 'test lab attests it' }),
      buildRule({ id: 'REQ-019', verdict: 'warn', level: 'recommended' }),
    ];
    const footer = buildFooter({ outcome: 'not conformant', reasons: ['1 required rule without a verdict'] });
    const { sentence, certified, notCertified } = certificateWords(manifestOf({ rules, footer }, ['my-suites']));
    expect(sentence).toContain(' was found not conformant; REQ-015 is broken; 1 rule has a warning; ');
    expect(certified).toContain('the verdicts of 4 rules: 1 fail, 1 warn, 1 attested, 1 not-applicable');
    expect(certified).toContain('attested by the operator, with evidence, and counted as no pass: REQ-018');
    expect(notCertified.slice(0, 6)).toEqual([
      'these required rules are broken: REQ-015',
      'suites were added that do not ship with carrierspec: my-suites',
      'the run is not whole: 1 required rule without a verdict',
      'what these rules only recommend is not followed, or a violation showed in one of two tries: REQ-019',
      'not-applicable: the carrier has no events (REQ-016)',
      'not-selected: the run did not select it (REQ-017)',
    ]);
  });

  test('the manifest has what was recorded', () => {
    const manifest = manifestOf({
      rules: [buildRule({ level: 'informational', verdict: 'informational', recorded: { window: '5m' } })],
    });
    expect(manifest.recorded).toEqual({ 'REQ-015': { window: '5m' } });
  });

  test('an expected failure is named with its reason, and softens nothing', () => {
    const entry = {
      what: 'rule',
      name: 'REQ-015',
      reason: 'ticket 12',
      owner: 'login team',
      expires: '2026-12-31',
    } as const;
    const position = { file: 'expected.yaml', line: 2, column: 3 };
    const footer = buildFooter({
      outcome: 'not conformant',
      expected: [{ ...entry, position, became: 'failed', explains: ['REQ-015'] }],
    });
    const manifest = manifestOf({ rules: [buildRule({ verdict: 'fail' })], footer });
    expect(manifest).toMatchObject({ outcome: 'not conformant', expectedFailures: [{ ...entry, became: 'failed' }] });
    expect(certificateWords(manifest).notCertified).toContain(
      'rule REQ-015 was expected to fail, and failed: ticket 12 (login team, until 2026-12-31); no verdict is softer for it',
    );
  });

  test('a very long reason does not make a very long certificate', () => {
    const rules = [buildRule({ verdict: 'not-run', reason: 'x'.repeat(50_000) })];
    expect(manifestOf({ rules }).notJudged[0]?.reason).toHaveLength(500);
  });
});
