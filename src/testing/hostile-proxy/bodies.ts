import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { logCommands } from '../program/ci-logs.ts';

/** Body of a response that replaces the carrier's. */
export interface Body {
  readonly bytes: Buffer;
  /** Header fields added to the carrier's; `content-type` replaces its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

const text = (value: string, headers?: Body['headers']): Body => ({
  bytes: Buffer.from(value),
  ...(headers === undefined ? {} : { headers }),
});

const coded = (bytes: Buffer, coding: string): Body => ({ bytes, headers: { 'content-encoding': coding } });

const json = (members: string): Body => text(`{${members}}`);

/** Bytes of a small body once it is decoded. */
const bombSize = 256 * 1024 * 1024;
const zeros = (): Buffer => Buffer.alloc(bombSize);

/** Creates a bomb once, when it is first sent. */
function once(make: () => Body): () => Body {
  let made: Body | undefined;
  return () => (made ??= make());
}

const kilobytes = (count: number, unit: string): string => unit.repeat(Math.ceil((count * 1024) / unit.length));

/** Commands for CI log readers at the beginning of the text, of its lines, and where a line is wrapped. */
const commands = Object.values(logCommands)
  .map((command) => `${command}\n${command}`)
  .join(' ');
const printable = commands.replaceAll(/[^ -~]/g, ' ');

/** Body of a response by name of the mode, made from the carrier's body. */
export const bodies: Readonly<Record<string, (carriers: Buffer) => Body>> = {
  'utf8-invalid': (given) => ({
    bytes: Buffer.concat([given.subarray(0, -1), Buffer.from(',"x":"\xff\xfe"}', 'latin1')]),
  }),
  'utf8-overlong': (given) => ({
    bytes: Buffer.concat([given.subarray(0, -1), Buffer.from(',"x":"\xc0\xaf"}', 'latin1')]),
  }),
  'utf8-surrogate': (given) => ({
    bytes: Buffer.concat([given.subarray(0, -1), Buffer.from(',"x":"\xed\xa0\x80"}', 'latin1')]),
  }),
  'utf8-cut': (given) => ({ bytes: Buffer.concat([given, Buffer.from([0xe2, 0x82])]) }),
  'lone-surrogates': () => json(String.raw`"error":"\ud800","error_description":"\udc00x\ud83d","\udfff":1`),
  'byte-order-mark': (given) => ({ bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), given]) }),
  'utf-16': (given) => ({ bytes: Buffer.from(given.toString('utf8'), 'utf16le') }),
  'utf-32': (given) => ({ bytes: Buffer.from([...given].flatMap((byte) => [byte, 0, 0, 0])) }),
  'nul-bytes': () => ({ bytes: Buffer.alloc(1000) }),
  'nul-in-text': () => json(String.raw`"error":"a\u0000b","error_description":"\u0000"`),
  'control-characters': () =>
    json(String.raw`"error":"\u001b]0;x\u0007\u001b[2J","error_description":"\u009b31m\u202e\u2066"`),
  'raw-control-characters': () => text('{"error":"\u{1B}[2J\u{7}","error_description":"\r\n\r\nHTTP/1.1 200 OK"}'),
  markup: () => json(String.raw`"error":"<script>alert(1)<\/script>","error_description":"]]>&y;{{ env.HOME }}\u0060"`),
  'workflow-command': () => json(String.raw`"error":"x\n::error::owned","error_description":"%0A::stop-commands::x"`),
  'log-commands': () =>
    text(JSON.stringify({ error: commands, error_description: commands, error_uri: commands, [commands]: commands }), {
      'x-note': printable,
      location: printable,
    }),
  empty: () => text(''),
  blank: () => text(' \r\n\t '),
  'not-json': () => text('<html><body>502 Bad Gateway</body></html>'),
  html: () => text('<html></html>', { 'content-type': 'text/html' }),
  xml: () =>
    text('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]><x>&y;</x>', { 'content-type': 'application/xml' }),
  'json-null': () => text('null'),
  'json-number': () => text('1e999'),
  'json-string': () => text('"x"'),
  'json-list': () => text('[]'),
  'json-cut': (given) => ({ bytes: given.subarray(0, given.length / 2) }),
  'json-twice': (given) => ({ bytes: Buffer.concat([given, given]) }),
  'json-trailing-comma': () => text('{"error":"x",}'),
  'json-comment': () => text('{"error":"x"}//'),
  'json-single-quotes': () => text("{'error':'x'}"),
  'json-nan': () => text('{"error":NaN}'),
  'json-deep-lists': () => text('['.repeat(100_000)),
  'json-deep-objects': () => text('{"a":'.repeat(30_000)),
  'json-closed-deep': () => text('['.repeat(50_000) + ']'.repeat(50_000)),
  'members-doubled': () => json('"auth_req_id":"a","auth_req_id":"b","error":"c","error":"d"'),
  'member-proto': () => json('"__proto__":{"error":"x","auth_req_id":"y"},"constructor":{"prototype":1}'),
  'members-many': () => json(Array.from({ length: 20_000 }, (_, at) => `"m${at}":${at}`).join(',')),
  'member-name-long': () => json(`"${kilobytes(200, 'n')}":1`),
  'number-huge': () => json(`"expires_in":${'9'.repeat(100_000)},"auth_req_id":"a"`),
  'number-exponent': () => json('"expires_in":1e400,"auth_req_id":"a"'),
  'types-wrong': () => json('"auth_req_id":{},"error":[],"access_token":1,"id_token":null,"token_type":true'),
  'types-nested': () => json('"auth_req_id":["a"],"error":{"code":"x"},"expires_in":"soon"'),
  'id-empty': () => json('"auth_req_id":"","expires_in":0'),
  'id-dots': () => json('"auth_req_id":"..","expires_in":300'),
  'id-path': () => json('"auth_req_id":"../../clock?x=#y","expires_in":300'),
  'id-long': () => json(`"auth_req_id":"${kilobytes(200, 'a')}","expires_in":300`),
  'id-hostile': () => json(String.raw`"auth_req_id":"\r\nX: y\u2028{{ env.PATH }}${'$'}{HOME}\u0000","expires_in":300`),
  'tokens-for-all': () =>
    json('"access_token":"AAAAAAAA.BBBBBBBB","token_type":"Bearer","id_token":"e30.e30.","expires_in":1'),
  'jose-starts': () => text(kilobytes(250, 'eyJ')),
  'jose-dots': () => text(kilobytes(250, 'eyJhbGci.')),
  'jose-many': () => json(`"x":"${kilobytes(200, 'eyJhbGciOiJub25lIn0.e30. ')}"`),
  backslashes: () => text(kilobytes(250, String.raw`\"`)),
  quotes: () => text(kilobytes(250, '"')),
  dashes: () => text(kilobytes(250, '-')),
  'dots-and-digits': () => text(kilobytes(250, '10.10.')),
  at: () => text(kilobytes(250, '//a:b@')),
  blanks: () => text(kilobytes(250, ' ')),
  'combining-marks': () => json(`"error":"e${kilobytes(200, '\u{301}')}"`),
  'wide-characters': () => json(`"error":"${kilobytes(200, '\u{1F600}')}"`),
  'long-text': () => json(`"error":"${kilobytes(250, 'x')}"`),
  'long-body': () => text(kilobytes(1024, 'x')),
  'longer-body': () => text(kilobytes(20 * 1024, 'x')),
  'own-request-back': () => text(kilobytes(16, 'client_assertion=')),
  'gzip-not': (given) => coded(given, 'gzip'),
  'gzip-cut': (given) => coded(gzipSync(given).subarray(0, -6), 'gzip'),
  'gzip-more': (given) => coded(Buffer.concat([gzipSync(given), Buffer.from('more')]), 'gzip'),
  'gzip-empty': () => coded(Buffer.alloc(0), 'gzip'),
  gzip: (given) => coded(gzipSync(given), 'gzip'),
  'gzip-bomb': once(() => coded(gzipSync(zeros()), 'gzip')),
  'gzip-bomb-twice': once(() => coded(gzipSync(gzipSync(zeros())), 'gzip, gzip')),
  'brotli-not': (given) => coded(given, 'br'),
  'brotli-bomb': once(() => coded(brotliCompressSync(zeros()), 'br')),
  'deflate-bomb': once(() => coded(deflateSync(zeros()), 'deflate')),
  'codings-many': (given) => coded(given, Array.from({ length: 1000 }, () => 'gzip').join(', ')),
  'coding-unknown': (given) => coded(given, 'zstd'),
  'coding-odd': (given) => coded(given, 'constructor'),
  'type-missing': (given) => ({ bytes: given, headers: { 'content-type': '' } }),
  'type-odd': (given) => ({ bytes: given, headers: { 'content-type': ';;;=,"' } }),
  'type-long': (given) => ({ bytes: given, headers: { 'content-type': `application/json;${kilobytes(8, 'a=b;')}` } }),
  'charset-utf-16': (given) => ({ bytes: given, headers: { 'content-type': 'application/json;charset=utf-16' } }),
};
