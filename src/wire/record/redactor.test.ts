import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { createRecorder, redactHeaders } from './recorder.ts';
import { redactionMark } from './redaction-marks.ts';
import { createRedactor } from './redactor.ts';
import { createRunSecrets } from './run-secrets.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';

/** `[what sha256:0123456789ab, 12 characters, header alg RS256]`. */
const mark = /\[[a-z_]+ sha256:[0-9a-f]{12}, [\d,]+ characters?(?:, header [^[\]]+)?\]/g;
const jws = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl-_x';
/** The mark of a JWS or JWE. */
const joseMark = (jose: string, header: string): string =>
  redactionMark('jose', jose).replace(/\]$/, `, header ${header}]`);
const learned = (...secrets: readonly string[]) => {
  const redactor = createRedactor(testedInterface.secretMembers);
  for (const secret of secrets) redactor.learn('token', secret);
  return redactor;
};

describe('a redactor', () => {
  test('marks say which secret, by its digest, how long it is, and nothing more', () => {
    expect(redactionMark('token', 'secret-1')).toBe('[token sha256:f7e7c36e458e, 8 characters]');
    expect(redactionMark('code', 'secret-2')).toBe('[code sha256:f4b6bb654812, 8 characters]');
    expect(redactionMark('code', 'x'.repeat(1024))).toMatch(/^\[code sha256:[0-9a-f]{12}, 1,024 characters\]$/);
  });

  test('what was learned is gone wherever it stands', () => {
    const { text, json } = learned('hush-hush');
    const gone = redactionMark('token', 'hush-hush');
    expect(text('a hush-hush b hush-hush')).toBe(`a ${gone} b ${gone}`);
    expect(json({ 'hush-hush': ['x', { deep: 'is hush-hush' }], n: 1, b: null })).toEqual({
      [gone]: ['x', { deep: `is ${gone}` }],
      n: 1,
      b: null,
    });
  });

  test('a compact JWS or JWE need not be learned', () => {
    const { text } = createRedactor(testedInterface.secretMembers);
    expect(text(`{"request":"${jws}"}`)).toBe(`{"request":"${joseMark(jws, 'alg RS256')}"}`);
    const jwe = 'eyJhbGciOiJSU0EifQ.AAAA.BBBB.CCCC.DDDD';
    expect(text(`x ${jwe}, ${jws}`)).toBe(`x ${joseMark(jwe, 'alg RSA')}, ${joseMark(jws, 'alg RS256')}`);
    expect(text('eyJ is how a header begins')).toBe('eyJ is how a header begins');
  });

  test.each([
    'access_token',
    'refresh_token',
    'id_token',
    'code',
    'client_notification_token',
    'client_assertion',
    'client_secret',
  ])('learns the member %s of a body', (name) => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers({ [name]: 'hush-hush-hush', state: 'st-00000001' });
    expect(redactor.text('hush-hush-hush st-00000001')).toBe(`${redactionMark(name, 'hush-hush-hush')} st-00000001`);
  });

  test('learns the credentials inside an inner object', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers({ result: [{ access_token: 'hush-hush-hush' }] });
    expect(redactor.text('hush-hush-hush')).not.toContain('hush-hush-hush');
  });

  test.each<[string, unknown]>([
    ['no object', 'text'],
    ['a list', ['access_token']],
    ['null', null],
  ])('learns nothing from %s', (_, body) => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers(body);
    expect(redactor.text('access_token 12345678 text')).toBe('access_token 12345678 text');
  });

  test('innocent text stays', () => {
    const { text } = learned('hush-hush', 'short');
    expect(text('nothing to hide, in short: hush')).toBe('nothing to hide, in short: hush');
  });

  test('a secret that begins like another leaves nothing of it', () => {
    const { text } = learned('prefix-1', 'prefix-1-and-the-rest');
    expect(text('prefix-1-and-the-rest')).toBe(redactionMark('token', 'prefix-1-and-the-rest'));
  });
});

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

