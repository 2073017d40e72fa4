import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Client } from '../../model/target.ts';

/**
 * Keeps what a record must not show, for whoever holds the private keys of the target's registrations: the tokens of a run
 * were issued to them. AES-256-GCM, so that what opens is what was sealed.
 */
export interface Seal {
  readonly close: (text: string) => string;
  /** Undefined where it was sealed with other keys, or changed. */
  readonly open: (encrypted: string) => string | undefined;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Bytes of one text: a case has far less. */
const largest = 1 << 28;

/** What only the operator has: the private keys, and the secrets, of all registrations. */
const secretsOf = (clients: readonly Client[]): string =>
  JSON.stringify(clients.map(({ keys, secret = '' }) => [keys.map(({ jwk }) => jwk), secret]));

export function createSeal(clients: readonly Client[]): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretsOf(clients), '', 'carrierspec journal', 32));
  return {
    close: (text) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const body = Buffer.concat([cipher.update(deflateRawSync(text, { level: 1 })), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open: (encrypted) => {
      const bytes = Buffer.from(encrypted, 'base64');
      const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
        decipher.setAuthTag(tag);
        const body = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
        return inflateRawSync(body, { maxOutputLength: largest }).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
