import { createHash, createSign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../../../lib/key-pair.ts';
import type { Json, JsonObject } from '../../../../lib/json.ts';
import { buildResponse, buildTokens, observedStart } from '../../../../testing/parts/observations.ts';
import type { RunMessage } from '../../../../judge/check.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { checkRun, runCheck } from '../../../../testing/parts/named-checks.ts';

const withId = (id: string) => buildResponse({ body: { auth_req_id: id } });
const eventOf = (set: JsonObject): EventObservation => ({
  kind: 'event',
  message: 'a-case#d1',
  receivedAt: observedStart,
  method: 'POST',
  target: '/events',
  headers: {},
  headerLines: [],
  text: '',
  client: 'second',
  set,
});

describe('ids of a run', () => {
  const ids = (make: (at: number) => string, count = 50) =>
    checkRun(
      'auth-req-ids-unpredictable',
      Array.from({ length: count }, (_, at) => ({ seenIn: 'a-case', response: withId(`ccid-${make(at)}`) })),
    );
  const random = (at: number): string => createHash('sha256').update(`id ${at}`).digest('hex').slice(0, 32);

  test('random ones', () => expect(ids(random)).toEqual({ mismatches: [], judged: 50 }));
  test('random ones behind the name of a node', () =>
    expect(ids((at) => `node7${random(at)}`)).toEqual({ mismatches: [], judged: 50 }));
  test('too few to say', () =>
    expect(ids((at) => String(at).padStart(32, '0'), 49)).toEqual({ mismatches: [], judged: 0 }));
  test.each([
    ['a counter', (at: number) => String(at).padStart(32, '0'), '2 vary'],
    ['a counter behind random digits', (at: number) => `${random(0)}${at + 10}`, '2 vary'],
  ])('%s', (_, make, actual) => expect(ids(make).mismatches.map((found) => found.actual)).toEqual([actual]));
  test.each([
    ['20 characters that vary', (at: number) => random(at).slice(0, 20), []],
    ['19 characters that vary', (at: number) => random(at).slice(0, 19), ['19 vary']],
    ['11 characters in common', (at: number) => (at === 1 ? `${random(0).slice(0, 11)}-${random(1)}` : random(at)), []],
    [
      '12 characters in common',
      (at: number) => (at === 1 ? `${random(0).slice(0, 12)}-${random(1)}` : random(at)),
      [expect.stringContaining(random(0).slice(0, 12))],
    ],
  ])('%s', (_, make, actual) => expect(ids(make).mismatches.map((found) => found.actual)).toEqual(actual));
  test('a time in front, and the same end', () => {
    const [byTime] = ids((at) => `${1_767_225_600_000 + (at >> 2) * 1_000_000_007}${random(at)}`).mismatches;
    expect(byTime?.expected).toBe('no two ids with 12 characters in common');
    const [byEnd] = ids((at) => `${random(at)}${random(at % 25)}`).mismatches;
    expect(byEnd?.actual).toContain(' and ');
  });
});

describe('keys of a run', () => {
  const fetched = (kids: readonly string[], at: number): RunMessage => ({
    seenIn: 'a-case',
    response: buildResponse({
      body: { keys: kids.map((kid) => ({ kty: 'EC', kid })) },
      receivedAt: observedStart + at,
    }),
  });
  test.each([
    ['the same', [fetched(['a'], 0), fetched(['a'], 10)], []],
    ['gone after more than half an hour', [fetched(['a'], 0), fetched(['b'], 1801)], []],
    ['gone within half an hour', [fetched(['a'], 0), fetched(['b'], 1800)], ['b']],
  ])('%s', (_, messages, actual) => {
    const { mismatches, judged } = checkRun('published-keys-kept', messages);
    expect([mismatches.map((found) => found.actual), judged]).toEqual([actual, 2]);
  });

  test('keys of two places are not compared', () => {
    const elsewhere = {
      ...fetched(['b'], 10),
      response: { ...buildResponse({ body: { keys: [{ kid: 'b' }] } }), url: 'x' },
    };
    expect(checkRun('published-keys-kept', [fetched(['a'], 0), elsewhere, fetched(['a'], 20)]).mismatches).toEqual([]);
  });

  const { publicKey, privateKey } = makeKeyPairSync({ modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'op1' };
  const inputOf = (header: JsonObject): string =>
    [header, { sub: 'x' }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signed = (header: JsonObject): string => {
    const input = inputOf(header);
    return `${input}.${createSign('sha256').update(input).sign(privateKey).toString('base64url')}`;
  };
  const issued = (jws: string): RunMessage => ({
    seenIn: 'a-case',
    callback: buildTokens({ body: { id_token: jws } }),
  });
  const publishing = (keys: readonly Json[], at: number): RunMessage => ({
    seenIn: 'a-case',
    response: buildResponse({ endpoint: 'jwks', body: { keys }, receivedAt: observedStart + at }),
  });
  const publishedAt = (at: number): RunMessage => publishing([jwk], at);
  const advertising = (algorithms: readonly string[]): RunMessage => ({
    seenIn: 'a-case',
    response: buildResponse({ body: { id_token_signing_alg_values_supported: algorithms } }),
  });
  const signedEc = (): { readonly jws: string; readonly jwk: Json } => {
    const pair = makeKeyPairSync({ namedCurve: 'P-256' });
    const input = inputOf({ alg: 'ES256', kid: 'ec' });
    const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = createSign('sha256').update(input).sign(key).toString('base64url');
    return { jws: `${input}.${signature}`, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid: 'ec' } as Json };
  };
  /** A key of 512 bits is too small for SHA-512. */
  const tiny = makeKeyPairSync({ modulusLength: 512 }).publicKey.export({ format: 'jwk' });
  const oversized = `${inputOf({ alg: 'RS512', kid: 'tiny' })}.AAAA`;
  const es256 = signedEc();
  const published = publishing([jwk, { ...tiny, kid: 'tiny' }, es256.jwk], 60);
  const valid = signed({ alg: 'RS256', kid: 'op1' });

  test.each([
    ['without kid', signed({ alg: 'RS256' }), []],
    ['alg none', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`, ['alg "none"']],
    ['signed with an algorithm that is not advertised', es256.jws, ['alg "ES256"']],
    ['no JWS', 'opaque', ['alg null']],
    ['signed with an algorithm for which the key is too small', oversized, ['alg RS512, kid "tiny", not verified']],
  ])('an id token that is %s', (_, jws, actual) => {
    const messages = [advertising(['PS384']), issued(jws), published];
    const { mismatches, judged } = checkRun('id-tokens-signed-by-published-key', messages);
    expect([mismatches.map((found) => found.actual), judged]).toEqual([actual, 1]);
  });
  test.each([
    ['between two readings of other keys, both far, is not judged', { before: -1801, after: 1801 }, 0],
    ['shortly after a reading of other keys is judged', { before: -1800, after: 9000 }, 1],
  ])('an id token of an unknown key %s', (_, { before, after }, count) => {
    const other = { ...jwk, kid: 'op2' };
    const token = buildTokens({ body: { id_token: signed({ alg: 'RS256', kid: 'op9' }) }, receivedAt: observedStart });
    const messages = [publishedAt(before), { seenIn: 'a-case', callback: token }, publishing([other], after)];
    const { mismatches, judged, unjudged } = checkRun('id-tokens-signed-by-published-key', messages);
    expect([mismatches.length, judged, unjudged]).toEqual([count, count, 1 - count]);
  });
  test('between two readings of the same keys, however far, it is judged', () => {
    const messages = [publishedAt(-90_000), issued(signed({ alg: 'RS256', kid: 'op9' })), publishedAt(90_000)];
    expect(checkRun('id-tokens-signed-by-published-key', messages).mismatches).toHaveLength(1);
  });
  test('a run that read no list of algorithms judges by the keys alone', () => {
    const messages = [issued(es256.jws), publishing([es256.jwk], 60)];
    expect(checkRun('id-tokens-signed-by-published-key', messages)).toEqual({ mismatches: [], judged: 1, unjudged: 0 });
    const listed = checkRun('id-tokens-signed-by-published-key', [...messages, advertising(['RS256'])]);
    expect(listed.mismatches.map((found) => found.actual)).toEqual(['alg "ES256"']);
    const others = publishing([jwk], 60);
    const unlisted = checkRun('id-tokens-signed-by-published-key', [issued(es256.jws), others]);
    expect(unlisted.mismatches.map((found) => found.actual)).toEqual(['alg ES256, kid "ec", not verified']);
  });
  const issuedAt = (at: number): RunMessage => ({
    seenIn: 'a-case',
    callback: buildTokens({ body: { id_token: valid }, receivedAt: observedStart + at }),
  });
  const other = { ...jwk, kid: 'op2' };
  const library = 'no applicable key found in the JSON Web Key Set:';
  const noKey = `${library} no key that was published then has kid "op1"`;
  const forEncryption = `${library} the key of its kid has use "enc"`;
  test.each<[string, readonly RunMessage[], readonly string[]]>([
    ['published when it came', [publishedAt(-10), issuedAt(0)], []],
    ['read at once', [publishing([], -10), issuedAt(0), publishedAt(0)], []],
    ['of a reading long ago, and not read at once', [publishing([other], -9000), issuedAt(0), publishedAt(3600)], []],
    [
      'not there when it was read at once',
      [publishing([other], -10), issuedAt(0), publishing([other], 1), publishedAt(120)],
      [noKey],
    ],
    ['published for encryption', [publishing([{ ...jwk, use: 'enc' }], -10), issuedAt(0)], [forEncryption]],
  ])('a library reads a token by a key that is %s', async (_, messages, actual) => {
    const state = runCheck('id-tokens-signed-by-published-key').begin();
    for (const message of messages) state.observe(message);
    await state.prepare?.();
    expect(state.conclude().mismatches.map((found) => found.actual)).toEqual(actual);
  });

  const unknown = signed({ alg: 'RS256', kid: 'op9' });
  test.each([
    ['without a key set', [issued(unknown)], { judged: 0, unjudged: 1 }],
    ['of an unknown key, after the last reading', [publishedAt(0), issued(unknown)], { judged: 0, unjudged: 1 }],
    ['of a known key, after the last reading', [publishedAt(0), issued(valid)], { judged: 1, unjudged: 0 }],
  ])('a token %s', (_, messages, counts) =>
    expect(checkRun('id-tokens-signed-by-published-key', messages)).toEqual({ mismatches: [], ...counts }),
  );
  test('what has no signature is judged without keys', () => {
    expect(checkRun('id-tokens-signed-by-published-key', [issued('opaque')])).toMatchObject({ judged: 1, unjudged: 0 });
  });
  test('the keys have to be read again where no key that was read verifies a token, once', () => {
    const check = runCheck('id-tokens-signed-by-published-key').begin();
    const lacksAfter = (message: RunMessage): string | undefined => {
      check.observe(message);
      return check.lacks?.();
    };
    const after = [issued(valid), publishedAt(0), issued(valid), issued(unknown), publishedAt(60), issued('opaque')];
    expect(after.map(lacksAfter)).toEqual(['jwks', undefined, undefined, 'jwks', undefined, undefined]);
  });
});

describe('subs of a run', () => {
  const told = (client: string, sub: string): RunMessage => ({
    seenIn: client,
    callback: buildTokens({ idToken: { sub }, sent: buildResponse({ client }) }),
  });
  const main = told('main', '001010-8f3a1c5e9b7d4e20a6c1');
  const another = told('main', '001010-5b62d90c1f7e84a35d02');

  test.each([
    ['another', '001010-303751e7c260002be3d5', []],
    ['nine characters in common', '001010-8f3a1c5e9xxxxxxxxxxx', []],
    ['the same', '001010-8f3a1c5e9b7d4e20a6c1', ['001010-8f3a1c5e9b7d4e20a6c1']],
    ['ten characters in common', '001010-xx8f3a1c5e9bxx', ['001010-xx8f3a1c5e9bxx']],
  ])('%s', (_, sub, actual) => {
    const { mismatches, judged } = checkRun('subs-not-correlated', [main, another, told('second', sub)]);
    expect([mismatches.map((found) => found.actual), judged]).toEqual([actual, 2]);
  });
  test('a client of the same sector may have the same', () => {
    expect(checkRun('subs-not-correlated', [main, told('privileged', '001010-8f3a1c5e9b7d4e20a6c1')])).toEqual({
      mismatches: [],
      judged: 0,
    });
  });
  test('what another person’s sub has too is the form of subs', () => {
    const [one, other, third] = ['001010-subscriber-8f3a', '001010-subscriber-3037', '001010-subscriber-c59e'];
    const known = [told('main', one), told('second', other)];
    expect(checkRun('subs-not-correlated', [...known, told('second', third)]).mismatches).toEqual([]);
    expect(checkRun('subs-not-correlated', [...known, another]).mismatches).toHaveLength(1);
    expect(
      checkRun('subs-not-correlated', [told('main', one), told('second', one), told('second', third)]).mismatches,
    ).toHaveLength(1);
  });
  test.each([
    ['5 characters of an end', 'abcde', 1],
    ['6 characters of an end', 'abcdef', 0],
  ])('a run in which another person’s sub has %s', (_, form, count) => {
    const subs = [told('main', '001010-12abcdefghij34'), told('second', '001010-56abcdefghij78')];
    const found = checkRun('subs-not-correlated', [...subs, told('second', `001010-${form}90-zzzz`)]).mismatches;
    expect(found).toHaveLength(count);
  });
  test('of two subs alone nobody knows the form: they must differ', () => {
    const alike = told('second', '001010-xx8f3a1c5e9bxx');
    expect(checkRun('subs-not-correlated', [main, alike]).mismatches).toEqual([]);
    expect(
      checkRun('subs-not-correlated', [main, told('second', '001010-8f3a1c5e9b7d4e20a6c1')]).mismatches,
    ).toHaveLength(1);
  });
  test('an event token counts as well', () => {
    const event = eventOf({ sub: '001010-8f3a1c5e9b7d4e20a6c1' });
    expect(checkRun('subs-not-correlated', [main, { seenIn: 'b', event }]).mismatches).toHaveLength(1);
  });
});