describe('any secret, anywhere', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9._~+/=-]{8,40}$/);
  const around = fc.string({ maxLength: 20 });

  test('tokens, bearers and JWSs leave no trace in any field, and equal ones have equal marks', () => {
    // Secrets that share beginnings: a token and a longer one.
    const family = fc
      .tuple(secret, secret, fc.boolean())
      .map(([a, b, related]) => (related ? [a, `${a}${b}`, b] : [a, b]));
    const property = fc.property(family, around, around, (secrets, before, after) => {
      fc.pre(secrets.every((one) => !before.includes(one) && !after.includes(one)));
      fc.pre(secrets.every((one) => !'access_token client_notification_token sha256 credential'.includes(one)));
      const redactor = createRedactor(testedInterface.secretMembers);
      for (const one of secrets) redactor.learnMembers({ access_token: one });
      const value: Json = { [secrets.join('|')]: [secrets.map((one) => `${before} ${one} ${after}`)] };
      const headers = [
        ['Authorization', `bearer ${secrets[0]}`],
        ['X-Trace', secrets.join(' ')],
      ] as const;
      const message = createRecorder().message({ headers, body: JSON.stringify(value) }, { id: 'a#x1', redactor });
      const kept = JSON.stringify([message, redactor.json(value), redactor.text(secrets.join())]);
      for (const one of secrets) expect(kept).not.toContain(one);
      for (const one of secrets)
        expect(kept).toContain(`[access_token sha256:${digest(one)}, ${one.length} characters]`);
      expect(message.headers[0]?.[1]).toBe(`bearer ${redactionMark('token', secrets[0] ?? '')}`);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('a JWS of ours or theirs, in any text', () => {
    const segment = fc.stringMatching(/^[\w-]{1,40}$/);
    const property = fc.property(
      segment,
      segment,
      segment,
      fc.constantFrom('"', ' ', ',', '&', '\n'),
      (a, b, c, end) => {
        const token = `eyJhbGciOiJFUzI1NiJ9.${a}.${b}.${c}`;
        const out = createRedactor(testedInterface.secretMembers).text(`{"request":"${token}${end}`);
        expect(out).toBe(`{"request":"${joseMark(token, 'alg ES256')}${end}`);
        expect(out.match(mark)).toHaveLength(1);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});

describe('what else is a secret', () => {
  const withBody = (body: Json): string => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers(body);
    return redactor.text(JSON.stringify(body));
  };

  test('the private members of a published key, those of its further primes among them', () => {
    const member = (name: string): string => `${name}-hush-hush`;
    const names = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
    const hidden = Object.fromEntries(names.map((name) => [name, member(name)]));
    const kept = withBody({
      keys: [{ kty: 'RSA', n: 'modulus-modulus', ...hidden, oth: [{ r: 'r-hush-hush', d: 'd2-hush-hush' }] }],
    });
    for (const secret of [...names.map(member), 'd2-hush-hush']) expect(kept).not.toContain(secret);
    expect(kept).toContain('modulus-modulus');
  });

  test('a d that is no key', () => expect(withBody({ d: 'not a secret at all' })).toContain('not a secret at all'));

  test.each([
    ['https://user:hush-hush@host.test/path', 'https://user:', '@host.test/path'],
    ['{"uri":"https:\\/\\/user:hush-hush@host.test"}', 'https:\\/\\/user:', '@host.test"'],
    ['https:/user:hush-hush@host.test', 'https:/user:', '@host.test'],
  ])('the password of a URL: %s', (given, before, after) => {
    const kept = createRedactor().text(given);
    expect(kept).toContain(`${before}${redactionMark('password', 'hush-hush')}${after}`);
  });

  test('a credential that was learned, in base64, base64url and percent escapes', () => {
    const { text } = learned('hush hush/hush');
    const bytes = Buffer.from('user:hush hush/hush');
    const kept = text(
      [bytes.toString('base64'), bytes.toString('base64url'), encodeURIComponent('hush hush/hush')].join('\n'),
    );
    expect(kept.match(mark)).toEqual(Array(3).fill(redactionMark('token', 'hush hush/hush')));
    expect(Buffer.from(kept.split('\n')[0]?.split('[')[0] ?? '', 'base64').toString()).not.toContain('hush');
  });

  test('what was learned by its form, in base64 at any offset, from a text full of such', () => {
    const jws = (at: number): string => `eyJhbGciOiJFUzI1NiJ9.eyJhdCI6${at}.c2lnbmF0dXJl${at}`;
    const { learnForms, text } = createRedactor();
    const all = Array.from({ length: 6000 }, (_, at) => jws(at));
    learnForms(all.join(' '));
    for (const before of ['', 'a', 'bc']) {
      const kept = text(Buffer.from(`${before}${jws(0)}, and more`).toString('base64'));
      expect(kept).toContain(redactionMark('jose', jws(0)));
      expect(Buffer.from(kept.replace(/\[.*\]/, ''), 'base64').toString()).not.toContain('eyJ');
    }
    expect(text(btoa(jws(7)))).toContain(redactionMark('jose', jws(7)));
    expect(text(btoa(jws(8)))).not.toContain(redactionMark('jose', jws(8)));
    // The index is not full: a text without secrets is not withheld.
    expect(text('an innocent text')).toBe('an innocent text');
    expect(text('eyJhbGciOiJFUzI1NiJ9')).toBe('eyJhbGciOiJFUzI1NiJ9');
  });

  test('more passwords or tokens in one text than digests are made of: they are gone all the same', () => {
    const tokens = createRedactor().text(`${jws} `.repeat(300));
    expect(tokens).not.toContain('eyJ');
    expect(tokens.match(/\[jose, [\d,]+ characters\]/g)).toHaveLength(100);
    const kept = createRedactor().text('https://user:hush-hush@host.test '.repeat(300));
    expect(kept).not.toContain('hush');
    expect(kept.match(mark)).toHaveLength(200);
    expect(kept.match(/\[password, 9 characters\]/g)).toHaveLength(100);
  });

  const gone = redactionMark('token', 'hush-hush');

  test.each([
    ['in a literal', '"\\u0068ush-hush"', `"${gone}"`],
    ['of what needs none', '"hush\\-hush"', `"${gone}"`],
    ['beside it', '"\\n\\u00e9hush-hush\\/"', `"\\n\\u00e9${gone}\\/"`],
    ['behind a stray quote', '5" {"t":"\\u0068ush-hush"}', `5" {"t":"${gone}"}`],
    ['never closed', '"\\u0068ush-hush', `"${gone}`],
    ['outside of quotes', 'a \\u0068ush-hush b', `a ${gone} b`],
    ['of a URL, each character', '%68%75%73%68%2D%68%75%73%68', gone],
    ['of JSON in JSON', '{"a":"{\\"b\\":\\"\\\\u0068ush-hush\\"}"}', `{"a":"{\\"b\\":\\"${gone}\\"}"}`],
    ['of a URL in JSON', '"%5Cu0068ush-hush"', `"${gone}"`],
    ['that is cut', '"\\u00"', '"\\u00"'],
    ['that is cut', '"\\', '"\\'],
    ['that is none', '100%, 5%z \\uzzzz', '100%, 5%z \\uzzzz'],
  ])('escapes %s: %s', (_, given, expected) => {
    expect(learned('hush-hush').text(given)).toBe(expected);
    expect(learned('hush-hush').json([given])).toEqual([expected]);
  });

  const token = 'opaque-Zk3vQ9xT1mW8';

  test.each([
    ['a byte order mark before it', `\u{FEFF}{"access_token":"${token}"}`],
    ['a form', `token_type=bearer&access_token=${token}&expires_in=3600`],
    ['a trailing comma', `{"access_token": "${token}",}`],
    ['a name that is there twice', `{"access_token":"${token}","access_token":"another-Zk3vQ9xT1mW8"}`],
    ['JSON in a text', JSON.stringify(JSON.stringify({ access_token: token }))],
    ['a line of a log', `granted access_token = '${token}' to a client`],
  ])('a credential by its name: %s', (_, given) => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnText(given);
    expect(redactor.text(given)).not.toContain('Zk3vQ9xT1mW8');
    expect(redactor.text(given)).toContain('access_token');
  });

  test('a credential that is a number', () => expect(withBody({ access_token: 12_345_678 })).not.toContain('12345678'));

  test.each([{ access_token: [token] }, { access_token: [[token]] }, { kty: 1, d: token }, [{ a: { code: token } }]])(
    'a credential that is written oddly: %j',
    (body) => expect(withBody(body)).not.toContain(token),
  );

  test('names of credentials in names and sentences teach nothing', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    const given = 'the response_type=code, grant_type=authorization_code: no such code, my_code=open-sesame';
    redactor.learnText(given);
    expect(redactor.text(given)).toBe(given);
  });

  test('what other cases have learned, and what the target file has', () => {
    const run = createRunSecrets();
    const [first, second] = [
      createRedactor(testedInterface.secretMembers, run),
      createRedactor(testedInterface.secretMembers, run),
    ];
    run.keep('client_secret', 'the secret of a client');
    first.learn('token', token);
    first.learnMembers({ code: 'invalid_request_object' });
    expect(second.text(`${token} invalid_request_object`)).toBe(
      `${redactionMark('token', token)} invalid_request_object`,
    );
    for (const given of ['the secret of a client', btoa('the secret of a client'), 'the%20secret%20of%20a%20client'])
      expect(second.text(given)).toContain(redactionMark('client_secret', 'the secret of a client'));
  });

  test('of the tokens of other cases those of the latest', () => {
    const run = createRunSecrets();
    for (let at = 0; at < 4100; at += 1) run.share(`opaque-token-of-case-${at}`, '[token]');
    const { text } = createRedactor(testedInterface.secretMembers, run);
    for (const known of [4099, 100]) expect(text(`opaque-token-of-case-${known}`)).not.toContain('opaque');
    expect(text('opaque-token-of-case-0, opaque-token-of-case-99.')).toBe(
      'opaque-token-of-case-0, opaque-token-of-case-99.',
    );
  });

  test.each([
    ['15 characters, which may be a word', 'opaque-token-01', 'opaque-token-01'],
    ['16 characters', 'opaque-token-001', '[token]'],
  ])('of other cases tokens of %s', (_, shared, kept) => {
    const run = createRunSecrets();
    run.share(shared, '[token]');
    expect(createRedactor(testedInterface.secretMembers, run).text(shared)).toBe(kept);
  });

  test.each([
    [3, false],
    [4, true],
  ])('a secret behind %i levels of escapes stays: %s', (levels, stays) => {
    let given = String.raw`"\u0068ush-hush"`;
    for (let level = 1; level < levels; level += 1) given = JSON.stringify(given);
    expect(learned('hush-hush').text(given).includes('ush-hush')).toBe(stays);
  });

  test('secrets that are made so that looking for them takes long, and a text of many small texts', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers(Array.from({ length: 1100 }, (_, at) => ({ code: `aaaaaaaa${at}` })));
    const kept = redactor.text('"aaaa\\u0061aaaa"'.repeat(12_000));
    expect(kept).toMatch(/^\[withheld sha256:/);
    expect(redactor.json(Array(12_000).fill('aaaaaaaaaa'))).toContain('[withheld, 10 characters]');
  });

  test('everything that could be one, once a carrier named more than can be looked for', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers(Array.from({ length: 20_000 }, (_, at) => ({ access_token: `hush-hush-${at}` })));
    expect(redactor.text('hush-hush-19999')).toBe(redactionMark('withheld', 'hush-hush-19999'));
    expect(redactor.json({ error: 'denied', access_token: 'hush-hush-19999' })).not.toContain('hush');
  });
});

describe('what is public', () => {
  const clientId = 'ccid-conftestclient01';
  const stated = [clientId, 'https://sp.test/si/notify', 'access_denied'];
  const open = () => createRedactor(testedInterface.secretMembers, createRunSecrets(stated));

  test.each([
    ['the client_id, as a proof', clientId],
    ['a part of it', 'conftestclient'],
    ['a URI', 'https://sp.test/si/notify'],
    ['a word of the interface', 'access_denied'],
  ])('is never hidden, whoever sends it in whatever role: %s', (_, given) => {
    const redactor = open();
    redactor.learn('proof', given);
    redactor.learnMembers({ code: given });
    redactor.learnText(`code=${given}`);
    const other = open();
    expect(redactor.text(`aud ${clientId}, ${given}`)).toBe(`aud ${clientId}, ${given}`);
    expect(redactHeaders([['X-Authorization', given]], redactor)).toEqual([['X-Authorization', given]]);
    expect(other.text(given)).toBe(given);
  });

  test('at the end of a text, though a secret begins with it', () => {
    const redactor = open();
    redactor.learn('proof', `${clientId}:hush-hush`);
    expect(redactor.json({ aud: clientId })).toEqual({ aud: clientId });
    expect(redactor.text(`${clientId}:hu`)).not.toContain(':hu');
    expect(redactor.text(`${clientId}:hush-hush`)).not.toContain('hush');
  });

  test('but not a secret of the target file that is a part of it, or is stated beside', () => {
    const run = createRunSecrets([...stated, 'a secret of a client']);
    run.keep('client secret', 'a secret of a client');
    const redactor = createRedactor(testedInterface.secretMembers, run);
    redactor.keep('ADMIN_TOKEN', 'conftestclient');
    expect(redactor.text('a secret of a client')).not.toContain('secret of');
    expect(redactor.text('sign in as conftestclient')).not.toContain('conftestclient');
    expect(redactHeaders([['X-Authorization', 'a secret of a client']], redactor)[0]?.[1]).toMatch(/^\[credential/);
  });
});

describe('the header of a JWS or JWE', () => {
  const joseOf = (header: string): string => `${Buffer.from(header).toString('base64url')}.AAAA.BBBB.CCCC.DDDD`;
  const textOf = (header: object, redactor = createRedactor(testedInterface.secretMembers)): string =>
    redactor.text(joseOf(JSON.stringify(header)));

  test('stands beside what hides the rest, wherever it was learned', () => {
    const jwe = joseOf('{"alg":"RSA-OAEP-256","enc":"A128GCM","zip":"DEF","kid":"key-1"}');
    const words = 'header alg RSA-OAEP-256, enc A128GCM, zip DEF, kid key-1]';
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers({ login_hint_token: jwe });
    expect(redactor.text(`"${jwe}"`)).toMatch(
      /^"\[login_hint_token sha256:[0-9a-f]{12}, [\d,]+ characters, header alg/,
    );
    expect(redactor.json({ hint: jwe })).toEqual({ hint: expect.stringContaining(words) as unknown });
    expect(redactHeaders([['Authorization', `Bearer ${jwe}`]], redactor)[0]?.[1]).toContain(words);
  });

  test('nothing of it can be taken for markup, or for the end of the mark', () => {
    const shown = textOf({
      alg: 'a"b\\c[d]e\n\u202e<f>',
      kid: 'k'.repeat(500),
      crit: ['b64'],
      jwk: { kty: 'EC' },
      b64: false,
    });
    expect(shown).toMatch(
      /, header alg a\?b\?c\?d\?e\?\?\?f\?, kid k{60}\.\.\., crit \(list\), jwk \(object\), b64 false\]$/,
    );
    expect(shown.match(mark)).toEqual([shown]);
    const many = textOf({
      alg: 'x',
      ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, 'v'.repeat(90)])),
    });
    expect(many.length).toBeLessThan(400);
    expect(many.match(mark)).toEqual([many]);
  });

  test('has 9 characters or more, and is shown up to 4096', () => {
    const { text } = createRedactor(testedInterface.secretMembers);
    expect([text('eyJ12345.e30.x'), text('eyJ123456.e30.x')]).toEqual([
      'eyJ12345.e30.x',
      expect.stringMatching(/^\[jose/),
    ]);
    const sized = (bytes: number) => textOf({ alg: 'x'.repeat(bytes - JSON.stringify({ alg: '' }).length) });
    expect([3072, 3073].map((bytes) => sized(bytes).includes(', header alg x'))).toEqual([true, false]);
  });

  test('shows its first 8 members', () => {
    const shown = textOf(Object.fromEntries(Array.from('abcefghij', (name) => [name, 1])));
    expect(shown).toContain(', header a 1, b 1, c 1, e 1, f 1, g 1, h 1, i 1]');
  });

  test('no secret is shown with it', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers({ access_token: 'hush-hush-hush' });
    const shown = textOf({ alg: 'x', kid: 'a hush-hush-hush', code: 'hush', d: 'hush', x: jws }, redactor);
    expect(shown).not.toMatch(/hush|eyJ/);
    expect(shown).toContain('header alg x, kid (redacted), (redacted), (redacted), x (redacted)]');
  });

  test.each([
    ['no JSON', joseOf('not JSON at all').replace(/^/, 'eyJ')],
    ['too long', joseOf(`{"alg":"${'x'.repeat(5000)}"}`)],
  ])('is left out where it is %s', (_, given) => {
    expect(createRedactor(testedInterface.secretMembers).text(given)).toMatch(
      /^\[jose sha256:[0-9a-f]{12}, [\d,]+ characters\]$/,
    );
  });
});
