/** What can be wrong with a certificate, or with a result beside it. */
export const flawCodes = [
  'empty',
  'too-large',
  'white-space',
  'json-serialisation',
  'parts',
  'padding',
  'alphabet',
  'trailing-bits',
  'header-form',
  'header-member',
  'typ',
  'alg-none',
  'alg-symmetric',
  'alg-unknown',
  'alg-of-key',
  'kid',
  'signature-length',
  'signature-form',
  'signature',
  'payload-form',
  'payload-version',
  'payload-shape',
  'payload-contradiction',
  'payload-future',
  'result-unreadable',
  'result-cut',
  'result-run',
  'result-interface',
  'result-suites',
  'result-target',
  'result-clock',
  'result-outcome',
  'result-verdict',
  'result-rules',
  'result-cases',
  'result-recorded',
  'result-bytes',
  'result-claims',
] as const;

export type FlawCode = (typeof flawCodes)[number];

/** One reason why a certificate is not valid, or not of a result. The message is English for the operator; it repeats what was read, so it is hostile. */
export interface Flaw {
  readonly code: FlawCode;
  readonly message: string;
}

export const isFlaw = (value: object): value is Flaw => 'code' in value && 'message' in value;
