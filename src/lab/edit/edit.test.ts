import { expect, test } from 'vitest';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import {
  changeRoute,
  replaceClaimCheck,
  replaceSubscriberCheck,
  dropChecks,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';
import { keepFirstMembers, keepLastMembers, skipObjectCheckIf, skipCheckIf } from './requests.ts';

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

test('a route is closed by undefined', () => {
  const { routes } = withRoutes(() => ({ cancel: undefined }))(strictCarrier);
  expect(Object.keys(strictCarrier.routes).filter((name) => !(name in routes))).toEqual(['cancel']);
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
