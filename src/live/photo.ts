import { createHash } from 'node:crypto';

/** Bytes of a photo at most. */
export const largestPhoto = 16 * 1024 * 1024;

/** How files of each type begin, in hexadecimal digits. What a browser says of the type counts for nothing. */
const beginnings = [
  { ending: 'jpg', type: 'image/jpeg', begins: /^ffd8ff/ },
  { ending: 'png', type: 'image/png', begins: /^89504e470d0a1a0a/ },
  { ending: 'webp', type: 'image/webp', begins: /^52494646.{8}57454250/ },
] as const;

/** What a page may send as a photo. */
export const photoTypes: readonly string[] = beginnings.map(({ type }) => type);

/** A photo that was taken as evidence: the name that it is kept under, and what is recorded of it. */
export interface Photo {
  readonly name: string;
  /** `sha256:...` */
  readonly sha256: string;
}

/** Name and digest of a photo; undefined where the bytes are no image that is taken. */
export function recognizePhoto(bytes: Buffer): Photo | undefined {
  const beginning = bytes.subarray(0, 12).toString('hex');
  const found = beginnings.find(({ begins }) => begins.test(beginning));
  if (found === undefined) return undefined;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: `photo-${sha256.slice(0, 16)}.${found.ending}`, sha256: `sha256:${sha256}` };
}
