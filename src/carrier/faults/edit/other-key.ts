import { generateKeyPairSync, type KeyObject } from 'node:crypto';

let made: KeyObject | undefined;

/** A private key that no key set shows. */
export function otherKey(): KeyObject {
  made ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return made;
}
