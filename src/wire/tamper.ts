type Tamper = (jws: string) => string;

const parts = (jws: string): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  return [header, payload, signature];
};

/** Another character of the base64url alphabet in the middle of a segment: one byte of what it encodes changes. */
const changeMiddle = (segment: string): string => {
  const middle = segment.length >> 1;
  return `${segment.slice(0, middle)}${segment[middle] === 'A' ? 'B' : 'A'}${segment.slice(middle + 1)}`;
};

/** Changes to a finished compact JWS, by the name `tamper:` takes in a suite. */
export const tampers: Readonly<Record<string, Tamper>> = {
  'payload-byte': (jws) => {
    const [header, payload, signature] = parts(jws);
    return `${header}.${changeMiddle(payload)}.${signature}`;
  },
  'signature-byte': (jws) => {
    const [header, payload, signature] = parts(jws);
    return `${header}.${payload}.${changeMiddle(signature)}`;
  },
  'no-signature': (jws) => `${parts(jws).slice(0, 2).join('.')}.`,
  'two-segments': (jws) => parts(jws).slice(0, 2).join('.'),
  'signature-truncated': (jws) => jws.slice(0, -16),
  twice: (jws) => `${jws}${jws}`,
  'twice-with-dot': (jws) => `${jws}.${jws}`,
};

export const tamperNames: ReadonlySet<string> = new Set(Object.keys(tampers));

export function tamperWith(jws: string, name: string): string {
  const tamper = tampers[name];
  if (tamper === undefined) throw new TypeError(`unknown tamper ${name}`);
  return tamper(jws);
}
