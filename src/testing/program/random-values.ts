/** Random values, times and ports, each with the word that replaces it. */
const randomPatterns: readonly (readonly [RegExp, string])[] = [
  [/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
  [/eyJ[\w-]+(?:\.[\w-]*)*/g, 'JWS'],
  [/sha256:[0-9a-f]{12,64}/g, 'DIGEST'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/ccid-[A-Za-z0-9]{16,}/g, 'CCID'],
  [/[0-9a-f]{16}/g, 'RANDOM'],
  [/Example-order-[A-Za-z]{12}/g, 'CONTEXT'],
  [/\b1\d{12}\b/g, 'MILLISECONDS'],
  [/\b1\d{9}\b/g, 'SECONDS'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/at_hash [\w-]{20,}/g, 'at_hash RANDOM'],
  [/[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*[A-Za-z][A-Za-z0-9_-]{14,}/g, 'RANDOM'],
  [/\b\d+(?:\.\d+)? m?s\b/g, 'DURATION'],
];

/** Text of a result without the values that differ between runs. */
export const hideRandom = (text: string): string =>
  randomPatterns.reduce((left, [pattern, word]) => left.replace(pattern, word), text);
