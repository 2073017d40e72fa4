import { expect, test } from 'vitest';
import { tidyPaste } from './paste.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ iss: 'https://op.carrier.test', sub: 'a'.repeat(90) })}.${'s'.repeat(90)}`;

const wrap = (text: string): string => text.replaceAll(/(.{76})/g, '$1\n');
const colour = (text: string): string => `\u001B[32m${text}\u001B[0m`;

test.each([
  ['wrapped at 76 columns', wrap(token)],
  ['wrapped with CRLF and indented', wrap(token).replaceAll('\n', '\r\n    ')],
  ['with its quote and comma', `${token}",`],
  ['as a member of JSON', `"id_token": "${token}",`],
  ['as a member, wrapped, with a line behind it', wrap(`  "id_token": "${token}",`) + '\n"expires_in": 300,'],
  ['with colours', colour(token)],
  ['with colours inside and a wrap', wrap(token).replace('\n', `\u001B[0m\n\u001B[32m`)],
  ['as a cookie', `Set-Cookie: id_token=${token}; Path=/; HttpOnly`],
  ['as an option of curl', `-H 'x-authorization: Bearer ${token}'`],
])('a token %s', (_, text) => expect(tidyPaste(text)).toBe(token));

test.each([
  ['with colours', colour('{"a":1}'), '{"a":1}'],
  ['with a comma', '{"a":1},\n', '{"a":1}'],
  ['wrapped within a value', wrap(JSON.stringify({ id_token: token })), JSON.stringify({ id_token: token })],
])('JSON %s', (_, text, expected) => expect(tidyPaste(text)).toBe(expected));

test.each([
  ['two tokens', `${token}\n\n"${token}"`],
  ['a token with padding', `${token}==`],
  ['no token', 'eyJub3QgSlNPTg.a.b'],
  ['prose', 'eyJ is how each JWT begins'],
  ['JSON', '{"a": [1,\n2]}'],
  ['broken JSON', '{"a": [1,\n2}'],
  ['many beginnings', `${'eyJ '.repeat(10_000)}`],
  ['an endless text', `${'eyJ '.repeat(100_000)}`],
])('%s stays as it is', (_, text) => expect(tidyPaste(text)).toBe(text));
