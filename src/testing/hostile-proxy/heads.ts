/** Status line and header fields of a response, as one text without the empty line at its end. */
interface Head {
  readonly status: number;
  /** Header lines of the carrier, without framing fields. */
  readonly lines: readonly string[];
  readonly length: number;
}

const plain = ({ status, lines, length }: Head, ...more: readonly string[]): string =>
  [`HTTP/1.1 ${status} x`, ...lines, `Content-Length: ${length}`, ...more].join('\r\n');

const framed = ({ status, lines }: Head, ...framing: readonly string[]): string =>
  [`HTTP/1.1 ${status} x`, ...lines, ...framing].join('\r\n');

const begun = (line: string, head: Head): string =>
  [line, ...head.lines, `Content-Length: ${head.length}`].join('\r\n');

const dated = (head: Head, date: string): string =>
  plain({ ...head, lines: head.lines.filter((line) => !/^date:/i.test(line)) }, `Date: ${date}`);

/** Status codes: impossible ones, possible ones, and interim ones. */
const statuses = [
  100, 101, 103, 199, 201, 203, 204, 205, 206, 226, 299, 300, 304, 305, 401, 402, 404, 405, 406, 407, 408, 409, 410,
  411, 412, 413, 414, 415, 417, 418, 421, 422, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 511,
  599, 600, 999,
] as const;

const redirects = [301, 302, 303, 307, 308] as const;

const places: Readonly<Record<string, string>> = {
  itself: '/bc-authorize',
  metadata: 'http://169.254.169.254/latest/meta-data/',
  file: 'file:///etc/passwd',
  script: 'javascript:alert(1)',
  long: `https://carrier.test/${'a'.repeat(8000)}`,
};

const statusModes = statuses.map((status) => [`status-${status}`, (head: Head) => plain({ ...head, status })] as const);

const redirectModes = redirects.flatMap((status) =>
  Object.entries(places).map(
    ([name, place]) =>
      [`redirect-${status}-${name}`, (head: Head) => plain({ ...head, status }, `Location: ${place}`)] as const,
  ),
);

/** Head of a response by name of the mode. */
export const heads: Readonly<Record<string, (head: Head) => string>> = {
  ...Object.fromEntries([...statusModes, ...redirectModes]),
  'status-line-garbage': (head) => begun('garbage', head),
  'status-line-empty': (head) => begun('', head),
  'status-line-no-version': (head) => begun('200 OK', head),
  'status-line-http-09': () => 'hello',
  'status-line-http-3': (head) => begun('HTTP/3.0 200 OK', head),
  'status-line-two-digits': (head) => begun('HTTP/1.1 20 OK', head),
  'status-line-four-digits': (head) => begun('HTTP/1.1 2000 OK', head),
  'status-line-negative': (head) => begun('HTTP/1.1 -200 OK', head),
  'status-line-words': (head) => begun('HTTP/1.1 OK', head),
  'reason-long': (head) => begun(`HTTP/1.1 200 ${'r'.repeat(60_000)}`, head),
  'reason-control': (head) => begun('HTTP/1.1 200 \u{1B}[2J', head),
  'http2-preface': () => 'PRI * HTTP/2.0\r\n\r\nSM',
  'headers-many': (head) => plain(head, ...Array.from({ length: 5000 }, (_, at) => `X-${at}: ${at}`)),
  'headers-some': (head) => plain(head, ...Array.from({ length: 500 }, (_, at) => `X-${at}: ${at}`)),
  'header-long': (head) => plain(head, `X-Long: ${'h'.repeat(200_000)}`),
  'header-longish': (head) => plain(head, `X-Long: ${'h'.repeat(14_000)}`),
  'header-jose': (head) => plain(head, `X-Long: ${'eyJ'.repeat(4500)}`),
  'header-no-colon': (head) => plain(head, 'garbage'),
  'header-blank-name': (head) => plain(head, ' : x'),
  'header-nul': (head) => plain(head, 'X-Nul: a\u{0}b'),
  'header-escape': (head) => plain(head, 'X-Escape: \u{1B}[2J\u{7}'),
  'header-latin1': (head) => plain(head, 'X-Latin: \u{FF}\u{E9}'),
  'header-folded': (head) => plain(head, 'X-Folded: a', ' b'),
  'header-bare-cr': (head) => plain(head, 'X-Bare: a\rX-Two: b'),
  'header-bare-lf': (head) => plain(head).replaceAll('\r\n', '\n'),
  'header-proto': (head) => plain(head, '__proto__: x', 'constructor: y'),
  'header-repeated': (head) => plain(head, ...Array.from({ length: 300 }, () => 'Set-Cookie: a=b')),
  'length-twice': (head) => framed(head, 'Content-Length: 5', `Content-Length: ${head.length}`),
  'length-negative': (head) => framed(head, 'Content-Length: -1'),
  'length-word': (head) => framed(head, 'Content-Length: many'),
  'length-huge': (head) => framed(head, 'Content-Length: 99999999999999999999'),
  'length-more': (head) => framed(head, `Content-Length: ${head.length + 10}`),
  'length-less': (head) => framed(head, `Content-Length: ${Math.max(0, head.length - 3)}`),
  'length-zero': (head) => framed(head, 'Content-Length: 0'),
  'length-missing': (head) => framed(head, 'Connection: close'),
  'length-and-chunked': (head) => plain(head, 'Transfer-Encoding: chunked'),
  'transfer-unknown': (head) => framed(head, 'Transfer-Encoding: zip'),
  'transfer-gzip': (head) => framed(head, 'Transfer-Encoding: gzip, chunked'),
  'keep-alive-odd': (head) => plain(head, 'Keep-Alive: timeout=-1, max=0', 'Connection: keep-alive, close'),
  upgrade: (head) => framed({ ...head, status: 101 }, 'Connection: upgrade', 'Upgrade: h2c'),
  'retry-never': (head) => plain({ ...head, status: 429 }, 'Retry-After: 99999999999'),
  'retry-long-ago': (head) => plain({ ...head, status: 503 }, 'Retry-After: Thu, 01 Jan 1970 00:00:00 GMT'),
  'retry-odd': (head) => plain({ ...head, status: 429 }, 'Retry-After: -1'),
  'date-1970': (head) => dated(head, 'Thu, 01 Jan 1970 00:00:00 GMT'),
  'date-9999': (head) => dated(head, 'Fri, 31 Dec 9999 23:59:59 GMT'),
  'date-3-minutes-ahead': (head) => dated(head, new Date(Date.now() + 180_000).toUTCString()),
  'date-3-minutes-behind': (head) => dated(head, new Date(Date.now() - 180_000).toUTCString()),
  'date-garbage': (head) => dated(head, 'yesterday'),
  'date-twice': (head) => plain(head, 'Date: Thu, 01 Jan 1970 00:00:00 GMT', 'Date: Fri, 31 Dec 9999 23:59:59 GMT'),
};
