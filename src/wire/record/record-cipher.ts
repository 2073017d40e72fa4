import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Client } from '../../model/target.ts';

/** Encrypts records for the operator (AES-256-GCM), with a key derived from the target's private keys and secrets. */
export interface RecordCipher {
  readonly encrypt: (text: string) => string;
  /** Undefined if the text was encrypted with other keys, or changed. */
  readonly decrypt: (encrypted: string) => string | undefined;
}

const recordCipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Maximum bytes of one decrypted text: a case has far fewer. */
const maxRecordBytes = 1 << 28;

/** Key material that only the operator has: private keys and secrets of all registrations. */
const operatorSecrets = (clients: readonly Client[]): string =>
  JSON.stringify(clients.map(({ keys, secret = '' }) => [keys.map(({ jwk }) => jwk), secret]));

export function createRecordCipher(clients: readonly Client[]): RecordCipher {
  const key = Buffer.from(hkdfSync('sha256', operatorSecrets(clients), '', 'carrierspec journal', 32));
  return {
    encrypt: (text) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(recordCipherName, key, iv);
      const body = Buffer.concat([cipher.update(deflateRawSync(text, { level: 1 })), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt: (encrypted) => {
      const bytes = Buffer.from(encrypted, 'base64');
      const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
      try {
        const decipher = createDecipheriv(recordCipherName, key, iv, { authTagLength: tagBytes });
        decipher.setAuthTag(tag);
        const body = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
        return inflateRawSync(body, { maxOutputLength: maxRecordBytes }).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
