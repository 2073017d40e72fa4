import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageUrl, placeOf, ruleUrl, schemaId, type Site } from './site.ts';

const site: Site = { url: 'https://docs.carrier.test/spec/' };

describe('the place of a name in the site', () => {
  it.each([
    ['rule', 'REQ-007', 'rule/REQ-007.html', ''],
    ['rule', 'REQ-007#near-miss', 'rule/REQ-007.html', 'near-miss'],
    ['case', 'iat-young/4m-old', 'case/iat-young.html', '4m-old'],
    ['clause', '§2.3', 'clause/2.3.html', ''],
    ['result', 'not conformant', 'result/not~20conformant.html', ''],
  ])('%s %s', (kind, name, page, anchor) => {
    expect(placeOf(kind, name)).toEqual({ page, anchor });
  });

  it('is a page below the folder of its kind, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const { pathname, origin } = new URL(pageUrl('case', name, site) ?? '');
        expect(origin).toBe('https://docs.carrier.test');
        expect(pathname).toMatch(/^\/spec\/case\/[\w.~-]*\.html$/);
      }),
    );
  });
});

it('a rule has a page where its id is one that a suite can have', () => {
  expect(ruleUrl('SEC-21', site)).toBe('https://docs.carrier.test/spec/rule/SEC-21.html');
  for (const id of ['SEC-21/..', 'sec-21', 'SEC', 'SEC-21 ', 'SEC-21\n', '']) expect(ruleUrl(id, site)).toBeUndefined();
});

it('a schema is named by its address in the site', () => {
  expect(schemaId('target.json', site)).toBe('https://docs.carrier.test/spec/schema/target.json');
});

it('without a site nothing leads to one', () => {
  expect([pageUrl('case', 'iat-young', {}), ruleUrl('SEC-21', {})]).toEqual([undefined, undefined]);
  expect(schemaId('target.json', {})).toBe('target.json');
});
