import { readFileSync } from 'node:fs';
import { packageFile } from '../../lib/package-file.ts';
import type { Identity } from '../../model/target.ts';

const folder = packageFile('fixtures/wrong-certificate/');

/** A certificate that no carrier has a reason to trust: self-signed, and for a host that is nobody's, RFC 6761 §6.4 (SEC-24). */
export const readWrongCertificate = (): Identity => ({
  cert: readFileSync(new URL('cert.pem', folder), 'utf8'),
  key: readFileSync(new URL('key.pem', folder), 'utf8'),
});
