import { beforeAll, describe, expect, test } from 'vitest';
import { createPage } from '../../report/shared/layout.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOrder } from '../../model/rule.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { readSuites } from '../../setup/read-files.ts';
import { renderEntry, type NameCatalogue, openCatalogue } from './catalogue.ts';
import { findByName, entryKinds, suggestAll } from './kinds.ts';

const page = createPage({ colour: false, width: 120 });
let catalogue: NameCatalogue;

beforeAll(async () => {
  catalogue = await openCatalogue(await readSuites([]));
});

/** Pages of a name, by kind. */
const pagesOf = (name: string): ReadonlyMap<string, string> =>
  new Map(findByName(name, catalogue).map(({ kind, entry }) => [kind, renderEntry(page, entry)]));

describe('everything that has a name', () => {
  test.each(Object.entries(entryKinds))('of the kind %s has a page of its own', (_, kind) => {
    const entries = kind(catalogue);
    expect(entries.length).toBeGreaterThan(1);
    for (const { name, description } of entries) expect([name, description]).not.toContain('');
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const entry of entries.slice(0, 25)) expect(renderEntry(page, entry).split('\n')[0]).toContain(entry.name);
  });

  test.each([
    ['A34', 'interpretation', /\n {2}CB-005 .*\n[\s\S]* +A34\. A callback without a credential/],
    [
      'C1.10',
      'decision',
      /taken from 22 characters up.*\n\n {2}rules +CB-004\n {2}freedoms +notification-token-length\n/,
    ],
    ['jti', 'member', /valid value request-object, claims: \{\{ fresh\(\) \}\}\n[\s\S]* {2}rule +REQ-014 \(required\)/],
    ['kid', 'member', /request-object, header: \{\{ client\.key\.kid \}\}/],
    ['request_denied', 'oauth-error', /CB-022 \(required\)[\s\S]*expected by denial-is-request-denied/],
    ['jti-kept-2-minutes', 'fault', /breaks +REQ-015[\s\S]* {2}shown by +[\s\S]*jti-again-after-4m30s/],
    ['form-encoding/read', 'freedom', /read +variants form-encoding-accepted/],
    [
      'approve',
      'action',
      /gets +with\.scopes: .*\n {2}needed by +[\s\S]*approval-brings-tokens[\s\S]*, and\s+\d+\s+more\n {2}more +docs\/drivers\.md$/,
    ],
    ['look', 'action', /returns +shown: true while .*\n {2}returns +context: /],
    ['reset-flags', 'action', /gets +the values of set-flag\n/],
    ['issue-code', 'action', /gets +with\.redirect_uri: .*\n {2}gets +with\.scope: .*\n {2}returns +code\n/],
    ['bad-flag', 'code', /exit code +2/],
    ['denied-or-dropped', 'outcome', /verbs +authorize/],
    ['iat-age', 'limit', /REQ-009/],
    ['payload-byte', 'tamper', /used by +[\s\S]*payload-changed-after-signing/],
    [
      'safe',
      'risk',
      /^unsafe [\s\S]*strangers +the case names [\s\S]*leaves out \d+ of [\d,]+ cases\n[\s\S]*\d+ of \d+ required rules keep all/,
    ],
    ['floods', 'risk', /cases +[\s\S]*hundred-pending-requests[\s\S]*without it +carrierspec run --without floods/],
    ['server-initiated', 'area', /families +FLOW, TRN, RSP, ERR/],
    ['two-keys', 'client', /keys +RS256, ES256/],
    ['2.3', 'clause', /Claims of the request object\n {2}rules +[\s\S]*REQ-015/],
  ])('%s as %s', (name, kind, text) => expect(pagesOf(name).get(kind)).toMatch(text));

  test('each word of an ending, a score and a verdict is known', () => {
    const words = [
      'inconclusive',
      'unasked',
      'profile',
      'invariant',
      'conforming',
      'declared',
      'not-judged',
      'seen-once',
    ];
    for (const word of [...words, 'strict', 'hardened', 'not followed', 'Not judged', ...verdictOrder])
      expect([word, pagesOf(word).get('term')]).toEqual([
        word,
        expect.stringMatching(/\n {2}more {7}docs\/[a-z-]+\.md$/),
      ]);
  });

  test('the pages that words lead to are there', () => {
    const pages = [...(entryKinds['term']?.(catalogue) ?? [])].flatMap(({ facts }) => facts?.() ?? []);
    for (const [, page] of pages) expect([page, existsSync(join(root, String(page)))]).toEqual([page, true]);
  });

  test('a fault names its source, its command, and the rows that the last proof saw red', () => {
    const text = pagesOf('jti-never-kept').get('fault') ?? '';
    expect(text).toMatch(/\n {2}where +src\/lab\/faults\/[\w-]+\.ts:\d+\n/);
    expect(text).toMatch(/\n {2}run it +carrierspec run [\w-]+ --fault jti-never-kept\n/);
    const [shown = 'no row'] = Object.values(catalogue.matrix().get('jti-never-kept')?.shown ?? {}).flat();
    expect(text).toContain(shown);
  });

  test('the line "see it fail" of each rule names a fault and a profile with which its run ends with 1', () => {
    const { suites, matrix, lab } = catalogue;
    const rows = matrix();
    const wrong: string[] = [];
    const without: string[] = [];
    for (const { id, level } of suites.rules) {
      const page = pagesOf(id).get('rule') ?? '';
      const [, fault = '', strict] =
        /\n {2}see it fail +carrierspec run \S+ --fault (\S+)( --profile strict)?\n/.exec(page) ?? [];
      const redBy = (name: string, isStrict: boolean): boolean => {
        const verdict = rows.get(name)?.turned[id];
        return verdict === 'fail' || (verdict === 'warn' && (isStrict || level === 'recommended'));
      };
      if (fault === '') {
        if (lab.faults.some(({ name }) => redBy(name, true))) without.push(id);
      } else if (!redBy(fault, strict !== undefined)) wrong.push(`${id} ${fault}${strict ?? ''}`);
    }
    expect({ wrong, without }).toEqual({ wrong: [], without: [] });
    expect(pagesOf('RSP-006').get('rule')).toMatch(/ see it fail carrierspec run RSP-006 --fault .*\n/);
  });

  test('a rule names the other rules that its fault breaks', () =>
    expect(pagesOf('REQ-073').get('rule')).toMatch(/\n {4}breaks this rule, and FLOW-001;/));

  test.each([
    ['jti-nevr-kept', ['jti-never-kept']],
    ['request_denid', ['request_denied']],
    ['xyzzy', []],
  ])('%s is near %j', (wrong, near) => expect(suggestAll(wrong, catalogue)).toEqual(near));
});
