import type { Fault } from './define.ts';

/** With what a fault is none, or cannot show: shared by faults of several files. */
type Except = Required<Pick<Fault, 'except'>>;

export const ownReading: Except = {
  except: { 'context-reading/for-the-pattern': 'the decoded form is measured by a check of its own' },
};
export const oneUri: Except = { except: { 'notification-uris/one': 'the SP has no second URI' } };
export const ownProofs: Except = { except: { 'proof-format/dpop': 'such proofs have checks of their own' } };
export const ecKey: Except = { except: { 'carrier-keys': 'the key that signs is no RSA key, or has another size' } };
