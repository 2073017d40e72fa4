import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { messages } from './messages.ts';

test.each<[Json | undefined, number | undefined]>([
  [{ expires_in: 300 }, 300],
  [{ expires_in: 0 }, 0],
  [{ expires_in: -1 }, undefined],
  [{ expires_in: '' }, undefined],
  [{}, undefined],
  ['300', undefined],
  [undefined, undefined],
])('the granted life: %j: %s', (body, expected) => expect(messages.grantedSeconds(body)).toBe(expected));

test.each<[Json | undefined, boolean, boolean]>([
  [{ access_token: 'x' }, true, false],
  [{ error: 'request_denied' }, false, true],
  [{ access_token: 'x', error: 'y' }, true, true],
  [{ id_token: 'x' }, false, false],
  [[], false, false],
  [undefined, false, false],
])('the kind of a callback: %j', (body, tokens, error) =>
  expect(messages.callbackKind(body)).toEqual({ tokens, error }),
);
