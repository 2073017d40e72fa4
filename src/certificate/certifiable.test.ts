import { describe, expect, test } from 'vitest';
import type { Result } from '../model/result.ts';
import { buildCutOffResult, buildFooter, buildHeader, buildResult, buildRule } from '../testing/results/result.ts';
import { checkCertifiable, type CertifyingProgram } from './make-manifest.ts';

const header = buildHeader();
const known: CertifyingProgram = {
  version: header.tool.version,
  digest: header.tool.digest,
  digests: { rules: header.suites.rules, suites: header.suites.suites },
  additions: [],
};

const failed = buildResult({
  rules: [buildRule({ verdict: 'fail' })],
  footer: buildFooter({ outcome: 'not conformant' }),
});

function refusalOf(result: Result, parts: Partial<CertifyingProgram> = {}): string | undefined {
  const checked = checkCertifiable(result, { ...known, ...parts });
  return 'refused' in checked ? `${checked.refused.code}: ${checked.refused.message}` : undefined;
}

const withHeader = (parts: Parameters<typeof buildHeader>[0]): Result => buildResult({ header: buildHeader(parts) });
const virtual = { kind: 'virtual', note: '' } as const;

describe('what is certified', () => {
  test.each([
    ['conformant', buildResult()],
    ['not conformant', failed],
    [
      'the virtual clock of a test carrier',
      withHeader({ clock: virtual, target: { ...header.target, testCarrier: true } }),
    ],
    ['a selection', withHeader({ selection: ['REQ-015'] })],
  ])('%s', (_, result) => {
    expect(refusalOf(result)).toBeUndefined();
  });

  test('suites that do not ship, where they are named', () => {
    const digests = { rules: 'sha256:of-both', suites: 'sha256:of-both' };
    const result = withHeader({ suites: { ...digests, files: [] } });
    expect(refusalOf(result, { digests, additions: ['my-suites'] })).toBeUndefined();
  });
});

describe('what is refused', () => {
  test.each([
    ['no footer', buildCutOffResult(), 'no-footer: the result has no footer: the run was cut off'],
    [
      'interrupted, though a violation is proven',
      { ...failed, footer: buildFooter({ outcome: 'not conformant', interrupted: true }) },
      'run-interrupted: the run was interrupted',
    ],
    [
      'incomplete',
      buildResult({ footer: buildFooter({ outcome: 'incomplete', reasons: ['1 required rule without a verdict'] }) }),
      'incomplete: the run is incomplete: 1 required rule without a verdict.',
    ],
    ['a part of a run', withHeader({ shard: { index: 2, of: 4 } }), 'shard: the result is part 2 of 4 of a run'],
    ['the virtual clock', withHeader({ clock: virtual }), 'virtual-clock: the clock of the run was virtual'],
    [
      'the virtual clock of what is declared no test carrier',
      withHeader({ clock: virtual, target: { ...header.target, testCarrier: false } }),
      'virtual-clock: ',
    ],
    [
      'another version',
      withHeader({ tool: { ...header.tool, version: '9.9.9' } }),
      'other-version: the run was made by carrierspec 9.9.9, and this is 0.1.0',
    ],
    [
      'unknown rules',
      withHeader({ suites: { ...header.suites, rules: 'sha256:other' } }),
      'unknown-suites: the run used rules or suites that do not ship',
    ],
    [
      'another program of the same version',
      withHeader({ tool: { ...header.tool, digest: `sha256:${'0'.repeat(64)}` } }),
      `other-program: the run was made by another program of version 0.1.0: its digest is sha256:${'0'.repeat(64)}, and here it is sha256:a7a7`,
    ],
    ['unknown suites', withHeader({ suites: { ...header.suites, suites: 'sha256:other' } }), 'unknown-suites: '],
  ])('%s', (_, result, message) => {
    expect(refusalOf(result)).toContain(message);
  });

  test('additions that are not those of the run', () => {
    const result = withHeader({ suites: { ...header.suites, suites: 'sha256:other' } });
    expect(refusalOf(result, { additions: ['my-suites'] })).toBe(
      'unknown-addition: the run used other rules or suites than those that ship and my-suites: name the very folders of the run',
    );
  });
});
