import { describe, expect, test } from 'vitest';
import { CarrierspecError } from '../../model/problem.ts';
import type { ResultHeader } from '../../model/result.ts';
import { buildCase, buildHeader, buildResult } from '../../testing/results/result.ts';
import { type MergePart, requireParts, requireSuites } from './shard-parts.ts';

describe('results that do not go together', () => {
  const part = (index: number, id: string, header: Partial<ResultHeader> = {}): MergePart => ({
    file: `${index}.json`,
    result: buildResult({ cases: [buildCase({ id })], header: buildHeader({ shard: { index, of: 2 }, ...header }) }),
  });
  const { suites, target, tool } = buildHeader();
  const other = (parts: Partial<ResultHeader>): MergePart => part(2, 'b', parts);
  const digest = `sha256:${'1'.repeat(64)}`;

  test.each<[string, MergePart, RegExp]>([
    [
      'other rules',
      other({ suites: { ...suites, rules: digest } }),
      /^1.json and 2.json .*the digest of the rules differs: sha256:3f2a\S+ and sha256:1111/,
    ],
    ['other suites', other({ suites: { ...suites, suites: digest } }), /the digest of the suites differs/],
    [
      'another tool',
      other({ tool: { ...tool, version: '9.9.9' } }),
      /the version of carrierspec differs: 0.1.0 and 9.9.9/,
    ],
    [
      'another program of the same version',
      other({ tool: { ...tool, digest } }),
      /the digest of the program differs: sha256:a7a7\S+ and sha256:1111/,
    ],
    ['another target', other({ target: { ...target, fingerprint: digest } }), /the digest of the target file differs/],
    [
      'another carrier',
      other({ target: { ...target, issuer: 'https://other.test' } }),
      /the issuer differs: https:\/\/op.carrier.test and https:\/\/other.test/,
    ],
    ['another clock', other({ clock: { kind: 'virtual', note: '' } }), /the clock differs: real and virtual/],
    ['another selection', other({ selection: ['events'] }), /the selection differs: none and events/],
    ['other flags', other({ flags: ['--fault', 'x'] }), /the flags differ: none and --fault x/],
    ['another division', other({ shard: { index: 2, of: 3 } }), /the number of shards differs: 2 and 3/],
    ['the same part', other({ shard: { index: 1, of: 2 } }), /^1.json and 2.json are both shard 1 of 2$/],
    ['the same case', part(2, 'a'), /^1.json and 2.json both hold the case a$/],
    ['a part beyond the last', other({ shard: { index: 3, of: 2 } }), /^2.json says that it is shard 3 of 2$/],
    [
      'a whole run',
      { file: '2.json', result: buildResult() },
      /^2.json is no part of a run: it was made without --shard$/,
    ],
  ])('%s', (_, second, message) => {
    expect(() => requireParts([part(1, 'a'), second])).toThrow(message);
    expect(() => requireParts([part(1, 'a'), second])).toThrow(CarrierspecError);
  });

  test('the embedded carriers of two machines are on different ports, and go together', () => {
    const at = (port: number) => ({ target: { ...target, issuer: `http://127.0.0.1:${port}` } });
    const first = part(1, 'a', at(1));
    expect(requireParts([first, other(at(2))])).toHaveLength(2);
    expect(() => requireParts([first, other({})])).toThrow(/the issuer differs/);
  });

  test('suites that are not those of the run', () => {
    expect(() => requireSuites(buildHeader(), { digests: { ...suites, rules: digest } })).toThrow(
      /the digest of the rules is sha256:1+ here and was sha256:3f2a.*give --suites as the run had it/,
    );
    expect(() => requireSuites(buildHeader(), { digests: suites })).not.toThrow();
  });
});
