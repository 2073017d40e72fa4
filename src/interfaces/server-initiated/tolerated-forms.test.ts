import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { readTolerantly } from './tolerated-forms.ts';

const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const set = `${encode({ typ: 'set+jwt', alg: 'RS256' })}.${encode({ events: ['device_change'] })}.c2ln`;
const idToken = `${encode({ alg: 'RS256' })}.${encode({ sub: 'x' })}.c2ln`;

describe('members', () => {
  test.each<[Json, Json]>([
    [{ expires_in: '300' }, { expires_in: 300 }],
    [{ expires_in: 'ccid-300' }, { expires_in: 300 }],
    [{ expires_in: 'ccid- 300' }, { expires_in: 300 }],
    [{ expires_in: 'ccid-3 0 0' }, { expires_in: 300 }],
    [{ expires_in: '9999999999' }, { expires_in: 9_999_999_999 }],
    [{ sim_tenure: true }, { sim_tenure: 'true' }],
    [
      { sim_tenure: false, a: 1 },
      { sim_tenure: 'false', a: 1 },
    ],
    [{ access_token: '', error: 'x' }, { error: 'x' }],
    [{ sub: { value: '001010-a', verified: 3 } }, { sub: '001010-a' }],
    [{ access_token: 'x', error: '', id_token: '' }, { access_token: 'x' }],
  ])('%j is %j', (received, meant) => expect(readTolerantly(received, '')).toEqual(meant));

  test.each<[Json]>([
    [{ expires_in: 300 }],
    [{ expires_in: ' 300' }],
    [{ expires_in: 'ccid-    ' }],
    [{ expires_in: '10000000000' }],
    [{ expires_in: '300\n' }],
    [{ expires_in: '3e2' }],
    [{ expires_in: '' }],
    [{ expires_in: -1 }],
    [{ sim_tenure: 'True' }],
    [{ sim_tenure: 1 }],
    [{ sub: { id: '001010-a' } }],
    [{ sub: { value: 1 } }],
    [{ state: '', correlation_id: '' }],
    [{ access_token: 'x', id_token: idToken }],
    [{ set }],
    // A claim called events makes no event of a callback, and none of a token response.
    [{ auth_req_id: 'ccid-0123456789', token: set }],
    [{ access_token: set, id_token: set }],
    [['', true]],
    [300],
  ])('%j stays the same value', (received) => expect(readTolerantly(received, '')).toBe(received));
});

describe('events', () => {
  test.each<[string, Json | undefined, string, Json]>([
    ['the token alone', undefined, set, { set }],
    ['a form', undefined, `a=1&set=${set}`, { set }],
    ['a JSON string', set, JSON.stringify(set), { set }],
    ['another member', { event: set, more: 1 }, '', { event: set, more: 1, set }],
  ])('%s', (_, body, text, meant) => expect(readTolerantly(body, text)).toEqual(meant));

  test.each([['<html>set=</html>'], ['set=a.b.c'], [`set=${set}x.y`], ['']])('%s is none', (text) =>
    expect(readTolerantly(undefined, text)).toBeUndefined(),
  );
});

describe('the verification object inside attributes', () => {
  const document = (type: string) => ({ type, method: 'inperson' });
  const verification = (type: string) => ({ regulation: 'NIST', identity_documents: [document(type)] });
  const name = { value: 'Test', verified: 2, verification: verification('passport') };
  const email = { value: 'a@b.test', verified: 2, verification: verification('bill') };

  test('stands for the whole profile, with the documents of all', () => {
    expect(readTolerantly({ sub: 'x', name, email }, '')).toEqual({
      sub: 'x',
      name,
      email,
      verification: { regulation: 'NIST', identity_documents: [document('passport'), document('bill')] },
    });
  });

  test('one that lacks something stands for all', () => {
    const lacking = { ...email, verification: { identity_documents: [] } };
    expect(readTolerantly({ name, email: lacking }, '')).toMatchObject({ verification: { identity_documents: [] } });
    expect(readTolerantly({ name, email: lacking }, '')).not.toHaveProperty('verification.regulation');
  });

  test('one beside the attributes is the one', () => {
    const profile = { name, verification: verification('card') };
    expect(readTolerantly(profile, '')).toBe(profile);
  });
});

test('a body that is a JWT alone is read as its claims', () => {
  expect(readTolerantly(undefined, `${idToken}\n`)).toEqual({ sub: 'x' });
  expect(readTolerantly(undefined, `\u{FEFF}${idToken}`)).toEqual({ sub: 'x' });
  expect(readTolerantly(idToken, JSON.stringify(idToken))).toEqual({ sub: 'x' });
  expect(readTolerantly(undefined, 'a.b.c')).toBeUndefined();
});
