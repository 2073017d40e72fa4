/** Characters of an encoding that say enough of a secret to look for them. */
const shortest = 8;

/** Base64 of a text that stands so many bytes into what was encoded, without the characters that its neighbours share. */
function base64At(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(first, last);
}

const toBase64 = (encoded: string): string => encoded.replaceAll('-', '+').replaceAll('_', '/');

function percentOf(text: string): readonly string[] {
  const upper = encodeURIComponent(text.toWellFormed());
  const lower = upper.replaceAll(/%[\dA-F]{2}/g, (escaped) => escaped.toLowerCase());
  return [upper, lower, upper.replaceAll('%20', '+'), lower.replaceAll('%20', '+')];
}

/** How a secret may come back: in base64 and base64url, wherever it stands in what was encoded, and percent-encoded. */
export function encodingsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const all = [...base64, ...base64.map(toBase64), ...percentOf(secret)];
  return new Set(all.filter((one) => one.length >= shortest && one !== secret));
}
