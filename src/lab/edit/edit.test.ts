import { expect, test } from 'vitest';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import { combineEdits, defineFaults, faultTable } from './fault-table.ts';
import { omitMembers, lowerMember, mergeMembers } from './messages.ts';
import {
  changeRoute,
  replaceClaimCheck,
  replaceSubscriberCheck,
  dropChecks,
  withPolicy,
  withRoutes,
} from './definition-parts.ts';
import {
  tidyContent,
  tidySegments,
  keepFirstMembers,
  keepLastMembers,
  skipObjectCheckIf,
  skipCheckIf,
} from './requests.ts';

const nothing = (): void => undefined;

test.each([
  ['dropChecks', dropChecks('no-such')],
  ['dropChecks, of one of two', dropChecks('aud-is-the-issuer', 'no-such')],
  ['replaceClaimCheck', replaceClaimCheck('no-such', nothing)],
  ['replaceSubscriberCheck', replaceSubscriberCheck('no-such', nothing)],
  ['skipCheckIf', skipCheckIf(['no-such'], () => true)],
  ['skipObjectCheckIf', skipObjectCheckIf(['no-such'], () => true)],
])('%s of a check that does not exist throws', (_, edit) => {
  expect(() => edit(strictCarrier)).toThrow(/^no check is called no-such$/);
});

test('an unknown route is named', () => {
  expect(() => changeRoute('no-such', {})(strictCarrier)).toThrow(/^no route is called no-such$/);
});

test('a check is taken out of the group that holds it, and of no other', () => {
  const edit = dropChecks('aud-is-the-issuer', 'content-type-is-json', 'proof-jti-not-repeated', 'token-is-for-openid');
  const { pipeline, usertraits, userinfoCall, cancel } = edit(strictCarrier);
  expect(pipeline.onMessage.map(({ name }) => name)).toEqual(['one-host']);
  expect(Object.values(usertraits.onFormat).map((checks) => checks.length)).toEqual([3, 3, 3]);
  expect(userinfoCall.onToken).toHaveLength(strictCarrier.userinfoCall.onToken.length - 1);
  expect(cancel).toEqual(strictCarrier.cancel);
  expect(pipeline.onClaims).toHaveLength(strictCarrier.pipeline.onClaims.length - 1);
  expect(pipeline.onObject).toEqual(strictCarrier.pipeline.onObject);
});

test('edits follow each other, and leave the definition they are given as it is', () => {
  const edited = combineEdits(withPolicy({ jtiWindow: 1 }), withPolicy({ jtiWindow: 2, codeLife: 3 }))(strictCarrier);
  expect(edited.policy).toEqual({ ...strictCarrier.policy, jtiWindow: 2, codeLife: 3 });
  expect(strictCarrier.policy.jtiWindow).toBe(300);
});

test('a route is closed by undefined', () => {
  const { routes } = withRoutes(() => ({ cancel: undefined }))(strictCarrier);
  expect(Object.keys(strictCarrier.routes).filter((name) => !(name in routes))).toEqual(['cancel']);
});

test('faults are defined by name, alone or as rows of a table', () => {
  const apply = withPolicy({ jtiWindow: 1 });
  expect(defineFaults({ a: ['A.', ['REQ-001'], apply] })).toEqual([
    { name: 'a', description: 'A.', breaks: ['REQ-001'], apply },
  ]);
  const [fault] = faultTable(withPolicy, { b: ['B.', ' REQ-001\n REQ-002 ', { jtiWindow: 7 }, { stateful: true }] });
  expect(fault).toMatchObject({ name: 'b', breaks: ['REQ-001', 'REQ-002'], stateful: true });
  expect(fault?.apply(strictCarrier).policy.jtiWindow).toBe(7);
});

test.each([
  ['{"a":1,"b":{"a":[2,{"c":3}]},"a":4}', '{"a":1,"b":{"a":[2,{"c":3}]}}', '{"a":4,"b":{"a":[2,{"c":3}]}}'],
  ['{"a":"}, \\"a\\":","a":2}', '{"a":"}, \\"a\\":"}', '{"a":2}'],
  ['[1]', '[1]', '[1]'],
  ['{"a":1,}', '{"a":1,}', '{"a":1,}'],
])('of %s the first or the last of each member stays', (given, first, last) => {
  expect(keepFirstMembers(given)).toBe(first);
  expect(keepLastMembers(given)).toBe(last);
});

test('segments are tidied as they stand, contents where they are plain base64url', () => {
  expect(tidySegments((segment) => segment.replace('=', ''))('YQ=.Yg=.c')).toBe('YQ.Yg.c');
  expect(tidyContent((content) => content.toString('utf8').toUpperCase())('YQ.Yg=.Yw')).toBe('QQ.Yg=.Yw');
});

test('members of a message are changed, left out, or put in lower case where they are text', () => {
  expect(omitMembers({ a: 1, b: 2 }, 'a', 'c')).toEqual({ b: 2 });
  expect(mergeMembers({ a: 1, b: 2 }, { a: undefined, b: 3, c: 4 })).toEqual({ b: 3, c: 4 });
  expect([lowerMember({ a: 'Xy' }, 'a'), lowerMember({ a: 1 }, 'a'), lowerMember({}, 'a')]).toEqual([
    { a: 'xy' },
    {},
    {},
  ]);
});
