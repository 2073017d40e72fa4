import { expect, test } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/suite.ts';
import { checkMessage, checkRun, type CheckTable, testChecks } from '../../../../testing/parts/named-checks.ts';
import { buildResponse, buildRefusal, buildTokens, observedStart } from '../../../../testing/parts/observations.ts';
import type { Judgeable } from '../../../../judge/observation.ts';

const sub = '001010-8f3a1c5e9b7d4e20a6c1';
/** A user-info answer at an hour of 1 January 2026, UTC. */
const profile = (members: JsonObject, hour = 0): Judgeable =>
  buildResponse({
    url: 'https://op.carrier.test/userinfo',
    body: { sub, ...members },
    text: JSON.stringify({ sub, ...members }),
    receivedAt: observedStart + hour * 3600,
  });
const written = (text: string): Judgeable => buildResponse({ body: parseJson(text) ?? null, text });
const born = (value: Json, flags: JsonObject): JsonObject => ({ birthdate: { value, verified: 2 }, ...flags });
const documents = (...identity_documents: readonly JsonObject[]): JsonObject => ({
  name: { value: 'Test', verified: 2 },
  is_adult18: { value: true, verified: 2 },
  verification: { regulation: 'NIST SP 800-63A', identity_documents },
});
const first = 'body.verification.identity_documents.0';

