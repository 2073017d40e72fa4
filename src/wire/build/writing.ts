import { gzippedBomb } from './bomb.ts';

/** A request as it goes on the wire: header lines as they are, two of a name among them. */
export interface Written {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The body never ends: only its first bytes go out, so many at once, and then one every so many milliseconds, or none. */
  readonly heldBack?: { readonly after: number; readonly every?: number };
}

interface Plain {
  readonly host: string;
  readonly headers: Written['headers'];
  readonly body: Buffer;
}

const framed = ({ host, headers, body }: Plain, more: Written['headers']): Written => ({
  headers: [['Host', host], ...headers, ...more],
  body,
});

const length = ({ body }: Plain): readonly [string, string] => ['Content-Length', String(body.length)];

const half = ({ body }: Plain): number => Math.floor(body.length / 2);

/** Ways to write a request that an HTTP client would refuse to send (RFC 9112 §3.2 and §6). */
const writings: Readonly<Record<string, (plain: Plain) => Written>> = {
  'host-twice': (plain) => framed(plain, [['Host', 'unregistered.example'], length(plain)]),
  'length-twice': (plain) => framed(plain, [length(plain), ['Content-Length', '1']]),
  'length-list': (plain) => framed(plain, [['Content-Length', `${plain.body.length}, 1`]]),
  'length-negative': (plain) => framed(plain, [['Content-Length', `-${plain.body.length}`]]),
  'length-and-chunks': (plain) => framed(plain, [length(plain), ['Transfer-Encoding', 'chunked']]),
  'coding-unknown': (plain) => framed(plain, [['Transfer-Encoding', 'chunked, unregistered']]),
  'in-chunks': (plain) => framed(plain, [['Transfer-Encoding', 'chunked']]),
  'gzip-bomb': ({ body, ...plain }) => {
    const packed = { ...plain, body: gzippedBomb(body, 16) };
    return framed(packed, [['Content-Encoding', 'gzip'], length(packed)]);
  },
  'body-stalled': (plain) => ({ ...framed(plain, [length(plain)]), heldBack: { after: half(plain) } }),
  'body-trickled': (plain) => ({ ...framed(plain, [length(plain)]), heldBack: { after: half(plain), every: 100 } }),
};

/** The names that `writing:` takes in a suite. */
export const writingNames: readonly string[] = Object.keys(writings);

/** A request in one of these ways. Throws TypeError for an unknown name. */
export function write(name: string, plain: Plain): Written {
  const way = Object.hasOwn(writings, name) ? writings[name] : undefined;
  if (way === undefined) throw new TypeError(`unknown writing ${name}`);
  return way(plain);
}
