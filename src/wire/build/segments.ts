const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Sets a bit that decoders throw away (RFC 4648 §3.5), in a segment whose bytes do not fill groups of three. */
export function setTailBit(segment: string): string {
  return `${segment.slice(0, -1)}${alphabet[alphabet.indexOf(segment.slice(-1)) | 1] ?? ''}`;
}

/** The padding that RFC 7515 §2 leaves out. */
export function padSegment(segment: string): string {
  return segment.padEnd(Math.ceil((segment.length + 1) / 4) * 4, '=');
}