const table: CheckTable = {
  'attributes-have-levels': [
    ['a plain value', profile({ email: 'a@b.test' }), { path: 'body.email', actual: 'a@b.test' }],
    ['an address of parts', profile({ address: { formatted: '1 Test Street', verified: 2 } })],
    ['a refusal', buildRefusal('invalid_token', { body: { name: 'x' } })],
    ['no value', profile({ is_over_13: { verified: 1 } }), { path: 'body.is_over_13', actual: ['verified'] }],
    [
      'an address of nothing',
      profile({ address: { verified: 1 } }),
      { path: 'body.address', expected: 'an address beside verified' },
    ],
  ],
  'levels-are-1-2-or-3': [
    ['none', profile({ name: { value: 'Test' }, email: 'a@b.test' })],
    // The text keeps what the tolerated body no longer has (P5).
    [
      'null that was read as absent',
      buildResponse({ body: { name: { value: 'x' } }, text: '{"name":{"value":"x","verified":null}}' }),
    ],
    ['1.0 in a member that is no attribute', written('{"name":{"value":"x","verified":1},"x_risk":{"verified":0.75}}')],
    ['1.0 inside a value', written('{"name":{"value":"\\"verified\\":1.0","verified":1}}')],
    ['0', profile({ name: { verified: 0 } }), { path: 'body.name.verified', actual: 0 }],
    ['null', profile({ name: { verified: null } }), { actual: null }],
    ['1.5', profile({ name: { verified: 1.5 } }), { actual: 1.5 }],
    ['1.0', written('{"name":{"value":"x","verified": 1.0}}'), { path: 'body.name.verified', actual: '1.0' }],
    [
      '2e0',
      written('{"name":{"verified":1},"email":{"verified":2e0}}'),
      { path: 'body.email.verified', actual: '2e0' },
    ],
  ],
  'age-flags-follow-birthdate': [
    [
      '18 today, at noon',
      profile(born('2008-01-01', { is_adult18: { value: true }, is_adult21: { value: false } }), 12),
    ],
    ['18 tomorrow, at 9', profile(born('2008-01-02', { is_adult_18: { value: false } }), 9)],
    ['18 tomorrow by UTC', profile(born('2008-01-02', { is_adult_18: { value: false } }), 10)],
    ['13 two days ago', profile(born('2012-12-30', { is_over13: true }))],
    ['13 in two days', profile(born('2013-01-03', { is_over13: false }))],
    ['21 two days ago', profile(born('2004-12-30', { is_adult21: true }))],
    ['21 in two days', profile(born('2005-01-03', { is_adult21: false }))],
    ['a date in words', profile(born('28 Nov 1982', { is_over13: true }))],
    ['a date with slashes', profile(born('11/28/1982', { is_adult21: true }))],
    ['a date with a time', profile(born('2015-11-28T00:00:00Z', { is_adult18: false }))],
    ['a date without separators', profile(born('19821128', { is_adult21: true }))],
    ['the same as a number', profile(born(19_821_128, { is_adult21: true }))],
    ['a day that may be a month, in the first order', profile(born('01.12.2007', { is_adult18: true }))],
    ['a day that may be a month, in the other order', profile(born('01.12.2008', { is_adult18: false }))],
    ['a year alone', profile(born('1990', { is_adult21: true }))],
    ['born on 29 February', profile(born('2008-02-29', { is_adult18: { value: false } }))],
    ['no birthdate', profile({ is_adult18: { value: true } })],
    ['no flags', profile(born('somewhen', {}))],
    ['a flag that is no boolean', profile(born('1990-04-01', { is_adult18: { value: 'false' } }))],
    [
      'a day that may be a month, wrong in either order',
      profile(born('01.04.1990', { is_adult18: false })),
      { path: 'body.is_adult18', actual: false },
    ],
    [
      '18 today, at noon',
      profile(born('2008-01-01', { is_adult18: { value: false } }), 12),
      { path: 'body.is_adult18', actual: false },
    ],
    [
      '18 tomorrow, at 9',
      profile(born('2008-01-02', { is_adult_18: { value: true } }), 9),
      { path: 'body.is_adult_18', actual: true },
    ],
    [
      '18 today, while it is yesterday elsewhere',
      profile(born('2008-01-01', { is_adult18: { value: false } }), 11),
      { aspect: 'on-the-day', actual: false },
    ],
    [
      '18 tomorrow, which it is elsewhere',
      profile(born('2008-01-02', { is_adult18: { value: true } }), 10),
      { aspect: 'on-the-day', actual: true },
    ],
  ],
  'documents-verified-in-the-past': [
    ['a date and time', profile(documents({ last_verified: '2025-11-02T10:15:00Z' }))],
    ['a date', profile(documents({ last_verified: '2025-11-02' }))],
    ['seconds', profile(documents({ last_verified: observedStart }))],
    ['seconds in a string', profile(documents({ last_verified: String(observedStart) }))],
    ['milliseconds', profile(documents({ last_verified: observedStart * 1000 }))],
    ['milliseconds of the year 1973', profile(documents({ last_verified: 1e11 + 1 }))],
    ['a minute ahead', profile(documents({ last_verified: observedStart + 60 }))],
    [
      'a minute and a second ahead',
      profile(documents({ last_verified: observedStart + 61 })),
      { path: `${first}.last_verified`, actual: observedStart + 61 },
    ],
    [
      'seconds of the year 5138',
      profile(documents({ last_verified: 1e11 })),
      { path: `${first}.last_verified`, actual: 1e11 },
    ],
    ['no day', profile(documents({ last_verified: '2025-13-02' })), { actual: '2025-13-02' }],
  ],
  'verification-beside-attributes': [
    ['beside them', profile(documents({}))],
    [
      'inside one',
      buildResponse({
        body: { name: { verification: {} }, verification: {} },
        received: { name: { verification: {} } },
      }),
      { aspect: 'place', actual: ['body.name.verification'] },
    ],
  ],
  'verified-claims-are-in-the-answer': [
    ['another name', profile(documents({ verified_claims: 'name,address' })), { aspect: 'told', actual: ['address'] }],
    ['names', profile(documents({ verified_claims: 'name,is_adult18' }))],
    ['with blanks, in the other spelling', profile(documents({ verified_claims: 'name, is_adult_18' }))],
    ['a list', profile(documents({ verified_claims: ['name'] })), { actual: ['name'] }],
    ['a comma too many', profile(documents({ verified_claims: 'name,' })), { actual: 'name,' }],
  ],
};

testChecks(table);

test('an age cannot be judged by a birthdate that is no date', () => {
  for (const day of ['2025-02-30', '02/30/2025', '0000-11-12', 'in 1982']) {
    const unread = profile(born(day, { is_over13: true }));
    expect(() => checkMessage('age-flags-follow-birthdate', unread), day).toThrow(MissingValue);
  }
});

test('rate limits that were met are kept with their Retry-After', () => {
  const limited = { status: 429, message: 'a-case#x2' };
  const { judged, mismatches } = checkRun('rate-limits-not-met', [
    { seenIn: 'a-case', response: buildResponse() },
    { seenIn: 'a-case', callback: buildTokens() },
    { seenIn: 'a-case', response: buildResponse({ ...limited, headers: { 'retry-after': '30' } }) },
    { seenIn: 'b-case', response: buildResponse({ ...limited, headers: {} }) },
  ]);
  const shared = { message: 'a-case#x2', expected: 'no response 429' };
  expect([judged, ...mismatches]).toEqual([
    3,
    { ...shared, seenIn: 'a-case', actual: { status: 429, 'retry-after': '30' } },
    { ...shared, seenIn: 'b-case', actual: { status: 429, 'retry-after': null } },
  ]);
});
