/** Key type of an algorithm (RFC 7518 §3.1): RSA, or EC with a curve. */
export interface SigningAlgorithm {
  readonly type: 'rsa' | 'ec';
  /** The curve's names in Node and in a JWK. */
  readonly curve?: { readonly node: string; readonly jwk: string };
}

const rsaAlgorithm: SigningAlgorithm = { type: 'rsa' };
const ecAlgorithm = (jwk: string, node: string): SigningAlgorithm => ({ type: 'ec', curve: { node, jwk } });

export const signingAlgorithms = {
  RS256: rsaAlgorithm,
  RS384: rsaAlgorithm,
  RS512: rsaAlgorithm,
  PS256: rsaAlgorithm,
  PS384: rsaAlgorithm,
  PS512: rsaAlgorithm,
  ES256: ecAlgorithm('P-256', 'prime256v1'),
  ES384: ecAlgorithm('P-384', 'secp384r1'),
  ES512: ecAlgorithm('P-521', 'secp521r1'),
} as const satisfies Readonly<Record<string, SigningAlgorithm>>;

export type SigningAlg = keyof typeof signingAlgorithms;

export const signingAlgs = Object.keys(signingAlgorithms).filter(isSigningAlg);

export function isSigningAlg(alg: string): alg is SigningAlg {
  return Object.hasOwn(signingAlgorithms, alg);
}
