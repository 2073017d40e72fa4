import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { messages } from './messages.ts';

describe('the granted life', () => {
  test.each<[Json | undefined, number | undefined]>([
    [{ expires_in: 300 }, 300],
    [{ expires_in: 0 }, 0],
    [{ expires_in: '300' }, 300],
    [{ expires_in: 'ccid-300' }, 300],
    [{ expires_in: '9999999999' }, 9_999_999_999],
    [{ expires_in: -1 }, undefined],
    [{ expires_in: '-1' }, undefined],
    [{ expires_in: '10000000000' }, undefined],
    [{ expires_in: ' 300' }, undefined],
    [{ expires_in: 'ccid-  300' }, undefined],
    [{ expires_in: '300\n' }, undefined],
    [{ expires_in: '3e2' }, undefined],
    [{ expires_in: '' }, undefined],
    [{ expires_in: null }, undefined],
    [{}, undefined],
    ['300', undefined],
    [undefined, undefined],
  ])('%j: %s', (body, expected) => {
    expect(messages.grantedSeconds(body)).toBe(expected);
  });
});

describe('the kind of a callback', () => {
  test.each<[Json | undefined, boolean, boolean]>([
    [{ access_token: 'x' }, true, false],
    [{ access_token: null }, false, false],
    [{ error: 'request_denied' }, false, true],
    [{ error: null }, false, false],
    [{ access_token: 'x', error: 'y' }, true, true],
    [{ id_token: 'x' }, false, false],
    [[], false, false],
    [undefined, false, false],
  ])('%j', (body, tokens, error) => {
    expect(messages.callbackKind(body)).toEqual({ tokens, error });
  });
});
